"""Each end of a bracket has an edge of its own (C-3)."""

from decimal import Decimal

import pytest

from wagering.commission.tariff import Bracket, Edge

FROM, OVER = Edge(Decimal(20), included=True), Edge(Decimal(20), included=False)
UP_TO, UNDER = Edge(Decimal(100), included=True), Edge(Decimal(100), included=False)


@pytest.mark.parametrize(
    ("lower", "upper", "words", "inside"),
    [
        (None, None, "any sum", "19.99 20 20.01 99.99 100 100.01"),
        (None, UP_TO, "up to and with 100", "19.99 20 20.01 99.99 100"),
        (None, UNDER, "under 100", "19.99 20 20.01 99.99"),
        (FROM, None, "20 and over", "20 20.01 99.99 100 100.01"),
        (OVER, None, "over 20", "20.01 99.99 100 100.01"),
        (FROM, UP_TO, "20 to up to and with 100", "20 20.01 99.99 100"),
        (FROM, UNDER, "20 to under 100", "20 20.01 99.99"),
        (OVER, UP_TO, "over 20, up to and with 100", "20.01 99.99 100"),
        (OVER, UNDER, "over 20, under 100", "20.01 99.99"),
    ],
)
def test_a_bracket_holds_what_its_words_say(lower: Edge | None, upper: Edge | None, words: str, inside: str) -> None:
    bracket = Bracket(lower=lower, upper=upper)
    assert str(bracket) == words
    figures = ["19.99", "20", "20.01", "99.99", "100", "100.01"]
    assert [figure for figure in figures if Decimal(figure) in bracket] == inside.split()
