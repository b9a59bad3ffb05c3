"""Protection at a glance, reality checks and what a log-in is told, field by field."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from games.access.serializers import LoggedInSerializer
from wagering.protection.exclusion.serializers import StandingSerializer
from wagering.protection.models import Identity
from wagering.protection.models.person import REALITY_CHECK_MAX, REALITY_CHECK_MIN
from wagering.rest.money_field import MoneyField


class RealityCheckSerializer(serializers.Serializer[Any]):
    minutes = serializers.IntegerField(
        min_value=REALITY_CHECK_MIN,
        max_value=REALITY_CHECK_MAX,
        help_text=f"Minutes between two reality checks: {REALITY_CHECK_MIN} to {REALITY_CHECK_MAX}.",
    )


class VisitSerializer(serializers.Serializer[Any]):
    began_at = serializers.DateTimeField(help_text="The latest log-in.")
    next_check_at = serializers.DateTimeField(help_text="When to show the player the time that has passed and `net`.")
    net = serializers.ListField(
        child=MoneyField(), help_text="Won in real money since then, below zero lost; one a currency."
    )


class ProtectionSerializer(serializers.Serializer[Any]):
    exclusion = StandingSerializer(allow_null=True, help_text="What keeps you from playing; null for nothing.")
    identity = serializers.ChoiceField(choices=Identity.State.choices, help_text="The state of your identity.")
    source_of_funds_needed = serializers.BooleanField(
        help_text="Whether nothing comes in or goes out until the operator knows where the money comes from."
    )
    may_cancel_payouts = serializers.BooleanField(help_text="Whether a payout that you asked for can be taken back.")
    reality_check_minutes = serializers.IntegerField(help_text="Minutes between two reality checks.")
    session = VisitSerializer(allow_null=True, help_text="Since you logged in; null if you never have.")


class ArrivedSerializer(LoggedInSerializer):
    exclusion = StandingSerializer(
        allow_null=True, help_text="What keeps the player from depositing and playing; null for nothing."
    )
