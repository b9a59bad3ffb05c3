"""Who plays, and who has long been away."""

from __future__ import annotations

from django.contrib import admin
from django.db.models import Model, QuerySet
from django.http import HttpRequest
from django.utils import timezone
from unfold.admin import ModelAdmin

from games.admin import Kept
from ledger.admin import ReadOnlyAdmin
from wagering.protection import dormancy
from wagering.protection.admin.words import BY_PLAYER, PLAYER_HELP
from wagering.protection.models import Absence, Person
from wagering.rest.retries import outermost


@admin.register(Person)
class PersonAdmin(Kept, ModelAdmin):
    list_display = ("player", "seen_at", "reality_check")
    search_fields = ("player__name", "player__id")
    search_help_text = PLAYER_HELP
    autocomplete_fields = ("player",)
    fields = ("player", "reality_check", "seen_at", "session_began_at")
    readonly_fields = ("reality_check", "seen_at", "session_began_at")

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


@admin.register(Absence)
class AbsenceAdmin(ReadOnlyAdmin):
    list_display = ("told_at", "person", "currency", "due_at", "amount", "unclaimed_at", "ended_at")
    list_filter = ("currency", ("unclaimed_at", admin.EmptyFieldListFilter), ("ended_at", admin.EmptyFieldListFilter))
    list_select_related = ("person__player",)
    search_fields = BY_PLAYER
    search_help_text = PLAYER_HELP
    actions = ("recover",)

    @admin.action(description="Give it back, as the player has asked", permissions=["view"])
    def recover(self, request: HttpRequest, chosen: QuerySet[Absence]) -> None:
        for absence in chosen.select_related("person__player"):
            outermost(dormancy.back)(player=absence.person.player, at=timezone.now())
        self.message_user(request, "What was set apart is in the wallets again.")
