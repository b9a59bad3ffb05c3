"""Players, rooms, and what was played at the tables, for an operator.

Players and tables are registered further up, by who knows what else there is to be said of them (wagering/play/admin).
"""

from __future__ import annotations

from typing import Any, Protocol

from django.contrib import admin
from django.db.models import Count, Model, QuerySet
from django.http import HttpRequest
from django.utils.html import format_html
from django.utils.safestring import SafeString
from unfold.admin import ModelAdmin, TabularInline

from games.models import Game, Record, Room, Table


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


class TableAdmin(Final, ModelAdmin):
    list_display: tuple[str, ...] = ("opened_at", "room", "player_1", "player_2", "contest", "games_played")
    list_display_links = ("opened_at",)
    list_filter: tuple[Any, ...] = ("zone", "room", ("match_length", admin.AllValuesFieldListFilter))
    list_select_related: tuple[str, ...] = ("room", "player_1", "player_2")
    search_fields = ("id", "player_1__name", "player_2__name", "room__name")
    search_help_text = "a table's id, a player's or a room's name"
    date_hierarchy = "opened_at"
    fieldsets: tuple[Any, ...] = (
        (None, {"fields": ("id", "room", "zone", "player_1", "player_2", "opened_at", "contest", "options")}),
    )
    readonly_fields: tuple[str, ...] = ("id", "contest", "options")
    inlines = (GameInline,)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Table]:
        found: QuerySet[Table] = super().get_queryset(request)
        return found.annotate(games_count=Count("games"))

    @admin.display(description="contest", ordering="match_length")
    def contest(self, table: Table) -> str:
        return contest_of(table)

    @admin.display(description="options")
    def options(self, table: Table) -> str:
        return options_of(table)

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


class Contest(Protocol):
    """What two agree to play: a table, or what is only proposed."""

    match_length: int
    cube: bool
    crawford: bool
    jacoby: bool
    beavers: bool
    automatic_doubles: int


def contest_of(row: Contest) -> str:
    return f"match to {row.match_length}" if row.match_length else "single game"


def options_of(row: Contest) -> str:
    """Those that were agreed and can matter: there is no Crawford game in a single one."""
    options = {
        "no cube": not row.cube,
        "Crawford": bool(row.match_length) and row.crawford and row.cube,
        "Jacoby": row.jacoby,
        "beavers": row.beavers,
        f"{row.automatic_doubles} automatic doubles": row.automatic_doubles,
    }
    return ", ".join(name for name, agreed in options.items() if agreed) or "–"


def winner_of(game: Game) -> str:
    """The name of who won it."""
    return str(game.table.seats[game.winner - 1])
