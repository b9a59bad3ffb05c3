"""Whole games at random: the referee always comes to a lawful end, and the record of one says the same."""

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from games.rules.endings import Ending
from games.rules.record import MatchRecord
from games.rules.record_reading import read
from games.rules.record_writing import write
from games.rules.replay import GameReplay, replay_match
from games.rules.series import Series
from games.rules.terms import Terms
from tests.games.scribe import Scribe, play_at_random

MONEY = st.builds(
    Terms,
    jacoby=st.booleans(),
    beavers=st.booleans(),
    automatic_doubles=st.integers(0, 3),
    cube_limit=st.sampled_from([1, 2, 64, 1024]),
)


@st.composite
def matches(draw: st.DrawFn) -> Terms:
    length = draw(st.integers(1, 9))
    needs = (draw(st.integers(1, length)), draw(st.integers(1, length)))
    series = Series(length=length, score=(length - needs[0], length - needs[1]))
    return Terms(match_length=length, needs=needs, crawford_game=series.is_crawford_game)


def record_of(scribe: Scribe) -> MatchRecord:
    terms = scribe.terms
    options = {"Jacoby": terms.jacoby, "Beaver": terms.beavers}
    headers = [(key, "On" if on else "Off") for key, on in options.items() if not terms.match_length]
    length = terms.match_length
    score = (length - terms.needs[0], length - terms.needs[1])
    return MatchRecord(
        length=length,
        headers=(*headers, ("CubeLimit", str(terms.cube_limit))),
        games=(scribe.record(score=score),),
    )


@settings(max_examples=60, deadline=None)
@given(terms=MONEY | matches(), seed=st.integers(0, 2**32))
def test_every_game_comes_to_a_lawful_end_and_its_record_reads_back_and_replays_equal(terms: Terms, seed: int) -> None:
    scribe = play_at_random(terms, random.Random(seed))
    outcome, cube = scribe.game.outcome, scribe.game.cube
    assert outcome is not None
    assert outcome.winner is not None

    # B-8, B-9, B-11: the points are the cube's, times 1, 2 or 3, and with Jacoby times 1 until a double was taken.
    assert outcome.cube <= max(terms.cube_limit, 1)
    assert outcome.cube & (outcome.cube - 1) == 0
    if outcome.win is None:
        assert outcome.points == terms.needs[outcome.winner - 1]
    elif terms.jacoby and not cube.turned:
        assert outcome.points == outcome.cube
    else:
        assert outcome.points == outcome.cube * outcome.win.factor
    if terms.crawford_game or terms.match_length == 1 or terms.cube_limit == 1:
        assert outcome.cube == 1

    record = record_of(scribe)
    assert read(write(record)) == (record,)
    replay = replay_match(record)
    (game,) = replay.games
    assert isinstance(game, GameReplay), str(game)
    assert game.outcome is not None
    assert (game.outcome.winner, game.outcome.points) == (outcome.winner, outcome.points)
    assert game.outcome.cube == outcome.cube
    assert game.outcome.ending == outcome.ending
    # What was resigned is told by its points alone: with Jacoby, or clipped, a gammon may look like a single win.
    if outcome.ending in (Ending.BORNE_OFF, Ending.DROPPED) or outcome.win is None:
        assert game.outcome == outcome
