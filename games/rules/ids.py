"""Positions and match states as text: GNU Backgammon's Position ID and Match ID, and eXtreme Gammon's XGID.

All three are read strictly: what they cannot mean is refused with the field, the value and the rule it breaks.
"""

import base64
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Literal, NoReturn

from games.rules.board import CHECKERS, ImpossiblePosition, Position
from games.rules.board import check as check_board

Offer = Literal["double", "beaver"]

STAGES: Final = ("none", "playing", "over", "resigned", "dropped")
"""What a Match ID says of the game, by number."""


class BadId(ValueError):
    """The text is no such ID, or the ID cannot say this. ``field``, ``value`` and ``rule`` tell what is wrong."""

    name = "ID"

    def __init__(self, *, field: str, value: object, rule: str) -> None:
        super().__init__(f"{self.name}: {field}: {value!r} {rule}")
        self.field, self.value, self.rule = field, value, rule


class BadPositionId(BadId):
    """No Position ID of GNU Backgammon."""

    name = "Position ID"


class BadMatchId(BadId):
    """No Match ID of GNU Backgammon."""

    name = "Match ID"


class BadXgid(BadId):
    """No XGID of eXtreme Gammon."""

    name = "XGID"


@dataclass(frozen=True, slots=True)
class MatchState:
    """All that stands beside the board: cube, dice, score and rules, as the side on roll sees them.

    ``turn`` names the side on roll: 1 is XG's bottom player and GNU Backgammon's player 1, -1 the other. While a
    double is offered it is still the doubler's turn, and the cube is what it was before the offer. A
    ``match_length`` of 0 is money play. ``cube_owner`` is 1 for the side on roll, -1 for the other, 0 for the
    centre. ``resigning`` is 0, or 1 to 3 for a single game, gammon or backgammon offered.
    Only an XGID tells ``beavers``, a beaver on offer and ``cube_limit``; only a Match ID ``resigning`` and ``stage``.
    """

    turn: Literal[1, -1] = 1
    cube: int = 1
    cube_owner: Literal[1, 0, -1] = 0
    dice: tuple[int, int] | None = None
    offer: Offer | None = None
    match_length: int = 0
    score: int = 0
    opponent_score: int = 0
    crawford: bool = False
    jacoby: bool = False
    beavers: bool = False
    cube_limit: int = 1024
    resigning: int = 0
    stage: str = "playing"


# Position ID


def write_position_id(position: Position) -> str:
    """GNU Backgammon's Position ID of the board: 14 characters of base64.

    For each side, the opponent of the side on roll first, each point counted from that side's home and then its
    bar: as many ones as checkers, and a zero. The bits fill ten bytes from the lowest bit up.
    """
    bits = 0
    length = 0
    for side in (position.swapped(), position):
        for count in side.points[1:]:
            if count > 0:
                bits |= ((1 << count) - 1) << length
                length += count
            length += 1
    return base64.b64encode(bits.to_bytes(10, "little")).decode()[:14]


def read_position_id(text: str) -> Position:
    """The board of a Position ID, as the side on roll sees it. Raises BadPositionId."""
    bits = _bits(text, length=14, refusal=BadPositionId)
    sides: list[list[int]] = []
    for side in ("opponent", "side on roll"):
        counts = []
        for _ in range(25):
            count = 0
            while bits & 1:
                count += 1
                bits >>= 1
            bits >>= 1
            counts.append(count)
        if sum(counts) > CHECKERS:
            raise BadPositionId(field=side, value=sum(counts), rule=f"checkers are over {CHECKERS}")
        sides.append(counts)
    if bits:
        raise BadPositionId(field="checkers", value=text, rule="says more than two sides' points and bars")
    theirs, mine = sides
    points = [-theirs[24], *mine]
    for point in range(1, 25):
        count = theirs[24 - point]
        if count and mine[point - 1]:
            raise BadPositionId(field=f"point {point}", value=text, rule="has checkers of both sides")
        points[point] -= count
    return _position(points, BadPositionId)


# Match ID


