"""Money on the wire: ``{"amount": "5.00", "currency": "USD"}``, strict both ways."""

from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Final

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from ledger import money

MEMBERS: Final = ("amount", "currency")

SCHEMA: Final = {
    "type": "object",
    "description": "An exact amount: text, in the currency's major unit (dollars, not cents).",
    "properties": {
        "amount": {
            "type": "string",
            "pattern": r"^-?[0-9]{1,12}(\.[0-9]{1,3})?$",
            "description": "Plain digits and one point, no more decimals than the currency has. Never a number.",
            "example": "5.00",
        },
        "currency": {
            "type": "string",
            "enum": sorted(money.CURRENCIES),
            "description": "ISO 4217, or PLAY for play money.",
            "example": "USD",
        },
    },
    "required": list(MEMBERS),
    "additionalProperties": False,
    "example": {"amount": "5.00", "currency": "USD"},
}


@dataclass(frozen=True, slots=True)
class Money:
    """An amount with its currency, as it came in or goes out. One that goes out may be below zero."""

    amount: Decimal
    currency: str

    def as_json(self) -> dict[str, str]:
        """``{"amount": "5.00", "currency": "USD"}``."""
        unit = money.currency(self.currency).minor_unit
        written = self.amount.quantize(unit)
        assert written == self.amount, f"{self.amount} is finer than {self.currency}'s {unit}"
        return {"amount": str(written), "currency": self.currency}


@extend_schema_field(SCHEMA, component_name="Money")
class MoneyField(serializers.Field):  # type: ignore[type-arg]  # generic in the stubs alone
    """Reads ``{"amount": "5.00", "currency": "USD"}`` into ``Money``, by ``ledger.money.parse``, and writes it back.

    Nothing but text is an amount: numbers, exponents, signs, spaces and digits past the minor unit are refused at
    ``…/amount``, a currency that the book does not keep at ``…/currency``.
    """

    default_error_messages = {
        "not_money": 'Money is {{"amount": "5.00", "currency": "USD"}}, not {given}.',
        "missing": "is missing",
        "unknown": "is not known here; money has an amount and a currency",
    }

    def to_internal_value(self, data: Any) -> Money:
        if not isinstance(data, dict):
            self.fail("not_money", given=type(data).__name__)
        wrong = {name: [self._error("missing")] for name in MEMBERS if name not in data}
        wrong |= {str(name): [self._error("unknown")] for name in data if name not in MEMBERS}
        if wrong:
            raise serializers.ValidationError(wrong)
        try:
            return Money(money.parse(data["amount"], data["currency"], field="amount"), data["currency"])
        except money.UnknownCurrency as refusal:
            error = {"currency": [serializers.ErrorDetail(str(refusal), code="unknown_currency")]}
            raise serializers.ValidationError(error) from None
        except money.InvalidAmount as refusal:
            error = {"amount": [serializers.ErrorDetail(str(refusal), code="invalid_amount")]}
            raise serializers.ValidationError(error) from None

    def to_representation(self, value: Money) -> dict[str, str]:
        return value.as_json()

    def _error(self, key: str) -> serializers.ErrorDetail:
        return serializers.ErrorDetail(str(self.error_messages[key]), code=key)
