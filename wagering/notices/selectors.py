"""Reading notices."""

from __future__ import annotations

from django.db.models import QuerySet

from games.models import Player
from wagering.notices.models import Notice


def theirs(*, player: Player, unread: bool = False) -> QuerySet[Notice]:
    """A player's notices; ``unread`` leaves those out that were read."""
    found = Notice.objects.filter(player=player)
    return found.filter(read_at=None) if unread else found


def unread_number(*, player: Player) -> int:
    """How many they have not read."""
    return theirs(player=player, unread=True).count()
