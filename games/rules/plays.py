"""All legal plays of a roll (B-3 to B-7), one for each position that can be reached.

How it is fast: no position is found twice and no board is searched twice. Of a double, checkers are moved from the
highest point downwards only, over a list of open ways made once; of two different dice, two lists of single moves
are paired. Only entering from the bar and bearing off look at the board again after each move. Moves are made and
taken back on one list, Move objects come from a table made at import, and what a legal play leads to is not checked.
"""

from dataclasses import dataclass
from typing import Final, NamedTuple

from games.rules.board import BAR, OFF, Position


class Move(NamedTuple):
    """One checker moved by one die, on the mover's scale: 25 is the bar, 0 is off."""

    source: int
    target: int
    hit: bool


class ImpossibleDice(ValueError):
    """No throw of two dice."""

    def __init__(self, dice: object) -> None:
        super().__init__(f"dice: {dice!r} is no throw of two dice, each from 1 to 6")
        self.dice = dice


@dataclass(frozen=True, slots=True)
class Play:
    """What a side does with its roll: a move for each die used, and the position after it, still seen by the mover."""

    moves: tuple[Move, ...]
    position: Position

    def __str__(self) -> str:
        """The play as players write it: ``bar/20* 13/7(2) 6/off``, and with a hit on the way ``24/20*/18``."""
        paths: list[list[Move]] = []
        for move in sorted(self.moves, key=lambda move: -move.source):
            going_on = (path for path in paths if path[-1].target == move.source)
            path = next(going_on, None)
            if path is None:
                paths.append([move])
            else:
                path.append(move)
        # Of checkers that go the same way only the first hits, and players still write it once: 13/7*(2).
        same_way: dict[tuple[int, ...], list[list[Move]]] = {}
        for path in paths:
            same_way.setdefault((*[move.source for move in path], path[-1].target), []).append(path)
        return " ".join(_written(those[0], len(those)) for those in same_way.values())


def _written(path: list[Move], times: int) -> str:
    shown = [str(path[0].source)]
    shown += [f"{move.target}{'*' * move.hit}" for move in path if move.hit or move is path[-1]]
    if path[0].source == BAR:
        shown[0] = "bar"
    if path[-1].target == OFF:
        shown[-1] = "off"
    return "/".join(shown) + (f"({times})" if times > 1 else "")


def legal_plays(position: Position, dice: tuple[int, int]) -> list[Play]:
    """The plays the rules leave to the side to move: one for each position after it, none if it cannot move.

    B-5: both dice (all four of a double) must be played if any order of play allows it; a die that only becomes
    playable after the other has moved is compulsory. If either die can be played but not both, the higher one
    must be. If none, the turn passes. Of a double, as many as possible. A game that is over has no plays.
    Raises ImpossibleDice.
    """
    low, high = sorted(checked_dice(dice))
    if position.is_over:
        return []
    points = list(position.points)
    found = _of_a_double(points, high) if low == high else _of_two_dice(points, high, low)
    plays = []
    for after, moves in found:
        # Nothing can be wrong with these positions, so their slots are filled without the checks of Position.
        position, play = _bare(Position), _bare(Play)
        _set_points(position, after)
        _set_moves(play, moves)
        _set_position(play, position)
        plays.append(play)
    return plays


def checked_dice(dice: tuple[int, int]) -> tuple[int, int]:
    """The same two dice. Raises ImpossibleDice unless they are two whole numbers from 1 to 6."""
    if len(dice) != 2 or not all(type(die) is int and 1 <= die <= 6 for die in dice):
        raise ImpossibleDice(dice)
    return dice


_Moves = tuple[Move, ...]
_Found = list[tuple[tuple[int, ...], _Moves]]
"""Points after the play, and the moves that lead there."""

_STEPS: Final = {
    die: [
        (Move(source, max(source - die, OFF), False), Move(source, max(source - die, OFF), True))
        for source in range(26)
    ]
    for die in range(1, 7)
}
"""[die][source] is the move without and with a hit."""


