"""Protection, for operators: who is who, who is out, who may spend how much, whose money waits for its source.

What was said is never edited. An exclusion is lifted by nobody before its term; after it, by the player's own request.
"""

from __future__ import annotations

from typing import Any, cast

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import ValidationError
from django.db.models import Model, QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString
from unfold.admin import ModelAdmin

from games.admin import Kept
from games.models import User
from ledger.admin import ReadOnlyAdmin
from ledger.money import InvalidAmount, UnknownCurrency
from wagering.protection import aml, dormancy
from wagering.protection.exclusion import services as exclusion
from wagering.protection.identity import selectors as identities
from wagering.protection.identity import services as identity
from wagering.protection.limits import services as limits
from wagering.protection.limits.rules import Kind, Window
from wagering.protection.limits.selectors import Sort
from wagering.protection.models import (
    Absence,
    Exclusion,
    FundsLock,
    Identity,
    Limit,
    Link,
    Person,
    RegisterEntry,
    Review,
)
from wagering.protection.refusals import Protected
from wagering.rest.retries import outermost
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


class LimitForm(WordForm):
    reason = forms.CharField(widget=forms.Textarea)

    def keep(self, said: dict[str, Any]) -> Model:
        sort = Sort(Kind(said["kind"]), Window(said["window"]), said["currency"])
        return outermost(limits.set_by_operator)(
            player=said["person"].player,
            sort=sort,
            amount=said["amount"],
            by=self.operator,
            reason=said["reason"],
            at=timezone.now(),
        )


@admin.register(Limit)
class LimitAdmin(Said):
    """The operator's limit holds at once, either way; the player's own stays, and the lower one binds."""

    form = LimitForm
    list_display = ("asked_at", "person", "kind", "window", "most", "by", "due_at", "confirmed_at", "withdrawn_at")
    list_filter = ("by", "kind", "window", "currency", ("confirmed_at", admin.EmptyFieldListFilter))
    list_select_related = ("person__player",)
    search_fields = BY_PLAYER
    search_help_text = PLAYER_HELP
    autocomplete_fields = ("person",)
    fields = ("person", "kind", "window", "currency", "amount", "reason")

    @admin.display(description="at most", ordering="amount")
    def most(self, limit: Limit) -> str:
        return "–" if limit.amount is None else f"{limit.amount} {limit.currency}"


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


@admin.register(Identity)
class IdentityAdmin(ReadOnlyAdmin):
    """What a player told. An operator's word on it is a review, added from here."""

    ordering = ("-told_at",)

    list_display = ("told_at", "person", "state", "country", "judged_at", "word")
    list_filter = ("state", "country")
    list_select_related = ("person__player",)
    search_fields = BY_PLAYER
    search_help_text = PLAYER_HELP
    fields = (
        *("person", "state", "name_told", "birth_date_told", "address_told", "country", "told_at", "judged_at", "word"),
    )
    readonly_fields = ("name_told", "birth_date_told", "address_told", "word")

    @admin.display(description="review")
    def word(self, told: Identity) -> SafeString | str:
        if told.state != Identity.State.PENDING:
            return "–"
        return format_html('<a href="{}?identity={}">Judge</a>', reverse("admin:protection_review_add"), told.pk)

    @admin.display(description="name")
    def name_told(self, told: Identity) -> str:
        return _opened(told, "name")

    @admin.display(description="date of birth")
    def birth_date_told(self, told: Identity) -> str:
        return _opened(told, "birth_date")

    @admin.display(description="address")
    def address_told(self, told: Identity) -> str:
        return _opened(told, "address")


class ReviewForm(WordForm):
    verified = forms.BooleanField(required=False, help_text="the documents show that it is so; else it is rejected")
    documents = forms.CharField(
        required=False, max_length=200, help_text="where the documents are kept that were seen; needed to verify"
    )

    def keep(self, said: dict[str, Any]) -> Model:
        if said["verified"] and not said["documents"].strip():
            raise ValidationError({"documents": "documents: say where the documents are that were seen"})
        outermost(identity.judge)(
            identity=said["identity"],
            verified=said["verified"],
            reason=said["reason"],
            documents=said["documents"],
            by=self.operator,
            at=timezone.now(),
        )
        return cast(Model, Review.objects.filter(identity=said["identity"]).first())


@admin.register(Review)
class ReviewAdmin(Said):
    form = ReviewForm
    list_display = ("at", "identity", "verified", "operator", "reason")
    list_filter = ("verified",)
    search_fields = ("identity__person__player__name", "identity__person__player__id")
    search_help_text = PLAYER_HELP
    autocomplete_fields = ("identity",)
    fields = ("identity", "verified", "reason", "documents")


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


def _opened(told: Identity, field: str) -> str:
    try:
        return identities.opened(told, player=told.person.player)[field]
    except Erased:
        return "erased"
