"""Whose money waits for its source, and whose sums count together."""

from __future__ import annotations

from typing import Any, cast

from django import forms
from django.contrib import admin
from django.db.models import Model, QuerySet
from django.http import HttpRequest
from django.utils import timezone

from wagering.protection import aml
from wagering.protection.admin.words import BY_PLAYER, PLAYER_HELP, Said, WordForm
from wagering.protection.models import FundsLock, Link


class LinkForm(WordForm):
    none_reason = forms.CharField(
        widget=forms.Textarea, help_text="why they are not one; their sums count apart from now on"
    )

    def keep(self, said: dict[str, Any]) -> Model:
        return aml.unlink(link=self.instance, by=self.operator, reason=said["none_reason"], at=timezone.now())


@admin.register(Link)
class LinkAdmin(Said):
    """Players who may be one person. Their sums count together until an operator says why they are not."""

    form = LinkForm
    list_display = ("found_at", "one", "other", "why", "looked_at", "none_at", "none_by")
    list_filter = (("looked_at", admin.EmptyFieldListFilter), ("none_at", admin.EmptyFieldListFilter))
    list_select_related = ("one__player", "other__player")
    fields = ("one", "other", "why", "found_at", "looked_at", "none_reason")
    readonly_fields = ("one", "other", "why", "found_at", "looked_at")
    actions = ("looked",)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        may: bool = super(Said, self).has_change_permission(request, obj)
        return may and (obj is None or cast(Link, obj).none_at is None)

    @admin.action(description="Say that these were looked at", permissions=["view"])
    def looked(self, request: HttpRequest, chosen: QuerySet[Link]) -> None:
        self.message_user(request, f"{chosen.filter(looked_at=None).update(looked_at=timezone.now())} looked at.")


class FundsLockForm(WordForm):
    def keep(self, said: dict[str, Any]) -> Model:
        if self.instance.lifted_at is None and not self.instance._state.adding:
            return aml.lift(lock=self.instance, by=self.operator, reason=said["lifted_reason"], at=timezone.now())
        return aml.lock(player=said["person"].player, by=self.operator, reason=said["reason"], at=timezone.now())


@admin.register(FundsLock)
class FundsLockAdmin(Said):
    """Add one to ask where the money comes from; say in it why it is lifted."""

    form = FundsLockForm
    list_display = ("set_at", "person", "reason", "operator", "lifted_at", "lifted_by")
    list_filter = (("lifted_at", admin.EmptyFieldListFilter),)
    list_select_related = ("person__player",)
    search_fields = BY_PLAYER
    search_help_text = PLAYER_HELP
    autocomplete_fields = ("person",)

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        may: bool = super(Said, self).has_change_permission(request, obj)
        return may and (obj is None or cast(FundsLock, obj).lifted_at is None)

    def get_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        return ("person", "reason") if obj is None else ("person", "reason", "set_at", "lifted_reason")

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        return () if obj is None else ("person", "reason", "set_at")

    def get_form(self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any) -> Any:
        made = super().get_form(request, obj, change, **kwargs)
        if change and "lifted_reason" in made.base_fields:
            made.base_fields["lifted_reason"].required = True
        return made
