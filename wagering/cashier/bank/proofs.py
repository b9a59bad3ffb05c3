"""What the book says of the bank's movements, and what their rows say: the same."""

from __future__ import annotations

from typing import Final

from ledger import book
from ledger.proofs import Proof
from wagering.cashier.bank import entries
from wagering.cashier.bank.models import BankEntry

MOVES: Final = (
    "transfer_received", "transfer_unidentified", "transfer_assigned", "suspense_sent_back", "provider_settled",
)  # fmt: skip
"""Events of the bank's account that only an entry tells of."""


def bank_entries_are_posted() -> Proof:
    """Each movement that is no payout moved in the book what its row says, and no other came in by transfer."""
    name, told = "bank_entries_are_posted", set()
    done = BankEntry.objects.exclude(state=BankEntry.State.NEW).select_related("clearance")
    for count, entry in enumerate(done.iterator(), start=1):
        for voucher in entries.vouchers(entry):
            told.add(voucher.key)
            posted = book.find(voucher.key)
            if posted is None or set(posted.lines) != set(voucher.lines):
                return Proof(name, f"{count} entries", f"entry {entry.pk}: the book moved something else")
    strays = set(book.keys_of(MOVES)) - told
    figure = f"{len(told)} journals"
    return Proof(name, figure, f"the book has {min(strays)}, no entry tells of it" if strays else None)
