"""The six ways a game can end, and how likely each is: exact numbers, whatever the engine computed with (A-2)."""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from decimal import Decimal
from fractions import Fraction
from math import isfinite
from typing import Final

PLACES: Final = 12
"""Digits after the point that a probability keeps. 192 stakes of a million move by less than a thousandth of a cent."""

TOLERANCE: Final = Fraction(1, 10**6)
"""How far from 1 the sum of what an engine says may lie before it is no answer but a mistake."""

_UNIT: Final = Decimal(1).scaleb(-PLACES)


class ImpossibleProbabilities(ValueError):
    """Six numbers that are no probabilities of six exclusive outcomes. ``field``, ``value``, ``rule`` say why."""

    def __init__(self, *, field: str, value: object, rule: str) -> None:
        super().__init__(f"{field}: {value} {rule}")
        self.field, self.value, self.rule = field, value, rule


@dataclass(frozen=True, slots=True)
class Probabilities:
    """How likely each outcome is for one side: exclusive, so ``win_single`` leaves out gammons (A-2).

    Decimals from 0 to 1 that sum to 1 within 1e-6; ``shares`` are the same with a sum of exactly 1, and it is these
    that money is computed with. Raises ImpossibleProbabilities, also for NaN and for a float: see ``measured``.
    """

    win_single: Decimal
    win_gammon: Decimal
    win_backgammon: Decimal
    lose_single: Decimal
    lose_gammon: Decimal
    lose_backgammon: Decimal

    def __post_init__(self) -> None:
        for name, value in zip(NAMES, self.six, strict=True):
            if not isinstance(value, Decimal):
                raise ImpossibleProbabilities(field=name, value=value, rule=f"is a {type(value).__name__}, no Decimal")
            if not value.is_finite() or value < 0 or value > 1:
                raise ImpossibleProbabilities(field=name, value=value, rule="is not from 0 to 1")
        total = self._total
        if abs(total - 1) > TOLERANCE:
            shown = Decimal(total.numerator) / total.denominator
            raise ImpossibleProbabilities(field="sum", value=shown, rule="is not 1 within 0.000001 (A-2)")

    @property
    def six(self) -> tuple[Decimal, ...]:
        """The six in the order of the fields: winning first, single before gammon before backgammon."""
        return (
            *(self.win_single, self.win_gammon, self.win_backgammon),
            *(self.lose_single, self.lose_gammon, self.lose_backgammon),
        )

    @property
    def shares(self) -> tuple[Fraction, ...]:
        """The six as fractions of their sum: exactly 1 together."""
        total = self._total
        return tuple(Fraction(value) / total for value in self.six)

    @property
    def _total(self) -> Fraction:
        return sum((Fraction(value) for value in self.six), Fraction(0))

    def swapped(self) -> "Probabilities":
        """The same as the other side sees them."""
        return Probabilities(*self.six[3:], *self.six[:3])

    def as_dict(self) -> dict[str, str]:
        """The six as plain JSON, by name, as text."""
        return {name: f"{value:f}" for name, value in zip(NAMES, self.six, strict=True)}


NAMES: Final = tuple(field.name for field in fields(Probabilities))
"""The six outcomes in their order."""


def measured(six: Sequence[float]) -> Probabilities:
    """What an engine measured, winning first: rounded to twelve places, the largest mended so that they sum to 1.

    Noise below zero, down to -1e-6, counts as 0. Raises ImpossibleProbabilities.
    """
    values = []
    for name, value in zip(NAMES, six, strict=True):
        if not isfinite(value):
            raise ImpossibleProbabilities(field=name, value=value, rule="is not from 0 to 1")
        rounded = Decimal(value).quantize(_UNIT)
        values.append(Decimal(0) if -TOLERANCE <= Fraction(rounded) < 0 else rounded)
    return _mended(values)


def exact(six: Sequence[Fraction]) -> Probabilities:
    """Probabilities known as fractions, winning first, to twelve places; the largest mended so that they sum to 1."""
    return _mended([(Decimal(value.numerator) / Decimal(value.denominator)).quantize(_UNIT) for value in six])


def _mended(values: list[Decimal]) -> Probabilities:
    found = Probabilities(*values)
    largest = values.index(max(values))
    values[largest] += 1 - sum(values)
    found = Probabilities(*values)
    assert sum(found.six) == 1, f"{found} does not sum to 1"
    return found