_MATCH_BITS: Final = {
    "cube": 4,
    "owner": 2,
    "roll": 1,
    "crawford": 1,
    "stage": 3,
    "turn": 1,
    "doubled": 1,
    "resigning": 2,
    "die 1": 3,
    "die 2": 3,
    "match length": 15,
    "score 0": 15,
    "score 1": 15,
    "jacoby off": 1,
}
"""The fields of a Match ID and their bits, lowest first. Owner 3 is the centre; roll and turn name player 0 or 1:
who rolls, and who has to decide, which is the other one while a double or a resignation is on offer."""


def write_match_id(state: MatchState) -> str:
    """GNU Backgammon's Match ID of ``state``: 12 characters of base64.

    Raises BadMatchId for a state that cannot be, and for a beaver on offer, which a Match ID has no bit for.
    """
    _check_state(state, BadMatchId)
    if state.offer == "beaver":
        raise BadMatchId(field="offer", value=state.offer, rule="cannot be said in a Match ID")
    player = 1 if state.turn == 1 else 0
    offers = (state.offer is not None) + (state.resigning > 0)
    scores = {player: state.score, 1 - player: state.opponent_score}
    die1, die2 = state.dice or (0, 0)
    values = {
        "cube": state.cube.bit_length() - 1,
        "owner": {1: player, -1: 1 - player, 0: 3}[state.cube_owner],
        "roll": player,
        "crawford": int(state.crawford),
        "stage": STAGES.index(state.stage),
        "turn": player if offers % 2 == 0 else 1 - player,
        "doubled": int(state.offer is not None),
        "resigning": state.resigning,
        "die 1": die1,
        "die 2": die2,
        "match length": state.match_length,
        "score 0": scores[0],
        "score 1": scores[1],
        "jacoby off": int(not state.jacoby),
    }
    bits = 0
    length = 0
    for field, width in _MATCH_BITS.items():
        if values[field] >= 1 << width:
            raise BadMatchId(field=field, value=values[field], rule=f"is over {(1 << width) - 1}")
        bits |= values[field] << length
        length += width
    return base64.b64encode(bits.to_bytes(9, "little")).decode()


def read_match_id(text: str) -> MatchState:
    """The state a Match ID tells. Bit 67 set means that Jacoby is off; in a match it says nothing (B-11).

    Raises BadMatchId.
    """
    bits = _bits(text, length=12, refusal=BadMatchId)
    values = {}
    for field, width in _MATCH_BITS.items():
        values[field] = bits & ((1 << width) - 1)
        bits >>= width
    if bits:
        raise BadMatchId(field="length", value=text, rule="uses bits beyond the 67th")
    if values["owner"] == 2:
        raise BadMatchId(field="cube owner", value=2, rule="is neither player 0 nor 1 nor the centre (3)")
    if values["stage"] >= len(STAGES):
        raise BadMatchId(field="game state", value=values["stage"], rule=f"is not 0 to {len(STAGES) - 1}")
    player = values["roll"]
    asked = values["turn"] != player
    if STAGES[values["stage"]] == "playing" and asked != (values["doubled"] ^ (values["resigning"] > 0)):
        raise BadMatchId(field="turn", value=values["turn"], rule="and the offers made contradict each other")
    dice = (values["die 1"], values["die 2"])
    length = values["match length"]
    state = MatchState(
        turn=1 if player else -1,
        cube=1 << values["cube"],
        cube_owner=0 if values["owner"] == 3 else 1 if values["owner"] == player else -1,
        dice=None if dice == (0, 0) else dice,
        offer="double" if values["doubled"] else None,
        match_length=length,
        score=values[f"score {player}"],
        opponent_score=values[f"score {1 - player}"],
        crawford=bool(values["crawford"]),
        jacoby=not length and not values["jacoby off"],
        resigning=values["resigning"],
        stage=STAGES[values["stage"]],
    )
    _check_state(state, BadMatchId)
    return state


# XGID


_XGID_FIELDS: Final = (
    "position",
    "cube",
    "cube owner",
    "turn",
    "dice",
    "score",
    "score of the other",
    "rules",
    "match length",
    "cube limit",
)

_XG_SIDES: Final = {
    "mover": "bottom player",
    "opponent": "top player",
    "bar": "bottom player's bar",
    "opponent's bar": "top player's bar",
}
"""Who is meant where an XGID's position is refused: it is told from the bottom player, whoever is on roll."""


