"""What players are told: in the transaction that did it, to them alone, and never more than the kind says."""

from __future__ import annotations

from decimal import Decimal
from typing import Any
from uuid import uuid4

import pytest
from django.db import IntegrityError, transaction
from rest_framework.test import APIClient

from games.models import Player
from tests.access.callers import client_of
from tests.factories import NOON, person
from wagering.notices import services
from wagering.notices.kinds import KINDS
from wagering.notices.models import Notice

pytestmark = pytest.mark.django_db


def tells(player: Player | None, amount: str = "50.00") -> Notice:
    return services.tell(
        kind="deposit_succeeded",
        data={"deposit": uuid4(), "amount": Decimal(amount), "currency": "EUR"},
        player=player,
        at=NOON,
    )


def lists(client: APIClient, query: str = "") -> Any:
    return client.get(f"/v1/notices{query}").json()["results"]


def test_a_player_reads_their_own() -> None:
    ann, bob = person("ann"), person("bob")
    told = tells(ann)
    tells(bob)
    client = client_of(ann)
    (found,) = lists(client)
    assert found == {
        "id": str(told.pk),
        "kind": "deposit_succeeded",
        "data": {"deposit": told.data["deposit"], "amount": "50.00", "currency": "EUR"},
        "at": "2026-03-01T12:00:00Z",
        "read_at": None,
    }


def test_what_was_read_is_read_once() -> None:
    ann, bob = person("ann"), person("bob")
    first, second, other = tells(ann), tells(ann), tells(bob)
    client = client_of(ann)
    said = {"notices": [str(first.pk), str(other.pk), str(uuid4())]}
    assert client.post("/v1/notices/read", said, format="json").json() == {"unread": 1}
    assert [each["id"] for each in lists(client, "?unread=true")] == [str(second.pk)]
    first.refresh_from_db()
    was = first.read_at
    assert was is not None
    client.post("/v1/notices/read", said, format="json")
    first.refresh_from_db()
    other.refresh_from_db()
    assert (first.read_at, other.read_at) == (was, None)


@pytest.mark.parametrize("said", [{"notices": []}, {"notices": ["x"]}, {}, {"notices": [str(uuid4())] * 201}])
def test_what_names_no_notices_is_refused(said: dict[str, Any]) -> None:
    answer = client_of(person()).post("/v1/notices/read", said, format="json")
    assert (answer.status_code, answer.json()["code"]) == (422, "invalid")


def test_a_list_of_notices_comes_in_pages() -> None:
    ann = person()
    told = {str(tells(ann).pk) for _ in range(3)}
    client = client_of(ann)
    page = client.get("/v1/notices?limit=2").json()
    rest = client.get(page["next"]).json()
    assert {each["id"] for each in page["results"] + rest["results"]} == told


@pytest.mark.parametrize(
    "data",
    [
        {"deposit": uuid4(), "amount": Decimal("5.00")},
        {"deposit": uuid4(), "amount": Decimal("5.00"), "currency": "EUR", "name": "ann"},
        {"deposit": "ann", "amount": Decimal("5.00"), "currency": "EUR"},
        {"deposit": uuid4(), "amount": "DE89370400440532013000", "currency": "EUR"},
        {"deposit": uuid4(), "amount": "NaN", "currency": "EUR"},
        {"deposit": uuid4(), "amount": 5.5, "currency": "EUR"},
    ],
)
def test_nothing_is_told_but_what_the_kind_says(data: dict[str, Any]) -> None:
    with pytest.raises(AssertionError, match="not as the kind says"):
        services.tell(kind="deposit_succeeded", data=data, player=person(), at=NOON)
    assert not Notice.objects.exists()


def test_the_last_four_are_four_at_most() -> None:
    data: dict[str, Any] = {"payout": uuid4(), "amount": Decimal("5.00"), "currency": "EUR", "last4": "13000"}
    with pytest.raises(AssertionError, match="last4"):
        services.tell(kind="payout_paid", data=data, player=person(), at=NOON)


def test_a_kind_is_named_and_says_something() -> None:
    for name, kind in KINDS.items():
        assert name.islower() and len(name) <= 40
        assert kind.text.endswith(".")
        assert kind.shape


@pytest.mark.django_db(transaction=True)
def test_what_is_undone_was_never_told() -> None:
    ann = person()
    with transaction.atomic():
        tells(ann)
        transaction.set_rollback(True)
    assert not Notice.objects.exists()
    with pytest.raises(AssertionError, match="in the transaction"):
        tells(ann)


@pytest.mark.parametrize("change", [{"kind": "payout_paid"}, {"data": {}}, {"at": NOON.replace(hour=13)}])
def test_the_database_keeps_what_was_told(change: dict[str, Any]) -> None:
    told = tells(person())
    with pytest.raises(IntegrityError, match="notice_is_final"), transaction.atomic():
        Notice.objects.filter(pk=told.pk).update(**change)
    with pytest.raises(IntegrityError, match="notice_is_final"), transaction.atomic():
        told.delete()
