"""The clocks, the five minutes, and time that is nobody's (B-15, B-18, B-19, A-1, A-8)."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest

from games.live import heart, selectors, services
from games.live.models import Connection
from games.live.rules.course import AbsenceIsOver, SeedsCameTooLate
from games.live.rules.pace import Pace
from games.live.rules.wishes import wish
from games.live.services import NothingToClaim
from games.models import Game, Record
from games.rules.clock import TimeIsUp
from games.rules.dice import hash_of
from games.rules.endings import Ending, Outcome, Win
from games.rules.sides import opponent_of
from tests.factories import NOON
from tests.live.tables import CONNECTIONS, SEEDS, USUAL, Parlour, parlour

pytestmark = pytest.mark.django_db

WHOLE = USUAL.move_s + USUAL.reserve_s
MICROSECOND = timedelta(microseconds=1)


def left_ms(table: Parlour, side: int) -> tuple[int, int]:
    clock = table.state()["clocks"][side - 1]
    return clock["move_ms"], clock["reserve_ms"]


# --- The clock (B-15) --------------------------------------------------------------------------------------------


def test_a_move_costs_its_free_time_first_and_then_the_reserve() -> None:
    table = parlour()
    first, second = table.side, opponent_of(table.side)
    table.wait(seconds=10)
    assert left_ms(table, first) == (5_000, 120_000)
    table.wait(seconds=10)
    assert left_ms(table, first) == (0, 115_000)
    table.plays()
    assert left_ms(table, first) == (15_000, 115_000)  # the free time is new, what the reserve lost is gone
    table.wait(seconds=20)
    assert left_ms(table, second) == (0, 115_000)
    assert left_ms(table, first) == (15_000, 115_000)


def test_to_roll_and_to_play_are_one_move() -> None:
    table = parlour()
    table.plays()
    side = table.side
    table.wait(seconds=12)
    table.does("roll")
    if table.stand.to_act == side:
        assert left_ms(table, side) == (3_000, 120_000)


def test_at_zero_the_game_is_lost_though_nobody_asks() -> None:
    table = parlour()
    side = table.side
    table.wait(seconds=WHOLE)
    table.at -= MICROSECOND
    assert not selectors.due(at=table.at).exists()
    assert table.expires() is None
    table.at += MICROSECOND
    assert selectors.due(at=table.at).get().pk == table.pk
    with pytest.raises(TimeIsUp):
        table.plays()
    done = table.expires()
    assert done is not None
    assert done.contest_over == Outcome(
        winner=opponent_of(side), win=Win.SINGLE, cube=1, points=1, ending=Ending.TIMED_OUT
    )
    assert Game.objects.get(table=table.table).ending == "timed_out"
    assert not selectors.due(at=table.at).exists()
    assert table.expires() is None


def test_a_move_a_moment_before_zero_counts() -> None:
    table = parlour()
    side = table.side
    table.wait(seconds=WHOLE)
    table.at -= MICROSECOND
    table.plays()
    assert table.stand.clock.reserve[side - 1] == MICROSECOND


def test_the_other_side_claims_what_is_up_and_nothing_before() -> None:
    table = parlour()
    side, other = table.side, opponent_of(table.side)
    table.wait(seconds=WHOLE - 1)
    with pytest.raises(NothingToClaim):
        table.does("claim", side=other)
    table.wait(seconds=1)
    assert "claim" in table.state(other)["actions"]
    with pytest.raises(NothingToClaim):  # its own
        table.does("claim", side=side)
    version = table.live.version
    done = table.does("claim", side=other)
    assert done.contest_over is not None
    assert done.contest_over.winner == other
    assert table.does("claim", side=other, version=version).contest_over == done.contest_over


def test_a_double_not_answered_in_time_is_a_pass() -> None:
    table = parlour()
    table.plays()
    side = table.side
    table.does("double")
    table.wait(seconds=WHOLE)
    done = table.expires()
    assert done is not None
    assert done.contest_over == Outcome(winner=side, win=Win.SINGLE, cube=1, points=1, ending=Ending.TIMED_OUT)


def test_a_side_that_offers_to_resign_stays_on_its_own_clock() -> None:
    table = parlour()
    table.plays()
    side = table.side
    table.does("resign", concession="gammon")
    assert table.stand.to_act == opponent_of(side)
    table.wait(seconds=WHOLE)
    done = table.expires()
    assert done is not None
    assert done.contest_over is not None
    assert done.contest_over.winner == opponent_of(side)


def test_a_lost_game_of_a_match_is_followed_by_the_next() -> None:
    table = parlour(match_length=3)
    side = table.side
    table.wait(seconds=WHOLE)
    table.expires()
    done = table.is_priced("0.5", "0", "0", "0.5", "0", "0")
    assert done is not None
    assert done.contest_over is None
    assert (done.state["game"], done.state["score"][opponent_of(side) - 1]) == (2, 1)


def test_waiting_for_the_lock_costs_neither_side_anything() -> None:
    table = parlour()
    side, version = table.side, table.live.version
    heard_at = table.at + timedelta(seconds=WHOLE - 1)
    table.wait(seconds=WHOLE + 30)  # the table was locked by another for half a minute
    done = services.act(
        table=table.pk,
        side=side,
        version=version,
        wish=wish({"kind": "play", "play": str(table.stand.game.plays[0])}),
        now=table.now,
        heard_at=heard_at,
    )
    mine, theirs = (done.state["clocks"][each - 1] for each in (side, opponent_of(side)))
    assert mine["reserve_ms"] == 1_000
    assert (theirs["move_ms"], theirs["reserve_ms"]) == (15_000, 120_000)


def test_the_clock_on_the_wall_is_asked_once_and_never_goes_back() -> None:
    table = parlour()
    table.wait(seconds=5)
    table.plays()
    asked = table.clock_asked
    table.wait(seconds=-3)  # another machine's clock
    table.does("roll")
    assert table.clock_asked == asked + 1
    assert table.live.changed_at == table.at + timedelta(seconds=3)


def test_a_turn_based_table_gives_days_and_knows_no_absence() -> None:
    table = parlour(pace=Pace(days=3))
    side = table.side
    assert not table.goes(1)
    table.wait(minutes=3 * 24 * 60 - 1)
    assert table.expires() is None
    table.plays()
    table.wait(minutes=3 * 24 * 60)
    done = table.expires()
    assert done is not None
    assert done.contest_over is not None
    assert done.contest_over.winner == side
    assert done.state["presence"][0]["absence_left_ms"] is None


# --- Absence (A-1) -----------------------------------------------------------------------------------------------


def test_back_at_4_59_the_game_goes_on_as_it_was_dice_included() -> None:
    table = parlour()
    side = table.side
    table.wait(seconds=10)
    assert table.goes(side)
    before = table.state(side)
    table.wait(minutes=4, seconds=59)
    away = table.state(opponent_of(side))
    assert away["presence"][side - 1]["absence_left_ms"] == 1_000
    assert away["due"] == {"at": "2026-03-01T12:05:10Z", "what": "absence", "side": side}
    assert table.expires() is None
    assert table.comes(side)
    after = table.state(side)
    for key in ("board", "position_id", "dice", "plays", "turn", "phase", "cube", "actions", "version"):
        assert after[key] == before[key]
    # Its move clock stood still: five seconds of the move are left.
    assert left_ms(table, side) == (5_000, 120_000)
    assert after["clocks"][side - 1]["ends_at"] == "2026-03-01T12:07:14Z"


def test_whoever_was_heard_in_time_is_back_however_long_it_waits_for_the_lock() -> None:
    table = parlour()
    side = table.side
    table.goes(side)
    table.wait(minutes=4, seconds=59)
    heard_at = table.at
    table.wait(seconds=10)
    assert not table.comes(side)
    table.goes(side)
    assert table.comes(side, heard_at=heard_at)
    assert table.state()["presence"][side - 1]["absence_left_ms"] == 1_000
    assert left_ms(table, side) == (15_000, 120_000)


def test_at_5_00_the_game_is_abandoned() -> None:
    table = parlour()
    side = table.side
    table.goes(side)
    table.wait(minutes=5)
    assert not table.comes(side)  # too late
    with pytest.raises(AbsenceIsOver):
        table.plays()
    done = table.expires()
    assert done is not None
    assert done.abandoned is not None
    assert done.abandoned.absent == (side,)
    assert done.abandoned.game.phase == "to_play"
    assert done.abandoned.game.dice == table.stand.game.dice
    assert (done.contest_over, done.voided) == (None, False)
    assert done.state["result"] == {"status": "abandoned", "winner": None, "outcome": None, "absent": [side]}
    assert not Record.objects.filter(table=table.table).exists()
    assert table.expires() is None


def test_absences_add_up_over_a_game_on_either_sides_turn() -> None:
    table = parlour()
    side, other = table.side, opponent_of(table.side)
    table.goes(other)  # it is not on turn
    table.wait(seconds=60)
    table.plays()
    table.wait(minutes=1)
    table.comes(other)
    table.does("roll")
    table.goes(other)
    table.wait(minutes=3)
    assert table.state(side)["presence"][other - 1]["absence_left_ms"] == 0
    done = table.expires()
    assert done is not None
    assert done.abandoned is not None


def test_the_clock_of_a_side_that_is_away_when_its_turn_comes_does_not_start() -> None:
    table = parlour()
    other = opponent_of(table.side)
    table.goes(other)
    table.plays()
    table.wait(minutes=4)
    assert left_ms(table, other) == (15_000, 120_000)
    table.comes(other)
    table.wait(seconds=4)
    assert left_ms(table, other) == (11_000, 120_000)


def test_absence_leaves_the_other_side_on_its_clock() -> None:
    table = parlour()
    side, other = table.side, opponent_of(table.side)
    table.goes(other)
    table.wait(seconds=WHOLE)
    done = table.expires()
    assert done is not None
    assert done.contest_over is not None
    assert done.contest_over.winner == other
    assert done.contest_over.winner != side


def test_the_five_minutes_begin_anew_in_each_game() -> None:
    table = parlour(match_length=3)
    first = table.side
    table.goes(first)
    table.wait(minutes=4)
    table.comes(first)
    table.plays()
    table.does("double")
    table.does("pass")
    assert table.stand.number == 2
    assert [each["absence_left_ms"] for each in table.state()["presence"]] == [300_000, 300_000]


def test_both_gone_are_both_named() -> None:
    table = parlour()
    table.goes(1)
    table.wait(seconds=30)
    table.goes(2)
    table.wait(minutes=4, seconds=30)
    done = table.expires()
    assert done is not None
    assert done.abandoned is not None
    assert done.abandoned.absent == (1, 2)


def test_who_came_back_before_the_other_was_gone_too_long_is_not_absent() -> None:
    table = parlour()
    table.goes(1)
    table.goes(2)
    table.wait(minutes=4)
    table.comes(2)
    table.wait(minutes=2)
    done = table.expires()  # found a minute late
    assert done is not None
    assert done.abandoned is not None
    assert done.abandoned.absent == (1,)


def test_a_side_is_away_when_its_last_connection_is_gone() -> None:
    table = parlour()
    second = uuid4()
    services.came(table=table.pk, side=1, connection=second, now=table.now)
    assert not table.goes(1)
    assert services.went(table=table.pk, side=1, connection=second, now=table.now)
    assert not services.went(table=table.pk, side=1, connection=second, now=table.now)


def test_whoever_acts_is_there() -> None:
    table = parlour()
    side = table.side
    table.goes(side)
    table.wait(minutes=1)
    done = table.plays()
    assert done.state["presence"][side - 1] == {
        "side": side,
        "present": True,
        "away_since": None,
        "absence_left_ms": 240_000,
        "ends_at": None,
    }


def test_coming_and_going_does_not_make_an_action_late() -> None:
    table = parlour()
    side, version = table.side, table.live.version
    table.goes(opponent_of(side))
    table.comes(opponent_of(side))
    table.goes(side)
    table.does("play", side=side, version=version, play=str(table.stand.game.plays[0]))


def test_a_connection_that_nobody_sees_any_more_is_gone() -> None:
    table = parlour()
    table.wait(seconds=29)
    services.came(table=table.pk, side=1, connection=CONNECTIONS[0], now=table.now)
    table.wait(seconds=2)
    assert services.lapse(now=table.now) == 1
    assert [each["present"] for each in table.state()["presence"]] == [True, False]
    assert Connection.objects.filter(live=table.pk).count() == 1


# --- Before the first throw (A-8) --------------------------------------------------------------------------------


def test_seeds_not_given_in_time_void_the_contest() -> None:
    table = parlour(seeded=False)
    digest = hash_of(seed=SEEDS[0]).hex()
    services.commit_seed(table=table.pk, side=1, digest=digest, now=table.now)
    table.wait(minutes=2)
    with pytest.raises(SeedsCameTooLate):
        services.commit_seed(table=table.pk, side=2, digest=hash_of(seed=SEEDS[1]).hex(), now=table.now)
    done = table.expires()
    assert done is not None
    assert done.voided
    assert done.state["result"]["status"] == "voided"


def test_a_side_that_leaves_before_the_first_throw_voids_the_contest() -> None:
    table = parlour(pace=USUAL, seeded=False)
    table.goes(2)
    table.wait(minutes=5)
    done = table.expires()
    assert done is not None
    assert done.voided
    assert done.state["result"]["absent"] == [2]


def test_an_operator_voids_and_the_dice_are_told_all_the_same() -> None:
    table = parlour()
    done = services.void(table=table.pk, now=table.now)
    assert done.voided
    assert done.state["dice_proof"]["server_seed"]
    assert services.void(table=table.pk, now=table.now).replayed


# --- The service itself down (A-1) -------------------------------------------------------------------------------


def test_time_in_which_the_service_was_down_is_nobodys() -> None:
    table = parlour()
    side, other = table.side, opponent_of(table.side)
    for seconds in (2, 3, 5):
        assert services.pulse(now=table.now) is None
        if seconds == 3:
            table.goes(other)
        table.wait(seconds=seconds)
    services.pulse(now=table.now)
    table.wait(minutes=60)
    # Nobody is taken for absent or out of time by whoever looks first.
    assert table.expires() is None
    assert services.lapse(now=table.now) == 0
    assert services.pulse(now=table.now) == timedelta(hours=1)
    assert left_ms(table, side) == (5_000, 120_000)
    assert table.state()["presence"][other - 1]["absence_left_ms"] == 292_000
    assert services.pulse(now=table.now) is None
    table.wait(seconds=2)
    table.plays()
    assert table.stand.clock.reserve[side - 1] == timedelta(seconds=120)


def test_an_action_that_comes_before_the_first_beat_after_a_silence_pays_for_none_of_it() -> None:
    table = parlour()
    side = table.side
    services.pulse(now=table.now)
    table.wait(minutes=10)
    table.plays()
    assert table.stand.clock.reserve[side - 1] == timedelta(seconds=120)
    assert [each["kind"] for each in selectors.actions(table=table.pk)][-2:] == ["service_down", "play"]


def test_times_are_told_in_utc() -> None:
    table = parlour()
    assert table.state()["now"] == "2026-03-01T12:00:00Z"
    assert datetime.fromisoformat(table.state()["due"]["at"]) == NOON.astimezone(UTC) + timedelta(seconds=WHOLE)


@pytest.mark.parametrize("table_is_on", [True, False])
def test_a_silence_is_told_to_the_operator_if_a_table_was_on(
    table_is_on: bool, caplog: pytest.LogCaptureFixture
) -> None:
    if table_is_on:
        parlour()
    services.pulse(now=lambda: datetime.now(UTC) - timedelta(hours=1))
    heart._beat()
    assert ("service_was_down" in caplog.text) is table_is_on


def times(told: object) -> Iterator[str]:
    """Every instant in a document, however deep."""
    if isinstance(told, dict | list):
        for inner in told.values() if isinstance(told, dict) else told:
            yield from times(inner)
    elif isinstance(told, str) and re.match(r"\d{4}-\d\d-\d\dT", told):
        yield told


def test_all_times_end_in_z_also_of_a_silence_and_of_an_end_by_time() -> None:
    ended = parlour()
    ended.wait(seconds=WHOLE)
    ended.expires()
    silent = parlour()
    services.pulse(now=silent.now)
    silent.wait(minutes=10)
    silent.plays()
    told = [each for table in (ended, silent) for each in (table.state(), *selectors.actions(table=table.pk))]
    assert {"since", "due"} <= {name for each in told if "kind" in each for name in each}
    assert {text[-1] for text in times(told)} == {"Z"}


def test_a_side_keeps_only_so_many_connections() -> None:
    table = parlour()
    for _ in range(services.CONNECTIONS_MAX + 3):
        services.came(table=table.pk, side=1, connection=uuid4(), now=table.now)
    assert Connection.objects.filter(live=table.pk, side=1).count() == services.CONNECTIONS_MAX


def test_who_was_seen_again_meanwhile_does_not_lapse() -> None:
    table = parlour()
    services.came(table=table.pk, side=1, connection=CONNECTIONS[0], now=table.now)
    since = table.now() - services.LEASE
    assert not services.went(table=table.pk, side=1, connection=CONNECTIONS[0], now=table.now, unseen_since=since)
    assert Connection.objects.filter(live=table.pk, side=1).exists()
