"""Alerts, for operators: what was found, by which figures, and their word on it."""

from __future__ import annotations

import json
from typing import cast

from django import forms
from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from unfold.forms import ActionForm
from unfold.widgets import UnfoldAdminTextInputWidget

from games.models import User
from ledger.admin import ReadOnlyAdmin
from wagering.rest.retries import outermost
from wagering.surveillance import alerts
from wagering.surveillance.models import Alert


class WithReason(ActionForm):
    reason = forms.CharField(
        label="",
        required=False,
        max_length=alerts.REASON_MAX,
        widget=UnfoldAdminTextInputWidget(attrs={"placeholder": "Reason, which is kept"}),
    )


@admin.register(Alert)
class AlertAdmin(ReadOnlyAdmin):
    list_display = ("opened_at", "kind", "loser", "winner", "moved", "currency", "score", "state", "reason")
    list_filter = ("state", "kind", "currency")
    list_select_related = ("loser", "winner")
    search_fields = ("id", "loser__id", "loser__name", "winner__id", "winner__name")
    search_help_text = "the id of an alert, a player's name or id"
    date_hierarchy = "opened_at"
    fields = (
        *("kind", "loser", "winner", "currency", "score", "state", "opened_at"),
        *("figures", "statements", "contests", "judged_by", "judged_at", "reason"),
    )
    readonly_fields = ("figures", "statements", "contests")
    action_form = WithReason
    actions = ("clear", "confirm")

    @admin.display(description="moved")
    def moved(self, alert: Alert) -> str:
        return str(alert.evidence["moved"])

    @admin.display(description="evidence")
    def figures(self, alert: Alert) -> SafeString:
        text = json.dumps(alert.evidence, indent=2)
        return format_html('<pre class="overflow-x-auto text-xs">{}</pre>', text)

    @admin.display(description="accounts")
    def statements(self, alert: Alert) -> SafeString:
        """Of both players in the book."""
        where = reverse("admin:ledger_account_changelist")
        players = [player for player in (alert.loser, alert.winner) if player]
        return format_html_join(" ", '<a href="{}?q={}">{}</a>', ((where, each.pk, each.name) for each in players))

    @admin.display(description="contests")
    def contests(self, alert: Alert) -> SafeString:
        """Each by its sheet."""
        where = reverse("admin:settlement_settlement_changelist")
        stakes = alert.evidence["stakes"]
        return format_html_join(" ", '<a href="{}?q={}">{}</a>', ((where, each, each[:8]) for each in stakes))

    def has_judge_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("surveillance.change_alert")

    @admin.action(description="Clear: there is nothing in it", permissions=["judge"])
    def clear(self, request: HttpRequest, chosen: QuerySet[Alert]) -> None:
        self._judge(request, chosen, confirmed=False)

    @admin.action(description="Confirm: payouts stay kept", permissions=["judge"])
    def confirm(self, request: HttpRequest, chosen: QuerySet[Alert]) -> None:
        self._judge(request, chosen, confirmed=True)

    def _judge(self, request: HttpRequest, chosen: QuerySet[Alert], *, confirmed: bool) -> None:
        reason, by = request.POST.get("reason", ""), cast(User, request.user)
        for alert in chosen:
            try:
                outermost(alerts.judge)(alert=alert.pk, confirmed=confirmed, reason=reason, by=by, at=timezone.now())
            except (alerts.AlreadyJudged, alerts.ReasonMissing) as refusal:
                self.message_user(request, f"{alert}: {refusal}", messages.ERROR)
            else:
                self.log_change(request, alert, f"{'confirmed' if confirmed else 'cleared'}: {reason}")
                self.message_user(request, f"{alert}: judged.")
