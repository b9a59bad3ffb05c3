"""Who may spend how much."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin
from django.db.models import Model
from django.utils import timezone

from wagering.protection.admin.words import BY_PLAYER, PLAYER_HELP, Said, WordForm
from wagering.protection.limits import services as limits
from wagering.protection.limits.rules import Kind, Window
from wagering.protection.limits.selectors import Sort
from wagering.protection.models import Limit
from wagering.rest.retries import outermost


class LimitForm(WordForm):
    reason = forms.CharField(widget=forms.Textarea)

    def keep(self, said: dict[str, Any]) -> Model:
        sort = Sort(Kind(said["kind"]), Window(said["window"]), said["currency"])
        return outermost(limits.set_by_operator)(
            player=said["person"].player,
            sort=sort,
            amount=said["amount"],
            by=self.operator,
            reason=said["reason"],
            at=timezone.now(),
        )


@admin.register(Limit)
class LimitAdmin(Said):
    """The operator's limit holds at once, either way; the player's own stays, and the lower one binds."""

    form = LimitForm
    list_display = ("asked_at", "person", "kind", "window", "most", "by", "due_at", "confirmed_at", "withdrawn_at")
    list_filter = ("by", "kind", "window", "currency", ("confirmed_at", admin.EmptyFieldListFilter))
    list_select_related = ("person__player",)
    search_fields = BY_PLAYER
    search_help_text = PLAYER_HELP
    autocomplete_fields = ("person",)
    fields = ("person", "kind", "window", "currency", "amount", "reason")

    @admin.display(description="at most", ordering="amount")
    def most(self, limit: Limit) -> str:
        return "–" if limit.amount is None else f"{limit.amount} {limit.currency}"
