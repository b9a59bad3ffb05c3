"""The lobby in the operator's admin: to be read; an offer may be taken out of it, a biography emptied."""

from __future__ import annotations

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone
from unfold.admin import TabularInline

from games.admin import Final
from ledger.admin import ReadOnlyAdmin
from wagering.play.lobby import services
from wagering.play.models import AgreementRow, CounterProposal, Offer, PlayMoneyIssue, Profile
from wagering.play.people import services as people
from wagering.rest.retries import outermost
from wagering.stakes.rules import exposure


class CounterInline(Final, TabularInline):
    model = CounterProposal
    hide_title = True
    fields = ("made_at", "player", "contest", "stake_told", "cap_told", "held", "pace", "options", "state")
    readonly_fields = ("contest", "stake_told", "cap_told", "held", "pace", "options")

    @admin.display(description="contest")
    def contest(self, row: AgreementRow) -> str:
        return _contest(row)

    @admin.display(description="stake")
    def stake_told(self, row: AgreementRow) -> str:
        return str(row.stake)

    @admin.display(description="cap")
    def cap_told(self, row: AgreementRow) -> str:
        return _cap(row)

    @admin.display(description="held a seat")
    def held(self, row: AgreementRow) -> str:
        return str(exposure(row.agreement.terms))

    @admin.display(description="pace")
    def pace(self, row: AgreementRow) -> str:
        return _pace(row)

    @admin.display(description="options")
    def options(self, row: AgreementRow) -> str:
        return _options(row)


@admin.register(Offer)
class OfferAdmin(ReadOnlyAdmin):
    list_display = (
        "made_at",
        "room",
        "maker",
        "contest",
        "stake_told",
        "cap_told",
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
        ("Terms", {"fields": ("contest", "currency", "stake_told", "cap_told", "held", "tariff")}),
        ("Play", {"fields": ("pace", "options", "abandonment", "penalty_told")}),
    )
    readonly_fields = ("id", "contest", "stake_told", "cap_told", "held", "pace", "options", "penalty_told")

    @admin.display(description="contest", ordering="match_length")
    def contest(self, offer: Offer) -> str:
        return _contest(offer)

    # As text, since Django writes every number of a column with the same digits.

    @admin.display(description="stake", ordering="stake")
    def stake_told(self, offer: Offer) -> str:
        return str(offer.stake)

    @admin.display(description="cap", ordering="cap")
    def cap_told(self, offer: Offer) -> str:
        return _cap(offer)

    @admin.display(description="held a seat")
    def held(self, offer: Offer) -> str:
        return str(exposure(offer.agreement.terms))

    @admin.display(description="pace")
    def pace(self, offer: Offer) -> str:
        return _pace(offer)

    @admin.display(description="options")
    def options(self, offer: Offer) -> str:
        return _options(offer)

    @admin.display(description="penalty for leaving")
    def penalty_told(self, offer: Offer) -> str:
        return f"{100 * offer.penalty:f} % of the stake".replace(".0000", "")

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


@admin.register(Profile)
class ProfileAdmin(ReadOnlyAdmin):
    list_display = ("player", "biography", "changed_at")
    list_select_related = ("player",)
    search_fields = ("player__name", "player__id", "biography")
    search_help_text = "a player's name or id, words of a biography"
    ordering = ("-changed_at",)
    fields = ("player", "biography", "version", "changed_at")
    actions = ("empty",)

    def has_empty_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("play.change_profile")

    @admin.action(description="Empty the biography", permissions=("empty",))
    def empty(self, request: HttpRequest, profiles: QuerySet[Profile]) -> None:
        for profile in profiles.select_related("player"):
            outermost(people.write_biography)(player=profile.player, text="", at=timezone.now())


def _contest(row: AgreementRow) -> str:
    return f"match to {row.match_length}" if row.match_length else "single game"


def _cap(row: AgreementRow) -> str:
    return "–" if row.cap is None else str(row.cap)


def _pace(row: AgreementRow) -> str:
    return f"{row.move_s} s a move, {row.reserve_s} s" if row.days is None else f"{row.days} days a move"


def _options(row: AgreementRow) -> str:
    options = {
        "no cube": not row.cube,
        "Crawford": bool(row.match_length) and row.crawford,
        "Jacoby": row.jacoby,
        "beavers": row.beavers,
        f"{row.automatic_doubles} automatic doubles": row.automatic_doubles,
    }
    return ", ".join(name for name, agreed in options.items() if agreed) or "–"
