"""Bets at a room's own server pass the gate, and the room is not told why one does not."""

from __future__ import annotations

from decimal import Decimal
from uuid import uuid4

import pytest

from games.models import Player
from tests.access.callers import client_of
from tests.factories import escrow, person, wallet
from tests.protection.people import now
from tests.seamless.callers import Aggregator, aggregator
from wagering.protection.exclusion import services as exclusion
from wagering.protection.limits import services as limits
from wagering.protection.limits.rules import Kind, Window
from wagering.protection.limits.selectors import Sort
from wagering.seamless.sessions import open_session

pytestmark = pytest.mark.django_db


@pytest.fixture
def server() -> Aggregator:
    return aggregator()


def let_in(server: Aggregator, player: Player) -> str:
    return open_session(player=player, room=server.room, currency="USD", at=now()).token


def limited(player: Player, kind: Kind, amount: str) -> None:
    limits.set_limit(player=player, sort=Sort(kind, Window.DAY, "USD"), amount=Decimal(amount), at=now())


def test_whoever_is_excluded_bets_nothing_and_is_paid_all_the_same(server: Aggregator) -> None:
    ann, bob = person(), person("bob")
    hers, his, first = let_in(server, ann), let_in(server, bob), uuid4()
    assert server.bet(hers, transaction_uuid=first)["status"] == "RS_OK"
    assert server.bet(his)["status"] == "RS_OK"
    exclusion.exclude(player=ann, months=6, at=now())
    refused = server.bet(hers)
    assert refused["status"] == "RS_ERROR_USER_DISABLED"
    assert "exclu" not in str(refused)
    assert server.bet(hers, transaction_uuid=first)["status"] == "RS_OK"  # the first answer again
    assert server.win(first)["status"] == "RS_OK"
    assert (wallet(ann), escrow(ann)) == (Decimal("109.02"), Decimal(0))


def test_an_excluded_player_lets_no_room_in(server: Aggregator) -> None:
    ann = person()
    exclusion.take_time_out(player=ann, hours=1, at=now())
    body = {"room": server.room.slug, "currency": "USD"}
    answer = client_of(ann).post("/v1/seamless/sessions", body, format="json")
    assert (answer.status_code, answer.json()["code"]) == (403, "excluded")


@pytest.mark.parametrize("kind", [Kind.LOSS, Kind.STAKE])
def test_bets_count_against_limits_until_they_come_back(server: Aggregator, kind: Kind) -> None:
    ann = person()
    limited(ann, kind, "25")
    token, bets = let_in(server, ann), [uuid4(), uuid4()]
    for bet in bets:
        assert server.bet(token, transaction_uuid=bet)["status"] == "RS_OK"
    refused = server.bet(token)
    assert refused["status"] == "RS_ERROR_BET_LIMIT_EXCEEDED"
    assert server.bet(token, "5.00")["status"] == "RS_OK"
    assert server.rollback(bets[0])["status"] == "RS_OK"
    assert server.bet(token)["status"] == "RS_OK"
    assert server.bet(token, "0.01")["status"] == "RS_ERROR_BET_LIMIT_EXCEEDED"
