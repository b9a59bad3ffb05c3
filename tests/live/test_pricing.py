"""A game of a match lost on time waits for what it costs, and the match goes on by that (B-15)."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import IntegrityError, transaction

from games.analysis import engines, sage
from games.live import pricing, selectors, services
from games.live.models import Action, Pricing, Pulse
from games.live.rules.stand import Status
from games.live.services import NothingToClaim
from games.models import Game
from games.rules.board import Position
from games.rules.clock import TimeIsUp
from games.rules.endings import Win
from games.rules.ids import MatchState
from games.rules.sides import SIDES, opponent_of
from games.services import RecordRefused, games_of
from tests.live.tables import GAMMON, USUAL, Parlour, parlour, price_of
from tests.live.test_two_at_once import at_once
from tests.live.test_whole_games import check_snapshot

pytestmark = pytest.mark.django_db

WHOLE = USUAL.move_s + USUAL.reserve_s


def lost_on_time(**options: Any) -> Parlour:
    """A match to 3 whose first game the opener has lost on time."""
    table = parlour(**{"match_length": 3, **options})
    table.wait(seconds=WHOLE)
    done = table.expires()
    assert done is not None
    assert done.state["status"] == "pricing"
    return table


class Failing:
    """An engine that is broken."""

    name, version, level = "failing", "1", "none"

    asked = 0

    def best_play(self, position: Position, dice: tuple[int, int], state: MatchState) -> None:
        self.asked += 1
        raise ZeroDivisionError("inside the engine")


@pytest.fixture
def failing(monkeypatch: pytest.MonkeyPatch) -> Failing:
    engine = Failing()
    monkeypatch.setattr(engines, "engine_for", lambda position, state: engine)
    return engine


def test_nothing_is_due_and_nobody_acts_while_it_is_priced() -> None:
    table = lost_on_time()
    loser = table.stand.game.turn
    assert loser is not None
    version = table.live.version
    for side in SIDES:
        assert table.state(side)["actions"] == []
        for kind, concession in (("roll", {}), ("double", {}), ("resign", {"concession": "match"})):
            with pytest.raises(TimeIsUp):
                table.does(kind, side=side, version=None, **concession)
        with pytest.raises(NothingToClaim):
            table.does("claim", side=side)
    table.wait(minutes=60)
    assert table.expires() is None
    state = table.state(1)
    assert (state["status"], state["to_act"], state["due"], state["result"]) == ("pricing", None, None, None)
    clock = state["clocks"][loser - 1]
    assert (clock["running"], clock["move_ms"], clock["reserve_ms"], clock["ends_at"]) == (False, 0, 0, None)
    assert (table.live.version, table.live.due_at) == (version, None)
    assert state["last"][-1]["pricing"] is True
    check_snapshot(table)


def test_the_match_goes_on_by_what_the_analysis_gives() -> None:
    table = lost_on_time()
    winner = opponent_of(table.stand.game.turn or 1)
    table.wait(seconds=2)
    done = table.is_priced(*GAMMON)
    assert done is not None
    assert (done.state["status"], done.state["game"], done.state["score"][winner - 1]) == ("playing", 2, 2)
    assert [each["reserve_ms"] for each in done.state["clocks"]] == [120_000, 120_000]
    (told,) = [each for each in done.state["last"] if each["kind"] == "priced"]
    assert (told["win"], told["record"]["inputs"]["engine"]) == ("gammon", "given")
    assert table.is_priced(*GAMMON) is None
    check_snapshot(table)


def test_a_match_that_ends_so_is_recorded_with_the_price_and_by_that_alone() -> None:
    table = lost_on_time(match_length=2, crawford=False)
    done = table.is_priced(*GAMMON)
    assert done is not None
    assert done.contest_over is not None
    game = Game.objects.get(table=table.table)
    assert (game.win, game.points, game.ending) == ("gammon", 2, "timed_out")
    text, judged = selectors.record(table=table.pk), selectors.judged(table=table.pk)
    assert judged == {1: Win.GAMMON}
    assert [row.win for row in games_of(table=table.table, text=text, judged=judged)] == ["gammon"]
    # B-15: the same from a room's own server is not believed.
    with pytest.raises(RecordRefused, match="what an analysis may have given"):
        games_of(table=table.table, text=text)
    check_snapshot(table)


def test_who_goes_meanwhile_has_the_whole_five_minutes_in_the_next_game() -> None:
    table = lost_on_time()
    gone = table.stand.game.turn or 1
    assert table.goes(gone)
    table.wait(minutes=20)
    presence = table.state()["presence"][gone - 1]
    assert (presence["present"], presence["absence_left_ms"], presence["ends_at"]) == (False, 300_000, None)
    Pulse.objects.create(beat_at=table.at - timedelta(minutes=10))  # and the service was down for a while
    table.is_priced(*GAMMON)
    assert not Action.objects.filter(live=table.pk, kind="service_down").exists()
    presence = table.state()["presence"][gone - 1]
    assert (presence["present"], presence["absence_left_ms"]) == (False, 300_000)
    assert table.comes(gone)


def test_an_absence_before_it_is_told_as_it_was() -> None:
    table = parlour(match_length=3)
    other = opponent_of(table.side)
    table.goes(other)
    table.wait(seconds=WHOLE)
    table.expires()
    left = table.state()["presence"][other - 1]["absence_left_ms"]
    assert left == 300_000 - WHOLE * 1000
    table.wait(minutes=3)
    assert table.comes(other)
    assert table.state()["presence"][other - 1]["absence_left_ms"] == left
    check_snapshot(table)


def test_it_can_be_voided_and_an_answer_that_comes_later_changes_nothing() -> None:
    table = lost_on_time()
    price = price_of(table.stand, *GAMMON)
    assert services.void(table=table.pk, now=table.now).voided
    assert services.price(table=table.pk, price=price, now=table.now) is None
    assert pricing.ask(table=table.pk, at=table.at + engines.PATIENCE) is None
    assert table.stand.status is Status.VOIDED
    check_snapshot(table)


def test_an_answer_about_an_earlier_game_changes_nothing() -> None:
    table = lost_on_time()
    price = price_of(table.stand, *GAMMON)
    table.is_priced("0.5", "0", "0", "0.5", "0", "0")
    table.wait(seconds=WHOLE)
    table.expires()
    assert (table.stand.status, table.stand.number) == (Status.PRICING, 2)
    assert services.price(table=table.pk, price=price, now=table.now) is None


def test_an_offered_resignation_is_withdrawn() -> None:
    table = parlour(match_length=3)
    table.plays()
    loser = table.side
    table.does("resign", concession="single")
    table.wait(seconds=WHOLE)
    table.expires()
    assert (table.stand.status, table.state()["offer"]) == (Status.PRICING, None)
    with pytest.raises(TimeIsUp):
        table.does("accept_resignation", side=opponent_of(loser))
    done = table.is_priced(*GAMMON)
    assert done is not None
    assert done.state["score"][opponent_of(loser) - 1] == 2
    check_snapshot(table)


@pytest.mark.parametrize("options", [{}, {"match_length": 1}])
def test_a_single_game_and_the_last_point_of_a_match_are_over_at_once(options: dict[str, Any]) -> None:
    table = parlour(**options)
    table.wait(seconds=WHOLE)
    done = table.expires()
    assert done is not None
    assert done.contest_over is not None


def test_a_pending_double_is_passed_at_once() -> None:
    table = parlour(match_length=3)
    table.plays()
    doubler = table.side
    table.does("double")
    table.wait(seconds=WHOLE)
    done = table.expires()
    assert done is not None
    assert (done.state["status"], done.state["score"][doubler - 1]) == ("playing", 1)


def test_without_an_engine_nothing_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sage, "is_installed", lambda: False)
    table = parlour(match_length=3)
    table.wait(seconds=WHOLE)
    done = table.expires()
    assert done is not None
    assert (done.state["status"], done.state["game"]) == ("playing", 2)


def test_what_an_engine_says_is_kept_and_computes_again() -> None:
    table = lost_on_time(match_length=2)
    price = pricing.ask(table=table.pk, at=table.at)
    assert price is not None
    assert price.record is not None
    assert price.record["inputs"]["xgid"] == table.state()["xgid"] == Pricing.objects.get().xgid
    assert services.price(table=table.pk, price=price, now=table.now) is not None
    assert selectors.judged(table=table.pk) == {1: price.win}


def test_a_price_is_final_and_one_that_its_record_does_not_give_is_found() -> None:
    table = lost_on_time()
    table.is_priced(*GAMMON)
    (priced,) = Action.objects.filter(kind="priced")
    with pytest.raises(IntegrityError, match="action_is_final"), transaction.atomic():
        Action.objects.filter(kind="priced").update(payload={})
    told = priced.payload
    priced.pk, priced.sequence = None, 999
    for win, record, fault in (
        ("backgammon", told["record"], "computes to a gammon, not to a backgammon"),
        ("single", {**told["record"], "win": "single"}, "single is told, a gammon follows"),
        ("gammon", {}, "does not compute again: KeyError"),
    ):
        priced.payload = {"win": win, "record": record}
        with transaction.atomic():
            priced.save(force_insert=True)
            with pytest.raises(ValueError, match=fault):
                selectors.judged(table=table.pk)
            transaction.set_rollback(True)
        priced.pk = None


def test_a_broken_engine_is_not_asked_for_ever(failing: Failing) -> None:
    table = lost_on_time()
    winner = opponent_of(table.stand.game.turn or 1)
    price = pricing.ask(table=table.pk, at=table.at)
    assert price == pricing.Price(1, Win.SINGLE, None)
    assert "ZeroDivisionError" in Pricing.objects.get().reason
    # The worker dies before it could say so; the next one needs no engine.
    assert pricing.ask(table=table.pk, at=table.at + engines.PATIENCE) == price
    assert failing.asked == 1
    done = services.price(table=table.pk, price=price, now=table.now)
    assert done is not None
    assert (done.state["game"], done.state["score"][winner - 1]) == (2, 1)
    assert selectors.judged(table=table.pk) == {}
    check_snapshot(table)


def test_an_engine_that_never_answers_is_given_up() -> None:
    table = lost_on_time()
    at, xgid = table.at, table.state()["xgid"]
    Pricing.objects.create(live_id=table.pk, game=1, xgid=xgid, attempts=engines.ATTEMPTS_MAX, asked_at=at)
    assert pricing.ask(table=table.pk, at=at + engines.PATIENCE - timedelta(seconds=1)) is None
    assert pricing.ask(table=table.pk, at=at + engines.PATIENCE) == pricing.Price(1, Win.SINGLE, None)
    assert Pricing.objects.get().reason == f"the engine was asked {engines.ATTEMPTS_MAX} times and never answered"


@pytest.mark.django_db(transaction=True)
def test_of_two_workers_one_asks_and_of_two_answers_one_counts() -> None:
    table = lost_on_time()
    answers = at_once(*[lambda: pricing.ask(table=table.pk, at=table.at)] * 3)
    assert sorted(answer is None for answer in answers) == [False, True, True], answers
    assert Pricing.objects.get().attempts == 1
    # The worker dies before it could say so: another asks again, and hears the same.
    (answer,) = [answer for answer in answers if answer is not None]
    assert pricing.ask(table=table.pk, at=table.at + engines.PATIENCE) == answer
    results = at_once(*[lambda: services.price(table=table.pk, price=answer, now=table.now)] * 2)
    assert sorted(result is None for result in results) == [False, True], results
    assert Action.objects.filter(live=table.pk, kind="priced").count() == 1
    assert table.stand.number == 2
