"""What is owed is collected by the clock."""

from __future__ import annotations

from uuid import UUID

import structlog
from celery import shared_task
from django.utils import timezone

from wagering.cashier.disputes import receivables, selectors
from wagering.rest.hints import hint
from wagering.rest.retries import outermost

log = structlog.get_logger(__name__)


@shared_task
def collect(player: str, currency: str) -> None:
    """What one player owes, from what the wallet has."""
    outermost(receivables.collect)(player=UUID(player), currency=currency, at=timezone.now())


@shared_task
def look_for_receivables() -> None:
    """Who owes and has something again: winnings, a deposit, what came back of a payout."""
    for player, currency in selectors.collectable():
        hint(collect, str(player), currency)
