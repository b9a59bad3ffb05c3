"""Settlements in the operator's admin, each with the whole sheet of its contest: to be read, never to be edited.

They are shown from here, and not from the settlement's own app, because a sheet reads from every part below it.
"""

from __future__ import annotations

from django.contrib import admin
from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from ledger.admin import ReadOnlyAdmin
from ledger.book import Posted
from ledger.vouchers import Line
from ratings.rules import shown
from wagering.audit.trace import Seat, Sheet, heading, outcome_told, played, trace
from wagering.settlement.models import Settlement


@admin.register(Settlement)
class SettlementAdmin(ReadOnlyAdmin):
    list_display = ("settled_at", "table", "room", "outcome", "lost", "commission", "currency")
    list_filter = ("ending", "stake__currency", "stake__table__room", "stake__tariff")
    list_select_related = ("stake__table__room", "stake__table__player_1", "stake__table__player_2")
    search_fields = ("id", "key", "stake__table__id", "stake__table__player_1__name", "stake__table__player_2__name")
    search_help_text = "the id of a settlement or a table, a key of the book, a player's name"
    date_hierarchy = "settled_at"
    fields = ("sheet",)
    readonly_fields = ("sheet",)

    @admin.display(description="table")
    def table(self, settlement: Settlement) -> str:
        return str(settlement.stake.table)

    @admin.display(description="room", ordering="stake__table__room__name")
    def room(self, settlement: Settlement) -> str:
        return str(settlement.stake.table.room)

    @admin.display(description="outcome")
    def outcome(self, settlement: Settlement) -> str:
        return outcome_told(settlement, settlement.stake.table.seats)

    @admin.display(description="currency", ordering="stake__currency")
    def currency(self, settlement: Settlement) -> str:
        return settlement.stake.currency

    @admin.display(description="sheet")
    def sheet(self, settlement: Settlement) -> SafeString:
        found = trace(settlement.stake.table)
        return render_to_string(
            "audit/sheet.html",
            {
                "sheet": found,
                "heading": heading(found),
                "played": played(found),
                "seats": [(seat, _ratings(seat)) for seat in found.seats],
                "journals": [(posted, _lines(found, posted)) for posted in found.posted],
            },
        )


def _lines(sheet: Sheet, posted: Posted) -> list[tuple[Line, str]]:
    """The lines of a journal, debits first, each with the name of whose account it is."""
    names = {sheet.table.room_id: str(sheet.table.room), **{player.pk: player.name for player in sheet.table.seats}}
    lines = sorted(posted.lines, key=lambda line: line.side, reverse=True)
    return [(line, names.get(line.account.owner, str(line.account.owner))) for line in lines]


def _ratings(seat: Seat) -> str:
    if seat.rating_before is None or seat.rating_after is None:
        return "not rated"
    return f"{shown(seat.rating_before)} → {shown(seat.rating_after)}"
