"""A proof about what the book and the absences say of each other; ``prove_book`` runs it after the book's own."""

from decimal import Decimal
from uuid import UUID

from ledger import book, chart
from ledger.proofs import Proof
from wagering.protection.models import Absence


def unclaimed_is_told() -> Proof:
    """What is set apart for the absent is what the book has of theirs, spell by spell, and nothing else is."""
    name = "unclaimed_is_told"
    told: set[str] = set()
    apart: dict[tuple[UUID, str], Decimal] = {}
    for absence in Absence.objects.exclude(amount=None):
        told.add(f"balance_unclaimed:{absence.pk}")
        whose = absence.person_id, absence.currency
        apart.setdefault(whose, Decimal(0))
        if absence.ended_at is None:
            apart[whose] += absence.amount or 0
        else:
            told.add(f"unclaimed_recovered:{absence.pk}")
    booked = set(book.keys_of(("balance_unclaimed", "unclaimed_recovered")))
    figure = f"{len(told)} events"
    if untold := min(booked - told, default=None):
        return Proof(name, figure, f"the book has {untold}, no absence tells of it")
    if unbooked := min(told - booked, default=None):
        return Proof(name, figure, f"an absence tells of {unbooked}, the book does not have it")
    accounts = {whose: chart.players("unclaimed", *whose) for whose in apart}
    balances = book.balances(accounts.values())
    off = next((account for whose, account in accounts.items() if balances[account] != apart[whose]), None)
    return Proof(name, figure, f"{off} holds {balances[off]}, the absences say otherwise" if off else None)
