"""What a money game is worth while it goes on, from six probabilities, the cube and the cap (A-3).

    Pay(c, v) = min(stake x c x v, cap); with Jacoby and a centred cube v counts as 1
    W(c), L(c)  the average payment when winning, when losing;  p  the chance to win
    Dead(c)     = p x W - (1 - p) x L                           nobody will turn the cube any more
    Live(c)     straight lines over p, through the points where a side would double the other out
    V(c)        = 0.32 x Dead + 0.68 x Live                     Janowski's interpolation

All figures are fractions, so nothing is rounded here. They are seen by the side to roll and in the table's currency.
"Equity x stake" is none of this: it knows no cap (cases 52).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from typing import Final

from games.analysis.endgame import Owner
from games.analysis.probabilities import Probabilities

EFFICIENCY: Final = Fraction(68, 100)
"""How much of a live cube a cube is worth (Janowski)."""

Line = tuple[tuple[Fraction, Fraction], ...]
"""Points (p, value), p from 0 to 1: straight lines from each to the next."""


@dataclass(frozen=True, slots=True)
class Payments:
    """What a win pays: the table's ``stake`` and ``cap``, ``jacoby``, and how far the cube goes."""

    stake: Decimal
    cap: Decimal
    jacoby: bool
    limit: int

    def pay(self, cube: int, value: int, *, centred: bool = False) -> Fraction:
        """Pay(c, v): ``value`` 1, 2 or 3 with the cube at ``cube``. Jacoby counts 1 while it is ``centred`` (B-11)."""
        counts = 1 if self.jacoby and centred else value
        return min(Fraction(self.stake) * cube * counts, Fraction(self.cap))

    def is_dead(self, cube: int) -> bool:
        """Whether nobody gains by turning the cube any further: it is at its limit, or every win costs the cap."""
        return cube * 2 > self.limit or Fraction(self.stake) * cube >= Fraction(self.cap)


@dataclass(frozen=True, slots=True)
class Cubed:
    """The figures at one place of the cube: ``cube`` owned by the side to roll (1), the other (-1) or nobody (0)."""

    cube: int
    owner: Owner
    pays: tuple[Fraction, Fraction, Fraction]
    winning: Fraction
    losing: Fraction
    dead: Fraction
    line: Line | None
    live: Fraction | None
    value: Fraction


@dataclass(frozen=True, slots=True)
class MoneyGame:
    """A money game with somebody to roll: ``chances`` are that side's, ``beavers`` allows beavers (B-10)."""

    payments: Payments
    chances: Probabilities
    beavers: bool

    @property
    def p(self) -> Fraction:
        """The chance to win."""
        return sum(self.chances.shares[:3], Fraction(0))

    def winning(self, cube: int, owner: Owner) -> Fraction:
        """W(c): what a win pays on average; where no win is possible, a single one (its weight is nil)."""
        return self._average(self.chances.shares[:3], cube, owner)

    def losing(self, cube: int, owner: Owner) -> Fraction:
        """L(c): what a loss costs on average, above zero."""
        return self._average(self.chances.shares[3:], cube, owner)

    def dead(self, cube: int, owner: Owner) -> Fraction:
        """Dead(c): what is won less what is lost on average when the cube stays where it is."""
        return self.p * self.winning(cube, owner) - (1 - self.p) * self.losing(cube, owner)

    def line(self, cube: int, owner: Owner) -> Line:
        """Live(c, owner): the value as p goes from 0 to 1 with the same shares of gammons.

        Who has access to the cube doubles the other out from where the other's value with it, at twice as much, is
        a loss of no less than what a pass costs.
        """
        lose, win = (Fraction(0), -self.losing(cube, owner)), (Fraction(1), self.winning(cube, owner))
        if self.payments.is_dead(cube):
            return lose, win
        points = [lose]
        cash = self.payments.pay(cube, 1)
        if owner <= 0:
            points.append((_where(self.line(cube * 2, 1), -cash), -cash))
        if owner >= 0:
            points.append((_where(self.line(cube * 2, -1), cash), cash))
        points.append(win)
        assert points == sorted(points), f"cube at {cube}: {points} do not rise"
        return tuple(points)

    def at(self, cube: int, owner: Owner) -> Cubed:
        """All figures with the cube at ``cube``; ``value`` is V(c, owner)."""
        dead = self.dead(cube, owner)
        line = live = None
        value = dead
        if not self.payments.is_dead(cube):
            line = self.line(cube, owner)
            live = _value_at(line, self.p)
            value = (1 - EFFICIENCY) * dead + EFFICIENCY * live
        one, two, three = (self.payments.pay(cube, factor, centred=owner == 0) for factor in (1, 2, 3))
        return Cubed(
            cube=cube,
            owner=owner,
            pays=(one, two, three),
            winning=self.winning(cube, owner),
            losing=self.losing(cube, owner),
            dead=dead,
            line=line,
            live=live,
            value=value,
        )

    def value(self, cube: int, owner: Owner) -> Fraction:
        """V(c, owner): what the game is worth if nobody doubles before this roll."""
        return self.at(cube, owner).value

    def may_double(self, cube: int, owner: Owner) -> bool:
        """Whether the side to roll has access to a cube that is worth turning (B-9)."""
        return owner >= 0 and not self.payments.is_dead(cube)

    def may_beaver(self, cube: int) -> bool:
        """Whether a double from ``cube`` may be beavered (B-10)."""
        return self.beavers and cube * 4 <= self.payments.limit

    def to_roll(self, cube: int, owner: Owner) -> Fraction:
        """The value to the side to roll, its right to double included: the better of doubling and not."""
        here = self.value(cube, owner)
        return max(here, self.doubled(cube)) if self.may_double(cube, owner) else here

    def doubled(self, cube: int) -> Fraction:
        """A double from ``cube`` is on offer: the other side takes, passes or beavers, as costs it least."""
        answers = [self.value(cube * 2, -1), self.payments.pay(cube, 1)]
        if self.may_beaver(cube):
            answers.append(self.beavered(cube))
        return min(answers)

    def beavered(self, cube: int) -> Fraction:
        """A beaver of a double from ``cube`` is on offer: go on at four times, or refuse and lose twice (B-10)."""
        return max(self.value(cube * 4, -1), -self.payments.pay(cube * 2, 1))

    def _average(self, shares: Sequence[Fraction], cube: int, owner: Owner) -> Fraction:
        total = sum(shares, Fraction(0))
        pays = [self.payments.pay(cube, value, centred=owner == 0) for value in (1, 2, 3)]
        if not total:
            return pays[0]
        return sum((share * pay for share, pay in zip(shares, pays, strict=True)), Fraction(0)) / total


def _where(line: Line, value: Fraction) -> Fraction:
    """The first p at which ``line`` reaches ``value``."""
    for (p, low), (q, high) in pairwise(line):
        if low <= value <= high:
            return p if high == low else p + (value - low) / (high - low) * (q - p)
    raise AssertionError(f"{line} does not reach {value}")


def _value_at(line: Line, p: Fraction) -> Fraction:
    for (left, low), (right, high) in pairwise(line):
        if left <= p <= right:
            return low if left == right else low + (p - left) / (right - left) * (high - low)
    raise AssertionError(f"{p} is not from 0 to 1")
