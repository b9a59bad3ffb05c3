"""What is on the table, in the operator's admin: to be read, never to be edited."""

from __future__ import annotations

from django.contrib import admin

from ledger.admin import ReadOnlyAdmin
from wagering.stakes.models import Stake
from wagering.stakes.rules import exposure


@admin.register(Stake)
class StakeAdmin(ReadOnlyAdmin):
    list_display = ("sat_down_at", "table", "room", "stake_told", "cap_told", "held", "currency", "tariff", "state")
    list_filter = ("state", "currency", "table__room", "tariff")
    list_select_related = ("table__room", "table__player_1", "table__player_2", "tariff")
    search_fields = ("id", "table__id", "table__player_1__name", "table__player_2__name", "hold_1", "hold_2")
    search_help_text = "the id of a stake, a table or a hold, a player's name"
    date_hierarchy = "sat_down_at"
    fieldsets = (
        (None, {"fields": ("id", "table", "state", "sat_down_at")}),
        ("Terms", {"fields": ("currency", "stake_told", "cap_told", "held", "tariff", "abandonment", "penalty")}),
        ("Side 1 at sit-down", {"fields": ("rating_1", "experience_1", "hold_1")}),
        ("Side 2 at sit-down", {"fields": ("rating_2", "experience_2", "hold_2")}),
    )
    readonly_fields = ("id", "stake_told", "cap_told", "held")

    @admin.display(description="room", ordering="table__room__name")
    def room(self, stake: Stake) -> str:
        return str(stake.table.room)

    # As text, since Django writes every number of a column with the same digits.

    @admin.display(description="stake", ordering="stake")
    def stake_told(self, stake: Stake) -> str:
        return str(stake.stake)

    @admin.display(description="cap", ordering="cap")
    def cap_told(self, stake: Stake) -> str:
        return str(stake.cap) if stake.cap is not None else "–"

    @admin.display(description="held a seat")
    def held(self, stake: Stake) -> str:
        return str(exposure(stake.terms))
