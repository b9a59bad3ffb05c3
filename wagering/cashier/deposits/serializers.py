"""Deposits and payment methods, field by field."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from rest_framework import serializers

from wagering.cashier.deposits import selectors
from wagering.cashier.deposits.models import Deposit
from wagering.rest.money_field import Money, MoneyField


class DepositRequestSerializer(serializers.Serializer[Any]):
    amount = MoneyField(help_text="What you want to pay in. Real money; more than nothing.")
    provider = serializers.CharField(
        max_length=20,
        required=False,
        help_text="Through whom: one of `providers` of your payment methods, the first of them if left out.",
    )
    return_url = serializers.URLField(
        max_length=500,
        required=False,
        allow_blank=True,
        default="",
        help_text="Where the provider's page leads back to: http or https.",
    )

    def validate_provider(self, code: str) -> str:
        if code not in settings.PROVIDERS:
            raise serializers.ValidationError(f"Is none of {', '.join(settings.PROVIDERS)}.", code="invalid_choice")
        return code

    def validate_return_url(self, url: str) -> str:
        if url and not url.startswith(("http://", "https://")):
            raise serializers.ValidationError("Is no http or https address.", code="invalid")
        return url


class DepositSerializer(serializers.Serializer[Any]):
    id = serializers.UUIDField(help_text="The deposit's id.")
    state = serializers.ChoiceField(
        choices=Deposit.State.choices,
        help_text=(
            "`created`: start it. `processing`: pay at `pay_at`, or wait. `succeeded`: it is in the wallet. `failed`: "
            "nothing was paid. `refunded`: all of it went back. `disputed`: the payer's bank took it back."
        ),
    )
    provider = serializers.CharField(help_text="Through whom it is paid.")
    amount = MoneyField(help_text="What you asked to pay in.")
    paid = MoneyField(allow_null=True, help_text="What was really paid, and is credited; null until then.")
    refunded = MoneyField(help_text="What of it has gone back, or is on its way.")
    pay_at = serializers.URLField(allow_null=True, help_text="The provider's page, where you pay; null until started.")
    reference = serializers.CharField(help_text="What we and the provider call it.")
    method = serializers.UUIDField(allow_null=True, help_text="What it was paid with: one of your payment methods.")
    reason = serializers.CharField(help_text="Why it failed, or what is not as asked; empty if nothing.")
    created_at = serializers.DateTimeField(help_text="When you asked for it.")
    succeeded_at = serializers.DateTimeField(allow_null=True, help_text="When it was credited.")


class MethodSerializer(serializers.Serializer[Any]):
    id = serializers.UUIDField(help_text="The method's id.")
    provider = serializers.CharField(help_text="Whose it is: a provider, or `bank` for an account.")
    brand = serializers.CharField(help_text="What kind of card or account.")
    last4 = serializers.CharField(help_text="Its last digits.")
    can_receive = serializers.BooleanField(help_text="Whether money can be paid out to it.")
    added_at = serializers.DateTimeField(help_text="When you first used it.")
    used_at = serializers.DateTimeField(allow_null=True, help_text="When you last paid with it.")


class MethodsSerializer(serializers.Serializer[Any]):
    methods = MethodSerializer(many=True, help_text="What you have paid from, or may be paid to.")
    providers = serializers.ListField(
        child=serializers.CharField(help_text="A provider's name."), help_text="Through whom you can pay in."
    )


class WebhookTakenSerializer(serializers.Serializer[Any]):
    received = serializers.BooleanField(help_text="True: it is kept, and need not be sent again.")


def told(deposit: Deposit) -> dict[str, Any]:
    """A deposit, for its serializer."""
    paid = None if deposit.paid is None else Money(deposit.paid, deposit.paid_currency)
    return {
        "id": deposit.pk,
        "state": deposit.state,
        "provider": deposit.provider,
        "amount": Money(deposit.amount, deposit.currency),
        "paid": paid,
        "refunded": Money(selectors.refunded(deposit), deposit.paid_currency or deposit.currency),
        "pay_at": deposit.pay_at or None,
        "reference": deposit.ours,
        "method": deposit.method_id,
        "reason": deposit.reason,
        "created_at": deposit.created_at,
        "succeeded_at": deposit.succeeded_at,
    }
