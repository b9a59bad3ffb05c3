"""Deposits and refunds, for operators: what is out of order is a filter away, and giving back takes a reason."""

from __future__ import annotations

from decimal import Decimal
from typing import Any, cast

from django.contrib import admin
from django.core.exceptions import ValidationError
from django.db.models import Model, QuerySet
from django.forms import ModelForm
from django.http import HttpRequest
from django.utils import timezone
from unfold.admin import ModelAdmin

from games.models import User
from ledger.admin import ReadOnlyAdmin
from ledger.book import InsufficientFunds
from ledger.money import InvalidAmount
from wagering.cashier.deposits import refunds, selectors, tasks
from wagering.cashier.deposits.models import Deposit, InboxEvent, Refund
from wagering.rest.hints import hint


class OutOfOrder(admin.SimpleListFilter):
    """What an operator should look at."""

    title = "out of order"
    parameter_name = "out_of_order"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [("all", "pending for long, held, or paid otherwise than asked"), ("held", "held: paid, not credited")]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Deposit]) -> QuerySet[Deposit]:
        if self.value() is None:
            return queryset
        found = queryset.filter(pk__in=selectors.exceptions(at=timezone.now()).values("pk"))
        return found.filter(selectors.HELD) if self.value() == "held" else found


@admin.register(Deposit)
class DepositAdmin(ReadOnlyAdmin):
    list_display = ("created_at", "player", "amount", "currency", "told_paid", "state", "provider", "reason")
    list_filter = (OutOfOrder, "state", "provider", "currency")
    list_select_related = ("player",)
    search_fields = ("id", "ours", "theirs", "player__name", "player__id")
    search_help_text = "an id or a reference, a player's name or id"
    date_hierarchy = "created_at"
    fields = (
        *("player", "provider", "amount", "currency", "state", "told_paid", "told_refunded", "reason", "method"),
        *("ours", "theirs", "pay_at", "created_at", "asked_at", "succeeded_at", "looks", "look_at"),
    )
    readonly_fields = ("told_paid", "told_refunded")

    @admin.display(description="paid")
    def told_paid(self, deposit: Deposit) -> str:
        return "" if deposit.paid is None else f"{deposit.paid} {deposit.paid_currency}"

    @admin.display(description="gone back")
    def told_refunded(self, deposit: Deposit) -> str:
        return str(selectors.refunded(deposit))


class Late(admin.SimpleListFilter):
    """What an operator should ask the provider about."""

    title = "out of order"
    parameter_name = "out_of_order"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [("late", "asked for long ago, and not known to be made, or of another amount")]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Refund]) -> QuerySet[Refund]:
        late = selectors.refunds_late(at=timezone.now())
        return queryset if self.value() is None else queryset.filter(pk__in=late.values("pk"))


@admin.register(Refund)
class RefundAdmin(ModelAdmin):
    """Asked for once, and never edited: what the provider makes of it is its own to say."""

    list_display = ("asked_at", "deposit", "amount", "currency", "state", "differs", "owed", "asked_by", "reason")
    list_filter = (Late, "state", "currency", ("asked_by", admin.EmptyFieldListFilter))
    list_select_related = ("deposit", "asked_by")
    search_fields = ("id", "ours", "theirs", "deposit__id", "deposit__player__name")
    search_help_text = "the id of a refund or a deposit, a reference, a player's name"
    fields = ("deposit", "amount", "reason")
    autocomplete_fields = ("deposit",)

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def get_fields(self, request: HttpRequest, obj: Model | None = None) -> tuple[str, ...]:
        if obj is None:
            return self.fields
        return (
            *(
                "deposit",
                "amount",
                "currency",
                "reason",
                "state",
                "failed_because",
                "differs",
                "owed",
                "ours",
                "theirs",
            ),
            *("asked_by", "asked_at", "done_at", "look_at"),
        )

    def get_form(self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any) -> Any:
        made = super().get_form(request, obj, change, **kwargs)
        return made if change else type("WishForm", (_Wish, made), {"asked_by": request.user})

    def save_model(self, request: HttpRequest, obj: Model, form: Any, change: bool) -> None:
        obj.pk = form.asked.pk
        hint(tasks.send_refund, str(obj.pk))


class _Wish(ModelForm):
    """Asks for the refund, in the transaction that the admin has open: what is refused is told at the form."""

    asked_by: User
    asked: Refund

    def clean(self) -> dict[str, Any]:
        said: dict[str, Any] = super().clean() or self.cleaned_data
        deposit, amount = said.get("deposit"), said.get("amount")
        if deposit is None or amount is None or self.errors:
            return said
        try:
            self.asked = refunds.ask(
                deposit=cast(Deposit, deposit).pk,
                amount=Decimal(amount),
                reason=str(said.get("reason", "")),
                by=self.asked_by,
                at=timezone.now(),
            )
        except InsufficientFunds as refusal:
            raise ValidationError(f"The wallet holds {refusal.balance}, {refusal.needed} is needed.") from None
        except (refunds.NothingToRefund, refunds.RefundTooLarge, refunds.ReasonMissing, InvalidAmount) as refusal:
            raise ValidationError(str(refusal)) from None
        return said


@admin.register(InboxEvent)
class InboxEventAdmin(ReadOnlyAdmin):
    list_display = ("received_at", "provider", "kind", "event_id", "outcome", "done_at")
    list_filter = ("provider", ("done_at", admin.EmptyFieldListFilter), "outcome", "kind")
    search_fields = ("id", "event_id")
    search_help_text = "an id, ours or the provider's"
    date_hierarchy = "received_at"
    fields = ("provider", "event_id", "kind", "received_at", "outcome", "done_at", "text")
    readonly_fields = ("text",)

    @admin.display(description="body")
    def text(self, event: InboxEvent) -> str:
        return bytes(event.body).decode(errors="replace")
