"""Position IDs, Match IDs and XGIDs agree with GNU Backgammon and refuse what cannot be."""

import contextlib
from dataclasses import replace
from typing import Any, Literal, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.rules import ids
from games.rules.board import OPENING, Position
from games.rules.ids import BadId, BadMatchId, BadPositionId, BadXgid, MatchState
from tests.games.boards import golden, positions, rolls, two_sided

IDS = golden("ids.json")

OPENING_XGID = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10"


def changed(**fields: str) -> str:
    """The XGID of the opening with some fields written otherwise."""
    names = ("position", "cube", "owner", "turn", "dice", "score", "other_score", "rules", "length", "limit")
    values = dict(zip(names, OPENING_XGID.removeprefix("XGID=").split(":"), strict=True))
    return "XGID=" + ":".join((values | fields).values())


@pytest.mark.parametrize("row", IDS, ids=lambda row: row["name"])
def test_gnu_backgammon_shows_the_same_ids(row: dict[str, Any]) -> None:
    position, state = ids.read_xgid(row["xgid"])
    assert position == two_sided(row["roller_points_1_24_bar"], row["opponent_points_1_24_bar"])
    assert ids.write_xgid(position, state) == row["xgid"]
    assert ids.write_position_id(position) == row["gnubg_position_id"]
    assert ids.read_position_id(row["gnubg_position_id"]) == position
    assert ids.write_match_id(state) == row["gnubg_match_id"]
    assert ids.read_match_id(row["gnubg_match_id"]) == state
    assert (state.cube, state.match_length) == (row["cube"], row["match_length"])
    assert (state.score, state.opponent_score) == (row["score_roller"], row["score_opponent"])
    assert state.cube_owner == {"centre": 0, "roller": 1, "opponent": -1}[row["cube_owner"]]
    assert list(state.dice or (0, 0)) == row["dice"]


def test_the_opponent_comes_first_in_a_position_id() -> None:
    position = Position((0, *[0] * 5, 1, *[0] * 17, -1, 0))
    assert ids.write_position_id(position) == "AQAAgAAAAAAAAA"
    assert ids.read_position_id("AQAAgAAAAAAAAA") == position


def test_bit_67_of_a_match_id_is_jacoby_off() -> None:
    assert ids.write_match_id(MatchState(jacoby=False)) == "cAkAAAAAAAAE"
    assert ids.write_match_id(MatchState(jacoby=True)) == "cAkAAAAAAAAA"
    assert ids.read_match_id("cAkAAAAAAAAA").jacoby
    # In a match the bit says nothing: Jacoby is for money play (B-11).
    a_match = ids.read_match_id("cAnzAAAAAAAA")
    assert a_match.match_length == 7
    assert not a_match.jacoby


def test_an_xgid_is_told_from_the_bottom_player_whoever_is_on_roll() -> None:
    """Bottom owns a 2-cube and leads 4-1 in a match to 7; the top player, a checker on the bar, rolls 6-2."""
    text = "XGID=aB----E-C---dE---c-e----B-:1:1:-1:62:4:1:0:7:10"
    with pytest.raises(BadXgid, match="bottom player: 17"):
        ids.read_xgid(text)
    text = text.replace("aB----", "a-----")
    position, state = ids.read_xgid(text)
    assert position.bar == 1
    assert position.points[12] == -5
    assert position.points[13] == 4
    assert position.points[1] == -2
    assert (state.turn, state.cube, state.cube_owner, state.dice) == (-1, 2, -1, (6, 2))
    assert (state.score, state.opponent_score) == (1, 4)
    assert ids.write_xgid(position, state) == text
    # GNU Backgammon's player 1 is the bottom player: it owns the cube, and has the second score.
    assert ids.read_match_id(ids.write_match_id(state)) == state


def test_while_a_double_is_offered_it_is_the_doublers_turn() -> None:
    position, state = ids.read_xgid(changed(cube="1", owner="-1", turn="-1", dice="D"))
    assert (state.offer, state.dice, state.cube, state.cube_owner) == ("double", None, 2, 1)
    assert ids.write_xgid(position, state) == changed(cube="1", owner="-1", turn="-1", dice="D")
    assert ids.read_match_id(ids.write_match_id(state)) == state


