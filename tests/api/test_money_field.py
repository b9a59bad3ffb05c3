"""Money on the wire."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from rest_framework import serializers

from wagering.rest.money_field import Money, MoneyField


class Terms(serializers.Serializer[Any]):
    stake = MoneyField()


@pytest.mark.parametrize(
    ("amount", "currency", "read"),
    [
        ("5.00", "USD", "5.00"),
        ("5", "USD", "5.00"),
        ("500", "JPY", "500"),
        ("1.234", "KWD", "1.234"),
        ("0", "PLAY", "0.00"),
    ],
)
def test_money_is_read_exactly_and_written_back(amount: str, currency: str, read: str) -> None:
    terms = Terms(data={"stake": {"amount": amount, "currency": currency}})
    assert terms.is_valid(), terms.errors
    assert terms.validated_data["stake"] == Money(Decimal(read), currency)
    assert Terms(terms.validated_data).data == {"stake": {"amount": read, "currency": currency}}


def test_a_loss_is_written_below_zero() -> None:
    assert Money(Decimal("-15.00"), "USD").as_json() == {"amount": "-15.00", "currency": "USD"}


@pytest.mark.parametrize(
    ("money", "where", "code"),
    [
        ({"amount": "0.999", "currency": "USD"}, "amount", "invalid_amount"),
        ({"amount": "500.5", "currency": "JPY"}, "amount", "invalid_amount"),
        ({"amount": "-5.00", "currency": "USD"}, "amount", "invalid_amount"),
        ({"amount": "+5.00", "currency": "USD"}, "amount", "invalid_amount"),
        ({"amount": "1e3", "currency": "USD"}, "amount", "invalid_amount"),
        ({"amount": "1_000", "currency": "USD"}, "amount", "invalid_amount"),
        ({"amount": "١٢.٥", "currency": "USD"}, "amount", "invalid_amount"),
        ({"amount": "NaN", "currency": "USD"}, "amount", "invalid_amount"),
        ({"amount": " 5.00", "currency": "USD"}, "amount", "invalid_amount"),
        ({"amount": 5, "currency": "USD"}, "amount", "invalid_amount"),
        ({"amount": Decimal("5.00"), "currency": "USD"}, "amount", "invalid_amount"),
        ({"amount": None, "currency": "USD"}, "amount", "invalid_amount"),
        ({"amount": "5.00", "currency": "usd"}, "currency", "unknown_currency"),
        ({"amount": "5.00", "currency": ["USD"]}, "currency", "unknown_currency"),
        ({"amount": "5.00", "currency": None}, "currency", "unknown_currency"),
        ({"currency": "USD"}, "amount", "missing"),
        ({"amount": "5.00", "currency": "USD", "unit": "cents"}, "unit", "unknown"),
    ],
)
def test_what_is_no_money_is_refused_at_its_place(money: Any, where: str, code: str) -> None:
    terms = Terms(data={"stake": money})
    assert not terms.is_valid()
    errors: Any = terms.errors["stake"]
    assert errors[where][0].code == code


@pytest.mark.parametrize("money", ["5.00", 5, ["5.00", "USD"], True])
def test_only_an_object_is_money(money: Any) -> None:
    terms = Terms(data={"stake": money})
    assert not terms.is_valid()
    errors: Any = terms.errors["stake"]
    assert errors[0].code == "not_money"
