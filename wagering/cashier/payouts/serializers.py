"""Payouts and bank accounts, field by field."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from wagering.cashier.payouts.models import Payout
from wagering.cashier.payouts.rules import WAITS_FOR_THE_PLAYER, missing_of_the_player
from wagering.rest.money_field import Money, MoneyField


class PayoutRequestSerializer(serializers.Serializer[Any]):
    amount = MoneyField(help_text="What you want paid out: of what is available, not of what is held.")
    method = serializers.UUIDField(help_text="To where: one of your payment methods that can receive.")


class PayoutSerializer(serializers.Serializer[Any]):
    id = serializers.UUIDField(help_text="The payout's id.")
    state = serializers.ChoiceField(
        choices=Payout.State.choices,
        help_text=(
            "`held`: to be looked at. `review`: it waits for you, or for an operator. "
            "`approved`: goes out with the next batch, unless something comes up until then. "
            "`batched`, `submitted`: on its way. "
            "`unknown`: sent, and we ask what became of it. `paid`. `failed`, "
            "`refused`, `cancelled`: in the wallet again. `returned`: was paid and came back."
        ),
    )
    amount = MoneyField(help_text="What is paid out.")
    method = serializers.UUIDField(help_text="To where: one of your payment methods.")
    last4 = serializers.CharField(help_text="Its last digits.")
    waits_for = serializers.ListField(
        child=serializers.ChoiceField(choices=sorted(WAITS_FOR_THE_PLAYER)),
        help_text="What you have to do before it goes on: tell who you are (`identity`), show where money is from.",
    )
    reason = serializers.CharField(help_text="Why it was refused, failed or came back; empty if nothing.")
    asked_at = serializers.DateTimeField(help_text="When you asked for it, and since when it is held.")
    approved_at = serializers.DateTimeField(allow_null=True, help_text="When it was approved.")
    ended_at = serializers.DateTimeField(allow_null=True, help_text="When it was paid, or ended otherwise.")


class BankAccountRequestSerializer(serializers.Serializer[Any]):
    iban = serializers.CharField(max_length=60, help_text="The account's IBAN, with spaces or without.")
    holder = serializers.CharField(
        max_length=140, help_text="Whose account it is: you, in Latin letters, as the bank has it."
    )


def told(payout: Payout) -> dict[str, Any]:
    """A payout, for its serializer."""
    return {
        "id": payout.pk,
        "state": payout.state,
        "amount": Money(payout.amount, payout.currency),
        "method": payout.method_id,
        "last4": payout.method.last4,
        "waits_for": missing_of_the_player(payout.findings) if payout.state == Payout.State.REVIEW else [],
        "reason": payout.reason,
        "asked_at": payout.asked_at,
        "approved_at": payout.approved_at,
        "ended_at": payout.ended_at,
    }
