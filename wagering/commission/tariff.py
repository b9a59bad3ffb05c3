"""A published tariff, as the rules see it: brackets, tiers, and what the ratings change (C). Pure data.

The figures live in ``tariffs/*.toml``; ``schedule.py`` reads and checks them; ``rules.py`` applies them.
"""

from dataclasses import dataclass
from datetime import date
from decimal import Decimal


@dataclass(frozen=True, slots=True)
class Edge:
    """Where a bracket begins or ends; ``included`` says whether ``figure`` itself belongs to the bracket (C-3)."""

    figure: Decimal
    included: bool


@dataclass(frozen=True, slots=True)
class Bracket:
    """A stretch of sums, or of differences of ratings, with an edge of its own at each end; ``None`` is endless."""

    lower: Edge | None
    upper: Edge | None

    def __contains__(self, figure: Decimal) -> bool:
        return self._reaches_up_to(figure) and self._reaches_down_to(figure)

    def _reaches_down_to(self, figure: Decimal) -> bool:
        edge = self.lower
        return edge is None or figure > edge.figure or (edge.included and figure == edge.figure)

    def _reaches_up_to(self, figure: Decimal) -> bool:
        edge = self.upper
        return edge is None or figure < edge.figure or (edge.included and figure == edge.figure)

    def __str__(self) -> str:
        """The bracket in the words of the published tables: "over 20, up to and with 100", "100 and over"."""
        upper = ""
        if self.upper:
            upper = ("up to and with " if self.upper.included else "under ") + plain(self.upper.figure)
        if not self.lower:
            return upper or "any sum"
        lower = plain(self.lower.figure)
        if not self.lower.included:
            return f"over {lower}, {upper}" if upper else f"over {lower}"
        return f"{lower} to {upper}" if upper else f"{lower} and over"


@dataclass(frozen=True, slots=True)
class Tier:
    """The rate a player pays within ``bracket``; in a series it grows with each point after the first, to a limit."""

    bracket: Bracket
    rate: Decimal
    each_further_point: Decimal = Decimal(0)
    at_most: Decimal | None = None

    def rate_for(self, points: int) -> Decimal:
        """The rate of a series to ``points``. The limit holds for the rate alone, before rating adjustments."""
        grown = self.rate + (points - 1) * self.each_further_point
        return grown if self.at_most is None else min(grown, self.at_most)


@dataclass(frozen=True, slots=True)
class Under:
    """C-5: ``increase`` if either rating is under ``rating``."""

    rating: Decimal
    increase: Decimal


@dataclass(frozen=True, slots=True)
class Difference:
    """C-6: ``increase`` if the ratings' difference lies in ``bracket``."""

    bracket: Bracket
    increase: Decimal


@dataclass(frozen=True, slots=True)
class Discount:
    """C-8: ``decrease`` if both ratings are over ``both_over``."""

    both_over: Decimal
    decrease: Decimal


@dataclass(frozen=True, slots=True)
class Limit:
    """C-9: at most ``a_player``, an amount, if both ratings are over ``both_over``."""

    both_over: Decimal
    a_player: Decimal


@dataclass(frozen=True, slots=True)
class RatingRules:
    """What the two ratings change in a series' commission a player (C-4 to C-9). A part left out does not exist.

    ``floor``: a lower rating counts as this one (C-4). ``level_over``, ``level_under``: with both ratings over the
    one or under the other, no increase at all (C-7). ``experience``: what both players need for discount and limit
    to count; 0 asks for nothing.
    """

    floor: Decimal | None = None
    under: Under | None = None
    differences: tuple[Difference, ...] = ()
    level_over: Decimal | None = None
    level_under: Decimal | None = None
    discount: Discount | None = None
    limit: Limit | None = None
    experience: int = 0


@dataclass(frozen=True, slots=True)
class Tariff:
    """One version of a published schedule. ``currencies`` is ``None`` where the figures hold in any currency."""

    name: str
    version: int
    valid_from: date
    currencies: tuple[str, ...] | None
    single: tuple[Tier, ...]
    series: tuple[Tier, ...]
    ratings: RatingRules | None = None

    def serves(self, currency: str) -> bool:
        """Whether a table in ``currency`` can be made under this tariff."""
        return self.currencies is None or currency in self.currencies


def plain(number: Decimal) -> str:
    """``number`` as text without exponent or closing zeros: "0.05", "1400"."""
    text = format(number, "f")
    return text.rstrip("0").rstrip(".") if "." in text else text


def percent(fraction: Decimal) -> str:
    """A fraction as a person reads it: 0.049 is "4.9 %"."""
    return f"{plain(fraction * 100)} %"