def moves_of_a_die(points: list[int], die: int, highest: int = BAR) -> list[Move]:
    """All that one die can do from the point ``highest`` downwards, highest source first.

    B-3: a checker lands only on an open point: empty, own, or a single opposing checker.
    B-6: a side with a checker on the bar must enter it, on the opponent's ``die``-point, before any other move.
    B-7: bearing off needs all checkers in the home board. ``die`` bears off from the ``die``-point; with nothing
    there a checker on a higher point must be moved; with none higher, the highest occupied point bears off.
    """
    steps = _STEPS[die]
    if points[BAR]:
        there = points[BAR - die]
        return [steps[BAR][there == -1]] if there >= -1 else []
    moves = []
    for source in range(min(highest, 24), die, -1):
        if points[source] > 0:
            there = points[source - die]
            if there >= -1:
                moves.append(steps[source][there == -1])
    if (not moves or moves[0].source <= 6) and max(points[7:BAR]) <= 0:
        for source in range(min(highest, die), 0, -1):
            if points[source] > 0:
                if source == die or max(points[source + 1 : 7], default=0) <= 0:
                    moves.append(steps[source][False])
                break
    return moves


def make(points: list[int], move: Move) -> None:
    """Play ``move`` on ``points``."""
    source, target, hit = move
    points[source] -= 1
    if hit:
        points[target] = 1
        points[OFF] -= 1
    elif target:
        points[target] += 1


def take_back(points: list[int], move: Move) -> None:
    """Undo ``move``, the last made on ``points``."""
    source, target, hit = move
    points[source] += 1
    if hit:
        points[target] = -1
        points[OFF] += 1
    elif target:
        points[target] -= 1


def _far_from_home(points: list[int], moves: int) -> bool:
    """No bearing off in ``moves`` moves: so many checkers are outside that the last of them can only come home."""
    return sum([count for count in points[7:] if count > 0]) >= moves


def _of_two_dice(points: list[int], high: int, low: int) -> _Found:
    """B-5: both dice if either order allows it, else the higher one, else the lower one."""
    if points[BAR] or not _far_from_home(points, 2):
        found = _both_orders(points, high, low)
    else:
        found = _pairs(points, high, low)
    if not found:
        for move in moves_of_a_die(points, high) or moves_of_a_die(points, low):
            make(points, move)
            found.append((tuple(points), (move,)))
            take_back(points, move)
    return found


def _both_orders(points: list[int], high: int, low: int) -> _Found:
    """Both dice where the first move may change what the second die can do: on the bar, or bearing off."""
    found: dict[tuple[int, ...], _Moves] = {}
    for die, other in ((high, low), (low, high)):
        for first in moves_of_a_die(points, die):
            make(points, first)
            for second in moves_of_a_die(points, other):
                make(points, second)
                found.setdefault(tuple(points), (first, second))
                take_back(points, second)
            take_back(points, first)
    return list(found.items())


def _pairs(points: list[int], high: int, low: int) -> _Found:
    """Both dice with nothing on the bar and no bearing off: a move of each die, or one checker moved by both."""
    found: _Found = []
    usual = moves_of_a_die(points, low)
    for first in moves_of_a_die(points, high):
        source, target, hit = first
        alone = points[source] == 1
        make(points, first)
        # What the first has hit, the second cannot hit again.
        seconds = [_STEPS[low][two.source][two.hit and two.target != target] for two in usual] if hit else usual
        for second in seconds:
            source2, target2, hit2 = second
            if source2 == source and alone:
                continue
            if target2 == source and points[source2 - high] > 0:
                # Seen from its end, one checker went from source2 through source. Through its other point, where
                # the side stands too, it is among the pairs already.
                continue
            there = points[target2]
            points[source2] -= 1
            if hit2:
                points[target2] = 1
                points[OFF] -= 1
                found.append((tuple(points), (first, second)))
                points[OFF] += 1
            else:
                points[target2] = there + 1
                found.append((tuple(points), (first, second)))
            points[source2] += 1
            points[target2] = there
        take_back(points, first)
    both = high + low
    for source in range(24, both, -1):
        if points[source] > 0 and points[source - both] >= -1:
            for middle_die, last_die in _ways_through(points[source - high], points[source - low], high, low):
                middle = source - middle_die
                first = _STEPS[middle_die][source][points[middle] == -1]
                second = _STEPS[last_die][middle][points[source - both] == -1]
                make(points, first)
                make(points, second)
                found.append((tuple(points), (first, second)))
                take_back(points, second)
                take_back(points, first)
    return found


