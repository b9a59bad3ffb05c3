"""Where one minor unit more costs the house, or the winner: each cliff of a tariff (C-3).

A tier's rate applies to the whole sum, so at an edge where the rate falls, a slightly higher sum is charged less
(20.00: fee 1.96; 20.01: fee 1.56), and where it rises a slightly higher win can leave less. Published tariffs have
such cliffs and keep them; an operator sees each by name before a version is published. Pure.

Only edges can be cliffs: within a tier the pair's rate is constant, and rounding moves the fee by at most the one
unit by which the sum grew.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal, localcontext
from itertools import pairwise
from typing import Literal

from ledger import money
from wagering.commission.rules import pair_exact
from wagering.commission.tariff import RatingRules, Tariff, Tier, percent

POINTS_MAX = 25
"""The longest series there is (B-14)."""


@dataclass(frozen=True, slots=True)
class Beside:
    """One side of an edge: the sum, the pair's fee on it, and what a winner of that sum keeps."""

    sum: Decimal
    fee: Decimal

    @property
    def net(self) -> Decimal:
        return self.sum - self.fee


@dataclass(frozen=True, slots=True)
class Cliff:
    """Two sums a minor unit apart, the higher with a smaller fee or a smaller net.

    ``points`` are the lengths of series to which these very figures belong (first and last; ``None`` for a single
    game). ``ratings`` names the rating adjustment with which the cliff appears, where there is none without.
    """

    currency: str
    kind: Literal["single", "series"]
    points: tuple[int, int] | None
    ratings: str
    below: Beside
    above: Beside

    @property
    def smaller(self) -> str:
        """Which figure falls: "fee", "net" or both."""
        falls = self.above.fee < self.below.fee, self.above.net < self.below.net
        return " and ".join(word for word, fell in zip(("fee", "net"), falls, strict=True) if fell)

    def __str__(self) -> str:
        where: str = self.kind
        if self.points:
            first, last = self.points
            where += f" to {first}" if first == last else f" to {first}..{last}"
        if self.ratings:
            where += f", {self.ratings}"
        below, above = (f"{side.sum}: fee {side.fee}, net {side.net}" for side in (self.below, self.above))
        return f"{self.currency} {where}: {below}; {above}: smaller {self.smaller}"


def cliffs(tariff: Tariff) -> list[Cliff]:
    """Every cliff of ``tariff``: by currency, single before series, edge by edge, then by number of points."""
    with localcontext(prec=60):
        return [cliff for currency in tariff.currencies or () for cliff in _in_currency(tariff, currency)]


def _in_currency(tariff: Tariff, currency: str) -> Iterator[Cliff]:
    # A tariff for any currency has no edges (schedule.py sees to that), hence no cliffs.
    for lower, upper in pairwise(tariff.single):
        if found := _at_edge(currency, lower, upper, points=1, factor=Decimal(1), limit=None):
            yield Cliff(currency, "single", None, "", *found)
    for lower, upper in pairwise(tariff.series):
        waiting: Cliff | None = None
        for points in range(1, POINTS_MAX + 1):
            cliff = _in_series(tariff, currency, lower, upper, points)
            if waiting and cliff and _alike(waiting, cliff):
                assert waiting.points
                cliff = Cliff(currency, "series", (waiting.points[0], points), cliff.ratings, cliff.below, cliff.above)
            elif waiting:
                yield waiting
            waiting = cliff
        if waiting:
            yield waiting


def _in_series(tariff: Tariff, currency: str, lower: Tier, upper: Tier, points: int) -> Cliff | None:
    # Ratings multiply both sides alike, so the plain commission nearly always tells; where only rounding hides a
    # cliff, the first adjustment that shows it is named.
    for name, factor, limit in _effects(tariff.ratings):
        if found := _at_edge(currency, lower, upper, points=points, factor=factor, limit=limit):
            return Cliff(currency, "series", (points, points), name, *found)
    return None


def _effects(rules: RatingRules | None) -> Iterator[tuple[str, Decimal, Decimal | None]]:
    yield "", Decimal(1), None
    if not rules:
        return
    low = [Decimal(0)] + ([rules.under.increase] if rules.under else [])
    apart = [Decimal(0)] + [difference.increase for difference in rules.differences]
    for increase in sorted({one + other for one in low for other in apart} - {Decimal(0)}):
        yield f"ratings +{percent(increase)}", 1 + increase, None
    if rules.limit:
        yield "ratings with the limit", Decimal(1), rules.limit.a_player
    if rules.discount:
        rest, limit = 1 - rules.discount.decrease, rules.limit.a_player if rules.limit else None
        yield f"ratings -{percent(rules.discount.decrease)}", rest, limit


def _at_edge(
    currency: str, lower: Tier, upper: Tier, *, points: int, factor: Decimal, limit: Decimal | None
) -> tuple[Beside, Beside] | None:
    # The last sum of the lower tier and the first of the upper, a minor unit apart.
    edge, unit = lower.bracket.upper, money.currency(currency).minor_unit
    assert edge, "only the last tier has no end"
    last = money.exact(edge.figure, currency) if edge.included else money.exact(edge.figure, currency) - unit
    if last <= 0:
        return None
    below = _beside(currency, lower, last, points=points, factor=factor, limit=limit)
    above = _beside(currency, upper, last + unit, points=points, factor=factor, limit=limit)
    return (below, above) if above.fee < below.fee or above.net < below.net else None


def _beside(currency: str, tier: Tier, sum_: Decimal, *, points: int, factor: Decimal, limit: Decimal | None) -> Beside:
    a_player = sum_ * tier.rate_for(points) * factor
    if limit is not None:
        a_player = min(a_player, limit)
    exact = pair_exact(won=sum_, a_player=a_player)
    return Beside(sum=sum_, fee=money.round_half_even(exact, currency))


def _alike(one: Cliff, other: Cliff) -> bool:
    return (one.ratings, one.below, one.above) == (other.ratings, other.below, other.above)
