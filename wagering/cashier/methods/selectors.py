"""A player's own cards and accounts."""

from __future__ import annotations

from django.db.models import QuerySet

from games.models import Player
from wagering.cashier.methods.models import Method


def theirs(*, player: Player) -> QuerySet[Method]:
    """All that the player has, those that are blocked left out."""
    return Method.objects.filter(player=player, blocked_at=None)
