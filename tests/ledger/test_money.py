"""Amounts: what text is one, in every currency, and how a sum is split without a remainder."""

import ast
import re
from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import pytest
from django.conf import settings
from hypothesis import given
from hypothesis import strategies as st

from ledger import money
from ledger.money import InvalidAmount, UnknownCurrency, exact, parse, round_half_even, share_out

CODES = st.sampled_from(sorted(money.CURRENCIES))


# --- Text ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "code", "amount"),
    [
        ("5", "USD", "5.00"),
        ("5.5", "USD", "5.50"),
        ("5.05", "USD", "5.05"),
        ("0", "USD", "0.00"),
        ("0.01", "USD", "0.01"),
        ("007", "USD", "7.00"),
        ("999999999999.99", "USD", "999999999999.99"),
        ("0.1", "PLAY", "0.10"),
        ("500", "JPY", "500"),  # cases 27
        ("1.234", "KWD", "1.234"),
    ],
)
def test_text_is_an_amount(text: str, code: str, amount: str) -> None:
    assert str(parse(text, code)) == amount


@pytest.mark.parametrize(
    "text",
    [
        "1e3",  # cases 42: all of these are numbers to Decimal
        "1E3",
        "1_000",
        "١٢.٥",
        "１２",
        "५",
        "NaN",
        "nan",
        "sNaN",
        "Infinity",
        "-Infinity",
        "inf",
        " 5",
        "5 ",
        "5\n",
        "\n5",
        "5.00\n",
        "5\r",
        "\t5",
        "5\x00",
        "5\u00a0",
        "+5",
        "-5",
        "-0",
        ".5",
        "5.",
        "",  # and these to nobody
        ".",
        "5.0.0",
        "5,00",
        "1,000.00",
        "$5",
        "5 USD",
        "0x10",
        "0b1",
        "½",
        "²",
        "1000000000000",  # 13 digits
        "0000000000005",
    ],
)
@pytest.mark.parametrize("code", ["USD", "JPY", "KWD", "PLAY"])
def test_text_is_no_amount(text: str, code: str) -> None:
    with pytest.raises(InvalidAmount, match=r"^stake: ") as refused:
        parse(text, code, field="stake")
    assert (refused.value.field, refused.value.value) == ("stake", text)


@pytest.mark.parametrize("value", [5, 5.0, None, Decimal(5), b"5", True, ["5"]])
def test_what_is_not_text_is_no_amount(value: object) -> None:
    with pytest.raises(InvalidAmount):
        parse(value, "USD")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("0.999", "USD"),  # cases 41
        ("5.005", "USD"),
        ("1.005", "USD"),
        ("5.000", "USD"),  # no finer value, but finer than anyone can mean
        ("500.5", "JPY"),  # cases 27
        ("500.0", "JPY"),
        ("1.2345", "KWD"),
        ("0.001", "PLAY"),
    ],
)
def test_text_finer_than_the_minor_unit_is_refused(text: str, code: str) -> None:
    with pytest.raises(InvalidAmount, match=f"{code} has {money.currency(code).minor_digits}"):
        parse(text, code)


@pytest.mark.parametrize("code", sorted(money.CURRENCIES))
def test_every_currency_takes_its_own_digits_and_not_one_more(code: str) -> None:
    unit = money.currency(code)
    finest = "0." + "0" * (unit.minor_digits - 1) + "1" if unit.minor_digits else "1"
    assert parse(finest, code) == unit.minor_unit
    assert str(parse("12", code)) == "12" + ("." + "0" * unit.minor_digits if unit.minor_digits else "")
    assert parse("999999999999", code) < money.LIMIT
    with pytest.raises(InvalidAmount):
        parse("0." + "0" * unit.minor_digits + "1", code)


def test_currencies_have_the_digits_that_iso_4217_gives_them() -> None:
    digits = {code: unit.minor_digits for code, unit in money.CURRENCIES.items()}
    assert {code: digits[code] for code in ("USD", "EUR", "JPY", "KRW", "KWD", "BHD", "PLAY", "ISK", "CLP")} == {
        "USD": 2, "EUR": 2, "JPY": 0, "KRW": 0, "KWD": 3, "BHD": 3, "PLAY": 2, "ISK": 0, "CLP": 0,
    }  # fmt: skip
    assert set(digits.values()) == {0, 2, 3}


def test_only_play_money_is_of_the_amateurs_zone() -> None:
    assert [code for code, unit in money.CURRENCIES.items() if unit.zone == "amateurs"] == ["PLAY"]


