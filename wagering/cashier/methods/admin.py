"""Payment methods, for operators: by their last digits, and to be read."""

from __future__ import annotations

from django.contrib import admin

from ledger.admin import ReadOnlyAdmin
from wagering.cashier.methods.models import Method


@admin.register(Method)
class MethodAdmin(ReadOnlyAdmin):
    list_display = ("added_at", "player", "provider", "brand", "last4", "can_receive", "used_at", "blocked_at")
    list_filter = ("provider", "can_receive", ("blocked_at", admin.EmptyFieldListFilter))
    list_select_related = ("player",)
    search_fields = ("id", "token", "last4", "player__name", "player__id")
    search_help_text = "an id or a token, last digits, a player's name or id"
    fields = (
        *("player", "provider", "token", "brand", "last4", "can_receive"),
        *("added_at", "used_at", "blocked_at"),
    )
