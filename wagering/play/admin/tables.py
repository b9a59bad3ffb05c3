"""Tables in the operator's admin: how each stands, what is staked on it, and what became of that; one can be voided."""

from __future__ import annotations

from typing import Any, Final

from django import forms
from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import localize
from django.utils.safestring import SafeString
from unfold.decorators import action
from unfold.enums import ActionVariant
from unfold.widgets import UnfoldAdminTextareaWidget

from games.admin import TableAdmin as Base
from games.live import selectors as lives
from games.live.models import Live, Pricing
from games.live.rows import NotLive
from games.live.rules.stand import Lapse, Status, due
from games.live.selectors import UNDER_WAY
from games.models import Table
from ledger.admin import linked
from ledger.book import Refused
from wagering.play.admin.lobby import pace_of
from wagering.play.tables import services
from wagering.play.tasks import hint_what_follows
from wagering.rest.retries import outermost
from wagering.settlement.models import Adjudication
from wagering.settlement.services import SettledOtherwise, SettlementReversed
from wagering.stakes.services import StakeClosed

REASON_MAX: Final = 500

ELSEWHERE: Final = "at its room's own server"

COMES: Final = {
    Lapse.TIME_OUT: "the time of {} runs out",
    Lapse.ABSENCE: "{} has been away too long",
    Lapse.NOTHING_THROWN: "it is void, since nothing was thrown",
}


class Going(admin.SimpleListFilter):
    title = "status"
    parameter_name = "status"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [("under_way", "under way"), *((each.value, each.value) for each in Status), ("elsewhere", ELSEWHERE)]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Table]) -> QuerySet[Table]:
        match self.value():
            case None:
                return queryset
            case "under_way":
                return queryset.filter(live__status__in=UNDER_WAY)
            case "elsewhere":
                return queryset.filter(live=None)
        return queryset.filter(live__status=self.value())


class VoidForm(forms.Form):
    reason = forms.CharField(
        max_length=REASON_MAX,
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 3}),
        help_text="Kept in the history of this table, with your name.",
    )


@admin.register(Table)
class TableAdmin(Base):
    list_display = (*Base.list_display[:-1], "staked", "status", "games_played")
    list_filter = (Going, *Base.list_filter)
    list_select_related = (*Base.list_select_related, "live", "stake")
    fieldsets = (
        *Base.fieldsets,
        ("How it stands", {"fields": ("status", "score", "turn", "pace", "clock", "price")}),
        ("Money", {"fields": ("at_stake", "unfinished", "settled")}),
        ("Papers", {"fields": ("offered", "recorded")}),
    )
    readonly_fields = (
        *Base.readonly_fields,
        *("status", "score", "turn", "pace", "clock", "price"),
        *("at_stake", "unfinished", "settled", "offered", "recorded"),
    )
    actions_detail: Any = ("void",)

    @admin.display(description="status", ordering="live__status")
    def status(self, table: Table) -> str:
        live = _live(table)
        return ELSEWHERE if live is None else live.status

    @admin.display(description="score")
    def score(self, table: Table) -> str:
        if _live(table) is None or not table.match_length:
            return "–"
        return " – ".join(map(str, lives.stand(table=table.pk).series.score))

    @admin.display(description="turn")
    def turn(self, table: Table) -> str:
        live = _live(table)
        return "–" if live is None or live.to_act is None else str(table.seats[live.to_act - 1])

    @admin.display(description="pace")
    def pace(self, table: Table) -> str:
        live = _live(table)
        return "–" if live is None else pace_of(live)

    @admin.display(description="clock")
    def clock(self, table: Table) -> str:
        """What comes if nobody does anything."""
        next_ = None if _live(table) is None else due(lives.stand(table=table.pk))
        if next_ is None:
            return "–"
        whose = table.seats[next_.side - 1] if next_.side else ""
        return f"at {localize(next_.at)} {COMES[next_.lapse].format(whose)}"

    @admin.display(description="lost by the clock")
    def price(self, table: Table) -> str:
        """The games of a match about whose price an engine was asked, and what came of it (B-15)."""
        asked = Pricing.objects.filter(live=table.pk).order_by("game")
        told = (f"game {each.game}, asked {each.attempts} ×, {each.reason or each.xgid}" for each in asked)
        return "; ".join(told) or "–"

    @admin.display(description="stake")
    def staked(self, table: Table) -> str:
        stake = getattr(table, "stake", None)
        return f"{stake.stake} {stake.currency}" if stake else "–"

    @admin.display(description="stake")
    def at_stake(self, table: Table) -> SafeString:
        stake = getattr(table, "stake", None)
        return linked(stake, f"{self.staked(table)}, {stake.get_state_display()}" if stake else "")

    @admin.display(description="left or lost by the clock")
    def unfinished(self, table: Table) -> SafeString:
        found = getattr(getattr(table, "stake", None), "adjudication", None)
        return linked(found, found.get_state_display() if found else "")

    @admin.display(description="settlement")
    def settled(self, table: Table) -> SafeString:
        found = getattr(getattr(table, "stake", None), "settlement", None)
        return linked(found, f"{found.ending.replace('_', ' ')}, with its sheet" if found else "")

    @admin.display(description="offer")
    def offered(self, table: Table) -> SafeString:
        return linked(getattr(table, "offer", None))

    @admin.display(description="record")
    def recorded(self, table: Table) -> SafeString:
        return linked(getattr(table, "record", None))

    # --- Voiding one --------------------------------------------------------------------------------------------------

    def has_void_permission(self, request: HttpRequest, object_id: Any = None) -> bool:
        return request.user.has_perm("games.change_table")

    def get_actions_detail(self, request: HttpRequest, object_id: Any) -> Any:
        """It is offered while there is something to void."""
        goes_on = Live.objects.filter(pk=object_id, status__in=UNDER_WAY).exists()
        return super().get_actions_detail(request, object_id) if goes_on else []

    @action(  # type: ignore[operator]  # it is a decorator, whatever it says
        description="Void the contest", url_path="void", permissions=["void"], variant=ActionVariant.DANGER
    )
    def void(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """The contest goes on no more (A-8): asked for with a reason, then done."""
        table = self.get_object(request, object_id)
        if not isinstance(table, Table):
            raise Http404
        form = VoidForm(request.POST or None)
        if form.is_valid():
            self._void(request, table, form.cleaned_data["reason"])
            return HttpResponseRedirect(reverse("admin:games_table_change", args=[table.pk]))
        context = {**self.admin_site.each_context(request), "title": "Void the contest", "table": table, "form": form}
        return TemplateResponse(request, "play/void.html", {**context, "opts": self.opts, "staked": self.staked(table)})

    def _void(self, request: HttpRequest, table: Table, reason: str) -> None:
        try:
            done = outermost(services.void)(table=table.pk, now=timezone.now)
        except (NotLive, StakeClosed, SettledOtherwise, SettlementReversed, Refused) as refusal:
            self.message_user(request, f"{table}: {refusal}", messages.ERROR)
            return
        if done.replayed:
            self.message_user(request, f"{table}: the contest has ended, and stays as it is.", messages.ERROR)
            return
        hint_what_follows(done, opponent=None)
        self.log_change(request, table, f"voided: {reason}")
        waits = Adjudication.objects.filter(stake__table=table).exists()
        became = "is split by its score, as soon as that is computed" if waits else "both stakes went back"
        self.message_user(request, f"{table}: voided, {became}.", messages.SUCCESS)


def _live(table: Table) -> Live | None:
    return getattr(table, "live", None)