def test_a_beaver_can_be_said_in_an_xgid_only() -> None:
    text = changed(dice="B", rules="3")
    position, state = ids.read_xgid(text)
    assert (state.offer, state.jacoby, state.beavers) == ("beaver", True, True)
    assert ids.write_xgid(position, state) == text
    with pytest.raises(BadMatchId, match="beaver"):
        ids.write_match_id(state)


@pytest.mark.parametrize(
    "text", [OPENING_XGID[5:], f" {OPENING_XGID}\n", OPENING_XGID.replace("XGID", "xgid"), OPENING_XGID[:-3]]
)
def test_an_xgid_may_lack_its_prefix_and_the_highest_cube(text: str) -> None:
    assert ids.read_xgid(text) == ids.read_xgid(OPENING_XGID)


@pytest.mark.parametrize(
    ("text", "field"),
    [
        ("", "fields"),
        ("XGID=", "fields"),
        (OPENING_XGID + ":10", "fields"),
        (changed(position="-b----E-C---eE---c-e----B"), "position"),
        (changed(position="-b----E-C---eE---c-e----B--"), "position"),
        (changed(position="-b----E-C---eE---c-e----Q-"), "position, character 25"),
        (changed(position="-b----E-C---eE---c-e----é-"), "position, character 25"),
        (changed(position="-b----E-C---eE---c-e----C-"), "bottom player"),
        (changed(position="-P------------------------"), "bottom player"),
        (changed(position="-b----E-C---fE---c-e----B-"), "top player"),
        (changed(position="Bb----E-C---eE---c-e------"), "top player's bar"),
        (changed(position="------E-C---eE---c-e----Bb"), "bottom player's bar"),
        (changed(position="-" * 26), "points"),
        (changed(cube="-1"), "cube"),
        (changed(cube="16"), "cube"),
        (changed(cube="x"), "cube"),
        (changed(cube="¹"), "cube"),
        (changed(cube=""), "cube"),
        (changed(owner="2"), "cube owner"),
        (changed(owner="1"), "cube owner"),
        (changed(turn="0"), "turn"),
        (changed(turn="+1"), "turn"),
        (changed(dice="07"), "dice"),
        (changed(dice="10"), "dice"),
        (changed(dice="3"), "dice"),
        (changed(dice="R"), "dice"),
        (changed(dice="d"), "dice"),
        (changed(score="-1"), "score"),
        (changed(score="5", length="5"), "match length"),
        (changed(rules="4"), "rules"),
        (changed(rules="2", length="5"), "rules"),
        (changed(rules="1", length="5", score="3"), "crawford"),
        (changed(rules="1", length="5", score="4", cube="1"), "cube"),
        (changed(length="99999"), "match length"),
        (changed(limit="99"), "cube limit"),
        (changed(dice="D", cube="1", owner="-1"), "offer"),
        (changed(dice="D", rules="1", length="5", score="4"), "offer"),
        (changed(dice="D", length="1"), "offer"),
        (changed(dice="B", length="5"), "offer"),
    ],
)
def test_a_bad_xgid_is_refused_with_its_field(text: str, field: str) -> None:
    ids.read_xgid(OPENING_XGID)
    with pytest.raises(BadXgid) as refusal:
        ids.read_xgid(text)
    assert refusal.value.field == field
    assert str(refusal.value).startswith(f"XGID: {field}: ")


@pytest.mark.parametrize(
    ("text", "field"),
    [
        ("4HPwATDgc/ABM", "length"),
        ("4HPwATDgc/ABMA==", "length"),
        ("4HPwATDgc_ABMA", "characters"),
        ("4HPwATDgc/ABMé", "characters"),
        ("4HPwATDgc/ABMB", "characters"),
        ("/////////////w", "opponent"),
        ("AAAAAP7/DwAAAA", "side on roll"),
        ("AQAABAAAABAAAA", "checkers"),
        ("AQAAAAAAAgAAAA", "point 24"),
        ("AAAAAAAAAAAAAA", "points"),
    ],
)
def test_a_bad_position_id_is_refused_with_its_field(text: str, field: str) -> None:
    assert ids.read_position_id("4HPwATDgc/ABMA") == OPENING
    with pytest.raises(BadPositionId) as refusal:
        ids.read_position_id(text)
    assert refusal.value.field == field, refusal.value


