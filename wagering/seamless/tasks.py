"""What the seamless wallet needs done by the clock."""

from __future__ import annotations

from celery import shared_task
from django.utils import timezone

from wagering.seamless import sessions


@shared_task
def forget() -> None:
    """Sessions that have been over for long."""
    sessions.forget(at=timezone.now())
