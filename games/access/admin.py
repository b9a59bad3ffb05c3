"""Keys of rooms' servers and players' tokens, for an operator: to be seen, and ended."""

from __future__ import annotations

from django.contrib import admin, messages
from django.db.models import Model, QuerySet
from django.http import HttpRequest
from django.utils import timezone
from unfold.admin import ModelAdmin

from games.access import room_keys
from games.access.models import PlayerToken, RoomKey
from games.admin import Final


@admin.register(RoomKey)
class RoomKeyAdmin(Final, ModelAdmin):
    """A key is made by ``manage.py room_key``, where its secret can be shown to whoever needs it and to nobody else."""

    list_display = ("id", "room", "may", "state", "not_before", "expires_at", "used_at")
    list_filter = ("room",)
    list_select_related = ("room",)
    search_fields = ("id", "room__slug", "room__name")
    fields = ("id", "room", "may", "state", "created_at", "not_before", "expires_at", "revoked_at", "used_at")
    readonly_fields = fields
    actions = ("revoke",)

    @admin.display(description="scopes")
    def may(self, key: RoomKey) -> str:
        return ", ".join(key.scopes)

    @admin.display(description="state")
    def state(self, key: RoomKey) -> str:
        now = timezone.now()
        if key.revoked_at is not None:
            return "revoked"
        if key.is_in_force(at=now):
            return "in force"
        return "expired" if now >= key.expires_at else "not yet in force"

    @admin.action(description="Revoke: it signs nothing from now on", permissions=["revoke"])
    def revoke(self, request: HttpRequest, keys: QuerySet[RoomKey]) -> None:
        for key in keys:
            room_keys.revoke(key=key, at=timezone.now())
            self.log_change(request, key, "revoked")
        self.message_user(request, f"{len(keys)} revoked", messages.SUCCESS)

    def has_revoke_permission(self, request: HttpRequest) -> bool:
        """That of changing a key, which is all that can be changed of one."""
        return request.user.has_perm("access.change_roomkey")


@admin.register(PlayerToken)
class PlayerTokenAdmin(Final, ModelAdmin):
    """Deleting one puts that client out."""

    list_display = ("label", "user", "created", "expiry")
    list_select_related = ("user",)
    search_fields = ("id", "user__username")
    date_hierarchy = "created"
    fields = ("id", "user", "label", "created", "expiry")
    readonly_fields = fields

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return bool(request.user.has_perm("access.delete_playertoken"))
