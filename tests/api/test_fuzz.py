"""Whatever is sent to any address there is: no 5xx, and no answer that the description does not have.

A player with a seat at a table that is under way asks them all; what is not a player's is refused as described. Nobody
asks what is open to all, and two players in the lobby what is asked there, about an offer that they have just made.
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
from schemathesis.checks import not_a_server_error
from schemathesis.generation import GenerationMode
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from games.live import services as live
from games.live.rules.pace import Pace
from games.models import Player
from games.rules.dice import hash_of
from games.rules.sides import SIDES
from tests.access.callers import client_of
from tests.api.test_schema import ALL, schema
from tests.factories import RoomFactory, TableFactory, fund, terms
from tests.live.tables import SEEDS
from tests.play.lobbying import SINGLE, Guest, emerald
from tests.seamless.callers import assert_proven
from wagering.config.wsgi import application
from wagering.stakes.services import sit_down

CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]

CLOSED = {"Room servers", "Seamless wallet"}
"""To players."""
OPEN = sorted(name for name, operation in ALL.items() if not all(operation.get("security") or [{}]))
LOBBY = sorted(name for name, operation in ALL.items() if operation["tags"][0] in ("Lobby", "Wallet", "People"))
ELSEWHERE = sorted(ALL.keys() - {name for name in LOBBY if "{table}" not in name})

each_mode = pytest.mark.parametrize("mode", list(GenerationMode), ids=lambda mode: mode.name.lower())


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


@pytest.fixture
def described(settings: Any) -> Any:
    settings.RATES = {}
    settings.ALLOWED_HOSTS = ["*"]
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    found = schemathesis.openapi.from_dict(schema())
    found.app = application
    return found


@pytest.mark.django_db(transaction=True)
@each_mode
def test_a_player_at_a_table_meets_no_surprise(described: Any, mode: GenerationMode) -> None:
    ann, theirs = at_a_table()
    met = {}
    for name in ELSEWHERE:
        examples = 1 if CLOSED & set(ALL[name]["tags"]) else 3
        credential = client_of(ann).defaults["HTTP_AUTHORIZATION"]  # anew: some operations end all of them
        met[name] = statuses(name, described, mode, examples, credential=credential, theirs=theirs)
    if mode is GenerationMode.POSITIVE:
        assert 200 in met["GET /v1/tables/{table}"]
    assert_proven()


@pytest.mark.django_db(transaction=True)
@each_mode
def test_players_in_the_lobby_meet_no_surprise(described: Any, mode: GenerationMode) -> None:
    room, met = emerald(), {}
    for name in LOBBY:
        ann, bob = Guest("ann"), Guest("bob")
        offer = ann.offered(room=room)
        counter = bob.countered(offer, {**SINGLE, "beavers": True})
        theirs = {"offer": offer, "counter": counter, "player": str(bob.player.pk)}
        credential = ann.client.defaults["HTTP_AUTHORIZATION"]
        met[name] = statuses(name, described, mode, 6, credential=credential, theirs=theirs)
    if mode is GenerationMode.POSITIVE:
        assert met["GET /v1/wallet"] == {200}
    assert_proven()


@pytest.mark.django_db(transaction=True)
@each_mode
def test_nobody_meets_a_surprise(described: Any, mode: GenerationMode) -> None:
    RoomFactory.create(charges="gammonempire")
    for name in OPEN:
        statuses(name, described, mode, 15)


def statuses(
    name: str,
    described: Any,
    mode: GenerationMode,
    examples: int,
    *,
    credential: str | None = None,
    theirs: dict[str, str] | None = None,
) -> set[int]:
    """The statuses of the answers to what is sent there, with ``credential``, where ids are those of ``theirs``."""
    method, path = name.split()
    streams = "text/event-stream" in ALL[name]["responses"].get("200", {}).get("content", {})
    checks = [check for check in CHECKS if not streams or check is not response_schema_conformance]  # it is described
    met: set[int] = set()  # as the text that it is, and would be read as events

    @effort(max_examples=examples, deadline=None, suppress_health_check=list(HealthCheck), database=None)
    @given(case=described[path][method].as_strategy(generation_mode=mode))
    def send(case: Any) -> None:
        if credential is not None:
            asked = case.path_parameters or {}
            case.path_parameters = {part: (theirs or {}).get(part, value) for part, value in asked.items()}
            case.headers = {**(case.headers or {}), "Authorization": credential}
            if method == "POST":
                case.headers["Idempotency-Key"] = uuid4().hex
        met.add(case.call_and_validate(checks=checks).status_code)

    with contextlib.suppress(Unsatisfiable):  # where nothing is taken, nothing can be wrong
        send()
    return met
