"""Disputes and what players owe, for operators: giving up and covering take a reason, larger sums two operators."""

from __future__ import annotations

from decimal import Decimal
from typing import Any, cast

from django.contrib import admin, messages
from django.core.exceptions import ValidationError
from django.db.models import Model, QuerySet
from django.forms import ModelForm
from django.http import HttpRequest
from django.utils import timezone
from unfold.admin import ModelAdmin

from games.models import Player, User
from ledger.admin import ReadOnlyAdmin
from ledger.money import InvalidAmount, UnknownCurrency
from wagering.cashier.disputes import covers, selectors, write_offs
from wagering.cashier.disputes.covers import NotCovered
from wagering.cashier.disputes.models import Collection, DifferenceCover, Dispute, WriteOff
from wagering.cashier.disputes.write_offs import NotWrittenOff
from wagering.rest.retries import outermost


@admin.register(Dispute)
class DisputeAdmin(ReadOnlyAdmin):
    list_display = (
        *("opened_at", "taken_at", "player", "amount", "currency", "wallet", "receivable", "difference", "state"),
        "owes",
    )
    list_filter = ("state", "provider", "currency")
    list_select_related = ("deposit__player",)
    search_fields = ("id", "theirs", "deposit__id", "deposit__theirs", "deposit__player__name", "deposit__player__id")
    search_help_text = "an id or a reference, a player's name or id"
    date_hierarchy = "taken_at"
    fields = (
        *("deposit", "provider", "theirs", "amount", "currency", "state", "wallet", "receivable", "difference"),
        *("back_wallet", "back_receivable", "opened_at", "taken_at", "won_at", "owes"),
    )
    readonly_fields = ("owes",)

    @admin.display(description="player", ordering="deposit__player__name")
    def player(self, dispute: Dispute) -> str:
        return str(dispute.deposit.player)

    @admin.display(description="the player owes now")
    def owes(self, dispute: Dispute) -> str:
        return str(selectors.owed(dispute.deposit.player_id, dispute.currency))


@admin.register(Collection)
class CollectionAdmin(ReadOnlyAdmin):
    list_display = ("collected_at", "player", "amount", "currency")
    list_filter = ("currency",)
    list_select_related = ("player",)
    search_fields = ("id", "player__name", "player__id")
    date_hierarchy = "collected_at"


class AskedOnce(ModelAdmin):
    """Made by an operator through a service, which refuses at the form; never edited."""

    wish: type[ModelForm]

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def get_form(self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any) -> Any:
        made = super().get_form(request, obj, change, **kwargs)
        return made if change else type("WishForm", (self.wish, made), {"asked_by": request.user})

    def save_model(self, request: HttpRequest, obj: Model, form: Any, change: bool) -> None:
        obj.pk = form.made.pk


class _WriteOffWish(ModelForm):
    """Gives up, or asks for it, in the transaction that the admin has open."""

    asked_by: User
    made: WriteOff

    def clean(self) -> dict[str, Any]:
        said: dict[str, Any] = super().clean() or self.cleaned_data
        if self.errors:
            return said
        try:
            self.made = write_offs.ask(
                player=cast(Player, said["player"]),
                dispute=said.get("dispute"),
                currency=said["currency"],
                amount=Decimal(said["amount"]),
                reason=said["reason"],
                by=self.asked_by,
                at=timezone.now(),
            )
        except (NotWrittenOff, InvalidAmount, UnknownCurrency) as refusal:
            raise ValidationError(str(refusal)) from None
        return said


@admin.register(WriteOff)
class WriteOffAdmin(AskedOnce):
    wish = _WriteOffWish
    list_display = ("asked_at", "player", "amount", "currency", "reason", "asked_by", "approved_by", "done_at")
    list_filter = (("done_at", admin.EmptyFieldListFilter), "currency")
    list_select_related = ("player", "asked_by", "approved_by")
    search_fields = ("id", "player__name", "player__id")
    fields = ("player", "dispute", "currency", "amount", "reason")
    autocomplete_fields = ("player", "dispute")
    actions = ("approve",)

    @admin.action(description="Approve, and give it up", permissions=["add"])
    def approve(self, request: HttpRequest, chosen: QuerySet[WriteOff]) -> None:
        """Another operator's word. Each is given up, or not, by itself."""
        for write_off in chosen:
            try:
                outermost(write_offs.approve)(write_off=write_off.pk, by=cast(User, request.user), at=timezone.now())
            except NotWrittenOff as refusal:
                self.message_user(request, f"{write_off}: {refusal}", messages.ERROR)
            else:
                self.message_user(request, f"{write_off}: given up.")


class _CoverWish(ModelForm):
    """Covers in the transaction that the admin has open."""

    asked_by: User
    made: DifferenceCover

    def clean(self) -> dict[str, Any]:
        said: dict[str, Any] = super().clean() or self.cleaned_data
        if self.errors:
            return said
        try:
            self.made = covers.cover(
                currency=said["currency"],
                amount=Decimal(said["amount"]),
                reason=said["reason"],
                by=self.asked_by,
                at=timezone.now(),
            )
        except (NotCovered, InvalidAmount, UnknownCurrency) as refusal:
            raise ValidationError(str(refusal)) from None
        return said


@admin.register(DifferenceCover)
class DifferenceCoverAdmin(AskedOnce):
    wish = _CoverWish
    list_display = ("covered_at", "amount", "currency", "reason", "covered_by")
    list_filter = ("currency",)
    list_select_related = ("covered_by",)
    fields = ("currency", "amount", "reason")
