"""What the two sides agreed to risk: the stake, the cap, and the most a seat can cost (S)."""

from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from typing import Final

from ledger import money

UNCAPPED: Final = 192
"""A single game can cost this many stakes: the cube at 64, a backgammon at 3. As a cap it is the uncapped table."""

WITHOUT_CUBE: Final = 3
"""Without a cube (S-1) a single game can cost this many stakes: a backgammon."""

MATCH_LENGTH_MAX: Final = 25
"""The longest match (B-14)."""


class Abandonment(StrEnum):
    """What becomes of a contest that a side has left for good (A-9)."""

    SPLIT = "split"
    """What it is worth by analysis moves (A-3, A-4)."""
    FORFEIT = "forfeit"
    """The absent side loses the game as by a time-out (B-15), a match whole."""
    VOID = "void"
    """The stakes go back."""


class InvalidTerms(ValueError):
    """Terms under which no table is made. ``field`` names the term, ``rule`` what it breaks; ``value`` None is none."""

    def __init__(self, *, field: str, value: object, rule: str) -> None:
        super().__init__(f"{field}: {rule}" if value is None else f"{field}: {value} {rule}")
        self.field, self.value, self.rule = field, value, rule


class StakeNotPositive(InvalidTerms):
    """A table is played for something."""


class CapMissing(InvalidTerms):
    """A single game without a cap could cost 192 stakes unasked: the cap is named, even if it is 192 x stake (S-1)."""


class CapBelowStake(InvalidTerms):
    """The plainest loss must fit under the cap (S-6)."""


class CapForSeries(InvalidTerms):
    """A match costs its stake, whatever the score: there is nothing to cap (S-2)."""


class MatchLengthOutOfRange(InvalidTerms):
    """A match is to 1 to 25 points (B-14); 0 stands for a single game."""


class PenaltyOutOfRange(InvalidTerms):
    """A penalty is a share of the stake, from nothing to all of it (A-6)."""


@dataclass(frozen=True, slots=True)
class Terms:
    """What a table is played for, amounts in ``currency``.

    ``match_length`` 0 is a single game, for ``stake`` a point and never more than ``cap``; else ``stake`` is for the
    whole match and ``cap`` is ``None``. A cap that is no multiple of the stake is legal (S-6). ``abandonment`` says
    what happens when a side leaves (A-9); in a split that side pays the other ``penalty`` of the stake besides (A-6).
    Without a ``cube`` a single game costs three stakes at most.
    Refused, in this order: UnknownCurrency, InvalidAmount, StakeNotPositive, PenaltyOutOfRange, MatchLengthOutOfRange,
    CapForSeries, CapMissing, CapBelowStake.
    """

    currency: str
    stake: Decimal
    match_length: int
    cap: Decimal | None = None
    abandonment: Abandonment = Abandonment.SPLIT
    penalty: Decimal = Decimal(0)
    cube: bool = True

    def __post_init__(self) -> None:
        stake = money.exact(self.stake, self.currency, field="stake")
        object.__setattr__(self, "stake", stake)
        if stake == 0:
            raise StakeNotPositive(field="stake", value=stake, rule="is not above 0")
        if not self.penalty.is_finite() or not 0 <= self.penalty <= 1:
            raise PenaltyOutOfRange(
                field="penalty", value=self.penalty, rule="is not from 0 to 1: a share of the stake"
            )
        if not 0 <= self.match_length <= MATCH_LENGTH_MAX:
            rule = f"is not from 1 to {MATCH_LENGTH_MAX}, nor 0 for a single game"
            raise MatchLengthOutOfRange(field="match_length", value=self.match_length, rule=rule)
        if self.is_series:
            if self.cap is not None:
                raise CapForSeries(field="cap", value=self.cap, rule="caps nothing: a match costs its stake")
            return
        if self.cap is None:
            most = uncapped(stake=stake, cube=self.cube)
            rule = f"is missing: a single game names the most that it can cost; {most} never binds"
            raise CapMissing(field="cap", value=None, rule=rule)
        # 192 stakes may lie beyond what an amount can be; such a cap never binds, and the loss itself is checked.
        most = uncapped(stake=stake, cube=self.cube)
        cap = most if self.cap == most else money.exact(self.cap, self.currency, field="cap")
        object.__setattr__(self, "cap", cap)
        if cap < stake:
            raise CapBelowStake(field="cap", value=cap, rule=f"is below the stake of {stake}")

    @property
    def is_series(self) -> bool:
        """Whether a match is played for one stake, rather than a single game for a stake a point."""
        return self.match_length > 0


def uncapped(*, stake: Decimal, cube: bool = True) -> Decimal:
    """The cap that never binds: 192 x ``stake`` (S-1), or 3 x without a ``cube``."""
    return most_points(cube=cube) * stake


def most_points(*, cube: bool) -> int:
    """How many stakes a single game can cost without a cap."""
    return UNCAPPED if cube else WITHOUT_CUBE


def exposure(terms: Terms) -> Decimal:
    """The most a seat can cost, which each side puts into escrow: the cap or the match's stake (S-4).

    A cap above 192 x stake (3 x without a cube) holds no more than that: nobody can lose the rest.
    """
    if terms.cap is None:
        return terms.stake
    return min(terms.cap, uncapped(stake=terms.stake, cube=terms.cube))


def amount_lost(terms: Terms, *, points: int) -> Decimal:
    """What the loser loses (S-2): ``points`` (cube x value) times the stake, never above the cap; a match, its stake.

    Raises InvalidAmount if that is more than any amount can be (1e12).
    """
    assert points >= 1, f"no game is lost by {points} points"
    lost = terms.stake if terms.cap is None else min(terms.stake * points, terms.cap)
    return money.exact(lost, terms.currency, field="stake")
