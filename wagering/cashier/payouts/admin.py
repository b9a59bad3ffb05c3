"""Payouts, for operators: queues with what the screening found, decisions with a reason, batches, the switch."""

from __future__ import annotations

from typing import Any, cast

from django.contrib import admin, messages
from django.core.exceptions import ValidationError
from django.db.models import Model, QuerySet
from django.forms import ModelForm
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.timesince import timesince
from unfold.admin import ModelAdmin, TabularInline

from games.models import User
from ledger.admin import ReadOnlyAdmin
from ledger.book import InsufficientFunds
from ledger.money import currency
from wagering.cashier.payouts import batches, services, switch
from wagering.cashier.payouts.models import OPEN, Attempt, Batch, Decision, Payout, Switch
from wagering.protection.refusals import StillOwes
from wagering.rest.retries import outermost
from wagering.vault.services import Erased


class Written(ModelAdmin):
    """A word that an operator adds, and nobody edits."""

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


class AttemptInline(TabularInline):
    model = Attempt
    fields = (
        "number",
        "tried_by",
        "rail",
        "ours",
        "batch",
        "sent_at",
        "released_at",
        "paid_at",
        "returned_at",
        "credited_at",
        "reason",
    )
    readonly_fields = fields
    extra = 0
    can_delete = False

    def has_add_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


@admin.register(Payout)
class PayoutAdmin(ReadOnlyAdmin):
    list_display = ("asked_at", "player", "moves", "method", "state", "kept_by", "needs", "waits")
    list_filter = ("state", "currency", "method__provider", "needs")
    list_select_related = ("player", "method")
    search_fields = ("id", "player__name", "player__id", "attempts__ours")
    search_help_text = "an id or a reference, a player's name or id"
    date_hierarchy = "asked_at"
    fields = (
        *("player", "moves", "method", "state", "reason", "needs", "found", "decided"),
        *("asked_at", "screened_at", "approved_at", "ended_at"),
    )
    readonly_fields = ("moves", "found", "decided")
    inlines = (AttemptInline,)
    actions = ("again",)

    @admin.display(description="amount", ordering="amount")
    def moves(self, payout: Payout) -> str:
        return f"{payout.amount.quantize(currency(payout.currency).minor_unit)} {payout.currency}"

    @admin.display(description="kept by")
    def kept_by(self, payout: Payout) -> str:
        return ", ".join(each["rule"] for each in payout.findings if each["verdict"] != "ok")

    @admin.display(description="waits for", ordering="asked_at")
    def waits(self, payout: Payout) -> str:
        return timesince(payout.asked_at, now=timezone.now()) if payout.state in OPEN else ""

    @admin.display(description="screening")
    def found(self, payout: Payout) -> SafeString:
        rows = ((each["verdict"], each["rule"], each["says"]) for each in payout.findings)
        return format_html_join("", "<div><b>{}</b> {}: {}</div>", rows)

    @admin.display(description="operators")
    def decided(self, payout: Payout) -> SafeString:
        rows = ((str(each), each.at, each.reason) for each in Decision.objects.filter(attempt__payout=payout))
        waiting = payout.attempts.filter(released_at=None, paid_at=None).first()
        if waiting is None or payout.state not in ("held", "review", "approved"):
            return format_html_join("", "<div>{} at {}: {}</div>", rows)
        door = f"{reverse('admin:payouts_decision_add')}?attempt={waiting.pk}"
        return format_html('{}<a href="{}">Decide</a>', format_html_join("", "<div>{} at {}: {}</div>", rows), door)

    def has_again_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("payouts.change_payout")

    @admin.action(description="Try those that failed once more", permissions=["again"])
    def again(self, request: HttpRequest, chosen: QuerySet[Payout]) -> None:
        for payout in chosen:
            try:
                outermost(services.again)(payout=payout.pk, by=cast(User, request.user), at=timezone.now())
            except (services.NotDecided, StillOwes, InsufficientFunds) as refusal:
                self.message_user(request, f"{payout}: {refusal}", messages.ERROR)
            else:
                self.message_user(request, f"{payout}: held anew, and screened.")


