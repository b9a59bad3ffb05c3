"""Contests that are not played to their end: absence, time-outs, the kept record, and what operators rule (A, B-15)."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta
from decimal import Decimal
from types import SimpleNamespace
from typing import Any
from unittest import mock

import pytest
from django.db import IntegrityError, connection, transaction
from django.test import Client

from games.analysis import engines, sage
from games.analysis.evaluator import NotCovered
from games.live import services as live
from games.models import User
from games.rules.ids import read_xgid
from games.rules.sides import Side
from ledger import book
from ratings.models import RatingChange
from tests.cashier.adjustments.adjusted import adjusted
from tests.cashier.disputes.charged import owed
from tests.factories import earned, terms, wallet
from tests.play.at_table import AtTable, assert_proven, sat_down
from wagering.audit.trace import as_text, trace
from wagering.cashier.disputes import receivables
from wagering.config.celery import app
from wagering.play import tasks
from wagering.play.tables import services as tables
from wagering.rest.retries import outermost
from wagering.settlement import rulings
from wagering.settlement.abandonment import services as abandonment
from wagering.settlement.abandonment.rules.valuation import again
from wagering.settlement.models import Adjudication, Ruling, Settlement
from wagering.stakes.models import Stake
from wagering.stakes.rules import Abandonment, Terms, exposure

pytestmark = pytest.mark.django_db

FIVE = terms("5", cap="30")


@pytest.fixture(autouse=True)
def _the_same_dice_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that a position is worth something each time: one that is even moves nothing."""
    monkeypatch.setattr(live, "secrets", SimpleNamespace(token_bytes=lambda length: b"\x07" * length))


def left_by(side: Side, agreed: Terms = FIVE, *, both: bool = False, **options: Any) -> AtTable:
    """A game that ``side`` has left for five minutes on its turn, noticed by the sweep."""
    game = sat_down(agreed, **options)
    game.plays()
    while game.side != side:
        game.done("roll")
        if game.stand.game.dice:
            game.plays()
    other: Side = 2 if side == 1 else 1
    game.beats(side, gone=True)
    if both:
        game.beats(other, gone=True)
    game.wait(minutes=5, seconds=2)
    if not both:
        game.beats(other)
    game.sweeps()
    return game


def adjudication(game: AtTable) -> Adjudication:
    return Adjudication.objects.get(stake=game.stake)


def judged(game: AtTable) -> Settlement:
    """As the worker does it."""
    with game.clock():
        tasks.adjudicate(str(game.stake.pk))
    return Settlement.objects.get(stake=game.stake)


def operators() -> tuple[User, User]:
    one, two = (
        User.objects.create(username=name, is_staff=True, is_superuser=True) for name in ("an operator", "another")
    )
    return one, two


class TestTheServicesFault:
    """A-8: a match is worth what the table says at the last completed game; no commission, and nobody is rated."""

    def voided(self, *lost: str, by: tuple[Side, ...] = (1,), length: int = 3) -> AtTable:
        """Each of ``lost`` is a game that the side of ``by`` at its place has given up; the next goes on no more."""
        game = sat_down(terms("10", match_length=length) if length else FIVE)
        for side, concession in zip(by, lost, strict=False):
            while not (game.side == side and "resign" in game.state(side)["actions"]):
                game.done("roll") if "roll" in game.state(game.side)["actions"] else game.plays()
            game.done("resign", concession=concession)
            game.done("accept_resignation")
        with game.clock():
            tables.void(table=game.table.pk, now=lambda: game.at)
        return game

    @pytest.mark.parametrize(
        ("lost", "crawford", "moves"),
        [
            (("single",), False, "1.99"),  # 2 away against 3: 0.59947 by the table
            (("gammon",), True, "5.02"),  # 1 away against 3, Crawford: 0.75076
        ],
    )
    def test_a_match_is_split_by_its_score(self, lost: tuple[str, ...], crawford: bool, moves: str) -> None:
        game = self.voided(*lost)
        assert game.state()["settlement"] | {"status": "waiting", "ending": "service"} == game.state()["settlement"]
        found = adjudication(game)
        assert read_xgid(found.xgid)[1].crawford is crawford
        settled = judged(game)
        assert (settled.winner, str(settled.lost), settled.commission, settled.charge) == (2, moves, 0, {})
        assert game.nets() == (f"-{moves}", moves)
        assert not RatingChange.objects.filter(contest=game.table.pk).exists()
        assert "service" in as_text(trace(game.table))
        assert_proven()

    def test_at_an_even_score_each_side_gets_its_stake_back(self) -> None:
        game = self.voided("single", "single", by=(1, 2), length=5)
        assert game.state()["score"] == [1, 1]
        settled = judged(game)
        assert (settled.winner, settled.lost, settled.commission) == (None, 0, 0)
        assert game.nets() == ("0.00", "0.00")
        assert_proven()

    def test_before_a_game_was_finished_and_in_a_single_game_it_is_void(self) -> None:
        for game in (self.voided(), self.voided(length=0)):
            assert game.state()["settlement"]["status"] == "void"
            assert game.nets() == ("0.00", "0.00")
        assert_proven()

    def test_where_no_table_is_at_hand_it_waits_for_an_operator(self, monkeypatch: pytest.MonkeyPatch) -> None:
        game = self.voided("single")
        monkeypatch.setattr(engines, "is_installed", lambda: False)
        with game.clock():
            tasks.adjudicate(str(game.stake.pk))
        assert adjudication(game).state == Adjudication.State.OPERATOR
        assert_proven()


