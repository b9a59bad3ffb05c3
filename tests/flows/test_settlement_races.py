"""Settling while others settle, void and stand up: one answer, no deadlock, and everything proves at the end."""

import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from itertools import pairwise
from pathlib import Path
from threading import Barrier
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection

from games.models import Game, Player, Record, Table
from games.rules.endings import Ending
from games.services import open_table
from ledger import book, proofs
from ratings.models import RatingChange
from ratings.rules import FIRST, Standing, Zone
from ratings.selectors import snapshot
from tests.factories import NOON, PlayerFactory, RoomFactory, TableFactory, fund, seated, terms, wallet, won
from tests.games import texts
from wagering.settlement.models import Settlement
from wagering.settlement.services import SettledOtherwise, settle, settle_record, void
from wagering.stakes.models import Stake
from wagering.stakes.services import StakeClosed, sit_down, stand_up

ROOT = Path(__file__).resolve().parents[2]
LATER = NOON + timedelta(hours=1)

pytestmark = pytest.mark.django_db(transaction=True)


def at_once(*calls: Callable[[], Any]) -> list[Any]:
    """What each call answers, or the refusal it raises; all start at the same moment, each on its own connection."""
    start = Barrier(len(calls))

    def run(call: Callable[[], Any]) -> Any:
        try:
            connection.ensure_connection()
            start.wait(timeout=20)
            return call()
        except (ValueError, book.Refused, Stake.DoesNotExist) as refused:
            return refused
        finally:
            connection.close()

    with ThreadPoolExecutor(max_workers=len(calls)) as threads:
        return list(threads.map(run, calls))


def assert_proven() -> None:
    assert [(proof.name, proof.fault) for proof in proofs.run() if not proof.holds] == []


def assert_rated_as_settled(players: Iterable[Player]) -> None:
    """Each player's changes follow one another, end where the rating stands, and there is one for each contest won."""
    for player in players:
        changes = list(RatingChange.objects.filter(player=player).order_by("experience_before"))
        steps = [FIRST.rating, *(change.rating_after for change in changes)]
        assert [change.rating_before for change in changes] == steps[:-1]
        for before, after in pairwise(changes):
            assert before.experience_after == after.experience_before
        last = Standing(steps[-1], changes[-1].experience_after if changes else 0)
        assert snapshot(player=player, zone=Zone.PROFESSIONALS) == last
    rated = set(RatingChange.objects.values_list("contest", "player", "won"))
    settled = Settlement.objects.exclude(winner=None).select_related("stake__table")
    assert rated == {
        (one.stake.table_id, player.pk, one.winner == side)
        for one in settled
        for side, player in enumerate(one.stake.table.seats, 1)
    }


def test_two_workers_settle_one_table_case_9() -> None:
    stake = seated(terms("5", cap="15"))
    answers = at_once(*[lambda: settle(table=stake.table, outcome=won(1), at=LATER)] * 6)
    assert {answer.pk for answer in answers} == {Settlement.objects.get().pk}
    assert [str(wallet(player)) for player in stake.table.seats] == ["1004.51", "995.00"]
    assert_rated_as_settled(stake.table.seats)
    assert_proven()


def test_two_workers_report_one_record() -> None:
    stake = seated(terms("5", cap="15"))
    text = texts.money(texts.RESIGNED)
    answers = at_once(*[lambda: settle_record(table=stake.table, text=text, at=LATER)] * 4)
    assert {answer.pk for answer in answers} == {Settlement.objects.get().pk}
    assert (Record.objects.count(), Game.objects.count()) == (1, 1)
    assert_rated_as_settled(stake.table.seats)
    assert_proven()


