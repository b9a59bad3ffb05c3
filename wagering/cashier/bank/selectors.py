"""Which movements at the bank wait for what."""

from __future__ import annotations

from django.db.models import QuerySet

from wagering.cashier.bank.models import BankEntry


def to_place() -> QuerySet[BankEntry]:
    """What nobody could place: whose it is, or why it left, is an operator's to find out."""
    return BankEntry.objects.filter(state__in=(BankEntry.State.SUSPENSE, BankEntry.State.UNEXPLAINED))
