"""Players, rooms, and what was played at the tables, for an operator."""

from __future__ import annotations

from django.contrib import admin
from django.db.models import Count, Model, QuerySet
from django.http import HttpRequest
from django.utils.html import format_html
from django.utils.safestring import SafeString
from unfold.admin import ModelAdmin, TabularInline

from games.models import Game, Player, Record, Room, Table


class Kept:
    """Nobody deletes it here: others know it by its id, the book among them, which holds no foreign key."""

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


class Final(Kept):
    """Written once: to be read, never to be edited."""

    def has_add_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


@admin.register(Player)
class PlayerAdmin(Kept, ModelAdmin):
    list_display = ("name", "user", "id")
    list_select_related = ("user",)
    search_fields = ("name", "user__username", "id")
    autocomplete_fields = ("user",)


@admin.register(Room)
class RoomAdmin(Kept, ModelAdmin):
    list_display = ("name", "slug", "id")
    search_fields = ("name", "slug", "id")


class GameInline(Final, TabularInline):
    model = Game
    hide_title = True
    fields = ("number", "won_by", "win", "cube", "points", "how", "plays")
    readonly_fields = ("won_by", "how")

    @admin.display(description="winner")
    def won_by(self, game: Game) -> str:
        return winner_of(game)

    @admin.display(description="ending", ordering="ending")
    def how(self, game: Game) -> str:
        return game.ending.replace("_", " ")


@admin.register(Table)
class TableAdmin(Final, ModelAdmin):
    list_display = ("opened_at", "room", "zone", "player_1", "player_2", "contest", "games_played")
    list_display_links = ("opened_at",)
    list_filter = ("zone", "room", ("match_length", admin.AllValuesFieldListFilter))
    list_select_related = ("room", "player_1", "player_2")
    search_fields = ("id", "player_1__name", "player_2__name", "room__name")
    search_help_text = "a table's id, a player's or a room's name"
    date_hierarchy = "opened_at"
    fieldsets = (
        (None, {"fields": ("id", "room", "zone", "player_1", "player_2", "opened_at")}),
        ("Played", {"fields": ("contest", "cube", "crawford", "jacoby", "beavers", "automatic_doubles")}),
    )
    readonly_fields = ("id", "contest")
    inlines = (GameInline,)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Table]:
        found: QuerySet[Table] = super().get_queryset(request)
        return found.annotate(games_count=Count("games"))

    @admin.display(description="contest", ordering="match_length")
    def contest(self, table: Table) -> str:
        return f"match to {table.match_length}" if table.match_length else "single game"

    @admin.display(description="games", ordering="games_count")
    def games_played(self, table: Table) -> int:
        return int(table.games_count)  # type: ignore[attr-defined]  # annotated above


@admin.register(Game)
class GameAdmin(Final, ModelAdmin):
    list_display = ("table", "number", "won_by", "win", "cube", "points", "how", "plays")
    list_filter = ("ending", "win", "table__room")
    list_select_related = ("table__player_1", "table__player_2")
    search_fields = ("id", "table__id", "table__player_1__name", "table__player_2__name")
    search_help_text = "a game's or a table's id, a player's name"
    fields = ("id", "table", "number", "won_by", "win", "cube", "points", "how", "plays")
    readonly_fields = ("id", "won_by", "how")

    @admin.display(description="winner")
    def won_by(self, game: Game) -> str:
        return winner_of(game)

    @admin.display(description="ending", ordering="ending")
    def how(self, game: Game) -> str:
        return game.ending.replace("_", " ")


@admin.register(Record)
class RecordAdmin(Final, ModelAdmin):
    list_display = ("reported_at", "table", "sha256")
    list_select_related = ("table__player_1", "table__player_2")
    search_fields = ("table__id", "table__player_1__name", "table__player_2__name", "sha256")
    search_help_text = "a table's id, a player's name, a checksum"
    ordering = ("-reported_at",)
    date_hierarchy = "reported_at"
    fields = ("table", "reported_at", "sha256", "as_written")
    readonly_fields = ("as_written",)

    @admin.display(description="text")
    def as_written(self, record: Record) -> SafeString:
        return format_html('<pre class="overflow-x-auto text-xs">{}</pre>', record.text)


def winner_of(game: Game) -> str:
    """The name of who won it."""
    return str(game.table.seats[game.winner - 1])
