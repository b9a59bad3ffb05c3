"""What a game of a match costs that was lost on time: the largest of 1, 2, 3 lost every second time at least (B-15)."""

import json
from decimal import Decimal

import pytest

from games.analysis import time_out
from games.analysis.probabilities import Probabilities
from games.rules.board import OPENING, Position
from games.rules.endings import Win
from games.rules.ids import MatchState, read_xgid
from tests.games.boards import board

LOST_GAMMON = board(mine={18: 5, 6: 10}, theirs={24: 2})
CLOSED_OUT = board(mine={25: 5, 8: 5, 6: 5}, theirs={24: 3, 23: 3, 22: 2, 21: 2, 20: 3, 19: 2})
MATCH = MatchState(match_length=5, score=1, opponent_score=2)


@pytest.mark.parametrize(
    ("position", "six", "lost"),
    [
        # What is won, single, gammon, backgammon, and then what is lost.
        (OPENING, ("0.4", "0.1", "0", "0.3", "0.2", "0"), Win.SINGLE),  # half is lost, a fifth a gammon
        (OPENING, ("0.6", "0.3", "0", "0.1", "0", "0"), Win.SINGLE),  # hardly any is lost: it is lost all the same
        (OPENING, ("0", "0", "0", "0.5", "0.5", "0"), Win.GAMMON),  # exactly every second time
        (OPENING, ("0", "0", "0", "0.500000000001", "0.499999999999", "0"), Win.SINGLE),
        (OPENING, ("0.1", "0", "0", "0.4", "0.3", "0.2"), Win.GAMMON),  # a backgammon is a gammon too
        (OPENING, ("0", "0", "0", "0", "0.5", "0.5"), Win.BACKGAMMON),
        (OPENING, ("0", "0", "0", "0.2", "0.300000000001", "0.499999999999"), Win.GAMMON),
        (OPENING, ("0.5", "0", "0", "0", "0", "0.5"), Win.BACKGAMMON),
        (LOST_GAMMON, ("1", "0", "0", "0", "0", "0"), Win.GAMMON),  # never less than is certain
        (LOST_GAMMON, ("0", "0", "0", "0", "0.4", "0.6"), Win.BACKGAMMON),
    ],
)
def test_the_dearest_loss_of_every_second_time_counts(position: Position, six: tuple[str, ...], lost: Win) -> None:
    assert time_out.lost(position, Probabilities(*map(Decimal, six))) is lost


@pytest.mark.parametrize(("position", "lost"), [(OPENING, Win.SINGLE), (LOST_GAMMON, Win.GAMMON)])
def test_without_an_analysis_what_is_certain_counts(position: Position, lost: Win) -> None:
    assert time_out.lost(position) is lost


@pytest.mark.parametrize("dice", [None, (3, 1)])
def test_the_record_computes_again_and_nothing_else(dice: tuple[int, int] | None) -> None:
    state = MatchState(match_length=5, score=1, opponent_score=2, dice=dice, cube=2, cube_owner=-1)
    record = json.loads(json.dumps(time_out.analyse(position=OPENING, state=state)))
    inputs = record["inputs"]
    assert read_xgid(inputs["xgid"]) == (OPENING, state_of(inputs["xgid"]))
    assert state_of(inputs["xgid"]).score == 1
    assert (inputs["engine"], inputs["swapped"]) == ("bgsage", dice is not None)
    assert time_out.again(record) is Win.SINGLE

    gammons = dict.fromkeys(inputs["probabilities"], "0") | {("win" if dice else "lose") + "_gammon": "1"}
    dearer = {**record, "inputs": {**inputs, "probabilities": gammons}}
    with pytest.raises(ValueError, match="single is told, a gammon follows"):
        time_out.again(dearer)
    assert time_out.again({**dearer, "win": "gammon"}) is Win.GAMMON


def test_a_side_closed_out_with_its_men_back_loses_a_gammon() -> None:
    record = time_out.analyse(position=CLOSED_OUT, state=MATCH)
    assert record["win"] == "gammon"


@pytest.mark.parametrize("length", [1, 25])
def test_any_match_is_covered_since_no_equity_table_is_asked(length: int) -> None:
    # Further than 15 points away the table of the engine is wrong, and without a cube it has none.
    state = MatchState(match_length=length, cube_limit=1)
    assert time_out.analyse(position=OPENING, state=state)["win"] == "single"


def state_of(xgid: str) -> MatchState:
    return read_xgid(xgid)[1]
