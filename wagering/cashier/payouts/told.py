"""What players are told of their payouts."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal

from wagering.cashier.payouts.models import Payout
from wagering.notices import services as notices


def tell(payout: Payout, kind: str, *, at: datetime, amount: Decimal | None = None) -> None:
    """``payout_approved``, ``_in_review``, ``_paid``, and so on, in the transaction that does it."""
    data = {"payout": payout.pk, "amount": amount or payout.amount, "currency": payout.currency}
    if kind == "payout_paid":
        data["last4"] = payout.method.last4
    notices.tell(kind=kind, data=data, player=payout.player, at=at)
