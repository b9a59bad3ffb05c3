"""What is on the table, in the operator's admin: to be read, never to be edited."""

from __future__ import annotations

from django.contrib import admin
from django.utils.safestring import SafeString

from games.rules.endings import Ending
from ledger.admin import ReadOnlyAdmin, linked
from ratings.rules import shown
from wagering.stakes.models import Stake
from wagering.stakes.rules import exposure


@admin.register(Stake)
class StakeAdmin(ReadOnlyAdmin):
    list_display = ("sat_down_at", "table", "room", "stake", "cap", "held", "currency", "tariff", "became")
    list_filter = ("state", "currency", "table__room", "tariff")
    list_select_related = ("table__room", "table__player_1", "table__player_2", "tariff", "settlement")
    search_fields = ("id", "table__id", "table__player_1__name", "table__player_2__name", "hold_1", "hold_2")
    search_help_text = "the id of a stake, a table or a hold, a player's name"
    date_hierarchy = "sat_down_at"
    fieldsets = (
        (None, {"fields": ("id", "at_table", "became", "sheet", "sat_down_at")}),
        ("Terms", {"fields": ("currency", "stake", "cap", "held", "tariff", "abandonment", "penalty_told")}),
        ("Side 1 at sit-down", {"fields": ("who_1", "rated_1", "experience_1", "hold_1")}),
        ("Side 2 at sit-down", {"fields": ("who_2", "rated_2", "experience_2", "hold_2")}),
    )
    readonly_fields = (
        *("id", "at_table", "became", "sheet", "held", "penalty_told"),
        *("who_1", "rated_1", "who_2", "rated_2"),
    )

    @admin.display(description="room", ordering="table__room__name")
    def room(self, stake: Stake) -> str:
        return str(stake.table.room)

    @admin.display(description="table")
    def at_table(self, stake: Stake) -> SafeString:
        return linked(stake.table)

    @admin.display(description="state", ordering="state")
    def became(self, stake: Stake) -> str:
        """A contest that was voided is settled too, by giving both stakes back."""
        settled = getattr(stake, "settlement", None)
        return "voided" if settled and settled.ending == Ending.VOIDED else stake.state

    @admin.display(description="settlement")
    def sheet(self, stake: Stake) -> SafeString:
        return linked(getattr(stake, "settlement", None), "its sheet")

    @admin.display(description="held a seat")
    def held(self, stake: Stake) -> str:
        return str(exposure(stake.terms))

    @admin.display(description="penalty for leaving")
    def penalty_told(self, stake: Stake) -> str:
        return f"{stake.penalty:%} of the stake"

    @admin.display(description="player")
    def who_1(self, stake: Stake) -> SafeString:
        return linked(stake.table.player_1)

    @admin.display(description="player")
    def who_2(self, stake: Stake) -> SafeString:
        return linked(stake.table.player_2)

    @admin.display(description="rating")
    def rated_1(self, stake: Stake) -> str:
        return shown(stake.rating_1)

    @admin.display(description="rating")
    def rated_2(self, stake: Stake) -> str:
        return shown(stake.rating_2)
