"""Adjustments, for operators: one proposes, with a reason and what it refers to; another confirms, or one withdraws."""

from __future__ import annotations

from decimal import Decimal
from typing import Any, cast

from django.contrib import admin, messages
from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.forms import ModelForm
from django.http import HttpRequest
from django.utils import timezone

from games.models import Player, User
from ledger.book import InsufficientFunds
from ledger.money import InvalidAmount, UnknownCurrency
from wagering.cashier.adjustments import services
from wagering.cashier.adjustments.models import Adjustment
from wagering.cashier.disputes.admin import AskedOnce
from wagering.rest.retries import outermost


class _Wish(ModelForm):
    """Proposes, in the transaction that the admin has open; a second click is the first."""

    asked_by: User
    made: Adjustment

    def clean(self) -> dict[str, Any]:
        said: dict[str, Any] = super().clean() or self.cleaned_data
        if self.errors:
            return said
        try:
            self.made = services.propose(
                player=cast(Player, said["player"]),
                direction=said["direction"],
                amount=Decimal(said["amount"]),
                currency=said["currency"],
                refers_to=said["refers_to"],
                reason=said["reason"],
                by=self.asked_by,
                at=timezone.now(),
            )
        except (services.NotAdjusted, InvalidAmount, UnknownCurrency) as refusal:
            raise ValidationError(str(refusal)) from None
        self.instance = self.made
        return said

    def _post_clean(self) -> None:
        """It is written, and not to be validated as something new."""


@admin.register(Adjustment)
class AdjustmentAdmin(AskedOnce):
    wish = _Wish
    list_display = (
        *("asked_at", "player", "direction", "amount", "currency", "refers_to", "reason", "asked_by", "confirmed_by"),
        *("done_at", "withdrawn_by"),
    )
    list_filter = (
        *(("done_at", admin.EmptyFieldListFilter), ("withdrawn_at", admin.EmptyFieldListFilter)),
        *("direction", "currency"),
    )
    list_select_related = ("player", "asked_by", "confirmed_by", "withdrawn_by")
    search_fields = ("id", "refers_to", "player__name", "player__id")
    search_help_text = "an id, what it refers to, a player's name or id"
    fields = ("player", "direction", "amount", "currency", "refers_to", "reason")
    autocomplete_fields = ("player",)
    actions = ("confirm", "withdraw")

    @admin.action(description="Confirm, and post it", permissions=["add"])
    def confirm(self, request: HttpRequest, chosen: QuerySet[Adjustment]) -> None:
        """Another operator's word. Each is posted, or not, by itself."""
        for adjustment in chosen:
            try:
                outermost(services.confirm)(adjustment=adjustment.pk, by=cast(User, request.user), at=timezone.now())
            except services.NotAdjusted as refusal:
                self.message_user(request, f"{adjustment}: {refusal}", messages.ERROR)
            except InsufficientFunds as refusal:
                told = f"{adjustment}: the wallet holds {refusal.balance}, {refusal.needed} is needed."
                self.message_user(request, told, messages.ERROR)
            else:
                self.message_user(request, f"{adjustment}: posted.")

    @admin.action(description="Withdraw it: it was proposed wrongly", permissions=["add"])
    def withdraw(self, request: HttpRequest, chosen: QuerySet[Adjustment]) -> None:
        for adjustment in chosen:
            try:
                outermost(services.withdraw)(adjustment=adjustment.pk, by=cast(User, request.user), at=timezone.now())
            except services.NotAdjusted as refusal:
                self.message_user(request, f"{adjustment}: {refusal}", messages.ERROR)
            else:
                self.message_user(request, f"{adjustment}: withdrawn, and can be proposed anew.")
