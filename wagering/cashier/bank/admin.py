"""The players' account, for operators: statements are brought in, and what nobody could place is placed."""

from __future__ import annotations

from decimal import Decimal
from typing import Any, Final, cast

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import ValidationError
from django.db.models import F, Model, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from unfold.admin import ModelAdmin

from games.models import User
from ledger.admin import ReadOnlyAdmin
from ledger.money import InvalidAmount, currency
from wagering.cashier.bank import balances, entries, imports, sealed
from wagering.cashier.bank.models import BankEntry, Clearance, ClosingBalance, Proposal, Statement
from wagering.cashier.bank.rules.xml import Unreadable
from wagering.cashier.providers import registry
from wagering.rest.retries import outermost
from wagering.vault.services import Erased

LONGEST: Final = 4 * 1024 * 1024
"""What is brought by hand. The connection to the bank may have longer ones."""


class _StatementFile(forms.ModelForm):
    """A file, read when it is looked at, so that what is wrong with it stands beside it."""

    file = forms.FileField(
        help_text="camt.053, camt.054 or pain.002, as the bank gives it: it acts when two operators have brought it"
    )
    by: User

    class Meta:
        model = Statement
        fields: tuple[str, ...] = ()

    def clean(self) -> dict[str, Any]:
        said: dict[str, Any] = super().clean() or self.cleaned_data
        if file := said.get("file"):
            if file.size > LONGEST:
                raise ValidationError({"file": f"is longer than {LONGEST} bytes"})
            try:
                self.instance = outermost(imports.take)(
                    body=file.read(), name=str(file.name), at=timezone.now(), by=self.by
                )
            except (Unreadable, imports.NotTaken) as refusal:
                raise ValidationError({"file": str(refusal)}) from None
        return said


@admin.register(Statement)
class StatementAdmin(ModelAdmin):
    """Fetched by the clock, or brought in here by two operators, each with the bank's own file; never edited."""

    list_display = ("received_at", "kind", "name", "entries", "new", "fetched", "brought_by", "confirmed_by", "done_at")
    list_filter = (("done_at", admin.EmptyFieldListFilter), "kind", "fetched")
    search_fields = ("name", "sha256")
    form = _StatementFile

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def get_fields(self, request: HttpRequest, obj: Model | None = None) -> Any:
        kept = ("received_at", "fetched", "brought_by", "confirmed_by", "done_at", "sha256")
        return ("file",) if obj is None else ("kind", "name", "entries", "new", *kept)

    def get_form(self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any) -> Any:
        if obj is not None:
            return super().get_form(request, obj, change, **kwargs)
        return type("StatementFile", (_StatementFile,), {"by": request.user})

    def save_model(self, request: HttpRequest, obj: Model, form: Any, change: bool) -> None:
        """It was kept when it was read."""


class Short(admin.SimpleListFilter):
    """Where money is missing."""

    title = "short"
    parameter_name = "short"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [("now", "the latest: less than the book says"), ("ever", "less than the book said")]

    def queryset(self, request: HttpRequest, queryset: QuerySet[ClosingBalance]) -> QuerySet[ClosingBalance]:
        if self.value() == "now":
            return queryset.filter(pk__in=balances.shortfalls().values("pk"))
        return queryset.filter(amount__lt=F("booked")) if self.value() == "ever" else queryset


@admin.register(ClosingBalance)
class ClosingBalanceAdmin(ReadOnlyAdmin):
    """What the bank has more than the book is commission that was swept and has not left yet, or nobody's."""

    list_display = ("day", "currency", "at_the_bank", "in_the_book", "difference", "statement")
    list_filter = (Short, "currency")
    list_select_related = ("statement",)
    date_hierarchy = "day"
    fields = ("day", "currency", "at_the_bank", "in_the_book", "difference", "statement")
    readonly_fields = ("at_the_bank", "in_the_book", "difference")

    @admin.display(description="at the bank", ordering="amount")
    def at_the_bank(self, closing: ClosingBalance) -> str:
        return _exact(closing.amount, closing)

    @admin.display(description="in the book", ordering="booked")
    def in_the_book(self, closing: ClosingBalance) -> str:
        return "not all is done yet" if closing.booked is None else _exact(closing.booked, closing)

    @admin.display(description="more at the bank")
    def difference(self, closing: ClosingBalance) -> str:
        return "" if closing.booked is None else _exact(closing.amount - closing.booked, closing)


def _exact(amount: Decimal, closing: ClosingBalance) -> str:
    return str(amount.quantize(currency(closing.currency).minor_unit))


