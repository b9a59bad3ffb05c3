"""The sweep runs by the clock, and does yesterday's once."""

from __future__ import annotations

from datetime import UTC, timedelta

from celery import shared_task
from django.utils import timezone

from wagering.cashier.sweeps import services


@shared_task
def sweep_commission() -> None:
    """What rooms had earned by the end of yesterday (UTC)."""
    now = timezone.now()
    services.sweep(day=(now.astimezone(UTC) - timedelta(days=1)).date(), at=now)
