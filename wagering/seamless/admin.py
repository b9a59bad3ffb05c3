"""Rounds at rooms' own servers, for operators: each with its sheet; one that was left open can be given back."""

from __future__ import annotations

from typing import Any, cast

from django import forms
from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString
from unfold.forms import ActionForm
from unfold.widgets import UnfoldAdminTextInputWidget

from games.models import User
from ledger.admin import ReadOnlyAdmin
from wagering.rest.retries import outermost
from wagering.seamless.giving_back import give_back
from wagering.seamless.models import REASON_MAX, Round
from wagering.seamless.refusals import RoundClosed
from wagering.seamless.selectors import left_open, standing_of
from wagering.seamless.sheet import as_text, players_of


class State(admin.SimpleListFilter):
    title = "state"
    parameter_name = "state"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [("left", "left open"), ("open", "open"), ("closed", "closed"), ("given_back", "given back")]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Round]) -> QuerySet[Round]:
        match self.value():
            case "left":
                return queryset.filter(pk__in=left_open(at=timezone.now()).values("pk"))
            case "open":
                return queryset.filter(closed_at=None)
            case "closed":
                return queryset.filter(closed_at__isnull=False, given_back_by=None)
            case "given_back":
                return queryset.filter(given_back_by__isnull=False)
        return queryset


class WithReason(ActionForm):
    reason = forms.CharField(
        label="",
        required=False,
        max_length=REASON_MAX,
        widget=UnfoldAdminTextInputWidget(attrs={"placeholder": "Reason, which the players are told"}),
    )


@admin.register(Round)
class RoundAdmin(ReadOnlyAdmin):
    list_display = ("opened_at", "room", "name", "players", "staked", "won", "currency", "state")
    list_filter = (State, "room", "currency")
    list_select_related = ("room",)
    search_fields = ("id", "name", "messages__transaction", "messages__player__name")
    search_help_text = "a round's name or id, a transaction_uuid, a player's name"
    date_hierarchy = "opened_at"
    fields = ("sheet",)
    readonly_fields = ("sheet",)
    actions = ("give_back",)
    action_form = WithReason

    def get_queryset(self, request: HttpRequest) -> QuerySet[Round]:
        found: QuerySet[Round] = super().get_queryset(request)
        return found.prefetch_related("messages__player")

    @admin.display(description="players")
    def players(self, round_: Round) -> str:
        return ", ".join(player.name for player in players_of(round_))

    # As text, since Django writes every number of a column with the same digits.

    @admin.display(description="staked")
    def staked(self, round_: Round) -> str:
        return str(sum(bet.amount for bet in standing_of(round_.messages.all()).bets))

    @admin.display(description="won, or due")
    def won(self, round_: Round) -> str:
        return str(sum(win.amount for win in standing_of(round_.messages.all()).wins))

    @admin.display(description="sheet")
    def sheet(self, round_: Round) -> SafeString:
        return format_html('<pre class="overflow-x-auto text-xs">{}</pre>', as_text(round_))

    def has_give_back_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("seamless.change_round")

    @admin.action(description="Give all bets back, and close", permissions=["give_back"])
    def give_back(self, request: HttpRequest, chosen: QuerySet[Round]) -> None:
        """Each by itself; one that its room has closed meanwhile is not."""
        reason = request.POST.get("reason", "").strip()
        if not reason or len(reason) > REASON_MAX:
            self.message_user(request, f"A reason of 1 to {REASON_MAX} characters is needed.", messages.ERROR)
            return
        for round_ in chosen:
            try:
                outermost(give_back)(round=round_.pk, by=cast(User, request.user), reason=reason, at=timezone.now())
            except RoundClosed as refusal:
                self.message_user(request, f"{round_}: {refusal}", messages.ERROR)
            else:
                self.log_change(request, round_, f"given back: {reason}")
                self.message_user(request, f"{round_}: given back.")
