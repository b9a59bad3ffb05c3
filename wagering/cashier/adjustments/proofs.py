"""What adjustments say, and what the book does: the same."""

from __future__ import annotations

from ledger import book
from ledger.proofs import Proof
from wagering.cashier.adjustments import services
from wagering.cashier.adjustments.models import Adjustment


def adjustments_are_posted() -> Proof:
    """Each confirmed adjustment moved what its row says, once and for good; and the book has no other."""
    name, told = "adjustments_are_posted", set()
    for adjustment in Adjustment.objects.filter(done_at__isnull=False).iterator():
        voucher = services.voucher(adjustment)
        told.add(voucher.key)
        posted = book.find(voucher.key)
        if posted is None or set(posted.lines) != set(voucher.lines) or posted.reversed:
            return Proof(name, f"{len(told)} journals", f"{voucher.key}: the book moved something else")
    stray = min(set(book.keys_of(["manual_adjustment"])) - told, default=None)
    return Proof(name, f"{len(told)} journals", f"the book has {stray}, no row tells of it" if stray else None)
