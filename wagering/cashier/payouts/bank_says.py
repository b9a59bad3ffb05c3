"""Our bank's answers to batches, and the movements that are payouts (``bank.imports``, ``entries``, ``balances``)."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal
from typing import Final
from uuid import UUID

from django.db import transaction

from wagering.cashier.bank import entries
from wagering.cashier.bank.models import BankEntry
from wagering.cashier.bank.rules.pain002 import Report, Said
from wagering.cashier.payouts import batches, outcomes
from wagering.cashier.payouts.models import BANK, Attempt, Batch
from wagering.rest.retries import outermost

VERDICTS = {
    Said.ACCEPTED: Attempt.Verdict.ACCEPTED,
    Said.SETTLED: Attempt.Verdict.SETTLED,
    Said.REFUSED: Attempt.Verdict.REFUSED,
}


COMES_BACK: Final = Decimal("0.5")
"""The least part of a payout that comes back as one: banks keep a fee, and less than that is an operator's to judge."""


def waits(*, currency: str) -> bool:
    """Whether a word of the bank's is noted, and what follows from it not done yet."""
    return Attempt.objects.filter(payout__currency=currency).exclude(verdict=Attempt.Verdict.NONE).exists()


def report(*, report: Report, at: datetime) -> None:
    """Note what the bank says of a batch and of single transfers; what follows is done for each by itself."""
    number = _id(report.message)
    batch = Batch.objects.filter(pk=number).first() if number else None
    if batch is None:
        return
    mine = Attempt.objects.filter(batch=batch)
    for line in sorted(report.lines, key=lambda each: each.reference):  # rivals lock in one order
        if line.said != Said.ACCEPTED:
            batches.judged(mine.filter(ours=line.reference), VERDICTS[line.said], line.reason)
    said = report.said or (Said.ACCEPTED if report.lines else None)
    if said is not None:
        batches.judged(mine, VERDICTS[said], report.reason)


def entry(*, entry: BankEntry, at: datetime) -> bool:
    """Whether a movement is a payout that left, or that came back; if so, what follows.

    A payer writes any reference of ours on a transfer, so what comes in is one that came back only if the bank says so.
    """
    if not entry.end_to_end or (entry.is_credit and not entry.returned):
        return False
    attempt = Attempt.objects.filter(ours=entry.end_to_end, rail=BANK).select_related("payout").first()
    if attempt is None or attempt.payout.currency != entry.currency:
        return False
    return outermost(_came_back if entry.is_credit else _left)(entry.pk, attempt.pk, at)


@transaction.atomic
def _left(entry: UUID, attempt: UUID, at: datetime) -> bool:
    """One debit is one payout. Another of the same, of another amount, or of one that was let go, is an operator's."""
    found = entries.take(entry)
    paid = outcomes.locked(attempt)
    if found is None:
        return True
    if found.amount != paid.payout.amount or paid.released_at is not None or paid.debit_id is not None:
        return False
    paid.debit = found
    entries.done(found, state=BankEntry.State.PAYOUT, at=at)
    if paid.is_open:
        outcomes.pay(paid, at=at)
    else:
        paid.save(update_fields=["debit"])
    return True


@transaction.atomic
def _came_back(entry: UUID, attempt: UUID, at: datetime) -> bool:
    """What comes back was paid: until its debit is read, its return waits."""
    found = entries.take(entry)
    paid = outcomes.locked(attempt)
    if found is None or paid.is_open:
        return True
    if paid.paid_at is None or paid.returned_at is not None:
        return False
    if not paid.payout.amount * COMES_BACK <= found.amount <= paid.payout.amount:
        return False
    entries.done(found, state=BankEntry.State.RETURN, at=at)
    outcomes.come_back(paid, amount=found.amount, reason=found.reason, at=at)
    return True


def _id(message: str) -> UUID | None:
    try:
        return UUID(message.removeprefix("B"))
    except ValueError:
        return None