@pytest.mark.parametrize("code", ["usd", "XXX", "XTS", "XAU", "BTC", "US", "USD ", "USD\n", "", None, 840, ["USD"]])
def test_a_code_names_no_currency(code: str) -> None:
    with pytest.raises(UnknownCurrency):
        parse("5", code)
    with pytest.raises(UnknownCurrency):
        exact(Decimal(5), code)
    with pytest.raises(UnknownCurrency):
        round_half_even(Decimal(5), code)


@given(text=st.text(max_size=20) | st.from_regex(r"[0-9+\-eE._ ]{1,20}", fullmatch=True), code=CODES)
def test_what_parses_reads_back_as_written(text: str, code: str) -> None:
    """Nothing is rounded, guessed or normalised: what is taken is ASCII digits, and has the very value they say."""
    try:
        amount = parse(text, code)
    except InvalidAmount:
        return
    assert text.isascii() and set(text) <= set("0123456789.")
    assert Fraction(text) == Fraction(amount)
    assert amount.as_tuple().exponent == -money.currency(code).minor_digits
    assert 0 <= amount < money.LIMIT


@given(minor=st.integers(0, 10**12 - 1), code=CODES)
def test_every_amount_goes_to_text_and_back(minor: int, code: str) -> None:
    amount = Decimal(minor).scaleb(-money.currency(code).minor_digits)
    assert parse(str(amount), code) == amount


# --- Decimal -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("amount", "code", "text"),
    [
        (Decimal(5), "USD", "5.00"),
        (Decimal("5.000"), "USD", "5.00"),
        (Decimal("5E+2"), "USD", "500.00"),
        (Decimal("0E+9"), "USD", "0.00"),
        (Decimal("999999999999.99"), "USD", "999999999999.99"),
        (Decimal("5.0"), "JPY", "5"),
        (Decimal("1.234"), "KWD", "1.234"),
    ],
)
def test_a_decimal_is_an_exact_amount(amount: Decimal, code: str, text: str) -> None:
    assert str(exact(amount, code)) == text


@pytest.mark.parametrize(
    "amount",
    [
        Decimal("0.999"),
        Decimal("5.005"),
        Decimal("1E-50"),
        Decimal("NaN"),
        Decimal("sNaN"),
        Decimal("-NaN"),
        Decimal("Infinity"),
        Decimal("-Infinity"),
        Decimal("-0.01"),
        Decimal("-0"),
        Decimal("1E12"),
        Decimal("1E+400"),
        0.5,
        5.0,
        float("nan"),
        5,
        True,
        "5",
        None,
        Fraction(1, 2),
    ],
)
def test_a_value_is_no_exact_amount(amount: object) -> None:
    with pytest.raises(InvalidAmount, match=r"^cap: ") as refused:
        exact(amount, "USD", field="cap")  # type: ignore[arg-type]
    assert refused.value.field == "cap"


def test_two_sums_are_exact_that_floats_get_wrong() -> None:
    """Cases 34."""
    assert parse("10.54", "USD") + parse("8.44", "USD") == parse("18.98", "USD")


@pytest.mark.parametrize(
    ("amount", "code", "rounded"),
    [
        ("0.245", "USD", "0.24"),
        ("0.255", "USD", "0.26"),
        ("0.2450001", "USD", "0.25"),
        ("0.4900", "USD", "0.49"),
        ("-0.245", "USD", "-0.24"),
        ("0.5", "JPY", "0"),
        ("1.5", "JPY", "2"),
        ("1.2345", "KWD", "1.234"),
    ],
)
def test_a_tie_goes_to_the_even_digit(amount: str, code: str, rounded: str) -> None:
    assert str(round_half_even(Decimal(amount), code)) == rounded


# --- Splitting ----------------------------------------------------------------------------------------------------

PRIZES = [Decimal(share) for share in ("0.50", "0.20", "0.10", "0.10", "0.10")]


def test_t_3_the_house_takes_what_rounding_leaves() -> None:
    """T-3, cases 56: 8 x 3.33 = 26.64; five roundings on their own sum to 26.63."""
    fund = 8 * parse("3.33", "USD")
    assert [str(part) for part in share_out(fund, PRIZES, "USD")] == ["13.32", "5.33", "2.66", "2.66", "2.67"]
    assert sum(round_half_even(fund * share, "USD") for share in PRIZES) == Decimal("26.63")


@pytest.mark.parametrize(
    ("total", "code", "parts"),
    [
        ("0.01", "USD", ["0.00", "0.00", "0.00", "0.00", "0.01"]),
        ("0.00", "USD", ["0.00", "0.00", "0.00", "0.00", "0.00"]),
        ("101", "JPY", ["50", "20", "10", "10", "11"]),
        ("0.100", "KWD", ["0.050", "0.020", "0.010", "0.010", "0.010"]),
    ],
)
def test_the_parts_make_the_whole(total: str, code: str, parts: list[str]) -> None:
    assert [str(part) for part in share_out(Decimal(total), PRIZES, code)] == parts


