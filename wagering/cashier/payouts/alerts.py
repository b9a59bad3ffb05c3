"""Where surveillance is asked about players before money goes out: the one place that knows of it."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from uuid import UUID

from games.models import Player
from wagering.surveillance import alerts, selectors
from wagering.surveillance.models import Alert


def looked_for(player: Player, *, at: datetime) -> None:
    """Look at what the player played until now, and open what alerts it asks for."""
    alerts.look_at(player=player, at=at)


def standing(players: Collection[UUID]) -> list[Alert]:
    """The alerts that keep the payouts of any of these: all that nobody has cleared."""
    return list(selectors.open_for(*players))


def told(alert: Alert) -> str:
    """By kind and id."""
    return f"{alert.get_kind_display()} {alert.pk}"
