"""Remembering what a player paid with."""

from __future__ import annotations

from datetime import datetime

from games.models import Player
from wagering.cashier.methods.models import Method
from wagering.cashier.providers.protocol import Instrument


def used(*, player: Player, provider: str, instrument: Instrument, at: datetime) -> Method:
    """The player's method that the provider calls so, used at ``at``; made the first time."""
    method, made = Method.objects.get_or_create(
        player=player,
        provider=provider,
        token=instrument.token,
        defaults={
            "brand": instrument.brand[:40],
            "last4": instrument.last4[-4:],
            "can_receive": instrument.can_receive,
            "added_at": at,
            "used_at": at,
        },
    )
    if not made:
        method.used_at, method.can_receive = at, instrument.can_receive
        method.save(update_fields=["used_at", "can_receive"])
    return method
