"""Six numbers that sum to 1, or a refusal (A-2)."""

from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.analysis.probabilities import NAMES, ImpossibleProbabilities, Probabilities, exact, measured

D = Decimal
HALF = D("0.5"), D(0), D(0), D("0.5"), D(0), D(0)


def test_six_that_sum_to_one_are_kept_as_they_are() -> None:
    six = D("0.40"), D("0.19"), D("0.01"), D("0.30"), D("0.095"), D("0.005")
    found = Probabilities(*six)
    assert found.six == six
    assert found.shares == tuple(Fraction(value) for value in six)
    assert found.as_dict() == dict(zip(NAMES, ("0.40", "0.19", "0.01", "0.30", "0.095", "0.005"), strict=True))
    assert found.swapped().six == (*six[3:], *six[:3])
    assert found.swapped().swapped() == found


def test_a_sum_within_a_millionth_is_taken_for_one_and_money_is_shared_by_exactly_one() -> None:
    found = Probabilities(D("0.500001"), *HALF[1:])
    assert sum(found.shares) == 1


@pytest.mark.parametrize(
    ("six", "field"),
    [
        ((D("0.500002"), *HALF[1:]), "sum"),
        ((D("0.4"), *HALF[1:]), "sum"),
        ((D(0),) * 6, "sum"),
        ((D("-0.000001"), D("0.500001"), *HALF[2:]), "win_single"),
        ((D("NaN"), *HALF[1:]), "win_single"),
        ((D("sNaN"), *HALF[1:]), "win_single"),
        ((D("Infinity"), *HALF[1:]), "win_single"),
        ((*HALF[:3], D("1.5"), D(0), D(0)), "lose_single"),
        ((*HALF[:5], 0.0), "lose_backgammon"),
        ((*HALF[:5], 0), "lose_backgammon"),
        ((*HALF[:5], "0"), "lose_backgammon"),
    ],
)
def test_what_is_no_distribution_is_refused_by_name(six: tuple[Decimal, ...], field: str) -> None:
    with pytest.raises(ImpossibleProbabilities) as refused:
        Probabilities(*six)
    assert refused.value.field == field


@pytest.mark.parametrize("bad", [float("nan"), float("inf"), -float("inf"), -0.00001, 1.1])
def test_an_engine_that_measures_nonsense_is_refused(bad: float) -> None:
    with pytest.raises(ImpossibleProbabilities):
        measured([bad, 1 - bad, 0.0, 0.0, 0.0, 0.0])


def test_noise_below_zero_counts_as_nothing() -> None:
    found = measured([0.5, 0.0, -1e-9, 0.5, 0.0, 0.0])
    assert found.win_backgammon == 0
    assert sum(found.six) == 1


@given(st.lists(st.integers(0, 10**9), min_size=6, max_size=6).filter(any))
@settings(deadline=None)
def test_what_is_measured_or_known_sums_to_exactly_one(weights: list[int]) -> None:
    total = sum(weights)
    for found in (
        measured([weight / total for weight in weights]),
        exact([Fraction(weight, total) for weight in weights]),
    ):
        assert sum(found.six) == 1
        assert all(
            abs(value - D(weight) / total) < D("1e-11") for value, weight in zip(found.six, weights, strict=True)
        )
