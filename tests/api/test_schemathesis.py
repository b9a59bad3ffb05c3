"""Whatever a player's client sends to any address there is: no 5xx, and no answer that the description does not have.

One player with a seat at a table that is under way asks them all; what is not a player's is refused as described.
"""

from __future__ import annotations

import contextlib
from typing import Any
from uuid import uuid4

import pytest
import schemathesis
from django.utils import timezone
from hypothesis import HealthCheck, given
from hypothesis import settings as effort
from hypothesis.errors import Unsatisfiable
from schemathesis.generation import GenerationMode
from schemathesis.specs.openapi.checks import response_schema_conformance

from games.live import services as live
from games.live.rules.pace import Pace
from games.models import Player
from games.rules.dice import hash_of
from games.rules.sides import SIDES
from tests.access.callers import client_of
from tests.api.test_fuzz import CHECKS
from tests.api.test_schema import ALL, schema
from tests.factories import RoomFactory, TableFactory, fund, terms
from tests.live.tables import SEEDS
from tests.seamless.callers import assert_proven
from wagering.config.wsgi import application
from wagering.stakes.services import sit_down

EXAMPLES = 3
"""Of each operation and mode, and one of those that are closed to players; all together stay under a minute."""
CLOSED = {"Room servers", "Seamless wallet"}


def at_a_table() -> tuple[Player, dict[str, str]]:
    """A player who is at a table, and the ids of what is theirs."""
    room = RoomFactory.create(slug="emerald", charges="gammonempire")
    table = TableFactory.create(room=room)
    for player in table.seats:
        fund(player, "100.00")
    now = timezone.now
    live.start(table=table, pace=Pace(move_s=600, reserve_s=600), at=now())
    sit_down(table=table, terms=terms("5", cap="15"), at=now())
    for side in SIDES:
        live.commit_seed(table=table.pk, side=side, digest=hash_of(seed=SEEDS[side - 1]).hex(), now=now)
    for side in SIDES:
        live.reveal_seed(table=table.pk, side=side, seed=SEEDS[side - 1].hex(), now=now)
    ann = table.seats[0]
    return ann, {"table": str(table.pk), "game": str(table.pk), "player": str(ann.pk), "slug": room.slug}


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("mode", list(GenerationMode), ids=lambda mode: mode.name.lower())
def test_no_address_answers_with_a_surprise(mode: GenerationMode, settings: Any) -> None:
    settings.RATES = {}
    settings.ALLOWED_HOSTS = ["*"]
    ann, theirs = at_a_table()
    described = schemathesis.openapi.from_dict(schema())
    described.app = application
    met = {name: statuses(name, described, mode, ann, theirs) for name in ALL}
    if mode is GenerationMode.POSITIVE:
        assert 200 in met["GET /v1/tables/{table}"]
        assert met["GET /v1/wallet"] == {200}
    assert_proven()


def statuses(name: str, described: Any, mode: GenerationMode, ann: Player, theirs: dict[str, str]) -> set[int]:
    """The statuses of the answers to what ann sends there."""
    method, path = name.split()
    examples = 1 if CLOSED & set(ALL[name]["tags"]) else EXAMPLES
    credential = client_of(ann).defaults["HTTP_AUTHORIZATION"]  # anew: some operations end all of them
    streams = "text/event-stream" in ALL[name]["responses"].get("200", {}).get("content", {})
    checks = [check for check in CHECKS if not streams or check is not response_schema_conformance]  # it is described
    met: set[int] = set()  # as the text that it is, and would be read as events

    @effort(max_examples=examples, deadline=None, suppress_health_check=list(HealthCheck), database=None)
    @given(case=described[path][method].as_strategy(generation_mode=mode))
    def send(case: Any) -> None:
        asked = case.path_parameters or {}
        case.path_parameters = {part: theirs.get(part, value) for part, value in asked.items()}
        case.headers = {**(case.headers or {}), "Authorization": credential}
        if method == "POST":
            case.headers["Idempotency-Key"] = uuid4().hex
        met.add(case.call_and_validate(checks=checks).status_code)

    with contextlib.suppress(Unsatisfiable):  # where nothing is taken, nothing can be wrong
        send()
    return met
