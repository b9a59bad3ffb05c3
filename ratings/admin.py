"""Ratings and their history in the operator's admin: to be read, never to be edited."""

from __future__ import annotations

from django.contrib import admin
from unfold.admin import ModelAdmin

from games.admin import Final
from ratings.models import Rating, RatingChange
from ratings.rules import shown


@admin.register(Rating)
class RatingAdmin(Final, ModelAdmin):
    list_display = ("player", "zone", "rating_shown", "experience")
    list_filter = ("zone",)
    list_select_related = ("player",)
    search_fields = ("player__name", "player__id")
    search_help_text = "a player's name or id"
    ordering = ("-rating",)
    fields = ("player", "zone", "rating_shown", "experience")
    readonly_fields = ("rating_shown",)

    @admin.display(description="rating", ordering="rating")
    def rating_shown(self, rating: Rating) -> str:
        return shown(rating.rating)


@admin.register(RatingChange)
class RatingChangeAdmin(Final, ModelAdmin):
    list_display = ("at", "player", "zone", "won", "length", "before", "after", "experience_after")
    list_filter = ("zone", "won", "length")
    list_select_related = ("player",)
    search_fields = ("player__name", "player__id", "contest")
    search_help_text = "a player's name or id, a contest's id"
    ordering = ("-at", "-id")
    date_hierarchy = "at"
    fields = (
        *("at", "player", "zone", "contest", "won", "length", "before", "after"),
        *("experience_before", "experience_after"),
    )
    readonly_fields = ("before", "after")

    @admin.display(description="before", ordering="rating_before")
    def before(self, change: RatingChange) -> str:
        return shown(change.rating_before)

    @admin.display(description="after", ordering="rating_after")
    def after(self, change: RatingChange) -> str:
        return shown(change.rating_after)
