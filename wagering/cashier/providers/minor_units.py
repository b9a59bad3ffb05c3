"""Amounts as providers write them: whole minor units by the ISO 4217 exponent (JPY 500 is 500, KWD 1.234 is 1234)."""

from __future__ import annotations

from decimal import Decimal

from ledger import money


def to_minor(amount: Decimal, currency: str) -> int:
    """How many minor units ``amount`` is. Raises InvalidAmount for one that is finer."""
    return int(money.exact(amount, currency).scaleb(money.currency(currency).minor_digits))


def from_minor(units: object, currency: str) -> Decimal:
    """The amount of so many minor units. Raises ValueError for what is no whole number of them."""
    if not isinstance(units, int) or isinstance(units, bool) or not units >= 0:
        raise ValueError(f"amount: {units!r} is no whole number of minor units")
    unit = money.currency(currency)
    return money.exact(Decimal(units).scaleb(-unit.minor_digits), currency)
