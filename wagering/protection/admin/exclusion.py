"""Who is out. An exclusion is lifted by nobody before its term; after it, by the player's own request."""

from __future__ import annotations

from typing import Any, cast

from django import forms
from django.contrib import admin, messages
from django.db.models import Model, QuerySet
from django.http import HttpRequest
from django.utils import timezone

from games.models import User
from ledger.admin import ReadOnlyAdmin
from wagering.protection.admin.words import BY_PLAYER, PLAYER_HELP, Said, WordForm
from wagering.protection.exclusion import services as exclusion
from wagering.protection.models import Exclusion, RegisterEntry
from wagering.rest.retries import outermost


class ExclusionForm(WordForm):
    hours = forms.IntegerField(required=False, help_text="of a time-out")
    months = forms.IntegerField(required=False, help_text="of an exclusion; empty for good")
    reason = forms.CharField(widget=forms.Textarea)

    def keep(self, said: dict[str, Any]) -> Model:
        if not self.instance._state.adding:
            return outermost(exclusion.disown)(
                exclusion=self.instance, by=self.operator, reason=said["disowned_reason"], at=timezone.now()
            )
        word: dict[str, Any] = {
            "player": said["person"].player,
            "operator": self.operator,
            "reason": said["reason"],
            "at": timezone.now(),
        }
        if said["kind"] == Exclusion.Kind.TIME_OUT:
            return outermost(exclusion.take_time_out)(hours=said["hours"] or 0, **word)
        return outermost(exclusion.exclude)(months=said["months"], **word)


@admin.register(Exclusion)
class ExclusionAdmin(Said):
    """One that was taken over from another's account is released by two: one says why in it, another by the action."""

    form = ExclusionForm
    list_display = ("begins_at", "person", "kind", "by", "source", "ends_at", "lifts_at", "disowned_at", "released_at")
    list_filter = (
        *("kind", "by", "source"),
        ("disowned_at", admin.EmptyFieldListFilter),
        ("released_at", admin.EmptyFieldListFilter),
    )
    actions = ("release",)
    list_select_related = ("person__player",)
    search_fields = BY_PLAYER
    search_help_text = PLAYER_HELP
    autocomplete_fields = ("person",)
    fields = ("person", "kind", "hours", "months", "reason")

    @admin.action(description="Release it: it is another person's, as was said", permissions=["add"])
    def release(self, request: HttpRequest, chosen: QuerySet[Exclusion]) -> None:
        for out in chosen.select_related("person__player"):
            try:
                outermost(exclusion.release)(exclusion=out, by=cast(User, request.user), at=timezone.now())
            except exclusion.NotAnothers as refusal:
                self.message_user(request, f"{out}: {refusal}", messages.ERROR)
            else:
                self.message_user(request, f"{out}: released.")

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        may: bool = super(Said, self).has_change_permission(request, obj)
        if not isinstance(obj, Exclusion):
            return may
        return may and obj.disowned_at is None and exclusion.may_be_anothers(obj)

    def get_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        shown = ("person", "kind", "by", "source", "operator", "reason", "begins_at", "ends_at", "lift_asked_at")
        said = ("lifts_at", "disowned_reason", "disowned_by", "disowned_at", "released_by", "released_at")
        return self.fields if obj is None else (*shown, *said)

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        return () if obj is None else tuple(each for each in self.get_fields(request, obj) if each != "disowned_reason")

    def get_form(self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any) -> Any:
        made = super().get_form(request, obj, change, **kwargs)
        if change:
            for name in ("hours", "months", "reason"):
                made.base_fields.pop(name, None)
            if "disowned_reason" in made.base_fields:
                made.base_fields["disowned_reason"].required = True
        return made


@admin.register(RegisterEntry)
class RegisterEntryAdmin(ReadOnlyAdmin):
    list_display = ("source", "digest", "until", "imported_at", "removed_at")
    list_filter = ("source", ("removed_at", admin.EmptyFieldListFilter))
