"""The last checkers of a bear-off, played out exactly: both sides, every roll, every play, every turn of the cube.

For at most four checkers a side (A-3). Nothing is assumed about how anyone plays: each side takes the play, the double,
the take, the beaver that is best for it, and what a win pays is asked of the caller, so that a cap counts as it should.
There is no gammon: both sides have borne off. Values are whole numbers over a power of 36: nothing is rounded.
"""

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from math import lcm
from typing import Final, Literal

from games.analysis.bearoff import EMPTY, ROLLS, covers, ends_of, home_of, pips_of
from games.rules.board import CHECKERS, Position

NAME: Final = "endgame"
VERSION: Final = "1"
LEVEL: Final = "exact, two-sided"
"""What a record says of it."""

MOST_CHECKERS: Final = 4
"""Checkers a side up to which a bear-off is played out."""

Owner = Literal[1, 0, -1]
"""Whose the cube is, as the side on roll sees it: its own, in the centre, the other's."""


def is_endgame(position: Position) -> bool:
    """Whether both sides are home with at most four checkers each."""
    least_off = min(position.borne_off, position.opponent_borne_off)
    return covers(position) and least_off >= CHECKERS - MOST_CHECKERS


class Endgame:
    """Every endgame from one cube onwards, under one payment.

    ``pay(cube)`` is what a win is worth; a cube of which twice as much is worth no more is turned by nobody.
    ``limit`` is how far the cube goes, ``beavers`` whether a double may be beavered (B-10).
    """

    def __init__(self, *, cube: int, pay: Callable[[int], Fraction], limit: int, beavers: bool = False) -> None:
        self._cube, self._limit, self._beavers = cube, limit, beavers
        self._levels = [cube]
        while self._levels[-1] * 2 <= limit and pay(self._levels[-1] * 2) > pay(self._levels[-1]):
            self._levels.append(self._levels[-1] * 2)
        self._top = self._levels[-1]
        # A value for each place of the cube: in the centre at first, then each level in either hand.
        self._places: list[tuple[int, Owner]] = [(cube, 0)]
        for level in self._levels:
            self._places += [(level, 1), (level, -1)]
        self._index = {place: number for number, place in enumerate(self._places)}
        self._flip = [self._index[level, _other(owner)] for level, owner in self._places]
        self._pay = pay
        self._payments: tuple[int, ...] = ()
        self._scale = 1
        self._seen: dict[tuple[int, int], tuple[int, ...]] = {}

    def before_roll(self, position: Position, *, cube: int, owner: Owner) -> Fraction:
        """What the side on roll has when it may not, or will not, double this turn."""
        return self._of(self._rolled(*self._both(position)), cube, owner)

    def may_double(self, position: Position, *, cube: int, owner: Owner) -> Fraction:
        """What the side on roll has when it may double first, if the cube is not the other's."""
        return self._of(self._doubled(self._rolled(*self._both(position))), cube, owner)

    def after_roll(self, position: Position, dice: tuple[int, int], *, cube: int, owner: Owner) -> Fraction:
        """What the side on roll has with ``dice`` before it."""
        mine, theirs = self._both(position)
        return self._of(self._best(ends_of(mine, *dice), theirs), cube, owner)

    def _both(self, position: Position) -> tuple[int, int]:
        assert is_endgame(position), f"{position} is no endgame"
        mine, theirs = home_of(position), home_of(position.swapped())
        # A turn moves at least a pip, so no line is longer than this, and no value finer than 36 to this power.
        self._use(ROLLS ** (pips_of(mine) + pips_of(theirs)))
        return mine, theirs

    def _use(self, turns: int) -> None:
        payments = [Fraction(self._pay(level)) for level, _ in self._places]
        scale = turns * lcm(*(payment.denominator for payment in payments))
        if scale > self._scale:
            self._scale, self._seen = scale, {}
            self._payments = tuple(int(payment * scale) for payment in payments)

    def _of(self, values: list[int], cube: int, owner: Owner) -> Fraction:
        if cube > self._top:  # nobody turns it any more, and wherever it shows more it pays the same
            cube = self._top
        return Fraction(values[self._index[cube, owner]], self._scale)

    def _rolled(self, mine: int, theirs: int) -> list[int]:
        total = [0] * len(self._places)
        for weight, ends in _rolls(mine):
            best = self._best(ends, theirs)
            total = [sofar + weight * value for sofar, value in zip(total, best, strict=True)]
        return [value // ROLLS for value in total]

    def _best(self, ends: frozenset[int], theirs: int) -> list[int]:
        """The best play for each place of the cube. To be off is best wherever the cube stands."""
        if EMPTY in ends:
            return list(self._payments)
        left = [self._left(theirs, end) for end in ends]
        return list(left[0]) if len(left) == 1 else [max(values) for values in zip(*left, strict=True)]

    def _left(self, mine: int, theirs: int) -> tuple[int, ...]:
        """What the side *not* on roll has, for each place of the cube as that side sees it."""
        key = mine, theirs
        if key not in self._seen:
            values = self._doubled(self._rolled(mine, theirs))
            self._seen[key] = tuple(-values[place] for place in self._flip)
        return self._seen[key]

    def _doubled(self, rolled: list[int]) -> list[int]:
        """``rolled`` where the side on roll may double first, and does if that is better for it."""
        values = list(rolled)
        for number, (level, owner) in enumerate(self._places):
            if owner >= 0 and level < self._top:
                values[number] = max(rolled[number], self._offered(rolled, level))
        return values

    def _offered(self, rolled: list[int], level: int) -> int:
        """A double from ``level``: the other takes, passes or beavers, whichever costs it least."""
        index = self._index
        answers = [rolled[index[level * 2, -1]], self._payments[index[level, 1]]]
        if self._beavers and level * 4 <= self._limit:
            beavered = rolled[index[min(level * 4, self._top), -1]]
            answers.append(max(beavered, -self._payments[index[level * 2, 1]]))
        return min(answers)


def _other(owner: Owner) -> Owner:
    return 0 if owner == 0 else -1 if owner == 1 else 1


@cache
def _rolls(home: int) -> tuple[tuple[int, frozenset[int]], ...]:
    """What the 36 rolls lead to: sets of boards that a play may choose from, each with its number of rolls."""
    found: dict[frozenset[int], int] = {}
    for high in range(1, 7):
        for low in range(1, high + 1):
            ends = ends_of(home, high, low)
            if EMPTY in ends:
                ends = frozenset((EMPTY,))
            found[ends] = found.get(ends, 0) + (1 if high == low else 2)
    return tuple((weight, ends) for ends, weight in found.items())