def write_xgid(position: Position, state: MatchState) -> str:
    """The XGID of the board and what stands beside it.

    The position, the owner of the cube and the scores are told from XG's bottom player, whoever is on roll.
    Raises BadXgid for a state that cannot be, and for a resignation or a game not in play: an XGID knows neither.
    """
    _check_state(state, BadXgid)
    if state.resigning or state.stage != "playing":
        raise BadXgid(field="state", value=state.stage, rule="cannot be said in an XGID, nor can a resignation")
    bottom = position if state.turn == 1 else position.swapped()
    scores = (state.score, state.opponent_score)[:: state.turn]
    dice = state.offer[0].upper() if state.offer else "{}{}".format(*(state.dice or (0, 0)))
    rules = state.crawford if state.match_length else state.jacoby + 2 * state.beavers
    fields = (
        "".join(_letter(count) for count in bottom.points),
        state.cube.bit_length() - 1,
        state.cube_owner * state.turn,
        state.turn,
        dice,
        *scores,
        int(rules),
        state.match_length,
        state.cube_limit.bit_length() - 1,
    )
    return "XGID=" + ":".join(map(str, fields))


def read_xgid(text: str) -> tuple[Position, MatchState]:
    """The board, as the side on roll sees it, and what stands beside it.

    XG's bottom player has capital letters and the positive owner, whoever is on roll; ``turn`` is 1 if it is the
    bottom player's, also while its double (dice ``D``) or the beaver of that (``B``) is on offer. The prefix and
    the last field, the highest cube, may be missing. Raises BadXgid.
    """
    fields = re.sub(r"^XGID=", "", text.strip(), flags=re.IGNORECASE).split(":")
    if len(fields) not in (len(_XGID_FIELDS) - 1, len(_XGID_FIELDS)):
        raise BadXgid(field="fields", value=len(fields), rule=f"are not {len(_XGID_FIELDS)}: {', '.join(_XGID_FIELDS)}")
    found = dict(zip(_XGID_FIELDS, [*fields, "10"], strict=False))
    bottom = _read_letters(found["position"])
    turn: Literal[1, -1] = 1 if _one_of("turn", found["turn"], ("1", "-1")) == "1" else -1
    owner = int(_one_of("cube owner", found["cube owner"], ("1", "0", "-1"))) * turn
    length = _number("match length", found["match length"])
    rules = int(_one_of("rules", found["rules"], ("0", "1") if length else ("0", "1", "2", "3")))
    dice, offer = _read_dice(found["dice"])
    bottom_first = (_number("score", found["score"]), _number("score of the other", found["score of the other"]))
    score, opponent_score = bottom_first[::turn]
    state = MatchState(
        turn=turn,
        cube=1 << _number("cube", found["cube"], limit=15),
        cube_owner=1 if owner == 1 else -1 if owner == -1 else 0,
        dice=dice,
        offer=offer,
        match_length=length,
        score=score,
        opponent_score=opponent_score,
        crawford=bool(length and rules),
        jacoby=not length and rules in (1, 3),
        beavers=not length and rules in (2, 3),
        cube_limit=1 << _number("cube limit", found["cube limit"], limit=15),
    )
    _check_state(state, BadXgid)
    return (bottom if turn == 1 else bottom.swapped()), state


def _letter(count: int) -> str:
    if not count:
        return "-"
    return chr(ord("A") + count - 1) if count > 0 else chr(ord("a") - count - 1)


def _read_letters(text: str) -> Position:
    if len(text) != 26:
        raise BadXgid(field="position", value=text, rule=f"has {len(text)} characters, not 26: a bar, 24 points, a bar")
    points = []
    for place, letter in enumerate(text):
        if not re.fullmatch(r"[-A-Pa-p]", letter):
            raise BadXgid(field=f"position, character {place + 1}", value=letter, rule="is not -, A to P or a to p")
        count = 0 if letter == "-" else ord(letter.lower()) - ord("a") + 1
        points.append(count if letter.isupper() else -count)
    return _position(points, BadXgid)


def _read_dice(text: str) -> tuple[tuple[int, int] | None, Offer | None]:
    if text == "00":
        return None, None
    if re.fullmatch(r"[1-6]{2}", text):
        return (int(text[0]), int(text[1])), None
    if text == "D":
        return None, "double"
    if text == "B":
        return None, "beaver"
    if text == "R":
        raise BadXgid(field="dice", value=text, rule="is a raccoon, which is not played (B-10)")
    raise BadXgid(field="dice", value=text, rule="is not 00, two dice from 1 to 6, D or B")


