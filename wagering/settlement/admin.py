"""Unfinished games and rulings, for operators: what waits for them, and what two of them decide together (A-7, A-10).

Settlements themselves are shown from ``wagering.audit``, each with its sheet.
"""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any, Final, cast

from django.contrib import admin, messages
from django.core.exceptions import ValidationError
from django.db.models import Model, QuerySet
from django.forms import ModelForm, TypedChoiceField
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.timesince import timesince
from unfold.admin import ModelAdmin
from unfold.widgets import UnfoldAdminSelectWidget

from games.models import User
from games.rules.sides import SIDES, Side
from ledger.admin import ReadOnlyAdmin, linked
from ledger.book import Refused
from ledger.money import InvalidAmount
from wagering.rest.retries import outermost
from wagering.settlement import rulings
from wagering.settlement.models import Adjudication, Ruling
from wagering.settlement.rulings import NotRuled
from wagering.stakes.models import Stake

NOBODY: Final = "nobody: both stakes go back"


def sides_of(stake: Stake) -> dict[int, str]:
    """Who sits where, told by the number of the side."""
    return {side: f"{player}, side {side}" for side, player in zip(SIDES, stake.table.seats, strict=True)}


def _stake(pk: str | None) -> Stake | None:
    return Stake.objects.select_related("table__player_1", "table__player_2").filter(pk=pk).first() if pk else None


@admin.register(Adjudication)
class AdjudicationAdmin(ReadOnlyAdmin):
    list_display = ("left_at", "table", "cause", "state", "waits", "attempts", "reason")
    list_filter = ("state", "cause", "stake__currency", "stake__table__room")
    list_select_related = ("stake__table__player_1", "stake__table__player_2")
    search_fields = ("stake__id", "stake__table__id", "stake__table__player_1__name", "stake__table__player_2__name")
    search_help_text = "the id of a stake or a table, a player's name"
    date_hierarchy = "left_at"
    fields = (
        *("at_table", "of_stake", "cause", "state", "rule", "reason", "xgid", "roller", "away"),
        *("lost_to", "left_at", "attempts", "asked_at", "analysed_at", "kept"),
    )
    readonly_fields = ("at_table", "of_stake", "rule", "roller", "away", "lost_to", "kept")
    actions = ("ask_again",)

    @admin.display(description="table")
    def table(self, adjudication: Adjudication) -> str:
        return str(adjudication.stake.table)

    @admin.display(description="table")
    def at_table(self, adjudication: Adjudication) -> SafeString:
        return linked(adjudication.stake.table)

    @admin.display(description="stake")
    def of_stake(self, adjudication: Adjudication) -> SafeString:
        return linked(adjudication.stake)

    @admin.display(description="on roll")
    def roller(self, adjudication: Adjudication) -> str:
        return sides_of(adjudication.stake)[adjudication.on_roll]

    @admin.display(description="away")
    def away(self, adjudication: Adjudication) -> str:
        return ", ".join(sides_of(adjudication.stake)[side] for side in adjudication.absent) or "nobody"

    @admin.display(description="the referee's word")
    def lost_to(self, adjudication: Adjudication) -> str:
        if adjudication.winner is None:
            return f"to be split, cube {adjudication.cube}"
        winner = sides_of(adjudication.stake)[adjudication.winner]
        return f"{winner} wins a {adjudication.win}, cube {adjudication.cube}, points {adjudication.points}"

    @admin.display(description="ruling")
    def rule(self, adjudication: Adjudication) -> SafeString:
        address = f"{reverse('admin:settlement_ruling_add')}?stake={adjudication.stake_id}"
        return format_html('<a href="{}" class="underline">propose what is to be paid</a>', address)

    @admin.display(description="waits for", ordering="left_at")
    def waits(self, adjudication: Adjudication) -> str:
        if adjudication.state == Adjudication.State.SETTLED:
            return ""
        return timesince(adjudication.left_at, now=timezone.now())

    @admin.display(description="record")
    def kept(self, adjudication: Adjudication) -> SafeString:
        text = json.dumps(adjudication.record, indent=2, ensure_ascii=False)
        return format_html('<pre class="overflow-x-auto text-xs">{}</pre>', text)

    @admin.action(description="Ask the engine again", permissions=["view"])
    def ask_again(self, request: HttpRequest, chosen: QuerySet[Adjudication]) -> None:
        """The sweep sends those to the engine that wait for it."""
        waiting = chosen.filter(state=Adjudication.State.OPERATOR).update(
            state=Adjudication.State.WAITING, attempts=0, asked_at=None
        )
        self.message_user(request, f"{waiting} wait for their analysis again.")


