"""The lobby in the operator's admin: to be read; an offer may be taken out of it."""

from __future__ import annotations

from typing import Protocol

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone
from unfold.admin import TabularInline

from games.admin import Final, contest_of, options_of
from ledger.admin import ReadOnlyAdmin
from wagering.play.lobby import services
from wagering.play.models import AgreementRow, CounterProposal, Offer, PlayMoneyIssue
from wagering.rest.retries import outermost
from wagering.stakes.rules import exposure


class Told:
    """An agreement, in an operator's words."""

    @admin.display(description="contest", ordering="match_length")
    def contest(self, row: AgreementRow) -> str:
        return contest_of(row)

    @admin.display(description="held a seat")
    def held(self, row: AgreementRow) -> str:
        return str(exposure(row.agreement.terms))

    @admin.display(description="pace")
    def pace(self, row: AgreementRow) -> str:
        return pace_of(row)

    @admin.display(description="options")
    def options(self, row: AgreementRow) -> str:
        return options_of(row)

    @admin.display(description="penalty for leaving")
    def penalty_told(self, row: AgreementRow) -> str:
        return f"{100 * row.penalty:f} % of the stake".replace(".0000", "")


class CounterInline(Told, Final, TabularInline):
    model = CounterProposal
    hide_title = True
    fields = ("made_at", "player", "contest", "stake", "cap", "held", "pace", "options", "state")
    readonly_fields = ("contest", "held", "pace", "options")


@admin.register(Offer)
class OfferAdmin(Told, ReadOnlyAdmin):
    list_display = (
        "made_at",
        "room",
        "maker",
        "contest",
        "stake",
        "cap",
        "currency",
        "pace",
        "state",
        "taker",
    )
    list_filter = ("state", "zone", "currency", "room")
    list_select_related = ("room", "maker", "taker")
    search_fields = ("id", "table__id", "rematch_of__id", "maker__name", "taker__name", "maker__id", "taker__id")
    search_help_text = "the id of an offer, a table or a player, a player's name"
    date_hierarchy = "made_at"
    inlines = (CounterInline,)
    actions = ("take_out",)
    fieldsets = (
        (None, {"fields": ("id", "state", "room", "zone", "made_at", "expires_at", "changed_at")}),
        ("Who", {"fields": ("maker", "opponent", "taker", "rating_min", "rating_max", "rematch_of", "table")}),
        ("Terms", {"fields": ("contest", "currency", "stake", "cap", "held", "tariff")}),
        ("Play", {"fields": ("pace", "options", "abandonment", "penalty_told")}),
    )
    readonly_fields = ("id", "contest", "held", "pace", "options", "penalty_told")

    def has_take_out_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("play.change_offer")

    @admin.action(description="Take out of the lobby", permissions=("take_out",))
    def take_out(self, request: HttpRequest, offers: QuerySet[Offer]) -> None:
        taken = 0
        for offer in offers.select_related("maker"):
            try:
                outermost(services.withdraw)(offer=offer.pk, player=offer.maker, at=timezone.now())
                taken += 1
            except services.OfferClosed as refusal:
                self.message_user(request, f"{offer}: {refusal}", messages.WARNING)
        self.message_user(request, f"{taken} taken out of the lobby.", messages.SUCCESS)


@admin.register(PlayMoneyIssue)
class PlayMoneyIssueAdmin(ReadOnlyAdmin):
    list_display = ("issued_at", "player", "number", "amount_told")
    list_select_related = ("player",)
    search_fields = ("id", "player__name", "player__id")
    search_help_text = "the id of an issue, a player's name or id"
    date_hierarchy = "issued_at"
    fields = ("id", "player", "number", "amount_told", "day", "issued_at")
    readonly_fields = ("id", "amount_told")

    @admin.display(description="amount", ordering="amount")
    def amount_told(self, issue: PlayMoneyIssue) -> str:
        return f"{issue.amount} PLAY"


class Pace(Protocol):
    """How fast it is played: an agreement, or a table as it is played."""

    move_s: int
    reserve_s: int
    days: int | None


def pace_of(row: Pace) -> str:
    return f"{row.move_s} s a move, {row.reserve_s} s" if row.days is None else f"{row.days} days a move"
