"""What the book and the API need done by the clock. The book's run under advisory locks of their own."""

from __future__ import annotations

from celery import shared_task
from django.utils import timezone

from ledger import book, seals
from wagering.config.http import idempotency, rates


@shared_task
def roll_up() -> None:
    book.roll_up()


@shared_task
def seal() -> None:
    """Page after page until nothing waits; what was sealed stays sealed if it is cut short."""
    while seals.seal():
        pass


@shared_task
def forget_requests() -> None:
    """Answers that nobody repeats any more, and clients that have not asked for a while."""
    idempotency.purge(before=timezone.now() - idempotency.KEPT)
    rates.purge()
