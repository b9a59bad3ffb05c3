"""Erasing a person, for operators: asked for with a reason, refused while anything is theirs, and never undone."""

from __future__ import annotations

from typing import Any, cast

from django.contrib import admin
from django.core.exceptions import ValidationError
from django.db.models import Model
from django.forms import ModelForm
from django.http import HttpRequest
from django.utils import timezone
from unfold.admin import ModelAdmin

from games.models import Player, User
from wagering.privacy.erasure import erase
from wagering.privacy.models import Erasure
from wagering.privacy.refusals import NotErased


@admin.register(Erasure)
class ErasureAdmin(ModelAdmin):
    list_display = ("at", "player", "forced", "by", "reason")
    list_filter = ("forced",)
    list_select_related = ("player", "by")
    search_fields = ("player__id",)
    search_help_text = "a player's id"
    fields = ("player", "reason", "forced")
    autocomplete_fields = ("player",)

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def get_fields(self, request: HttpRequest, obj: Model | None = None) -> tuple[str, ...]:
        return self.fields if obj is None else (*self.fields, "by", "at")

    def get_form(self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any) -> Any:
        made = super().get_form(request, obj, change, **kwargs)
        return made if change else type("ErasureForm", (_Wish, made), {"asked_by": request.user})

    def save_model(self, request: HttpRequest, obj: Model, form: Any, change: bool) -> None:
        """The form has done it."""


class _Wish(ModelForm):
    """Erases, in the transaction that the admin has open: what is refused is told at the form."""

    asked_by: User

    def clean(self) -> dict[str, Any]:
        said: dict[str, Any] = super().clean() or self.cleaned_data
        if said.get("player") is None or self.errors:
            return said
        try:
            self.instance = erase(
                player=cast(Player, said["player"]),
                by=self.asked_by,
                reason=str(said.get("reason", "")),
                forced=bool(said.get("forced")),
                at=timezone.now(),
            )
        except NotErased as refusal:
            raise ValidationError(str(refusal)) from None
        return said
