"""Who is who: what a player told, and an operator's word on it."""

from __future__ import annotations

from typing import Any, cast

from django import forms
from django.contrib import admin
from django.core.exceptions import ValidationError
from django.db.models import Model
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString

from ledger.admin import ReadOnlyAdmin
from wagering.protection.admin.words import BY_PLAYER, PLAYER_HELP, Said, WordForm
from wagering.protection.identity import selectors as identities
from wagering.protection.identity import services as identity
from wagering.protection.models import Identity, Review
from wagering.rest.retries import outermost
from wagering.vault.services import Erased


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


def _opened(told: Identity, field: str) -> str:
    try:
        return identities.opened(told, player=told.person.player)[field]
    except Erased:
        return "erased"
