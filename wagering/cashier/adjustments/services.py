"""A wallet is put right by hand: proposed by one operator, confirmed by another, posted once (case 4)."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal
from typing import Any
from uuid import UUID

from django.db import transaction

from games.models import Player, User
from ledger import book, money, postings
from ledger.vouchers import Voucher
from wagering.cashier import operators
from wagering.cashier.adjustments.models import Adjustment
from wagering.protection import gate


class NotAdjusted(ValueError):
    """Nothing is put right: no reason, no word of an operator, not another operator's."""


@transaction.atomic
def propose(
    *,
    player: Player,
    direction: str,
    amount: Decimal,
    currency: str,
    refers_to: str,
    reason: str,
    by: User,
    at: datetime,
) -> Adjustment:
    """An operator asks for it; the same again, the first. Nothing moves before another confirms.

    Raises NotAdjusted, InvalidAmount, UnknownCurrency.
    """
    _check_operator(by, player)
    amount = money.exact(amount, currency)
    if amount == 0:
        raise NotAdjusted("amount: is nothing to put right")
    if direction not in Adjustment.Direction.values:
        raise NotAdjusted(f"direction: {direction!r} is neither credit nor debit")
    said: dict[str, Any] = {"direction": direction, "amount": amount, "currency": currency, "reason": reason.strip()}
    if not (said["reason"] and refers_to.strip()):
        raise NotAdjusted("reason: an adjustment has one, and says what it refers to")
    gate.locked(player)
    found, made = Adjustment.objects.get_or_create(
        player=player, refers_to=refers_to.strip(), withdrawn_at=None, defaults={**said, "asked_by": by, "asked_at": at}
    )
    if not made and (found.asked_by != by or any(getattr(found, name) != value for name, value in said.items())):
        raise NotAdjusted(f"refers_to: {found.refers_to} was adjusted for already: {found}, asked by {found.asked_by}")
    return found


@transaction.atomic
def confirm(*, adjustment: UUID, by: User, at: datetime) -> Adjustment:
    """Another operator agrees, and it is posted; again, nothing more.

    Raises NotAdjusted, and InsufficientFunds for more than the wallet has.
    """
    found = _locked(adjustment)
    if found.withdrawn_at is not None:
        raise NotAdjusted(f"withdrawn_by: {found.withdrawn_by} has withdrawn it")
    if found.asked_by_id == by.pk:
        raise NotAdjusted("confirmed_by: the operator who asked cannot confirm it")
    _check_operator(by, found.player)
    if found.done_at is not None:
        return found
    found.confirmed_by, found.done_at = by, at
    found.save()
    book.post(voucher(found))
    return found


@transaction.atomic
def withdraw(*, adjustment: UUID, by: User, at: datetime) -> Adjustment:
    """It was proposed wrongly, says any operator, and can be proposed anew; again, nothing more. Raises NotAdjusted."""
    found = _locked(adjustment)
    _check_operator(by, found.player)
    if found.done_at is not None:
        raise NotAdjusted(f"confirmed_by: {found.confirmed_by} has confirmed it, and it is posted")
    if found.withdrawn_at is None:
        found.withdrawn_by, found.withdrawn_at = by, at
        found.save()
    return found


def voucher(adjustment: Adjustment) -> Voucher:
    """What an adjustment moved in the book."""
    assert adjustment.done_at is not None, f"{adjustment} moved nothing"
    return postings.manual_adjustment(
        adjustment=adjustment.pk,
        player=adjustment.player_id,
        direction="credit" if adjustment.direction == Adjustment.Direction.CREDIT else "debit",
        amount=adjustment.amount,
        currency=adjustment.currency,
        reason=adjustment.reason,
        operator=adjustment.asked_by_id,
        at=adjustment.done_at,
    )


def _locked(adjustment: UUID) -> Adjustment:
    gate.locked(Adjustment.objects.select_related("player").get(pk=adjustment).player)
    return Adjustment.objects.select_for_update(of=("self",)).select_related("player").get(pk=adjustment)


def _check_operator(by: User, player: Player) -> None:
    if not operators.may_judge(by, player=player):
        raise NotAdjusted("by: wallets are put right by operators who are active, and not their own")