@given(
    total=st.integers(0, 10**12 - 1),
    cuts=st.lists(st.integers(0, 10_000), max_size=8),
    code=CODES,
)
def test_the_parts_of_any_split_make_the_whole(total: int, cuts: list[int], code: str) -> None:
    """And each but the last is within half a minor unit of its exact share, the last within as many as there are."""
    unit = money.currency(code).minor_unit
    whole = total * unit
    edges = [0, *sorted(cuts), 10_000]
    shares = [Decimal(high - low).scaleb(-4) for low, high in pairwise(edges)]
    left = whole - sum(round_half_even(whole * share, code) for share in shares[:-1])
    if left < 0:
        with pytest.raises(ValueError, match="leaves -"):
            share_out(whole, shares, code)
        return
    parts = share_out(whole, shares, code)
    assert sum(parts) == whole
    assert all(part >= 0 and part == part.quantize(unit) for part in parts)
    assert all(abs(part - whole * share) <= unit / 2 for part, share in zip(parts[:-1], shares[:-1], strict=True))
    assert abs(parts[-1] - whole * shares[-1]) <= unit * len(cuts) / 2


@pytest.mark.parametrize(
    "shares",
    [
        [],
        ["0.5"],
        ["0.5", "0.6"],
        ["1.5", "-0.5"],
        ["0.3333", "0.3333", "0.3333"],
        ["0.5", "0.499999999999"],
        ["NaN", "1"],
    ],
)
def test_shares_that_are_not_exactly_one_are_refused(shares: list[str]) -> None:
    with pytest.raises(ValueError, match="sum to exactly 1"):
        share_out(Decimal("10.00"), [Decimal(share) for share in shares], "USD")


def test_a_split_that_would_leave_less_than_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match=r"leaves -0\.01 for the last"):
        share_out(Decimal("0.02"), [Decimal("0.3")] * 3 + [Decimal("0.1")], "USD")


@pytest.mark.parametrize("total", [Decimal("0.005"), Decimal(-1), Decimal("NaN"), 10.0])
def test_a_total_that_is_no_amount_is_not_split(total: Decimal) -> None:
    with pytest.raises(InvalidAmount, match=r"^total: "):
        share_out(total, [Decimal(1)], "USD")


def test_a_float_share_is_refused() -> None:
    for shares in ([0.5, 0.5], [Decimal("0.5"), 0.5], [1.0]):
        with pytest.raises(ValueError, match="sum to exactly 1"):
            share_out(Decimal(10), shares, "USD")  # type: ignore[arg-type]


def test_the_precision_of_the_moment_changes_no_amount() -> None:
    with localcontext(prec=28):
        assert exact(Decimal("999999999999.999"), "KWD") == Decimal("999999999999.999")
        assert sum(share_out(Decimal("999999999999.99"), PRIZES, "USD")) == Decimal("999999999999.99")


# --- No floats ----------------------------------------------------------------------------------------------------

ROOT = Path(settings.BASE_DIR)
MONEY_PATHS = sorted(
    file
    for folder in ("ledger", "wagering")
    for file in (ROOT / folder).rglob("*.py")
    if (ROOT / "wagering/config") not in file.parents and "bench" not in file.stem  # these wait and measure time
)


def _floats(source: str) -> list[str]:
    """Where ``source`` makes, names or takes a float, or divides what might become one."""
    found = []
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Constant(value=float() | complex()):
                found.append(f"line {node.lineno}: {node.value!r}")
            case ast.Name(id="float") | ast.Attribute(attr="FloatField" | "from_float"):
                found.append(f"line {node.lineno}: a float by name")
    return found


@pytest.mark.parametrize("file", MONEY_PATHS, ids=lambda file: str(file.relative_to(ROOT)))
def test_no_float_reaches_a_money_path(file: Path) -> None:
    """Cases 34."""
    assert _floats(file.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    "source",
    ["x = 0.1", "float(x)", "def f(x: float): ...", "x: list[float]", "models.FloatField()", "Decimal.from_float(x)"],
)
def test_a_float_would_be_found(source: str) -> None:
    assert _floats(source)


@pytest.mark.parametrize("file", sorted((ROOT / "ledger/sql").glob("*.sql")), ids=lambda file: file.name)
def test_no_float_is_in_the_books_sql(file: Path) -> None:
    text = "\n".join(line.partition("--")[0] for line in file.read_text(encoding="utf-8").lower().splitlines())
    assert re.findall(r"\bfloat[48]?\b|\bdouble\s+precision\b|::\s*real\b|\breal\[", text) == []
