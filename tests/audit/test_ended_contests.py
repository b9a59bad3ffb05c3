"""What ended at its table is closed, or a game of it waits to be judged; whatever contradicts that is found."""

from __future__ import annotations

import pytest

from games.live.models import Live
from tests.factories import NOON, seated, terms, won
from tests.play.at_table import AtTable, sat_down
from tests.play.test_unfinished import left_by
from wagering.audit.unfinished import ended_contests_are_closed
from wagering.settlement.models import Adjudication
from wagering.settlement.services import settle
from wagering.stakes.models import Stake

pytestmark = pytest.mark.django_db

State = Adjudication.State


def fault() -> str | None:
    return ended_contests_are_closed().fault


def resigned() -> AtTable:
    game = sat_down()
    game.done("resign", concession="single")
    game.done("accept_resignation")
    return game


def test_what_goes_on_what_is_paid_and_what_waits_are_in_order() -> None:
    sat_down()
    resigned()
    left_by(1)
    settle(table=seated(terms("5")).table, outcome=won(1), at=NOON)
    assert fault() is None
    assert ended_contests_are_closed().figure == "3 contests"


@pytest.mark.parametrize("status", ["over", "abandoned", "voided"])
def test_a_contest_that_ended_and_was_never_paid_is_found(status: str) -> None:
    game = sat_down()
    Live.objects.filter(pk=game.table.pk).update(status=status, due_at=None, to_act=None)
    assert fault() == (
        f"table {game.table.pk}: the contest is {status}, its stake is still held, and no adjudication waits"
    )


@pytest.mark.parametrize("state", [State.WAITING, State.OPERATOR, State.ANALYSED])
def test_what_waits_for_a_stake_that_is_closed_is_found(state: State) -> None:
    game = left_by(1)
    Adjudication.objects.update(state=state)
    assert fault() is None
    Stake.objects.filter(pk=game.stake.pk).update(state="released")
    assert f"its adjudication is {state.value} and its stake released" in str(fault())


def test_what_was_judged_and_not_paid_is_found() -> None:
    left_by(1)
    Adjudication.objects.update(state=State.SETTLED)
    assert "its adjudication is settled and its stake held" in str(fault())


def test_what_waits_while_the_table_plays_on_is_found() -> None:
    game = left_by(1)
    Live.objects.filter(pk=game.table.pk).update(status="playing")
    assert "its adjudication is waiting and the table playing" in str(fault())
