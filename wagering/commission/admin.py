"""Tariffs in the operator's admin: published versions to read, and which of them each room charges by."""

from __future__ import annotations

from django import forms
from django.contrib import admin
from django.core.exceptions import ValidationError
from django.db.models import Model
from django.http import HttpRequest
from django.utils import timezone
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from unfold.admin import ModelAdmin
from unfold.widgets import UnfoldAdminSelectWidget

from ledger.admin import ReadOnlyAdmin
from wagering.commission import selectors
from wagering.commission.cliffs import cliffs
from wagering.commission.models import RoomTariff, TariffVersion
from wagering.commission.schedule import UnknownTariff


@admin.register(TariffVersion)
class TariffVersionAdmin(ReadOnlyAdmin):
    list_display = ("name", "version", "valid_from", "published_at")
    list_filter = ("name",)
    search_fields = ("name",)
    ordering = ("name", "-version")
    fields = ("name", "version", "valid_from", "published_at", "sha256", "as_published", "its_cliffs")
    readonly_fields = ("as_published", "its_cliffs")

    @admin.display(description="text")
    def as_published(self, version: TariffVersion) -> SafeString:
        return format_html('<pre class="overflow-x-auto text-xs">{}</pre>', version.text)

    @admin.display(description="cliffs")
    def its_cliffs(self, version: TariffVersion) -> SafeString:
        """C-3: where one minor unit more costs less."""
        found = cliffs(selectors.tariff_of(version))
        return format_html_join("", '<div class="text-xs">{}</div>', ((str(cliff),) for cliff in found))


def published() -> list[tuple[str, str]]:
    """The tariffs a room can charge by."""
    names = TariffVersion.objects.order_by("name").values_list("name", flat=True).distinct()
    return [(name, name) for name in names]


class RoomTariffForm(forms.ModelForm):
    """A choice of what is published and in force, rather than a name to type."""

    tariff = forms.ChoiceField(choices=published, widget=UnfoldAdminSelectWidget)

    def clean_tariff(self) -> str:
        name = str(self.cleaned_data["tariff"])
        try:
            selectors.tariff_at(name=name, at=timezone.now())
        except UnknownTariff as unknown:
            raise ValidationError(str(unknown)) from unknown
        return name


@admin.register(RoomTariff)
class RoomTariffAdmin(ModelAdmin):
    """New tables are made by the room's choice; those that exist keep the version they were made with."""

    form = RoomTariffForm
    list_display = ("room", "tariff", "in_force")
    list_filter = ("tariff",)
    list_select_related = ("room",)
    search_fields = ("room__name", "tariff")
    autocomplete_fields = ("room",)
    fields = ("room", "tariff", "in_force")

    def get_readonly_fields(self, request: HttpRequest, obj: Model | None = None) -> tuple[str, ...]:
        return ("room", "in_force") if obj else ("in_force",)

    @admin.display(description="version in force")
    def in_force(self, chosen: RoomTariff) -> str:
        if not chosen.tariff:
            return "–"
        try:
            return str(selectors.tariff_at(name=chosen.tariff, at=timezone.now()))
        except UnknownTariff:
            return "none: the room makes no tables"
