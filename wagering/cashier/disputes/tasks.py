"""What is owed is collected as soon as something comes in, and by the clock."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

import structlog
from celery import shared_task
from django.utils import timezone

from wagering.cashier.disputes import receivables, selectors
from wagering.rest.hints import hint, hint_again
from wagering.rest.retries import outermost

log = structlog.get_logger(__name__)


@shared_task
def collect(player: str, currency: str) -> None:
    """What one player owes, from what the wallet has."""
    outermost(receivables.collect)(player=UUID(player), currency=currency, at=timezone.now())


def gained(*, players: Sequence[UUID], currency: str) -> None:
    """Whoever of them owes pays from what has just come in (``wagering.rest.gains``)."""
    for player in selectors.owing_among(players, currency):
        hint(collect, str(player), currency)


@shared_task
def look_for_receivables() -> None:
    """Who owes and has something again: winnings, a deposit, what came back of a payout."""
    for player, currency in selectors.collectable():
        hint_again(collect, str(player), currency)
