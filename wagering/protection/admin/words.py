"""What an operator says of a player is kept by a service, whose refusals the form shows, and never edited."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.db.models import Model
from django.http import HttpRequest
from unfold.admin import ModelAdmin

from games.admin import Kept
from games.models import User
from ledger.money import InvalidAmount, UnknownCurrency
from wagering.protection.refusals import Protected
from wagering.vault.services import Erased

BY_PLAYER = ("person__player__name", "person__player__id")
PLAYER_HELP = "a player's name or id"


class Said(Kept, ModelAdmin):
    """An operator adds a word through the service that keeps it; nobody edits one."""

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def save_model(self, request: HttpRequest, obj: Model, form: Any, change: bool) -> None:
        obj.__dict__.update(form.kept.__dict__)  # kept with the checks of the form, by its service

    def get_form(self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any) -> Any:
        made = super().get_form(request, obj, change, **kwargs)
        return type("WordForm", (made,), {"operator": request.user})


class WordForm(forms.ModelForm):
    """Refuses what the service refuses, in the form."""

    operator: User
    kept: Model

    def clean(self) -> dict[str, Any]:
        said: dict[str, Any] = super().clean() or self.cleaned_data
        if not self.errors:
            try:
                self.kept = self.keep(said)
            except (ValueError, InvalidAmount, UnknownCurrency, Protected, Erased) as refusal:
                raise ValidationError(str(refusal)) from None
        return said

    def _post_clean(self) -> None:
        """The service has checked and kept it: the row of the form is only a shape."""

    def keep(self, said: dict[str, Any]) -> Model:
        raise NotImplementedError