class TestAbsence:
    def test_back_at_4_59_goes_on_as_it_was(self) -> None:
        game = sat_down()
        side, dice = game.side, game.stand.game.dice
        game.beats(side, gone=True)
        before = game.state()
        game.wait(minutes=4, seconds=59)
        game.beats(2 if side == 1 else 1)
        game.sweeps()
        assert game.beats(side).json() == {"returned": True}
        state = game.state()
        assert state["status"] == "playing"
        assert state["presence"][side - 1]["absence_left_ms"] == 1000
        for what in ("board", "cube", "version", "phase", "turn"):
            assert state[what] == before[what]
        assert game.stand.game.dice == dice
        assert state["clocks"][side - 1]["move_ms"] == before["clocks"][side - 1]["move_ms"]
        game.done("play", play=game.state(side)["plays"][0]["play"])

    def test_at_5_00_it_is_analysed_and_split_by_its_record(self) -> None:
        game = left_by(1)
        assert game.state()["status"] == "abandoned"
        assert game.state()["settlement"]["status"] == "waiting"
        settled = judged(game)
        found = adjudication(game)
        assert found.state == Adjudication.State.SETTLED
        assert found.record is not None
        inputs = found.record["inputs"]
        assert inputs["xgid"] == found.xgid
        assert {"engine", "version", "level", "position_id", "probabilities"} <= inputs.keys()
        value = again(found.record)
        assert settled.lost == value.transfer > 0
        assert settled.commission > 0
        told = game.state()["settlement"]
        assert told["status"] == "settled"
        assert told["adjudication"] == found.record
        sheet = as_text(trace(game.table))
        assert "abandoned by" in sheet
        assert inputs["engine"] in sheet
        assert "Rounded once" in sheet
        assert_proven()

    def test_it_is_split_once_whoever_asks_again(self) -> None:
        game = left_by(1)
        first = judged(game)
        again_ = judged(game)
        with game.clock():
            tasks.look_for_unfinished()
            same = abandonment.settle(stake=game.stake.pk, at=game.at)
        game.sweeps()
        assert first.pk == again_.pk == same.pk
        one, two = (Decimal(net) for net in game.nets())
        assert one + two + earned(game.table.room) == 0

    def test_the_payment_is_by_the_record_and_by_nothing_else(self) -> None:
        game = left_by(1)
        abandonment.analyse(stake=game.stake.pk, at=game.at)
        with mock.patch.object(engines, "analyse", side_effect=AssertionError("asked again")):
            tasks.look_for_unfinished()
        assert Settlement.objects.filter(stake=game.stake).exists()

    def test_it_is_rated_only_if_it_goes_against_the_absent_side(self) -> None:
        game = left_by(1)
        settled = judged(game)
        rated = RatingChange.objects.filter(contest=game.table.pk).count()
        assert rated == (2 if settled.winner == 2 else 0)

    def test_left_by_both_it_is_split_without_penalty_and_unrated(self) -> None:
        game = left_by(1, replace(FIVE, abandonment=Abandonment.FORFEIT, penalty=Decimal("0.1")), both=True)
        found = adjudication(game)
        assert (found.cause, found.absent) == ("abandoned", (1, 2))
        settled = judged(game)
        backs = {1: settled.back_1, 2: settled.back_2}
        if settled.winner:
            assert backs[3 - settled.winner] == 30 - settled.lost
        assert not RatingChange.objects.filter(contest=game.table.pk).exists()
        assert_proven()

    def test_a_penalty_goes_to_the_other_side_without_commission(self) -> None:
        game = left_by(1, replace(FIVE, penalty=Decimal("0.1")))
        settled = judged(game)
        less = settled.lost if settled.winner == 2 else settled.commission - settled.lost
        assert settled.back_1 == 30 - less - Decimal("0.50")
        assert_proven()

    def test_the_policy_void_gives_both_stakes_back(self) -> None:
        game = left_by(1, replace(FIVE, abandonment=Abandonment.VOID))
        assert game.state()["settlement"]["status"] == "void"
        assert game.nets() == ("0.00", "0.00")
        assert_proven()

    def test_the_policy_forfeit_costs_the_absent_side_the_match(self) -> None:
        game = left_by(1, replace(terms("10", match_length=3), abandonment=Abandonment.FORFEIT))
        assert game.nets() == ("-10.00", "8.82")
        assert RatingChange.objects.filter(contest=game.table.pk).count() == 2
        assert_proven()

    def test_the_policy_forfeit_costs_the_absent_side_a_single_game(self) -> None:
        game = left_by(1, replace(FIVE, abandonment=Abandonment.FORFEIT))
        settled = judged(game)
        assert (settled.winner, settled.ending) == (2, "abandoned")
        assert settled.lost >= 5
        assert_proven()

    def test_a_match_is_split_by_the_chance_to_win_it(self) -> None:
        game = left_by(1, terms("10", match_length=3))
        settled = judged(game)
        record = adjudication(game).record
        assert record is not None
        assert record["rule"] == "A-4"
        assert settled.lost == abs(20 * Decimal(record["inputs"]["match_chance"]) - 10).quantize(Decimal("0.01"))
        assert_proven()