@admin.register(Ruling)
class RulingAdmin(ModelAdmin):
    """Made by one operator, approved by another; never edited."""

    list_display = ("asked_at", "table", "goes_to", "moves", "asked_by", "approved_by", "reason")
    list_filter = (("approved_at", admin.EmptyFieldListFilter), "stake__currency")
    list_select_related = ("stake__table__player_1", "stake__table__player_2", "asked_by", "approved_by")
    search_fields = ("stake__id", "stake__table__id", "stake__table__player_1__name", "stake__table__player_2__name")
    search_help_text = "the id of a stake or a table, a player's name"
    fields = ("stake", "receiver", "transfer", "reason")
    autocomplete_fields = ("stake",)
    actions = ("approve",)

    def get_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        if obj is None:
            return self.fields
        paid: tuple[str, ...] = ()
        if obj.approved_at:
            owed = ("owed_1", "owed_2") if obj.owed_1 or obj.owed_2 else ()
            paid = ("commission", "back_1", "back_2", *owed, "key", "approved_by", "approved_at")
        return ("at_table", "of_stake", "goes_to", "moves", "reason", "asked_by", "asked_at", *paid)

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        return () if obj is None else ("at_table", "of_stake", "goes_to", "moves")

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    @admin.display(description="table")
    def table(self, ruling: Ruling) -> str:
        return str(ruling.stake.table)

    @admin.display(description="table")
    def at_table(self, ruling: Ruling) -> SafeString:
        return linked(ruling.stake.table)

    @admin.display(description="stake")
    def of_stake(self, ruling: Ruling) -> SafeString:
        return linked(ruling.stake)

    @admin.display(description="receiver", ordering="receiver")
    def goes_to(self, ruling: Ruling) -> str:
        return NOBODY if ruling.receiver is None else sides_of(ruling.stake)[ruling.receiver]

    @admin.display(description="transfer", ordering="transfer")
    def moves(self, ruling: Ruling) -> str:
        return f"{ruling.transfer} {ruling.stake.currency}"

    def get_form(self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any) -> Any:
        made = super().get_form(request, obj, change, **kwargs)
        if change:
            return made
        asked = request.POST.get("stake") or request.GET.get("stake")
        return type("ProposalForm", (_Proposal, made), {"asked_by": request.user, "about": _stake(asked)})

    def save_model(self, request: HttpRequest, obj: Model, form: Any, change: bool) -> None:
        assert isinstance(obj, Ruling)
        obj.asked_by, obj.asked_at = cast(User, request.user), timezone.now()
        super().save_model(request, obj, form, change)

    @admin.action(description="Approve, and pay by it", permissions=["add"])
    def approve(self, request: HttpRequest, chosen: QuerySet[Ruling]) -> None:
        """Another operator's word. Each is paid, or not, by itself."""
        for ruling in chosen:
            try:
                outermost(rulings.approve)(ruling=ruling.pk, by=cast(User, request.user), at=timezone.now())
            except (NotRuled, Refused) as refusal:
                self.message_user(request, f"{ruling}: {refusal}", messages.ERROR)
            else:
                self.message_user(request, f"{ruling}: approved and paid.")


class _Proposal(ModelForm):
    """Refuses what ``rulings.propose`` would, at its field. Once it is said of which stake, the sides have names."""

    asked_by: User
    about: Stake | None

    receiver = TypedChoiceField(
        coerce=int,
        empty_value=None,
        required=False,
        widget=UnfoldAdminSelectWidget,
        help_text="who gets what moves",
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        names = sides_of(self.about) if self.about else {1: "side 1, named first", 2: "side 2, named second"}
        receiver = cast(TypedChoiceField, self.fields["receiver"])
        receiver.choices = [("", NOBODY), *names.items()]

    def clean(self) -> dict[str, Any]:
        said: dict[str, Any] = super().clean() or self.cleaned_data
        stake, transfer = said.get("stake"), said.get("transfer")
        if stake is None or transfer is None:
            return said
        receiver = cast("Side | None", said.get("receiver"))
        try:
            said["transfer"] = rulings.check(
                stake=stake, receiver=receiver, transfer=Decimal(transfer), by=self.asked_by, at=timezone.now()
            )
        except (NotRuled, InvalidAmount) as refusal:
            raise ValidationError(str(refusal)) from None
        return said
