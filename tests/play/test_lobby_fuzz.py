"""Whatever a player's client sends to the lobby, the wallet and the pages about people: no 5xx, nothing undescribed."""

from __future__ import annotations

from contextlib import suppress
from typing import Any
from uuid import uuid4

import pytest
import schemathesis
from hypothesis import HealthCheck, given
from hypothesis import settings as effort
from hypothesis.errors import Unsatisfiable
from schemathesis.generation import GenerationMode

from tests.api.test_fuzz import CHECKS
from tests.api.test_schema import ALL, schema
from tests.play.lobbying import SINGLE, Guest, emerald
from wagering.config.wsgi import application

OURS = sorted(name for name, operation in ALL.items() if operation["tags"][0] in ("Lobby", "Wallet", "People"))


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("mode", list(GenerationMode), ids=lambda mode: mode.name.lower())
@pytest.mark.parametrize("name", OURS)
def test_no_answer_is_a_surprise(name: str, mode: GenerationMode, settings: Any) -> None:
    settings.RATES = {}
    settings.ALLOWED_HOSTS = ["*"]
    ann, bob = Guest("ann"), Guest("bob")
    offer = ann.offered(room=emerald())
    counter = bob.countered(offer, {**SINGLE, "beavers": True})
    there = {"offer": offer, "counter": counter, "player": str(bob.player.pk)}
    method, path = name.split()
    described = schemathesis.openapi.from_dict(schema())
    described.app = application

    @effort(max_examples=6, deadline=None, suppress_health_check=list(HealthCheck), database=None)
    @given(case=described[path][method].as_strategy(generation_mode=mode))
    def send(case: Any) -> None:
        case.path_parameters = {name: there.get(name, value) for name, value in (case.path_parameters or {}).items()}
        case.headers = {**(case.headers or {}), "Authorization": ann.client.defaults["HTTP_AUTHORIZATION"]}
        if method == "POST":
            case.headers["Idempotency-Key"] = uuid4().hex
        case.call_and_validate(checks=CHECKS)

    with suppress(Unsatisfiable):  # nothing that is sent there could be wrong
        send()