class TestTimeOut:
    def test_it_costs_what_the_position_is_worth_if_that_is_more(self) -> None:
        game = sat_down()
        loser = game.side
        game.wait(minutes=2, seconds=17)
        game.sweeps()
        assert game.state()["settlement"]["status"] == "waiting"
        settled = judged(game)
        assert (settled.winner, settled.ending, str(settled.lost)) == (3 - loser, "timed_out", "5.00")
        assert_proven()

    def test_the_greater_price_counts(self) -> None:
        game = sat_down()
        game.wait(minutes=2, seconds=17)
        game.sweeps()
        abandonment.analyse(stake=game.stake.pk, at=game.at)
        found = adjudication(game)
        assert found.record is not None
        dearer = {**found.record["inputs"]}
        dearer["probabilities"] = {
            **dict.fromkeys(dearer["probabilities"], "0"),
            **({"win_gammon": "1"} if dearer["swapped"] else {"lose_gammon": "1"}),
        }
        record = again({"inputs": dearer}).as_dict()
        with mock.patch.object(abandonment, "again", return_value=again(record)):
            assert abandonment.lost_of(found, Stake.objects.get(pk=game.stake.pk)) == Decimal("10.00")

    def test_without_an_engine_it_costs_what_the_outcome_says_at_once(self) -> None:
        game = sat_down()
        game.wait(minutes=2, seconds=17)
        with mock.patch.object(sage, "is_installed", return_value=False):
            game.sweeps()
        assert sorted(game.nets()) == ["-5.00", "4.51"]
        assert not Adjudication.objects.exists()

    def test_a_pending_double_is_passed(self) -> None:
        game = sat_down()
        game.plays()
        game.done("double")
        game.wait(minutes=2, seconds=17)
        game.sweeps()
        assert sorted(game.nets()) == ["-5.00", "4.51"]

    def test_a_pending_beaver_is_passed(self) -> None:
        game = sat_down(beavers=True)
        game.plays()
        game.done("double")
        game.done("beaver")
        game.wait(minutes=2, seconds=17)
        game.sweeps()
        assert sorted(game.nets()) == ["-10.00", "9.02"]

    def test_it_can_be_claimed(self) -> None:
        game = sat_down()
        loser = game.side
        other: Side = 2 if loser == 1 else 1
        assert game.does("claim", side=other).json()["code"] == "nothing_to_claim"
        game.wait(minutes=2, seconds=17)
        assert game.does("claim", side=other).json()["status"] == "over"
        assert game.does("roll", side=loser).json()["code"] in ("stale_version", "game_over")


