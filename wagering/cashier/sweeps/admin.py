"""What was swept, for whoever moves it at the bank."""

from __future__ import annotations

from django.contrib import admin

from ledger.admin import ReadOnlyAdmin
from ledger.money import currency
from wagering.cashier.sweeps.models import CommissionSweep


@admin.register(CommissionSweep)
class CommissionSweepAdmin(ReadOnlyAdmin):
    list_display = ("day", "room", "moved", "currency", "swept_at")
    list_filter = ("room", "currency")
    date_hierarchy = "day"

    @admin.display(description="amount", ordering="amount")
    def moved(self, sweep: CommissionSweep) -> str:
        return str(sweep.amount.quantize(currency(sweep.currency).minor_unit))
