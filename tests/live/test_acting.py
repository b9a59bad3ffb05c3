"""An action names the version it was thought of at; the referee says what may be done, and plays what plays itself."""

from dataclasses import replace
from typing import Any

import pytest
from django.db import DatabaseError, connection, transaction
from django.test.utils import CaptureQueriesContext

from games.live import services
from games.live.models import Live
from games.live.rows import NotLive
from games.live.rules import snapshot
from games.live.rules.course import after
from games.live.rules.events import Event, Kind
from games.live.rules.pace import Pace
from games.live.rules.stand import Stand, Status
from games.live.rules.wishes import BadAction, wish
from games.live.services import StaleVersion, StartedOtherwise
from games.models import Game, Record
from games.rules.actions import Concession
from games.rules.board import Position
from games.rules.clock import ImpossibleClock
from games.rules.cube import Cube
from games.rules.endings import Ending, Outcome, Win
from games.rules.game import (
    AlreadyDeclined,
    AnswerFirst,
    DiceLie,
    DoubleAfterRoll,
    DoubleOnOpeningTurn,
    GameOver,
    NotYourTurn,
    OpeningFirst,
    Phase,
    ResignOnYourTurn,
    RollFirst,
)
from games.rules.notation import IllegalPlay, UnreadablePlay
from games.rules.sides import Side, opponent_of
from tests.factories import NOON, TableFactory
from tests.live.tables import USUAL, Parlour, parlour

pytestmark = pytest.mark.django_db


def place(table: Parlour, **changes: Any) -> None:
    """Puts the game as a test wants it, which no action can."""
    live, stand = table.live, table.stand
    put = replace(stand, game=replace(stand.game, plays=(), **changes))
    Live.objects.filter(pk=live.pk).update(snapshot=snapshot.to_json(put), to_act=put.to_act)


def opened() -> Parlour:
    """A table at which the opening has been played: the other side may double or roll."""
    table = parlour()
    table.plays()
    return table


def test_the_opening_is_thrown_when_both_seeds_are_in_and_is_played_as_it_fell() -> None:
    table = parlour()
    stand = table.stand
    assert stand.game.phase is Phase.TO_PLAY
    assert stand.game.opening_turn
    done = table.plays()
    assert done.state["phase"] == "to_roll"
    assert done.state["to_act"] == opponent_of(stand.game.turn or 1)


def test_an_action_that_comes_twice_is_the_same() -> None:
    table = opened()
    side, version = table.side, table.live.version
    first = table.does("roll")
    again = table.does("roll", side=side, version=version)
    assert again.replayed
    assert not first.replayed
    assert (again.version, again.sequence, again.state) == (first.version, first.sequence, first.state)
    assert table.stand.thrown == first.state["dice_proof"]["thrown"]


def test_a_play_that_comes_twice_is_the_same_also_when_the_game_has_gone_on() -> None:
    table = parlour()
    side, version, play = table.side, table.live.version, str(table.stand.game.plays[0])
    table.plays(play)
    table.does("roll")
    assert table.does("play", side=side, version=version, play=f" {play} ").replayed
    with pytest.raises(StaleVersion):  # another play is another action
        table.does("play", side=side, version=version, play="8/5 6/5")


def test_an_action_that_comes_late_is_refused_with_the_present_state() -> None:
    table = opened()
    side, version = table.side, table.live.version
    table.does("double")
    with pytest.raises(StaleVersion) as late:
        table.does("roll", side=side, version=version)
    assert late.value.named == version
    assert late.value.state == table.state(side)
    assert late.value.state["offer"] == {
        "kind": "double",
        "by": side,
        "to": opponent_of(side),
        "cube": 2,
        "concession": None,
    }
    with pytest.raises(StaleVersion):  # nor is the future known
        table.does("take", version=table.live.version + 1)


def test_of_two_tabs_of_one_player_the_first_is_right() -> None:
    table = parlour()
    side, version = table.side, table.live.version
    one, two = (str(play) for play in table.stand.game.plays[:2])
    table.does("play", side=side, version=version, play=one)
    with pytest.raises(StaleVersion):
        table.does("play", side=side, version=version, play=two)
    # The tab that has fallen behind learns from the refusal where it stands.
    assert table.does("play", side=side, version=version, play=one).replayed


