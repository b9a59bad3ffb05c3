"""Medians and ratios. Figures of a bench, not money: floats are fine here."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median


@dataclass(frozen=True, slots=True)
class Measured:
    """One measurement: transactions ``per_second``, and what half and 99 of 100 took at most, in milliseconds."""

    per_second: float
    p50_ms: float
    p99_ms: float


def measured(*, latencies_s: Sequence[float], seconds: float) -> Measured:
    """What so many transactions in so many seconds come to."""
    ordered = sorted(latencies_s)
    return Measured(
        per_second=len(ordered) / seconds,
        p50_ms=1000 * percentile(ordered, 50),
        p99_ms=1000 * percentile(ordered, 99),
    )


def percentile(ordered: Sequence[float], percent: int) -> float:
    """The smallest of the ``ordered`` figures that ``percent`` of 100 do not exceed; 0 of none."""
    if not ordered:
        return 0.0
    return ordered[max(0, -(-len(ordered) * percent // 100) - 1)]


def ratio(figure: float, *, before: float, after: float) -> float:
    """``figure`` by the mean of what was measured just before and just after it, so that a drift cancels out."""
    return figure / ((before + after) / 2)


def typical(figures: Sequence[float]) -> float:
    """The median: a round that a neighbour disturbed does not count."""
    return median(figures)