class TestOperators:
    def test_what_no_engine_can_say_waits_and_is_ruled_by_two(self) -> None:
        game = left_by(1)
        with mock.patch.object(engines, "analyse", side_effect=NotCovered("none", "there is none")):
            tasks.adjudicate(str(game.stake.pk))
        assert game.state()["settlement"]["status"] == "operator"
        one, two = operators()
        ruling = rulings.propose(
            table=game.table, receiver=2, transfer=Decimal("2.00"), reason="seen by hand", by=one, at=game.at
        )
        with pytest.raises(rulings.ApprovedByTheSame):
            rulings.approve(ruling=ruling.pk, by=one, at=game.at)
        assert game.nets() == ("-30.00", "-30.00")
        rulings.approve(ruling=ruling.pk, by=two, at=game.at)
        assert game.nets() == ("-2.00", "1.80")
        assert_proven()

    def test_what_breaks_an_engine_waits_for_an_operator_too(self) -> None:
        game = left_by(1)
        with mock.patch.object(engines, "analyse", side_effect=ZeroDivisionError("inside the engine")):
            tasks.adjudicate(str(game.stake.pk))
        assert game.state()["settlement"]["status"] == "operator"
        assert adjudication(game).reason == "the engine failed: ZeroDivisionError"
        assert_proven()

    def test_a_split_is_overturned_within_72_hours_by_two(self) -> None:
        game = left_by(1)
        judged(game)
        one, two = operators()
        ruling = rulings.propose(
            table=game.table, receiver=None, transfer=Decimal(0), reason="the line failed", by=one, at=game.at
        )
        done = rulings.approve(ruling=ruling.pk, by=two, at=game.at)
        assert game.nets() == ("0.00", "0.00")
        assert rulings.approve(ruling=ruling.pk, by=two, at=game.at).key == done.key
        told = game.state()["settlement"]
        assert (told["status"], told["winner"]) == ("corrected", None)
        assert "ruled by an operator and another" in as_text(trace(game.table))
        assert_proven()
        with pytest.raises(rulings.RuledAlready):
            rulings.propose(table=game.table, receiver=None, transfer=Decimal(0), reason="no", by=one, at=game.at)

    def test_after_72_hours_it_stands(self) -> None:
        game = left_by(1)
        judged(game)
        one, _ = operators()
        late = game.at + timedelta(hours=72, seconds=1)
        with pytest.raises(rulings.TooLateToOverturn):
            rulings.propose(table=game.table, receiver=None, transfer=Decimal(0), reason="no", by=one, at=late)

    def test_what_was_won_is_paid_anew_only_once_it_is_reversed(self) -> None:
        game = sat_down()
        loser = game.side
        game.done("resign", concession="gammon")
        game.done("accept_resignation")
        one, two = operators()

        def propose() -> Ruling:
            return rulings.propose(
                table=game.table, receiver=1, transfer=Decimal("5.00"), reason="misread", by=one, at=game.at
            )

        with pytest.raises(rulings.NothingToRule):
            propose()
        settled = Settlement.objects.get(stake=game.stake)
        book.reverse(key=settled.key, reason="misread", at=game.at)
        rulings.approve(ruling=propose().pk, by=two, at=game.at)
        assert game.nets() == ("4.51", "-5.00")
        assert loser in (1, 2)
        assert_proven()

    def test_money_that_went_on_is_owed(self) -> None:  # P-3
        game = left_by(1)
        settled = judged(game)
        assert settled.winner
        one, two = operators()
        ruling = rulings.propose(table=game.table, receiver=None, transfer=Decimal(0), reason="x", by=one, at=game.at)
        receiver = game.table.seats[settled.winner - 1]
        had = wallet(receiver)
        adjusted(receiver, f"-{had}")
        rulings.approve(ruling=ruling.pk, by=two, at=game.at)
        won = settled.back_1 if settled.winner == 1 else settled.back_2
        back = exposure(game.stake.terms)
        assert owed(receiver) == won
        assert wallet(receiver) == back
        told = f"{receiver} had {won} USD too little for that to be taken back, and owes it"
        assert told in as_text(trace(game.table))
        assert [posted.event for posted in trace(game.table).posted][-2:] == ["shortfall_owed", "settlement_corrected"]
        client = Client()
        client.force_login(one)
        shown = client.get(f"/admin/settlement/ruling/{ruling.pk}/change/").content.decode()
        assert f"what side {settled.winner} had no more of what was reversed, and owes" in shown
        assert str(won) in shown
        assert_proven()
        receivables.collect(player=receiver.pk, currency="USD", at=game.at)
        assert (owed(receiver), wallet(receiver)) == (max(won - back, Decimal(0)), max(back - won, Decimal(0)))
        assert_proven()

    def test_play_money_that_went_on_leaves_everything_as_it_was(self) -> None:
        game = left_by(1, terms("5", cap="30", currency="PLAY"))
        settled = judged(game)
        assert settled.winner
        one, two = operators()
        ruling = rulings.propose(table=game.table, receiver=None, transfer=Decimal(0), reason="x", by=one, at=game.at)
        receiver = game.table.seats[settled.winner - 1]
        adjusted(receiver, f"-{wallet(receiver, 'PLAY')}", "PLAY")
        with pytest.raises(book.InsufficientFunds):
            rulings.approve(ruling=ruling.pk, by=two, at=game.at)
        assert Ruling.objects.get().approved_at is None

    def test_the_admin_takes_a_proposal_and_anothers_approval(self) -> None:
        game = left_by(1)
        judged(game)
        one, two = operators()
        first, second = Client(), Client()
        first.force_login(one)
        second.force_login(two)
        asked = {"stake": str(game.stake.pk), "receiver": "", "transfer": "0", "reason": "the line failed"}
        made = first.post("/admin/settlement/ruling/add/", asked)
        assert made.status_code == 302, made.content
        ruling = Ruling.objects.get()
        action = {"action": "approve", "_selected_action": [str(ruling.pk)]}
        first.post("/admin/settlement/ruling/", action)
        assert Ruling.objects.get().approved_at is None
        second.post("/admin/settlement/ruling/", action)
        assert Ruling.objects.get().approved_by == two
        assert game.nets() == ("0.00", "0.00")
        assert second.get(f"/admin/settlement/adjudication/{game.stake.pk}/change/").status_code == 200

    def test_records_and_rulings_are_final(self) -> None:
        game = left_by(1)
        judged(game)
        with pytest.raises(IntegrityError, match="adjudication_is_final"), transaction.atomic():
            Adjudication.objects.update(record=None)
        with pytest.raises(IntegrityError, match="adjudication_is_final"), transaction.atomic():
            Adjudication.objects.all().delete()
        one, _ = operators()
        rulings.propose(table=game.table, receiver=None, transfer=Decimal(0), reason="x", by=one, at=game.at)
        with pytest.raises(IntegrityError, match="ruling_is_final"), transaction.atomic():
            Ruling.objects.update(transfer=1)


