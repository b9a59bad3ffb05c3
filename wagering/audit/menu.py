"""The admin's menu and its first page: by what an operator looks for, not by the names of our apps."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final
from urllib.parse import urlencode

from django.apps import apps
from django.conf import settings
from django.contrib import admin
from django.db.models import Model
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone
from django.utils.module_loading import import_string

from wagering.rest.overview import Line

GROUPS: Final = ("Money", "Play", "Players", "Rules", "Audit")

BY_MODEL: Final = {
    "games.user": "Players",
    "games.player": "Players",
    "games.room": "Rules",
    "access.roomkey": "Rules",
    "play.playmoneyissue": "Money",
    "play.profile": "Players",
    "settlement.settlement": "Audit",
    "settlement.ruling": "Audit",
}
BY_APP: Final = {
    "ledger": "Money",
    "games.access": "Players",
    "games": "Play",
    "ratings": "Players",
    "wagering.cashier": "Money",
    "wagering.protection": "Players",
    "wagering.commission": "Rules",
    "wagering.stakes": "Play",
    "wagering.settlement": "Play",
    "wagering.play": "Play",
    "wagering.seamless": "Play",
    "wagering.tournaments": "Play",
    "wagering.notices": "Players",
    "wagering.privacy": "Players",
}
"""The group of a model: its own, or that of the app it is in; whatever is not named is in the last one."""


def group_of(model: type[Model]) -> str:
    """Where an operator looks for it."""
    if found := BY_MODEL.get(model._meta.label_lower):
        return found
    name = apps.get_app_config(model._meta.app_label).name
    while name not in BY_APP and "." in name:
        name = name.rpartition(".")[0]
    return BY_APP.get(name, GROUPS[-1])


def navigation(request: HttpRequest) -> list[dict[str, Any]]:
    """The menu of whoever asks, for Unfold."""
    items: dict[str, list[dict[str, Any]]] = {group: [] for group in GROUPS}
    for app in admin.site.get_app_list(request):
        for listed in app["models"]:
            if address := listed["admin_url"]:
                items[group_of(listed["model"])].append({"title": str(listed["name"]), "link": address})
    first = {"items": [{"title": "Overview", "link": reverse("admin:index")}]}
    named = (
        {"title": group, "items": items[group], "separator": True, "collapsible": True}
        for group in GROUPS
        if items[group]
    )
    return [first, *named]


def overview(request: HttpRequest, context: dict[str, Any]) -> dict[str, Any]:
    """The first page: what there is of each group, as far as whoever asks may see it."""
    lines = list(_lines(request))
    grouped = [(group, [told for found, told in lines if found == group]) for group in GROUPS]
    return {**context, "title": "Overview", "overview": [(group, told) for group, told in grouped if told]}


def _lines(request: HttpRequest) -> Iterator[tuple[str, dict[str, Any]]]:
    at = timezone.now()
    for path in settings.OVERVIEW:
        line: Line = import_string(path)(at=at)
        model = line.rows.model
        if admin.site._registry[model].has_view_permission(request):
            address = reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")
            query = f"?{urlencode(line.query)}" if line.query else ""
            count = line.rows.count()
            yield (
                group_of(model),
                {"text": line.text, "count": count, "address": address + query, "calls": line.calls and count},
            )
