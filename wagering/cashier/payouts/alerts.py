"""Where surveillance is asked about a player before money goes out: the one place that knows of it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from games.models import Player
from wagering.surveillance import alerts


def alerts_of(player: Player, *, at: datetime) -> Sequence[str]:
    """The alerts that keep the player's payouts, each by kind and id, after a look at what was played until now."""
    alerts.look_at(player=player, at=at)
    return [f"{alert.get_kind_display()} {alert.pk}" for alert in alerts.open_for(player)]
