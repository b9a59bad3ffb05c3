"""IBANs, references, and whether two names are one person's."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wagering.cashier.bank.rules import iban, names, references
from wagering.cashier.sandbox.bank import ACCOUNTS


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("DE89 3704 0044 0532 0130 00", "DE89370400440532013000"),
        ("nl91abna0417164300", "NL91ABNA0417164300"),
        ("GB29 NWBK 6016 1331 9268 19", "GB29NWBK60161331926819"),
        *[(each, each) for each in ACCOUNTS],
    ],
)
def test_an_iban_is_read(text: str, read: str) -> None:
    assert iban.read(text) == read


@pytest.mark.parametrize(
    "text",
    ["", "DE89", "DE88370400440532013000", "NL91ABNA0417164301", "XX89370400440532013000", "DE8937040044053201300٠"],
)
def test_what_is_no_iban_is_refused_and_not_repeated(text: str) -> None:
    with pytest.raises(iban.BadIban) as refusal:
        iban.read(text)
    assert not text or text not in str(refusal.value)


@pytest.mark.parametrize(
    ("name", "other", "one"),
    [
        ("Ann Miller", "MILLER, ANN", True),
        ("Ann Marie Miller", "Ann Miller", True),
        ("A. Miller", "Ann Miller", True),
        ("Jürgen Groß", "JUERGEN GROSS", True),
        ("Jürgen Groß", "Jurgen Gross", True),
        ("Søren Ærø", "Soeren Aeroe", True),
        ("Łukasz Żak", "Lukasz Zak", True),
        ("Anne-Marie Miller", "Anne Marie Miller", True),
        ("Αννα Μίλλερ", "ΑΝΝΑ ΜΙΛΛΕΡ", True),
        ("Ann Miller", "Ann M. L. Smith Miller", True),
        ("Ann Miller", "Ann Miller and Bob Thief", False),
        ("Ann Miller", "Ann & Bob Miller", False),
        ("Ann Miller", "Ann/Bob Miller", False),
        ("Ann Miller", "Ann Miller Bob Smith", False),
        ("Ann Miller", "Ann und Bob Miller", False),
        ("Ann Miller", "Ann Miller Ltd", False),
        ("Ann Miller", "Ann Miller Trading", False),
        ("Ann Miller", "Ann Miller Trading Ltd", False),
        ("Li Wei", "Wei Li Zhang Corp.", False),
        ("Ann Bank Miller", "Ann Bank", True),  # it is in both
        ("Ann", "Ann Miller", False),
        ("Ann Miller", "Bob Miller", False),
        ("Ann Miller", "Ann Smith", False),
        ("A. M.", "Ann Miller", False),
        ("", "Ann Miller", False),
        ("Ann Ann", "Ann Miller", False),
    ],
)
def test_names_of_one_person(name: str, other: str, one: bool) -> None:
    assert names.are_one(name, other) == names.are_one(other, name) == one


@pytest.mark.parametrize(
    ("name", "written"), [("Jürgen  Groß", "Jurgen Gross"), ("Łukasz Żak", "Lukasz Zak"), ("Ann O’Hara", "Ann O'Hara")]
)
def test_a_name_is_written_as_every_bank_takes_it(name: str, written: str) -> None:
    assert names.written(name) == written


@pytest.mark.parametrize("name", ["", "  ", "Анна Миллер", "Ann <Miller>", "a" * 71, "123", "Ann\x00 Miller"])
def test_a_name_that_no_bank_takes_is_refused(name: str) -> None:
    with pytest.raises(names.BadHolder):
        names.written(name)


@given(st.integers(1, 10**12 - 1))
def test_a_reference_is_found_however_it_is_spaced(number: int) -> None:
    made = references.made(number)
    for text in (made, f"for chips: {references.shown(made)}.", made.lower(), "-".join(made), f"{made} and {made}"):
        assert made in references.found(text)


@given(st.integers(1, 10**12 - 1), st.integers(4, 15), st.integers(1, 9))
def test_a_digit_that_is_wrong_is_nobodys(number: int, place: int, by: int) -> None:
    made = references.made(number)
    digit = (int(made[place]) + by) % 10
    assert references.found(made[:place] + str(digit) + made[place + 1 :]) == frozenset()


def test_a_known_reference() -> None:
    assert references.made(1) == "RF74000000000001"  # ISO 11649
