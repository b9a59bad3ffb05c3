"""Exclusions, field by field."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from wagering.protection.exclusion.rules import HOURS_MAX, MONTHS_MAX, MONTHS_MIN
from wagering.protection.models import Exclusion


class TimeOutRequestSerializer(serializers.Serializer[Any]):
    hours = serializers.IntegerField(
        min_value=1, max_value=HOURS_MAX, help_text=f"For how long, in hours: 1 to {HOURS_MAX}, six weeks."
    )


class ExclusionRequestSerializer(serializers.Serializer[Any]):
    months = serializers.IntegerField(
        min_value=MONTHS_MIN,
        max_value=MONTHS_MAX,
        allow_null=True,
        help_text=f"For how long, in months: {MONTHS_MIN} to {MONTHS_MAX}; null for good.",
    )


class StandingSerializer(serializers.Serializer[Any]):
    kind = serializers.ChoiceField(
        choices=Exclusion.Kind.choices, help_text="A `time_out` ends by itself, an `exclusion` only when you ask."
    )
    by = serializers.ChoiceField(choices=Exclusion.By.choices, help_text="By whose word.")
    source = serializers.CharField(  # type: ignore[assignment]
        allow_blank=True, help_text="The register that names you; empty otherwise."
    )
    begins_at = serializers.DateTimeField(help_text="From when.")
    ends_at = serializers.DateTimeField(allow_null=True, help_text="The end of its term; null for never.")
    lifts_at = serializers.DateTimeField(
        allow_null=True, help_text="When it ends as you have asked; null if not asked."
    )


class ExcludedSerializer(serializers.Serializer[Any]):
    exclusion = StandingSerializer(
        allow_null=True, help_text="What keeps you from depositing and playing; null for nothing. You can withdraw."
    )