def test_what_the_rules_refuse_is_refused_by_their_own_names_and_changes_nothing() -> None:
    table = parlour()
    side = table.side
    before = table.live.snapshot
    refused: list[tuple[type[Exception], dict[str, Any]]] = [
        (DoubleOnOpeningTurn, {"kind": "double"}),
        (DiceLie, {"kind": "roll"}),
        (IllegalPlay, {"kind": "play", "play": "13/12"}),
        (UnreadablePlay, {"kind": "play", "play": "up and down"}),
    ]
    for refusal, what in refused:
        with pytest.raises(refusal):
            table.does(side=side, **what)
    with pytest.raises(NotYourTurn):
        table.does("roll", side=opponent_of(side))
    with pytest.raises(NotYourTurn):
        table.does("play", side=opponent_of(side), play="8/5 6/5")
    assert table.live.snapshot == before


def test_a_double_comes_before_the_roll_and_is_answered_before_all_else() -> None:
    table = opened()
    side = table.side
    with pytest.raises(RollFirst):
        table.does("play", play="8/5 6/5")
    table.does("double")
    with pytest.raises(AnswerFirst):
        table.does("roll", side=side)
    with pytest.raises(AnswerFirst):
        table.does("play", side=side, play="8/5 6/5")
    assert table.does("take").state["cube"] == {"value": 2, "owner": opponent_of(side), "limit": 64}
    table.does("roll")
    if table.stand.game.phase is Phase.TO_PLAY:
        with pytest.raises(DoubleAfterRoll):
            table.does("double", side=table.side)


def test_nothing_is_done_before_the_seeds_are_in() -> None:
    table = parlour(seeded=False)
    asked: list[dict[str, Any]] = [
        {"kind": "roll"},
        {"kind": "double"},
        {"kind": "play", "play": "8/5 6/5"},
        {"kind": "resign", "concession": "single"},
    ]
    for what in asked:
        with pytest.raises(OpeningFirst):
            table.does(side=1, **what)


def test_a_passed_double_ends_the_contest_and_its_record_is_replayed() -> None:
    table = opened()
    side = table.side
    table.does("double")
    done = table.does("pass")
    assert done.contest_over == Outcome(winner=side, win=Win.SINGLE, cube=1, points=1, ending=Ending.DROPPED)
    assert Record.objects.get(table=table.table).text.rstrip().endswith("Wins 1 point")
    assert Game.objects.get(table=table.table).ending == "dropped"
    assert (table.live.due_at, table.live.to_act) == (None, None)
    # The same again says it again, for whoever has to pay and was cut off.
    again = table.does("pass", side=opponent_of(side), version=done.version - 1)
    assert again.replayed
    assert again.contest_over == done.contest_over
    with pytest.raises(GameOver):
        table.does("roll", side=side)


def test_the_next_game_of_a_match_opens_by_itself_with_fresh_reserves() -> None:
    table = parlour(match_length=3)
    table.wait(seconds=60)
    table.plays()
    winner = table.side
    table.does("double")
    done = table.does("pass")
    assert done.contest_over is None
    assert (done.state["game"], done.state["score"][winner - 1], done.state["phase"]) == (2, 1, "to_play")
    assert [clock["reserve_ms"] for clock in done.state["clocks"]] == [120_000, 120_000]
    assert [game["ending"] for game in done.state["games"]] == ["dropped"]


# --- Forced passes ---------------------------------------------------------------------------------------------

CLOSED_OUT = Position((0, -2, *[0] * 4, 3, *[0] * 12, *[-2] * 6, 1))
"""The side on turn waits on the bar before a closed board."""


def before_a_closed_board(*, owner: int | None) -> Parlour:
    """The side on turn has 1-1 to play; after it the other, which waits before its closed board, is on turn."""
    table = parlour()
    turn = table.side
    home = Position(tuple(-count for count in reversed(CLOSED_OUT.points)))
    cube = Cube() if owner is None else Cube(value=2, owner=turn if owner == 1 else opponent_of(turn))
    place(table, position=home, dice=(1, 1), cube=cube, opening_turn=False)
    return table


def keep_it_closed(table: Parlour) -> services.Done:
    """Whoever is on turn plays so that its board stays closed."""
    return table.plays(next(str(each) for each in table.stand.game.plays if min(each.position.points[1:7]) >= 2))


def test_a_side_that_cannot_move_whatever_it_throws_has_its_dice_thrown_for_it() -> None:
    table = before_a_closed_board(owner=1)
    side = table.side
    done = keep_it_closed(table)
    assert done.state["to_act"] == side
    assert [each["kind"] for each in done.state["last"][-2:]] == ["play", "roll"]
    assert done.state["last"][-1]["forced"]


def test_a_side_that_is_closed_out_may_double_before_it_throws() -> None:
    for owner in (None, 2):
        table = before_a_closed_board(owner=owner)
        other = opponent_of(table.side)
        done = keep_it_closed(table)
        assert done.state["to_act"] == other
        assert {"roll", "double"} <= set(table.state(other)["actions"])
        assert table.does("double").state["offer"]["cube"] == (2 if owner is None else 4)


