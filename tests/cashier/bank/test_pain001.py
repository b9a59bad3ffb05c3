"""An order for the bank: these bytes and no others, valid by the standard's own schema."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from xmlschema import XMLSchemaValidationError

from ledger import money
from wagering.cashier.bank import schema
from wagering.cashier.bank.rules.pain001 import Order, Payer, Transfer, write

GOLDEN = Path(__file__).parents[2] / "golden" / "pain001.xml"
ANN = Transfer("PO00000000000040008000000000000001", Decimal("48.00"), "Ann Miller", "NL91ABNA0417164300", "Payout 1")
BOB = Transfer(
    "PO00000000000040008000000000000002", Decimal("0.01"), "Bob O'Hara", "GB29NWBK60161331926819", "Payout 2"
)
ORDER = Order(
    message="B00000000000040008000000000000003",
    made_at=datetime(2026, 11, 30, 14, 0, 3, tzinfo=UTC),
    day=date(2026, 11, 30),
    currency="EUR",
    payer=Payer("Backgammon Room Players", "DE89370400440532013000", "COBADEFFXXX"),
    transfers=(ANN, BOB),
)


def test_the_file_is_this_one() -> None:
    written = write(ORDER)
    schema.check(written)
    assert written == GOLDEN.read_bytes()
    assert ORDER.control_sum == Decimal("48.01")


def test_a_bank_without_a_bic_and_a_currency_without_cents() -> None:
    yen = replace(ANN, amount=money.parse("500", "JPY"))
    other = replace(ORDER, currency="JPY", payer=replace(ORDER.payer, bic=""), transfers=(yen,))
    written = write(other).decode()
    schema.check(written.encode())
    assert '<InstdAmt Ccy="JPY">500</InstdAmt>' in written
    assert "SEPA" not in written  # that is of euros alone
    assert "<CtrlSum>500</CtrlSum>" in written


TEXTS = st.text("ABCZabcz0189/-?:().,'+ &<>", min_size=1, max_size=70).filter(lambda text: bool(text.strip()))
AMOUNTS = st.decimals(Decimal("0.01"), Decimal("999999999.99"), places=2)


@settings(max_examples=50)
@given(st.lists(st.tuples(AMOUNTS, TEXTS), min_size=1, max_size=5))
def test_any_order_is_valid_and_the_same_bytes_again(lines: list[tuple[Decimal, str]]) -> None:
    transfers = [replace(ANN, reference=f"PO{n}", amount=amount, name=text) for n, (amount, text) in enumerate(lines)]
    order = replace(ORDER, transfers=transfers)
    schema.check(write(order))
    assert write(order) == write(replace(order, transfers=tuple(transfers)))


def test_the_schema_refuses_what_is_none() -> None:
    with pytest.raises(XMLSchemaValidationError):
        schema.check(write(replace(ORDER, message="x" * 36)))
    with pytest.raises(XMLSchemaValidationError):
        schema.check(write(replace(ORDER, transfers=(replace(ANN, iban="none"),))))
