"""Logins, players and rooms, for an operator."""

from __future__ import annotations

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin as DjangoUserAdmin
from unfold.admin import ModelAdmin
from unfold.forms import AdminPasswordChangeForm, UserChangeForm, UserCreationForm

from games.models import Player, Room, User


@admin.register(User)
class UserAdmin(DjangoUserAdmin, ModelAdmin):
    form = UserChangeForm
    add_form = UserCreationForm
    change_password_form = AdminPasswordChangeForm


@admin.register(Player)
class PlayerAdmin(ModelAdmin):
    list_display = ("name", "user", "id")
    search_fields = ("name", "user__username")
    autocomplete_fields = ("user",)


@admin.register(Room)
class RoomAdmin(ModelAdmin):
    list_display = ("name", "slug", "id")
    search_fields = ("name", "slug")
