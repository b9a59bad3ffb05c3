"""What the book needs done by the clock. Each runs under an advisory lock of its own in the database."""

from __future__ import annotations

from celery import shared_task

from ledger import book, seals


@shared_task
def roll_up() -> None:
    book.roll_up()


@shared_task
def seal() -> None:
    """Page after page until nothing waits; what was sealed stays sealed if it is cut short."""
    while seals.seal():
        pass
