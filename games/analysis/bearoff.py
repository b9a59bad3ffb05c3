"""Bear-offs, solved without an engine: how many turns a side alone at home needs, from a table of all such boards.

With both sides home nobody can hit or block, so each plays alone against time. The table says, for every way to have up
to fifteen checkers on six points, how likely the side is off after 1, 2, 3 ... turns. Each side plays each roll so that
it is off in the fewest turns on average; a side that still has fifteen checkers is also asked how soon it bears off its
first (B-8: no gammon after that), which it plays for by itself. Under these policies every figure is exact. They are
those of the published one-sided tables; which of two equal plays is better against just this opponent they do not ask
(``endgame`` does, for few checkers).

How it is exact and fast: the chance to need k turns is a whole number over 36^k. One long integer holds all k of a
board, a field for each; a turn more is a shift, and an average over the rolls a sum. No rounding, no division.
"""

from decimal import Decimal
from fractions import Fraction
from typing import ClassVar, Final

from games.analysis.evaluator import NotCovered, checked, money_equity
from games.analysis.probabilities import Probabilities, exact
from games.rules.board import BAR, CHECKERS, OFF, Position
from games.rules.ids import MatchState
from games.rules.plays import Play, legal_plays
from games.rules.scoring import win_of

HOME: Final = 6
"""Points in a home board."""

ROLLS: Final = 36
"""Equally likely throws of two dice."""

_FIELD: Final = 192
"""Bits for one turn's numerator: no board needs over 33 turns, and 36^33 has 171 bits."""

_MASK: Final = (1 << _FIELD) - 1
_Home = int
"""Six counts of four bits each, the 1-point lowest."""

EMPTY: Final[_Home] = 0


def covers(position: Position) -> bool:
    """Whether both sides have all their checkers in their home boards, and checkers left to bear off."""
    points = position.points
    return not position.is_over and max(points[HOME + 1 : BAR + 1]) <= 0 and min(points[OFF : BAR - HOME]) >= 0


def home_of(position: Position) -> _Home:
    """The mover's home board as the tables know it."""
    return sum(max(0, position.points[point]) << 4 * (point - 1) for point in range(1, HOME + 1))


def moves_of_a_die(home: _Home, die: int) -> list[_Home]:
    """The boards after one die, played as B-7 says: from its point and above, or off from the highest below it."""
    after = [
        home - (1 << 4 * (point - 1)) + (1 << 4 * (point - die - 1))
        for point in range(HOME, die, -1)
        if home >> 4 * (point - 1) & 15
    ]
    if home >> 4 * (die - 1) & 15:
        after.append(home - (1 << 4 * (die - 1)))
    elif not after and home:
        highest = (home.bit_length() - 1) // 4
        after.append(home - (1 << 4 * highest))
    return after


class Turns:
    """For each home board how likely a side is done after so many turns. Boards are added when they are asked for.

    A board's number is the order in which it was added. By number: ``_done`` holds the numerators, field k over 36^k,
    ``_mean`` the mean turns by which plays are compared, and ``_best[die][times]`` the board after so many moves of
    one die.
    """

    def __init__(self) -> None:
        self._numbers: dict[_Home, int] = {EMPTY: 0}
        self._done: list[int] = [1]
        self._mean: list[float] = [0.0]
        self._best: list[list[list[int]]] = [[[0] for _ in range(5)] for _ in range(7)]
        self._first: dict[_Home, tuple[int, float]] = {}

    def distribution(self, home: _Home) -> list[Fraction]:
        """The chances to be off after exactly 0, 1, 2 ... turns."""
        if home not in self._numbers:
            self._learn(home)
        return _fractions(self._done[self._numbers[home]])

    def first_off(self, home: _Home) -> list[Fraction]:
        """The chances that the first of fifteen checkers goes off in exactly turn 1, 2 ...; with fewer, turn 0."""
        return _fractions(self._first_off(home)[0])

    def _learn(self, home: _Home) -> None:
        """Add ``home`` and every board that dice can make of it, fewest pips first."""
        moves: dict[_Home, list[list[_Home]]] = {}
        waiting = [home]
        while waiting:
            board = waiting.pop()
            if board not in moves and board not in self._numbers:
                moves[board] = [moves_of_a_die(board, die) for die in range(1, 7)]
                for ends in moves[board]:
                    waiting += ends
        for board in sorted(moves, key=pips_of):
            self._add(board, moves[board])

    def _add(self, home: _Home, moves: list[list[_Home]]) -> None:
        # Sooner means fewer turns on average; of equals the first, so that the answer is always the same.
        sooner = self._mean.__getitem__
        number_of = self._numbers.__getitem__
        numbered = [[], *(list(map(number_of, ends)) for ends in moves)]
        doubles, others = [], []
        for die in range(1, 7):
            ends, best = numbered[die], self._best[die]
            best[1].append(min(ends, key=sooner))
            for times in (2, 3, 4):
                best[times].append(min(map(best[times - 1].__getitem__, ends), key=sooner))
            doubles.append(best[4][-1])
        for high in range(2, 7):
            second_high = self._best[high][1].__getitem__
            for low in range(1, high):
                boards = list(map(self._best[low][1].__getitem__, numbered[high]))
                if _order_matters(home, high, low):
                    boards += map(second_high, numbered[low])
                others.append(min(boards, key=sooner))
        self._numbers[home] = len(self._done)
        done = sum(map(self._done.__getitem__, doubles)) + 2 * sum(map(self._done.__getitem__, others))
        self._done.append(done << _FIELD)
        self._mean.append(1 + (sum(map(sooner, doubles)) + 2 * sum(map(sooner, others))) / ROLLS)

    def _first_off(self, home: _Home) -> tuple[int, float]:
        """Numerators of the turns until the first checker is off, and their mean."""
        if _checkers(home) < CHECKERS:
            return 1, 0.0
        if home not in self._first:
            done, mean = 0, 0.0
            soonest: tuple[int, float]
            for high in range(1, 7):
                for low in range(1, high + 1):
                    weight = 1 if high == low else 2
                    ends = ends_of(home, high, low)
                    if any(_checkers(end) < CHECKERS for end in ends):
                        soonest = 1, 0.0
                    else:
                        soonest = min(map(self._first_off, sorted(ends)), key=lambda found: found[1])
                    done += weight * soonest[0]
                    mean += weight * soonest[1]
            self._first[home] = done << _FIELD, 1 + mean / ROLLS
        return self._first[home]


