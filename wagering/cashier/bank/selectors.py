"""Which files and movements of the bank wait for what."""

from __future__ import annotations

from typing import Final

from django.db.models import QuerySet

from wagering.cashier.bank.models import BankEntry, Proposal, Statement

PLACELESS: Final = (BankEntry.State.SUSPENSE, BankEntry.State.UNEXPLAINED)


def to_place() -> QuerySet[BankEntry]:
    """What nobody could place: whose it is, or why it left, is an operator's to find out."""
    return BankEntry.objects.filter(state__in=PLACELESS)


def to_agree() -> QuerySet[Proposal]:
    """What one operator has said of them, and no other has yet."""
    return Proposal.objects.filter(entry__state__in=PLACELESS)


def to_confirm() -> QuerySet[Statement]:
    """Files that one operator has brought, and no other yet."""
    return Statement.objects.filter(done_at=None)
