"""What the seamless wallet needs done by the clock."""

from __future__ import annotations

import structlog
from celery import shared_task
from django.utils import timezone

from wagering.seamless import selectors, sessions

log = structlog.get_logger(__name__)


@shared_task
def forget() -> None:
    """Sessions that have been over for long."""
    sessions.forget(at=timezone.now())


@shared_task
def tell_of_left_rounds() -> None:
    """A line in the log while rounds that rooms left open hold the players' money: an operator's to look at."""
    left = selectors.left_open(at=timezone.now())
    if oldest := left.select_related("room").first():
        log.warning("rounds_left_open", number=left.count(), oldest=str(oldest), since=oldest.opened_at.isoformat())