def _order_matters(home: _Home, high: int, low: int) -> bool:
    """Whether the lower die played first may lead where the higher one first does not.

    While two checkers stand on the ``high``-point or above, each die does the same before and after the other. Else
    the lower one may change from where the higher one bears off.
    """
    above = home >> 4 * (high - 1)
    return above == 0 or (above & (above - 1) == 0 and _checkers(above) == 1 and above.bit_length() <= 4 * low)


def _checkers(home: _Home) -> int:
    return sum(home >> shift & 15 for shift in range(0, 4 * HOME, 4))


def pips_of(home: _Home) -> int:
    """What the side has to throw to be off."""
    return sum((home >> 4 * (point - 1) & 15) * point for point in range(1, HOME + 1))


def ends_of(home: _Home, high: int, low: int) -> frozenset[_Home]:
    """The boards after a whole roll, whichever die goes first (B-5); a side that is off needs no more dice."""
    if high == low:
        boards = {home}
        for _ in range(4):
            boards = {after for board in boards for after in moves_of_a_die(board, high) or [board]}
        return frozenset(boards)
    return frozenset(
        end
        for first, second in ((high, low), (low, high))
        for after in moves_of_a_die(home, first)
        for end in moves_of_a_die(after, second) or [after]
    )


def _fractions(numerators: int) -> list[Fraction]:
    found: list[Fraction] = []
    while numerators:
        found.append(Fraction(numerators & _MASK, ROLLS ** len(found)))
        numerators >>= _FIELD
    return found


_TURNS: Final = Turns()
"""Kept for the life of the process: all 54,264 boards take some seconds and 100 MB, what a game meets far less."""


class BearoffSolver:
    """The evaluator for positions with both sides home; it needs no engine and is never wrong about them."""

    name: ClassVar[str] = "bearoff"
    version: ClassVar[str] = "1"
    level: ClassVar[str] = "exact, one-sided"

    def covers(self, position: Position, state: MatchState) -> bool:
        """Money games with both sides home. What a match is worth it does not know."""
        return not state.match_length and covers(position)

    def evaluate(self, position: Position) -> Probabilities:
        """The six probabilities of the side to roll, cubeless. Raises NotToBeAnalysed, NotCovered."""
        if not covers(checked(position)):
            raise NotCovered(self.name, "a side still has a checker outside its home board")
        mine, theirs = home_of(position), home_of(position.swapped())
        my_turns, their_turns = _both_turns(mine, theirs)
        # I roll first: I win in my turn k if they were not off in their first k - 1 turns.
        win = _before(my_turns, their_turns, head_start=1)
        win_gammon = _before(my_turns, _TURNS.first_off(theirs), head_start=1)
        lose_gammon = _before(their_turns, _TURNS.first_off(mine), head_start=0)
        return exact([win - win_gammon, win_gammon, Fraction(0), 1 - win - lose_gammon, lose_gammon, Fraction(0)])

    def best_play(self, position: Position, dice: tuple[int, int], state: MatchState) -> Play | None:
        """The legal play that leaves most, cubeless; None if there is none. Raises NotToBeAnalysed, NotCovered."""
        if not covers(checked(position)):
            raise NotCovered(self.name, "a side still has a checker outside its home board")
        plays = legal_plays(position, dice)
        return max(plays, key=self._left_after, default=None)

    def match_chance(self, position: Position, state: MatchState) -> Decimal:
        """Raises NotCovered: a match needs an engine with a match equity table (A-4)."""
        raise NotCovered(self.name, "it knows no match equity table")

    def _left_after(self, play: Play) -> Fraction:
        if play.position.is_over:
            return Fraction(win_of(play.position).factor)
        return -money_equity(self.evaluate(play.position.swapped()))


def _both_turns(mine: _Home, theirs: _Home) -> tuple[list[Fraction], list[Fraction]]:
    """Both sides' distributions; none for a side that cannot be off in time, so that its boards need not be learnt."""
    if _checkers(theirs) <= _checkers(mine):
        their_turns = _TURNS.distribution(theirs)
        in_time = _checkers(mine) <= 4 * (len(their_turns) - 1)
        return _TURNS.distribution(mine) if in_time else [], their_turns
    my_turns = _TURNS.distribution(mine)
    in_time = _checkers(theirs) <= 4 * (len(my_turns) - 2)
    return my_turns, _TURNS.distribution(theirs) if in_time else []


def _before(mine: list[Fraction], theirs: list[Fraction], *, head_start: int) -> Fraction:
    """The chance that my k-th turn is my last and theirs is not among their first k - ``head_start``."""
    found, still = Fraction(0), Fraction(1)
    for turn, chance in enumerate(mine):
        if 0 <= turn - head_start < len(theirs):
            still -= theirs[turn - head_start]
        found += chance * still
    return found
