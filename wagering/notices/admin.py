"""Notices and their endpoints, for operators: what was told, where it goes, and sending it again."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import ValidationError
from django.db.models import Model, QuerySet
from django.forms import ModelForm
from django.http import HttpRequest
from django.utils import timezone
from unfold.admin import ModelAdmin
from unfold.widgets import UnfoldAdminCheckboxSelectMultipleWidget

from ledger.admin import ReadOnlyAdmin
from wagering.notices import endpoints, outgoing, signing
from wagering.notices.kinds import KINDS
from wagering.notices.models import Delivery, Endpoint, Notice


@admin.register(Notice)
class NoticeAdmin(ReadOnlyAdmin):
    list_display = ("at", "kind", "player", "data", "read_at")
    list_filter = ("kind", ("player", admin.EmptyFieldListFilter))
    list_select_related = ("player",)
    search_fields = ("id", "player__id", "player__name")
    search_help_text = "the id of a notice, a player's name or id"
    date_hierarchy = "at"
    actions = ("replay",)

    def has_replay_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("notices.change_delivery")

    @admin.action(description="Send again to every endpoint that wants it", permissions=["replay"])
    def replay(self, request: HttpRequest, chosen: QuerySet[Notice]) -> None:
        number = outgoing.replay(notices=chosen, at=timezone.now())
        self.message_user(request, f"{number} deliveries are due.")


@admin.register(Delivery)
class DeliveryAdmin(ReadOnlyAdmin):
    list_display = ("due_at", "endpoint", "notice", "state", "attempts", "status", "delivered_at")
    list_filter = ("state", "endpoint")
    list_select_related = ("endpoint", "notice")
    search_fields = ("id", "notice__id")
    search_help_text = "the id of a delivery or a notice"


class _EndpointForm(ModelForm):
    kinds = forms.MultipleChoiceField(
        choices=[(name, f"{name}: {kind.text}") for name, kind in KINDS.items()],
        required=False,
        widget=UnfoldAdminCheckboxSelectMultipleWidget,
        help_text="none for all",
    )

    def clean(self) -> dict[str, Any]:
        said: dict[str, Any] = super().clean() or self.cleaned_data
        if "url" in said:
            try:
                endpoints.check(url=said["url"], kinds=said.get("kinds", ()))
            except endpoints.EndpointRefused as refusal:
                raise ValidationError(str(refusal)) from None
        return said


@admin.register(Endpoint)
class EndpointAdmin(ModelAdmin):
    """Made once with its address, which stays; its secret is shown when it is made or changed."""

    form = _EndpointForm
    list_display = ("name", "url", "kinds", "failing_since", "quiet_until", "disabled_at", "disabled_because")
    list_filter = (("disabled_at", admin.EmptyFieldListFilter), ("failing_since", admin.EmptyFieldListFilter))
    search_fields = ("id", "name", "url")
    fields = ("name", "url", "kinds")
    readonly_fields = ("made_at", "rotated_at", "failures", "failing_since", "quiet_until", "disabled_at")
    actions = ("rotate", "disable", "enable")

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def get_fields(self, request: HttpRequest, obj: Model | None = None) -> tuple[str, ...]:
        return self.fields if obj is None else (*self.fields, *self.readonly_fields, "disabled_because")

    def get_readonly_fields(self, request: HttpRequest, obj: Model | None = None) -> tuple[str, ...]:
        return () if obj is None else ("url", *self.readonly_fields, "disabled_because")

    def save_model(self, request: HttpRequest, obj: Model, form: Any, change: bool) -> None:
        assert isinstance(obj, Endpoint)
        if not change:
            obj.made_at = timezone.now()
        super().save_model(request, obj, form, change)
        if not change:
            self._show_secret(request, obj)

    @admin.action(description="Give it another secret", permissions=["change"])
    def rotate(self, request: HttpRequest, chosen: QuerySet[Endpoint]) -> None:
        for each in chosen:
            self._show_secret(request, endpoints.rotate(endpoint=each.pk, at=timezone.now()))
            self.log_change(request, each, "given another secret")

    @admin.action(description="Send nothing there", permissions=["change"])
    def disable(self, request: HttpRequest, chosen: QuerySet[Endpoint]) -> None:
        for each in chosen:
            endpoints.disable(endpoint=each.pk, because="an operator switched it off", at=timezone.now())
            self.log_change(request, each, "switched off")

    @admin.action(description="Send there again", permissions=["change"])
    def enable(self, request: HttpRequest, chosen: QuerySet[Endpoint]) -> None:
        for each in chosen:
            endpoints.enable(endpoint=each.pk)
            self.log_change(request, each, "switched on")

    def _show_secret(self, request: HttpRequest, endpoint: Endpoint) -> None:
        self.message_user(
            request, f"{endpoint}: its secret, shown this once: {signing.secret_of(endpoint)}", messages.WARNING
        )
