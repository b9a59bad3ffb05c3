"""A room's servers at the same moment: one table, one payment, and everything proves."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest

from ledger import book
from tests.access.callers import RoomClient
from tests.factories import wallet
from tests.games import texts
from tests.rooms.servers import Server, server
from tests.seamless.callers import at_once
from wagering.settlement.models import Adjudication, Settlement
from wagering.stakes.models import Stake

pytestmark = pytest.mark.django_db(transaction=True)

RESIGNED = texts.money(texts.RESIGNED)
START = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:6"


@pytest.fixture
def emerald(transactional_db: None) -> Server:
    return server()


def copy(one: Server) -> Server:
    """Another worker of the same server."""
    return Server(one.room, RoomClient(key=one.client.key, secret=one.client.secret), one.players, one.table)


def asks(one: Server, what: Callable[[Server], Any]) -> Callable[[], tuple[int, str]]:
    """Status and code of what another worker of the server asks; what a rival is doing just now is asked again."""
    mine = copy(one)

    def run() -> tuple[int, str]:
        while True:
            answer = what(mine)
            code = answer.json().get("code", "")
            if code not in ("idempotency_key_in_flight", "busy"):
                return answer.status_code, code

    return run


@pytest.mark.parametrize("key", ["k", None])
def test_one_table_opened_four_times_at_once(emerald: Server, key: str | None) -> None:
    answers = at_once(*[asks(emerald, lambda each: each.open(key=key)) for _ in range(4)])
    assert Counter(answers) == {(201, ""): 4}
    assert (Stake.objects.count(), [str(wallet(player)) for player in emerald.players]) == (1, ["85.00", "85.00"])


def test_money_for_one_table_case_1(emerald: Server) -> None:
    cap = {"amount": "60.00", "currency": "USD"}

    def one(name: str) -> Callable[[], tuple[int, str]]:
        return asks(emerald, lambda each: each.open(reference=name, cap=cap))

    answers = at_once(*[one(name) for name in ("t1", "t2", "t3", "t4")])
    assert Counter(answers) == {(201, ""): 1, (409, "insufficient_funds"): 3}


@pytest.mark.parametrize("again", range(3))
def test_a_result_a_void_and_a_leaving_at_once_is_one_of_them(emerald: Server, again: int) -> None:
    emerald.opened()
    answers = at_once(
        asks(emerald, lambda each: each.post("result", {"record": RESIGNED})),
        asks(emerald, lambda each: each.post("result", {"record": texts.money(texts.DROPPED)})),
        asks(emerald, lambda each: each.post("void")),
        asks(emerald, lambda each: each.post("abandon", {"xgid": START, "absent": [1]})),
        asks(emerald, lambda each: each.post("result", {"record": RESIGNED}, key=uuid4().hex)),
    )
    assert {status for status, _ in answers} <= {200, 409}
    assert Settlement.objects.count() + Adjudication.objects.count() == 1
    assert len(book.open_holds()) == 2 * Adjudication.objects.count()
