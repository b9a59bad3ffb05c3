"""Players in the operator's admin; what they say of themselves can be emptied."""

from __future__ import annotations

from django.contrib import admin
from django.db.models import Model, QuerySet
from django.http import HttpRequest
from django.utils import timezone

from games.admin import PlayerAdmin as Base
from games.models import Player
from ledger.admin import ReadOnlyAdmin
from wagering.play.machine.players import is_machine
from wagering.play.models import Profile
from wagering.play.people import services as people
from wagering.rest.retries import outermost


@admin.register(Player)
class PlayerAdmin(Base):
    """The machine is a player too, whom nobody logs in as and nobody renames (B-17)."""

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        if isinstance(obj, Player) and is_machine(obj.pk):
            return False
        return bool(super().has_change_permission(request, obj))


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