@admin.register(BankEntry)
class BankEntryAdmin(ReadOnlyAdmin):
    list_display = ("day", "moved", "state", "note", "player", "end_to_end")
    list_filter = ("state", "currency", "is_credit")
    search_fields = ("id", "reference", "end_to_end", "player__name")
    date_hierarchy = "day"
    fields = (
        *("state", "note", "moved", "day", "account", "reference", "end_to_end", "returned", "reason"),
        *("other_side", "player", "statement", "came_at", "done_at"),
    )
    readonly_fields = ("moved", "other_side")

    @admin.display(description="amount", ordering="amount")
    def moved(self, entry: BankEntry) -> str:
        amount = entry.amount.quantize(currency(entry.currency).minor_unit)
        return f"{'' if entry.is_credit else '−'}{amount} {entry.currency}"

    @admin.display(description="the other side")
    def other_side(self, entry: BankEntry) -> str:
        try:
            told = sealed.opened(entry)
        except Erased:
            return "erased"
        return "" if told is None else f"{told.name}, {told.iban}: {told.text}"


class _Clearing(forms.ModelForm):
    """Does it, in the transaction that the admin has open: what is refused is told at the form."""

    provider = forms.ChoiceField(
        choices=[("", "---------"), *((code, code) for code in registry.KNOWN)],
        required=False,
        help_text=Clearance._meta.get_field("provider").help_text,
    )
    by: User
    made: Clearance | None

    class Meta:
        model = Clearance
        fields = ("entry", "player", "provider", "fee", "reason")

    def clean(self) -> dict[str, Any]:
        said: dict[str, Any] = super().clean() or self.cleaned_data
        entry, player, provider = (said.get(name) for name in ("entry", "player", "provider"))
        if entry is None or self.errors:
            return said
        if provider and player:
            raise ValidationError({"provider": "it is the player's or the provider's"})
        word = {"entry": entry.pk, "reason": str(said["reason"]), "by": self.by, "at": timezone.now()}
        try:
            if provider:
                fee = Decimal(said.get("fee") or 0)
                self.made = outermost(entries.settle)(provider=str(provider), fee=fee, **word)
            else:
                self.made = outermost(entries.clear)(player=player, **word)
        except entries.NotToBeCleared as refusal:
            if refusal.field not in self.fields:
                raise ValidationError(str(refusal)) from None
            raise ValidationError({refusal.field: str(refusal)}) from None
        except InvalidAmount as refusal:
            raise ValidationError({"fee": str(refusal)}) from None
        self.instance = self.made or Clearance(entry=entry)
        return said

    def _post_clean(self) -> None:
        """It is written, and not to be validated as something new."""


@admin.register(Clearance)
class ClearanceAdmin(ModelAdmin):
    """What an operator found out; never edited. For larger sums it is done when another operator says the same."""

    list_display = ("at", "entry", "player", "provider", "by", "confirmed_by", "reason")
    autocomplete_fields = ("entry", "player")

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def get_form(self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any) -> Any:
        if obj is not None:
            return super().get_form(request, obj, change, **kwargs)
        return type(
            "Clearing", (super().get_form(request, obj, change, form=_Clearing, **kwargs),), {"by": request.user}
        )

    def save_model(self, request: HttpRequest, obj: Model, form: Any, change: bool) -> None:
        """It was written when it was looked at."""

    def log_addition(self, request: HttpRequest, obj: Any, message: Any) -> Any:
        return None if obj._state.adding else super().log_addition(request, obj, message)

    def response_add(self, request: HttpRequest, obj: Any, post_url_continue: str | None = None) -> HttpResponse:
        if not obj._state.adding:
            return super().response_add(request, obj, post_url_continue)
        self.message_user(request, f"{obj.entry}: it waits for another operator, who says the same.")
        return redirect("admin:bank_proposal_changelist")


@admin.register(Proposal)
class ProposalAdmin(ReadOnlyAdmin):
    """Words on larger sums: another operator says the same, or something else."""

    list_display = ("at", "entry", "player", "provider", "fee", "by", "reason")
    list_filter = ("entry__state",)
    list_select_related = ("entry", "player", "by")
    actions = ("agree",)

    @admin.action(description="Say the same, so that it is done", permissions=["agree"])
    def agree(self, request: HttpRequest, chosen: QuerySet[Proposal]) -> None:
        """Each is done, or not, by itself."""
        for proposal in chosen:
            try:
                made = outermost(entries.agree)(proposal=proposal.pk, by=cast(User, request.user), at=timezone.now())
            except entries.NotToBeCleared as refusal:
                self.message_user(request, f"{proposal}: {refusal}", messages.ERROR)
            else:
                self.message_user(request, f"{proposal}: {'done' if made else 'waits for another operator'}.")

    def has_agree_permission(self, request: HttpRequest) -> bool:
        """Who may say a word may say the same."""
        return bool(request.user.has_perm("bank.add_clearance"))