def _number(field: str, text: str, *, limit: int = 32767) -> int:
    if not re.fullmatch(r"[0-9]{1,5}", text) or int(text) > limit:
        raise BadXgid(field=field, value=text, rule=f"is no number from 0 to {limit}")
    return int(text)


def _one_of(field: str, text: str, allowed: Sequence[str]) -> str:
    if text not in allowed:
        raise BadXgid(field=field, value=text, rule=f"is not {' or '.join(allowed)}")
    return text


# What the three share


def _bits(text: str, *, length: int, refusal: type[BadId]) -> int:
    """The bits of ``length`` characters of base64, lowest first."""
    if len(text) != length:
        raise refusal(field="length", value=text, rule=f"has {len(text)} characters, not {length}")
    if not re.fullmatch(r"[A-Za-z0-9+/]*", text):
        raise refusal(field="characters", value=text, rule="are not all of A-Z, a-z, 0-9, + and /")
    data = base64.b64decode(text + "=" * (-length % 4))
    if base64.b64encode(data).decode()[:length] != text:
        raise refusal(field="characters", value=text, rule="end with bits that mean nothing")
    return int.from_bytes(data, "little")


def _position(points: Iterable[int], refusal: type[BadId]) -> Position:
    board = tuple(points)
    try:
        check_board(board)
    except ImpossiblePosition as impossible:
        field = _XG_SIDES.get(impossible.field, impossible.field) if refusal is BadXgid else impossible.field
        raise refusal(field=field, value=impossible.value, rule=impossible.rule) from None
    return Position.trusted(board)


def _check_state(state: MatchState, refusal: type[BadId]) -> None:
    """Nothing, if ``state`` can be. Raises ``refusal`` with the first field that contradicts the rules or another."""

    def refuse(field: str, rule: str) -> NoReturn:
        raise refusal(field=field.replace("_", " "), value=getattr(state, field), rule=rule)

    for field in ("cube", "cube_limit"):
        value = getattr(state, field)
        if value < 1 or value & (value - 1) or value > 1 << 15:
            refuse(field, "is no power of two from 1 to 32768")
    for field in ("match_length", "score", "opponent_score"):
        if not 0 <= getattr(state, field) < 1 << 15:
            refuse(field, "is not from 0 to 32767")
    if state.stage not in STAGES:
        refuse("stage", f"is none of {', '.join(STAGES)}")
    if not 0 <= state.resigning <= 3:
        refuse("resigning", "is not from 0 to 3")
    if state.dice and not all(1 <= die <= 6 for die in state.dice):
        refuse("dice", "are not two dice from 1 to 6")
    if state.cube == 1 and state.cube_owner:
        refuse("cube_owner", "owns a cube at 1, which nobody has turned")
    if state.offer and state.dice:
        refuse("offer", "comes before the dice are thrown, not after")
    if state.offer == "double" and state.cube_owner == -1:
        refuse("offer", "is not open to the side that does not own the cube (B-9)")
    if state.offer and state.match_length == 1:
        refuse("offer", "is not open in a match to one point (B-9)")
    if state.offer and state.crawford:
        refuse("offer", "is not open in the Crawford game (B-12)")
    if state.match_length:
        if state.jacoby or state.beavers:
            refuse("match_length", "is no money play, so there is no Jacoby and no beaver (B-10, B-11)")
        if state.offer == "beaver":
            refuse("offer", "is open in money play only (B-10)")
        if state.stage == "playing" and max(state.score, state.opponent_score) >= state.match_length:
            refuse("match_length", f"is reached at {state.score}-{state.opponent_score}: the match is over (B-14)")
        if state.crawford and max(state.score, state.opponent_score) != state.match_length - 1:
            refuse("crawford", f"is the game after a side came within a point of {state.match_length} (B-12)")
    elif state.crawford:
        refuse("crawford", "belongs to matches, not to money play (B-12)")
    if state.crawford and state.cube != 1:
        refuse("cube", "is turned in the Crawford game, which has none (B-12)")