def test_two_workers_in_processes_of_their_own_settle_one_table(child_environment: dict[str, str]) -> None:
    stake = seated(terms("5", cap="15"))
    program = (
        "import sys; from django.utils import timezone; from games.models import Table;"
        "from wagering.settlement.services import settle_record;"
        f"print(settle_record(table=Table.objects.get(pk='{stake.table_id}'), text=sys.stdin.read(),"
        " at=timezone.now()).pk)"
    )
    started = [
        subprocess.Popen(
            [sys.executable, "-c", f"import django; django.setup(); {program}"],
            cwd=ROOT,
            env={**child_environment, "DJANGO_SETTINGS_MODULE": "wagering.config.settings"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for _ in range(2)
    ]
    for worker in started:
        assert worker.stdin is not None
        worker.stdin.write(texts.money(texts.RESIGNED))
        worker.stdin.close()
        worker.stdin = None
    told = [worker.communicate(timeout=60) for worker in started]
    assert told == [(f"{Settlement.objects.get().pk}\n", "")] * 2
    assert [str(wallet(player)) for player in stake.table.seats] == ["1013.53", "985.00"]
    assert_proven()


@pytest.mark.parametrize("again", range(3))
def test_won_void_and_stood_up_at_once_is_one_of_them(again: int) -> None:
    stake = seated(terms("5", cap="15"))
    table = stake.table
    answers = at_once(
        lambda: settle(table=table, outcome=won(1), at=LATER),
        lambda: settle(table=table, outcome=won(2), at=LATER),
        lambda: settle_record(table=table, text=texts.money(texts.DROPPED), at=LATER),
        lambda: void(table=table, at=LATER),
        lambda: stand_up(table=table, at=LATER),
        lambda: stand_up(table=table, at=LATER),
    )
    refused = [answer for answer in answers if isinstance(answer, Exception)]
    assert {type(refusal) for refusal in refused} <= {SettledOtherwise, StakeClosed}
    state = Stake.objects.get().state
    assert len(refused) == (4 if state == Stake.State.RELEASED else 5)
    assert Settlement.objects.count() == (0 if state == Stake.State.RELEASED else 1)
    by_record = Settlement.objects.filter(ending=Ending.DROPPED).count()
    assert (Record.objects.count(), Game.objects.count()) == (by_record, by_record)
    assert not book.open_holds()
    assert_rated_as_settled(table.seats)
    assert_proven()


def test_sitting_down_twice_at_once_holds_once() -> None:
    """Case 5, and case 1: there is money for one."""
    table = TableFactory.create()
    for player in table.seats:
        fund(player, "15.00")
    answers = at_once(*[lambda: sit_down(table=table, terms=terms("5", cap="15"), at=NOON)] * 4)
    assert {answer.pk for answer in answers} == {Stake.objects.get().pk}
    assert [wallet(player) for player in table.seats] == [0, 0]
    assert_proven()


def test_money_for_one_table_at_many_tables_at_once_case_1() -> None:
    """Ann has 10.00 and is asked to ten tables, now on this side and now on that."""
    room = RoomFactory.create(charges="gammonempire")
    ann = PlayerFactory.create(name="ann")
    others = [PlayerFactory.create(name="bob") for _ in range(6)]
    fund(ann, "10.00")
    for other in others:
        fund(other, "10.00")
    tables = [
        TableFactory.create(room=room, players=(ann, other) if n % 2 else (other, ann))
        for n, other in enumerate(others)
    ]
    answers = at_once(
        *[lambda table=table: sit_down(table=table, terms=terms("10", cap="10"), at=NOON) for table in tables]
    )
    assert Counter(type(answer) for answer in answers) == {Stake: 1, book.InsufficientFunds: 5}
    assert (Stake.objects.count(), str(wallet(ann))) == (1, "0.00")
    assert_proven()


def test_sitting_down_settling_and_standing_up_crosswise_never_deadlocks() -> None:
    """Ann against bob and bob against ann, at many tables, from sit-down to the end, all at the same moment."""
    room = RoomFactory.create(charges="gammonempire")
    ann, bob = (PlayerFactory.create(name=name) for name in ("ann", "bob"))
    cleo = PlayerFactory.create(name="cleo")
    for player in ann, bob, cleo:
        fund(player, "1000")
    pairs = [(ann, bob), (bob, ann), (bob, cleo), (cleo, bob), (cleo, ann), (ann, cleo)]

    def play(lane: int) -> int:
        for turn in range(5):
            table: Table = TableFactory.create(room=room, players=pairs[(lane + turn) % len(pairs)])
            sit_down(table=table, terms=terms("5", cap="15"), at=NOON)
            match (lane + turn) % 5:
                case 0:
                    stand_up(table=table, at=LATER)
                case 1:
                    void(table=table, at=LATER)
                case 2:
                    settle_record(table=table, text=texts.money(texts.RESIGNED), at=LATER)
                case _:
                    settle(table=table, outcome=won(1 if turn % 2 else 2), at=LATER)
        return lane

    answers = at_once(*[lambda lane=lane: play(lane) for lane in range(6)])
    assert answers == list(range(6))
    assert Counter(Stake.objects.values_list("state", flat=True)) == {"settled": 24, "released": 6}
    assert Settlement.objects.filter(winner=None).count() == 6
    assert_rated_as_settled([ann, bob, cleo])
    assert_proven()


def test_opening_one_table_twice_at_once_opens_it_once() -> None:
    room, players, table = RoomFactory.create(), (PlayerFactory.create(), PlayerFactory.create(name="bob")), uuid4()
    answers = at_once(
        *[lambda: open_table(room=room, zone="professionals", players=players, match_length=0, at=NOON, table=table)]
        * 4
    )
    assert {answer.pk for answer in answers} == {table}
    assert Table.objects.count() == 1
