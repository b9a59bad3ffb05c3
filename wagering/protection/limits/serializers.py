"""Limits, field by field."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from ledger import money
from wagering.protection.limits.rules import Kind, Window
from wagering.rest.money_field import MoneyField

KINDS = [(each.value, each.value) for each in Kind]
WINDOWS = [(each.value, each.value) for each in Window]
CODES = [(code, code) for code in sorted(money.CURRENCIES)]

KIND = "What is limited: `deposit`; `loss`, net of what is won, with all that is at risk; `stake`, what is set aside."
WINDOW = "Over which time, ending now: 24 hours, 7 or 30 days of 24 hours."


class SortSerializer(serializers.Serializer[Any]):
    kind = serializers.ChoiceField(choices=KINDS, help_text=KIND)
    window = serializers.ChoiceField(choices=WINDOWS, help_text=WINDOW)
    currency = serializers.ChoiceField(choices=CODES, help_text="Of which wallet; never PLAY.")


class LimitRequestSerializer(serializers.Serializer[Any]):
    kind = serializers.ChoiceField(choices=KINDS, help_text=KIND)
    window = serializers.ChoiceField(choices=WINDOWS, help_text=WINDOW)
    amount = MoneyField(help_text="At most so much; 0 for nothing at all.")


class PendingSerializer(serializers.Serializer[Any]):
    amount = MoneyField(allow_null=True, help_text="What would hold; null for no limit.")
    asked_at = serializers.DateTimeField(help_text="When it was asked for.")
    confirm_from = serializers.DateTimeField(help_text="From when it can be confirmed; until then it is not.")


class LimitSerializer(SortSerializer):
    binding = MoneyField(allow_null=True, help_text="What holds: the lower of the next two; null for no limit.")
    own = MoneyField(allow_null=True, help_text="Your own limit; null for none.")
    operators = MoneyField(allow_null=True, help_text="The operator's limit for you; null for none.")
    left = MoneyField(allow_null=True, help_text="What is left of it now, deposits under way not counted; or null.")
    pending = PendingSerializer(allow_null=True, help_text="An increase or a removal that waits; null for none.")


class LimitsSerializer(serializers.Serializer[Any]):
    limits = LimitSerializer(many=True, help_text="Every sort of limit that is set or waits, by currency.")
