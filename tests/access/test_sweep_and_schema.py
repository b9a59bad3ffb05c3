"""What is over is swept away; and the API's description says which credential lets somebody in where."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
import time_machine
from rest_framework.permissions import AllowAny
from rest_framework.test import APIClient
from rest_framework.views import APIView

from games.access.models import Failures, PlayerToken, UsedNonce
from games.access.permissions import IsPlayer, IsRoomServer
from games.access.schema import ways_in
from games.access.tasks import forget
from tests.access.callers import log_in, now, register, room_client
from tests.factories import RoomFactory


@pytest.mark.django_db
@pytest.mark.urls("tests.access.errands")
def test_what_is_over_is_swept_away_and_nothing_else() -> None:
    server = room_client(RoomFactory.create())
    register("ann")

    def counts() -> tuple[int, ...]:
        return Failures.objects.count(), PlayerToken.objects.count(), UsedNonce.objects.count()

    log_in("ann")
    log_in("bob", "wrong")
    server.get("/v1/errands")
    assert counts() == (3, 1, 1)  # ann's name, bob's, and the address of both
    forget()
    assert counts() == (3, 1, 1)
    with time_machine.travel(now() + timedelta(days=2)):
        forget()
    assert counts() == (0, 1, 0)
    with time_machine.travel(now() + timedelta(days=32)):
        forget()
    assert counts() == (0, 0, 0)


@pytest.mark.parametrize(
    ("permissions", "ways"),
    [
        ([IsPlayer], {"playerToken"}),
        ([IsRoomServer], {"roomSignature"}),
        ([IsPlayer | IsRoomServer], {"playerToken", "roomSignature"}),
        ([AllowAny], set()),
        ([], set()),
    ],
)
def test_a_view_s_permissions_say_which_credentials_it_takes(permissions: list[Any], ways: set[str]) -> None:
    view = APIView()
    view.permission_classes = permissions
    assert ways_in(view).keys() == ways


@pytest.mark.django_db
def test_the_schema_tells_credentials_and_their_refusals() -> None:
    schema = APIClient().get("/v1/schema", headers={"Accept": "application/json"}).json()
    assert schema["components"]["securitySchemes"].keys() == {"playerToken", "roomSignature"}
    me = schema["paths"]["/v1/me"]["get"]
    assert me["security"] == [{"playerToken": []}]
    unauthorized = me["responses"]["401"]["content"]["application/problem+json"]["examples"]
    assert unauthorized.keys() >= {"not_authenticated", "token_refused"}
    assert schema["paths"]["/v1/tokens"]["post"].get("security", []) in ([], [{}])