def _ways_through(by_high: int, by_low: int, high: int, low: int) -> list[tuple[int, int]]:
    """The orders of the dice in which one checker reaches a position that no pair of checkers reaches.

    ``by_high`` and ``by_low`` stand on the two points in between (B-3: the point must be open). Each blot hit there
    is a position of its own. Hitting none is one position, and if the side itself stands on either point, two
    checkers reach it too.
    """
    ways = []
    if by_high == -1 or (by_high == 0 and by_low <= 0):
        ways.append((high, low))
    if by_low == -1 or (by_low == 0 and by_high < 0):
        ways.append((low, high))
    return ways


def _of_a_double(points: list[int], die: int) -> _Found:
    """B-4, B-5: the die four times, or as many times as possible.

    Sources only ever fall: what any move needs (a checker brought to its source, none on the bar, all at home,
    none higher) is done by moves from higher points. So each way to choose the sources comes up once, and since
    a position tells how often each source was left, no position comes up twice.
    """
    entered: _Moves = ()
    while points[BAR] and len(entered) < 4:
        entry = moves_of_a_die(points, die)
        if not entry:
            break
        make(points, entry[0])
        entered += (entry[0],)
    if points[BAR] or len(entered) == 4:
        return [(tuple(points), entered)] if entered else []

    left = 4 - len(entered)
    found = _all_of_a_double(points, die, left, entered) if _far_from_home(points, left) else []
    return found or _most_of_a_double(points, die, entered)


def _all_of_a_double(points: list[int], die: int, left: int, entered: _Moves) -> _Found:
    """The double's ``left`` moves, all of them, with nothing on the bar and no bearing off."""
    found: _Found = []
    steps = _STEPS[die]
    # The opponent's made points stay as they are: a way that is open is open for all four moves.
    ways = [source for source in range(24, die, -1) if points[source - die] >= -1]

    def play_on(first_way: int, left: int, moves: _Moves) -> None:
        for way in range(first_way, len(ways)):
            source = ways[way]
            if points[source] <= 0:
                continue
            target = source - die
            there = points[target]
            points[source] -= 1
            if there == -1:
                points[target] = 1
                points[OFF] -= 1
                made = (*moves, steps[source][True])
            else:
                points[target] = there + 1
                made = (*moves, steps[source][False])
            if left > 1:
                play_on(way, left - 1, made)
            else:
                found.append((tuple(points), made))
            points[source] += 1
            points[target] = there
            if there == -1:
                points[OFF] += 1

    play_on(0, left, entered)
    return found


def _most_of_a_double(points: list[int], die: int, entered: _Moves) -> _Found:
    """As many of a double's moves as can be made after those that ``entered``; none if there are none at all."""
    found: _Found = []
    longest = 1

    def play_on(highest: int, moves: _Moves) -> None:
        nonlocal longest
        if len(moves) > longest:
            longest = len(moves)
            found.clear()
        if len(moves) == longest:
            found.append((tuple(points), moves))
        if len(moves) < 4:
            for move in moves_of_a_die(points, die, highest):
                make(points, move)
                play_on(move.source, (*moves, move))
                take_back(points, move)

    play_on(BAR, entered)
    return found


_bare = object.__new__
_set_points = Position.__dict__["points"].__set__
_set_moves = Play.__dict__["moves"].__set__
_set_position = Play.__dict__["position"].__set__
