"""Looking by the clock at whoever's money has moved."""

from __future__ import annotations

from datetime import timedelta
from typing import Final
from uuid import UUID

from celery import shared_task
from django.utils import timezone

from games.models import Player
from wagering.rest import sweeps
from wagering.rest.hints import hint
from wagering.rest.retries import outermost
from wagering.surveillance import alerts, selectors

SINCE: Final = timedelta(days=1)


@shared_task
def look_at(player: str) -> None:
    """One player's contests."""
    outermost(alerts.look_at)(player=Player.objects.get(pk=UUID(player)), at=timezone.now())


@shared_task
def look_at_all() -> None:
    """Everybody who has won or lost real money within a day."""
    players = selectors.active(since=timezone.now() - SINCE)
    sweeps.each(players, lambda player: hint(look_at, str(player)), by="id", what="surveillance")
