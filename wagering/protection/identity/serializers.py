"""Who one is, field by field."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from wagering.protection.identity.rules import ADDRESS_MAX, NAME_MAX
from wagering.protection.models import Identity


class ToldSerializer(serializers.Serializer[Any]):
    name = serializers.CharField(
        max_length=NAME_MAX, help_text="The full name, as in your passport, in letters of one script."
    )
    birth_date = serializers.DateField(help_text="The date of birth.")
    country = serializers.RegexField(r"\A[A-Z]{2}\Z", help_text="Where you live: ISO 3166-1, two capital letters.")
    address = serializers.CharField(max_length=ADDRESS_MAX, help_text="Street, place and postcode.")


class IdentitySerializer(serializers.Serializer[Any]):
    state = serializers.ChoiceField(
        choices=Identity.State.choices,
        help_text="`unverified`: nothing told; `pending`: an operator looks; `verified`; `rejected`: tell it anew.",
    )
    needed_before = serializers.ListField(
        child=serializers.ChoiceField(choices=["deposit", "stake", "payout"]),
        help_text="What waits until you are verified; more may, above certain sums.",
    )
    name = serializers.CharField(allow_null=True, help_text="As you told it; null if you have not.")
    birth_date = serializers.DateField(allow_null=True, help_text="As you told it.")
    country = serializers.CharField(allow_null=True, help_text="As you told it.")
    address = serializers.CharField(allow_null=True, help_text="As you told it.")
    told_at = serializers.DateTimeField(allow_null=True, help_text="When.")