def test_analyses_go_to_their_own_queue() -> None:
    assert app.amqp.router.route({}, tasks.adjudicate.name)["queue"].name == "analysis"
    assert app.amqp.router.route({}, tasks.look_at_the_clock.name)["queue"].name == "default"


@pytest.mark.django_db(transaction=True)
def test_workers_and_operators_that_race_pay_once() -> None:
    game = left_by(1)
    abandonment.analyse(stake=game.stake.pk, at=game.at)
    one, two = operators()
    three = User.objects.create(username="a third", is_staff=True)

    def at_once(*calls: Callable[[], Any]) -> list[Any]:
        def closed(call: Callable[[], Any]) -> Any:
            try:
                return call()
            except rulings.RuledAlready as refusal:
                return refusal
            finally:
                connection.close()

        with ThreadPoolExecutor(len(calls)) as threads:
            return list(threads.map(closed, calls))

    def settles() -> Any:
        return outermost(abandonment.settle)(stake=game.stake.pk, at=game.at).pk

    assert len(set(at_once(*[settles] * 4))) == 1
    ruling = rulings.propose(table=game.table, receiver=None, transfer=Decimal(0), reason="x", by=one, at=game.at).pk

    def approved(by: User) -> Callable[[], Any]:
        return lambda: outermost(rulings.approve)(ruling=ruling, by=by, at=game.at).pk

    found = at_once(approved(two), approved(three), approved(two), approved(three))
    assert found.count(ruling) == 2
    assert game.nets() == ("0.00", "0.00")
    assert_proven()
