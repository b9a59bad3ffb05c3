"""Logins, keys of rooms' servers and players' tokens, for an operator: to be seen, and ended."""

from __future__ import annotations

from typing import Any

from django.contrib import admin, messages
from django.contrib.auth.admin import UserAdmin as DjangoUserAdmin
from django.db import transaction
from django.db.models import Model, QuerySet
from django.http import HttpRequest
from django.utils import timezone
from unfold.admin import ModelAdmin
from unfold.forms import AdminPasswordChangeForm, UserChangeForm, UserCreationForm

from games.access import room_keys, services
from games.access.models import PlayerToken, RoomKey
from games.admin import Final, Kept
from games.models import User

POWERS = ("is_staff", "is_superuser", "groups", "user_permissions")
"""What makes an operator of somebody."""


class PasswordForm(AdminPasswordChangeForm):
    """Whoever came in by the old password is out."""

    def save(self, commit: bool = True) -> User:
        with transaction.atomic():
            user: User = super().save(commit)
            services.revoke_all(user=user, at=timezone.now())
        return user


def _is_superuser(request: HttpRequest) -> bool:
    return bool(request.user.is_superuser)


def _is_operator(obj: Model | None) -> bool:
    return isinstance(obj, User) and (obj.is_staff or obj.is_superuser)


@admin.register(User)
class UserAdmin(Kept, DjangoUserAdmin, ModelAdmin):
    """A login that is shut, or becomes an operator's, puts the player's clients out for good.

    It is shut by taking away "active": who is deleted would be missing where others know them by their id. Who is an
    operator, what one may do, and an operator's password are said by superusers alone.
    """

    form = UserChangeForm
    add_form = UserCreationForm
    change_password_form = PasswordForm

    def get_fieldsets(self, request: HttpRequest, obj: Model | None = None) -> Any:
        """Permissions are operators': of a player's there are none to edit."""
        found = super().get_fieldsets(request, obj)
        if not isinstance(obj, User) or obj.is_staff:
            return found
        hidden = set(POWERS) - {"is_staff"}
        return [
            (title, {**said, "fields": tuple(name for name in said["fields"] if name not in hidden)})
            for title, said in found
        ]

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Also asked before a password is set."""
        may: bool = super().has_change_permission(request, obj)
        return may and (_is_superuser(request) or not _is_operator(obj))

    def get_readonly_fields(self, request: HttpRequest, obj: Model | None = None) -> Any:
        found = super().get_readonly_fields(request, obj)
        return found if _is_superuser(request) else (*found, *POWERS)

    def save_model(self, request: HttpRequest, obj: Model, form: Any, change: bool) -> None:
        assert isinstance(obj, User)
        super().save_model(request, obj, form, change)
        if not obj.may_play:
            services.revoke_all(user=obj, at=timezone.now())


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
