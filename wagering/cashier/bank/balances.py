"""What the bank says that there is on the players' account, beside what the book says: a shortfall shows (case 28).

Who does later what the bank told is named in settings.BANK_WAITS: dotted paths of functions ``waits(*, currency: str)``
that say whether anything of it is still to be done.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Final

from django.conf import settings
from django.db import transaction
from django.db.models import Case, F, Q, QuerySet, Sum, When
from django.utils.module_loading import import_string

from ledger import book, chart
from wagering.cashier.bank.models import BankEntry, ClosingBalance

State = BankEntry.State

IN_THE_BOOK: Final = (State.PAYOUT, State.RETURN, State.RECEIVED, State.SUSPENSE, State.ASSIGNED, State.SETTLED)
"""Entries that moved the book's account as they did the bank's. What was sent back moved it twice, the rest never."""


@transaction.atomic
def compare() -> None:
    """Write beside each closing balance what the book had then, as soon as all that the bank told is done."""
    for closing in ClosingBalance.objects.select_for_update(skip_locked=True, of=("self",)).filter(booked=None):
        if not _waits(closing.currency):
            now = book.balance(chart.house("bank_customers", closing.currency))
            closing.booked = now - _since(closing)
            closing.save(update_fields=["booked"])


def shortfalls() -> QuerySet[ClosingBalance]:
    """The latest balance of each currency, if the bank has less than the book says."""
    compared = ClosingBalance.objects.filter(booked__isnull=False)
    latest = compared.order_by("currency", "-day", "-pk").distinct("currency")
    return ClosingBalance.objects.filter(pk__in=latest.values("pk"), amount__lt=F("booked"))


def _waits(currency: str) -> bool:
    if BankEntry.objects.filter(currency=currency, state=State.NEW).exists():
        return True
    return any(import_string(path)(currency=currency) for path in settings.BANK_WAITS)


def _since(closing: ClosingBalance) -> Decimal:
    """What the book's account moved by what the bank booked on later days, or told of later."""
    later = Q(day__gt=closing.day) | Q(statement__received_at__gt=closing.statement.received_at)
    found = BankEntry.objects.filter(later, currency=closing.currency, state__in=IN_THE_BOOK)
    signed = Case(When(is_credit=True, then=F("amount")), default=-F("amount"))
    return found.aggregate(sum=Sum(signed))["sum"] or Decimal(0)