# --- Resignation (B-19) ----------------------------------------------------------------------------------------

# The side on turn has everything before it, the other two checkers to bear off: no roll saves the gammon.
SURE_GAMMON = Position((0, *[0] * 17, 15, *[0] * 5, -2, 0))


def test_a_single_offered_while_a_gammon_is_sure_waits_for_an_answer() -> None:
    table = opened()
    side, other = table.side, opponent_of(table.side)
    place(table, position=SURE_GAMMON)
    stand = resigns(table.stand, side, Concession.SINGLE)
    assert stand.status is Status.PLAYING
    assert stand.to_act == other
    stand = after(stand, Event(Kind.DECLINE_RESIGNATION, other, NOON, NOON))
    with pytest.raises(AlreadyDeclined):
        resigns(stand, side, Concession.SINGLE)
    # Nothing dearer can be lost: the gammon needs no answer.
    stand = resigns(stand, side, Concession.GAMMON)
    assert stand.outcome == Outcome(winner=other, win=Win.GAMMON, cube=1, points=2, ending=Ending.RESIGNED)


def resigns(stand: Stand, side: Side, concession: Concession) -> Stand:
    return after(stand, Event(Kind.RESIGN, side, NOON, NOON, {"concession": concession.value}))


def test_a_resignation_is_offered_on_ones_own_turn_and_answered_by_the_other() -> None:
    table = opened()
    side = table.side
    with pytest.raises(ResignOnYourTurn):
        table.does("resign", side=opponent_of(side), concession="single")
    assert "match" not in table.state(side)["resignations"]
    table.does("resign", concession="gammon")
    assert table.state(opponent_of(side))["actions"] == ["accept_resignation", "decline_resignation"]
    assert table.state(side)["actions"] == []
    done = table.does("accept_resignation")
    assert done.contest_over == Outcome(
        winner=opponent_of(side), win=Win.GAMMON, cube=1, points=2, ending=Ending.RESIGNED
    )


# --- What is asked for, and how it is kept ---------------------------------------------------------------------


@pytest.mark.parametrize(
    "value",
    [
        {},
        {"kind": "time_out"},
        {"kind": "seed"},
        {"kind": ["roll"]},
        {"kind": "roll", "play": "8/5"},
        {"kind": "play"},
        {"kind": "play", "play": " "},
        {"kind": "play", "play": "8/5 " * 20},
        {"kind": "play", "play": "8/5\n6/5"},
        {"kind": "play", "play": 85},
        {"kind": "resign"},
        {"kind": "resign", "concession": "everything"},
        {"kind": "resign", "concession": ["single"]},
        {"kind": "take", "concession": "single"},
        {"kind": "roll", "dice": [6, 6]},
    ],
)
def test_what_is_no_action_is_refused(value: dict[str, Any]) -> None:
    with pytest.raises(BadAction):
        wish(value)
    assert wish({"kind": "resign", "concession": "match"}).concession is Concession.MATCH


def test_an_action_takes_two_statements() -> None:
    table = opened()
    side, version = table.side, table.live.version
    with CaptureQueriesContext(connection) as asked:
        services.act(table=table.pk, side=side, version=version, wish=wish({"kind": "roll"}), now=table.now)
    assert len(asked) == 2


def test_what_happened_is_neither_changed_nor_deleted() -> None:
    table = opened()
    for statement in (
        "UPDATE live_action SET side = 1 WHERE live_id = %s",
        "DELETE FROM live_action WHERE live_id = %s",
        "UPDATE live_secret SET seed = repeat('0', 64) WHERE live_id = %s",
        "DELETE FROM live_secret WHERE live_id = %s",
    ):
        with pytest.raises(DatabaseError, match="action_is_final"), transaction.atomic():
            connection.cursor().execute(statement, [table.pk])


def test_a_table_is_started_once() -> None:
    table = TableFactory.create()
    first = services.start(table=table, pace=USUAL, at=NOON)
    assert services.start(table=table, pace=USUAL, at=NOON).snapshot == first.snapshot
    with pytest.raises(StartedOtherwise):
        services.start(table=table, pace=Pace(days=3), at=NOON)
    with pytest.raises(NotLive):
        services.expire(table=TableFactory.create().pk, now=lambda: NOON)


@pytest.mark.parametrize("pace", [{}, {"move_s": 15, "days": 3}, {"days": 0}, {"move_s": -1}, {"reserve_s": 10**6}])
def test_a_pace_is_a_clock_or_days_a_move(pace: dict[str, int]) -> None:
    with pytest.raises(ImpossibleClock):
        Pace(**pace)
