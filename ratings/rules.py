"""How strong a player is: the FIBS formula, exact to six decimals (R).

Ratings are ``Decimal`` with six decimals, half-even; only the page shows two. Every logarithm and root is taken at
fifty digits, so the sixth decimal is the same on every machine.
"""

from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, Context, Decimal, localcontext
from enum import StrEnum
from typing import Final

STORED: Final = Decimal("0.000001")
SHOWN: Final = Decimal("0.01")

_FINE: Final = Context(prec=50)


class Zone(StrEnum):
    """The two zones rate apart (Z): what is won for play money says nothing among professionals."""

    PROFESSIONALS = "professionals"
    AMATEURS = "amateurs"


@dataclass(frozen=True, slots=True)
class Standing:
    """A player's ``rating`` and ``experience``, the sum of the lengths of all matches rated so far."""

    rating: Decimal
    experience: int = 0

    def __post_init__(self) -> None:
        assert isinstance(self.rating, Decimal), f"no Decimal: {self.rating!r}"
        assert self.rating.is_finite(), f"no rating: {self.rating}"
        assert self.experience >= 0, f"no experience: {self.experience}"


FIRST: Final = Standing(rating=Decimal("1500.000000"), experience=0)
"""Where everybody starts."""


def rated(*, winner: Standing, loser: Standing, length: int) -> tuple[Standing, Standing]:
    """The standings of winner and loser after a match to ``length`` points; a money game counts as 1 (R)."""
    gain, loss = changes(winner=winner, loser=loser, length=length)
    return (
        Standing(rating=stored(winner.rating + gain), experience=winner.experience + length),
        Standing(rating=stored(loser.rating + loss), experience=loser.experience + length),
    )


def changes(*, winner: Standing, loser: Standing, length: int) -> tuple[Decimal, Decimal]:
    """What the winner gains and the loser loses (negative), each at six decimals, half-even (R).

    The two differ when the players' experience does: a new account moves up to five times as far.
    """
    assert length >= 1, f"no match length: {length}"
    with localcontext(_FINE):
        root = Decimal(length).sqrt()
        upset = upset_chance(difference=winner.rating - loser.rating, length=length)
        surprise = 1 - upset if winner.rating < loser.rating else upset
        return (
            stored(4 * _pace(winner.experience) * root * surprise),
            stored(-4 * _pace(loser.experience) * root * surprise),
        )


def upset_chance(*, difference: Decimal, length: int) -> Decimal:
    """The chance *Pu* that the lower rated player wins a match to ``length`` points (R), at fifty digits."""
    with localcontext(_FINE):
        return 1 / (Decimal(10) ** (abs(difference) * Decimal(length).sqrt() / 2000) + 1)


def stored(rating: Decimal) -> Decimal:
    """``rating`` as the database keeps it: six decimals, half-even."""
    return rating.quantize(STORED, rounding=ROUND_HALF_EVEN)


def shown(rating: Decimal) -> str:
    """``rating`` as a page shows it: two decimals, half-even. Nothing is ever decided by this text."""
    return str(rating.quantize(SHOWN, rounding=ROUND_HALF_EVEN))


def _pace(experience: int) -> Decimal:
    # The formula's K: 5 for a new account, down to 1 from an experience of 400 on.
    return max(Decimal(1), 5 - Decimal(experience) / 100)
