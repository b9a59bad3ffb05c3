"""What is known of a player's deposits."""

from __future__ import annotations

from datetime import datetime, timedelta
from decimal import Decimal
from typing import Final
from uuid import UUID

from django.db.models import Q, QuerySet, Sum

from games.models import Player
from ledger import money
from wagering.cashier.deposits.models import OPEN, REFUNDABLE, Deposit, InboxEvent, Refund

LATE: Final = timedelta(hours=4)
"""What waits longer than this is looked at by an operator."""

HELD: Final = Q(state=Deposit.State.PROCESSING, paid__isnull=False)
"""Paid, and not to be credited: in another currency than it was asked for, or of somebody erased."""


def theirs(*, player: Player) -> QuerySet[Deposit]:
    """A player's own."""
    return Deposit.objects.filter(player=player)


def pending_sum(player: Player, currency: str) -> Decimal:
    """What may still come in of what the player has begun: it counts for limits as if it had."""
    found = Deposit.objects.filter(player=player, currency=currency, state__in=OPEN, paid=None)
    return _sum(found.aggregate(sum=Sum("amount"))["sum"], currency)


def net_by_method(player: Player) -> dict[tuple[UUID, str], Decimal]:
    """What came in by each method less what went back of it, by method and currency (closed loop).

    A deposit that is disputed has gone back.
    """
    net: dict[tuple[UUID, str], Decimal] = {}
    credited = Deposit.objects.filter(player=player, state__in=REFUNDABLE, method__isnull=False)
    for method, currency, paid in credited.values_list("method", "currency").annotate(sum=Sum("paid")).order_by():
        net[method, currency] = _sum(paid, currency)
    back = Refund.objects.filter(deposit__in=credited).exclude(state=Refund.State.FAILED)
    for method, currency, amount in (
        back.values_list("deposit__method", "currency").annotate(sum=Sum("amount")).order_by()
    ):
        net[method, currency] -= amount
    return net


def refunded(deposit: Deposit) -> Decimal:
    """What has gone back of a deposit, or is about to."""
    standing = deposit.refunds.exclude(state=Refund.State.FAILED)
    return _sum(standing.aggregate(sum=Sum("amount"))["sum"], deposit.paid_currency or deposit.currency)


def refunds_charged_back() -> QuerySet[Refund]:
    """Refunds made at the provider that took more than the wallet had: posted as chargebacks are, by their own id."""
    return Refund.objects.filter(owed__gt=0)


def exceptions(*, at: datetime) -> QuerySet[Deposit]:
    """What an operator should look at: pending for long, held, or paid otherwise than asked."""
    late = Q(state=Deposit.State.PROCESSING, created_at__lt=at - LATE)
    otherwise = Q(paid__isnull=False) & ~Q(reason="")
    return Deposit.objects.filter(late | otherwise)


def refunds_late(*, at: datetime) -> QuerySet[Refund]:
    """Refunds of which nobody has told for long whether they were made, or another amount was told (case 19)."""
    late = Q(state=Refund.State.REQUESTED, asked_at__lt=at - LATE)
    return Refund.objects.filter(late | ~Q(differs=""))


def waiting_events() -> QuerySet[InboxEvent]:
    """What came in and nothing was done about yet."""
    return InboxEvent.objects.filter(done_at=None)


def _sum(found: Decimal | None, currency: str) -> Decimal:
    return money.exact(found or Decimal(0), currency)
