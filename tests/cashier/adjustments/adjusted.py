"""Wallets that two operators put right, as tests want them."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal
from uuid import uuid4

from games.models import Player, User
from tests.factories import NOON
from wagering.cashier.adjustments import services
from wagering.cashier.adjustments.models import Adjustment


def operator(name: str = "operator") -> User:
    return User.objects.get_or_create(username=name, defaults={"is_staff": True})[0]


def adjusted(player: Player, amount: str, currency: str = "USD", *, at: datetime = NOON) -> Adjustment:
    """``amount`` more in the wallet, below zero less."""
    moved = Decimal(amount)
    asked = services.propose(
        player=player,
        direction="credit" if moved > 0 else "debit",
        amount=abs(moved),
        currency=currency,
        refers_to=f"ticket {uuid4()}",
        reason="put right",
        by=operator("who asks"),
        at=at,
    )
    return services.confirm(adjustment=asked.pk, by=operator("who confirms"), at=at)