class _Word(ModelForm):
    """What ``services.decide`` refuses is told at the top of the form; what it does is done when the form is right."""

    by: User

    class Meta:
        model = Decision
        fields = ("attempt", "approves", "reason")

    def clean(self) -> dict[str, Any]:
        said: dict[str, Any] = super().clean() or self.cleaned_data
        attempt = cast("Attempt | None", said.get("attempt"))
        if attempt is None or not said.get("reason"):
            return said
        try:
            outermost(services.decide)(
                payout=attempt.payout_id,
                approves=bool(said.get("approves")),
                reason=str(said["reason"]),
                by=self.by,
                at=timezone.now(),
            )
        except (services.NotDecided, switch.PayoutsStopped) as refusal:
            raise ValidationError(str(refusal)) from None
        self.instance = Decision.objects.get(attempt=attempt, by=self.by)
        return said

    def _post_clean(self) -> None:
        """It is written, and not to be validated as something new."""


@admin.register(Decision)
class DecisionAdmin(Written):
    list_display = ("at", "payout", "approves", "by", "reason")
    list_filter = ("approves",)
    list_select_related = ("attempt__payout__method", "by")
    autocomplete_fields = ("attempt",)

    @admin.display(description="payout")
    def payout(self, decision: Decision) -> str:
        return str(decision.attempt.payout)

    def get_form(self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any) -> Any:
        if obj is not None:
            return super().get_form(request, obj, change, **kwargs)
        made = super().get_form(request, obj, change, form=_Word, **kwargs)
        return type("Word", (made,), {"by": request.user})

    def save_model(self, request: HttpRequest, obj: Model, form: Any, change: bool) -> None:
        """``decide`` has written it."""


@admin.register(Attempt)
class AttemptAdmin(ReadOnlyAdmin):
    list_display = ("held_at", "payout", "number", "rail", "ours", "sent_at", "released_at", "paid_at", "returned_at")
    list_filter = ("rail", "verdict")
    list_select_related = ("payout__method",)
    search_fields = ("id", "ours", "theirs", "payout__id", "payout__player__name")
    exclude = ("debit",)


@admin.register(Batch)
class BatchAdmin(ReadOnlyAdmin):
    list_display = ("made_at", "day", "currency", "count", "total", "state", "submitted_at", "file")
    list_filter = ("state", "currency")
    search_fields = ("id", "sha256")
    date_hierarchy = "made_at"

    @admin.display(description="control sum", ordering="control_sum")
    def total(self, batch: Batch) -> str:
        return str(batch.control_sum.quantize(currency(batch.currency).minor_unit))

    @admin.display(description="file")
    def file(self, batch: Batch) -> SafeString:
        return format_html('<a href="{}">pain.001</a>', reverse("admin:payouts_batch_file", args=[batch.pk]))

    def get_urls(self) -> list[URLPattern]:
        file = self.admin_site.admin_view(self.download)
        return [path("<uuid:batch>/file/", file, name="payouts_batch_file"), *super().get_urls()]

    def download(self, request: HttpRequest, batch: Any) -> HttpResponse:
        """The file as it went to the bank: it names people."""
        found = Batch.objects.filter(pk=batch).first()
        if found is None or not self.has_view_permission(request, found):
            raise Http404
        try:
            body = batches.render(found)
        except Erased:
            raise Http404("somebody who was paid with it is erased") from None
        named = {"Content-Disposition": f'attachment; filename="{found.message}.xml"'}
        return HttpResponse(body, content_type="application/xml", headers=named)


@admin.register(Switch)
class SwitchAdmin(Written):
    list_display = ("at", "stopped", "by", "reason")
    fields = ("stopped", "reason")

    def save_model(self, request: HttpRequest, obj: Model, form: Any, change: bool) -> None:
        assert isinstance(obj, Switch)
        obj.by, obj.at = cast(User, request.user), timezone.now()
        super().save_model(request, obj, form, change)