@pytest.mark.parametrize(
    ("text", "field"),
    [
        ("cAkAAAAAAAA", "length"),
        ("cAkAAAAAAAA=", "characters"),
        ("cAkAAAAAAAAM", "length"),
        ("YAkAAAAAAAAE", "cube owner"),
        ("QAkAAAAAAAAE", "cube owner"),
        ("cA0AAAAAAAAE", "game state"),
        ("cAEAAAAAAAAE", "turn"),
        ("cIkBAAAAAAAE", "dice"),
        ("8AkAAAAAAAAE", "crawford"),
    ],
)
def test_a_bad_match_id_is_refused_with_its_field(text: str, field: str) -> None:
    assert ids.read_match_id("cAkAAAAAAAAE") == MatchState()
    with pytest.raises(BadMatchId) as refusal:
        ids.read_match_id(text)
    assert refusal.value.field == field, refusal.value


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"cube": 3}, "cube"),
        ({"cube": 0}, "cube"),
        ({"cube": 1 << 16}, "cube"),
        ({"cube_owner": 1}, "cube owner"),
        ({"dice": (0, 1)}, "dice"),
        ({"match_length": 5, "jacoby": True}, "match length"),
        ({"offer": "double", "dice": (1, 2)}, "offer"),
    ],
)
def test_a_state_that_cannot_be_is_not_written(fields: dict[str, Any], field: str) -> None:
    state = replace(MatchState(), **fields)
    for write in (ids.write_match_id, lambda state: ids.write_xgid(OPENING, state)):
        with pytest.raises(BadId) as refusal:
            write(state)
        assert refusal.value.field == field


def test_a_resignation_can_be_said_in_a_match_id_only() -> None:
    state = MatchState(resigning=2)
    assert ids.read_match_id(ids.write_match_id(state)) == state
    with pytest.raises(BadXgid, match="resignation"):
        ids.write_xgid(OPENING, state)


@given(positions())
def test_a_position_id_reads_back_equal(position: Position) -> None:
    assert ids.read_position_id(ids.write_position_id(position)) == position


@st.composite
def states(draw: st.DrawFn) -> MatchState:
    """Any state that an XGID and a Match ID can both tell, of money play or of a match."""
    length = draw(st.sampled_from((0, 1, 2, 7, 25, 32767)))
    scores = [draw(st.integers(0, (length or 100) - 1)) for _ in range(2)]
    crawford = length > 1 and max(scores) == length - 1 and draw(st.booleans())
    cube = 1 if crawford or length == 1 else 1 << draw(st.integers(0, 15))
    owners: tuple[Literal[1, 0, -1], ...] = (-1, 0, 1)
    owner = draw(st.sampled_from(owners if cube > 1 else (0,)))
    double = owner >= 0 and not crawford and length != 1 and draw(st.booleans())
    return MatchState(
        turn=draw(st.sampled_from((1, -1))),
        cube=cube,
        cube_owner=owner,
        dice=None if double else draw(st.none() | rolls),
        offer="double" if double else None,
        match_length=length,
        score=scores[0],
        opponent_score=scores[1],
        crawford=crawford,
        jacoby=not length and draw(st.booleans()),
    )


@given(positions(), states())
def test_every_id_reads_back_equal(position: Position, state: MatchState) -> None:
    assert ids.read_xgid(ids.write_xgid(position, state)) == (position, state)
    assert ids.read_match_id(ids.write_match_id(state)) == state
    assert set(get_args(ids.Offer)) == {"double", "beaver"}


almost_xgids = st.builds(
    lambda board, fields: "XGID=" + ":".join([board, *fields]),
    st.text("-aAbBoOpPé", min_size=25, max_size=27),
    st.lists(st.sampled_from(("0", "1", "-1", "2", "7", "10", "31", "00", "D", "B", "", "x")), min_size=8, max_size=10),
)


@given(st.text() | almost_xgids)
def test_whatever_the_text_is_it_is_read_or_refused(text: str) -> None:
    for read in (ids.read_xgid, ids.read_position_id, ids.read_match_id):
        with contextlib.suppress(BadId):
            read(text)
