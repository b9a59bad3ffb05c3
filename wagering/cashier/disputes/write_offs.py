"""What an operator gives up of what a player owes, with a reason; a larger one needs the word of another operator."""

from __future__ import annotations

from datetime import datetime, timedelta
from decimal import Decimal
from typing import Final
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.db.models import Sum

from games.models import Player, User
from ledger import book, money, postings
from ledger.vouchers import Voucher
from wagering.cashier import operators
from wagering.cashier.disputes import selectors
from wagering.cashier.disputes.models import Dispute, WriteOff
from wagering.protection import gate

ALONE_WITHIN: Final = timedelta(days=30)
"""What was given up of one player's debts by one operator's word is added up over so long."""


class NotWrittenOff(ValueError):
    """Nothing is given up: no reason, more than is owed, not the word of an operator, or of another one."""


@transaction.atomic
def ask(
    *,
    player: Player,
    currency: str,
    amount: Decimal,
    reason: str,
    by: User,
    at: datetime,
    dispute: Dispute | None = None,
) -> WriteOff:
    """Give up ``amount`` of what the player owes; up to settings.WRITE_OFF_ALONE at once, else once another approves.

    In ALONE_WITHIN that is the most of all together. ``dispute`` is what it is owed for.

    Raises NotWrittenOff, InvalidAmount.
    """
    _check_operator(by, player)
    gate.locked(player)
    amount = money.exact(amount, currency)
    if not reason.strip():
        raise NotWrittenOff("reason: a write-off has one")
    if amount == 0:
        raise NotWrittenOff("amount: is nothing to give up")
    if dispute and (dispute.deposit.player_id != player.pk or dispute.currency != currency):
        raise NotWrittenOff("dispute: is another player's, or in another currency")
    made = WriteOff(
        player=player,
        dispute=dispute,
        currency=currency,
        amount=amount,
        reason=reason.strip()[:500],
        asked_by=by,
        asked_at=at,
    )
    _check(made)
    if amount + _given_up_alone(player, currency, at) > settings.WRITE_OFF_ALONE.get(currency, 0):
        made.save()
        return made
    return _done(made, at)


@transaction.atomic
def approve(*, write_off: UUID, by: User, at: datetime) -> WriteOff:
    """Another operator agrees, and it is given up; again, nothing more. Raises NotWrittenOff."""
    gate.locked(WriteOff.objects.select_related("player").get(pk=write_off).player)
    found = WriteOff.objects.select_for_update(of=("self",)).get(pk=write_off)
    if found.done_at is not None:
        return found
    if found.asked_by_id == by.pk:
        raise NotWrittenOff("approved_by: the operator who asked cannot approve it")
    _check_operator(by, found.player)
    _check(found)
    found.approved_by = by
    return _done(found, at)


def voucher(write_off: WriteOff) -> Voucher:
    """What a write-off moved in the book."""
    assert write_off.done_at is not None, f"{write_off} moved nothing"
    return postings.receivable_written_off(
        write_off=write_off.pk,
        player=write_off.player_id,
        amount=write_off.amount,
        currency=write_off.currency,
        at=write_off.done_at,
    )


def _check(write_off: WriteOff) -> None:
    """Under the player's lock, so that what is owed grows no less before it is posted."""
    owed = selectors.owed(write_off.player_id, write_off.currency)
    if write_off.dispute:
        given_up = write_off.dispute.write_offs.filter(done_at__isnull=False, undone_at=None)
        left = write_off.dispute.receivable - (given_up.aggregate(sum=Sum("amount"))["sum"] or 0)
        owed = Decimal(0) if write_off.dispute.state == Dispute.State.WON else min(owed, left)
    elif Dispute.objects.filter(
        deposit__player=write_off.player_id, currency=write_off.currency, state=Dispute.State.TAKEN, receivable__gt=0
    ).exists():  # or nobody would know whose money it is if that is won
        raise NotWrittenOff("dispute: say for which of the player's disputes it is owed")
    if write_off.amount > owed:
        raise NotWrittenOff(f"amount: {write_off.amount} is more than the {owed} {write_off.currency} that is owed")


def _given_up_alone(player: Player, currency: str, at: datetime) -> Decimal:
    alone = WriteOff.objects.filter(player=player, currency=currency, approved_by=None, undone_at=None)
    return alone.filter(done_at__gt=at - ALONE_WITHIN).aggregate(sum=Sum("amount"))["sum"] or Decimal(0)


def _check_operator(by: User, player: Player) -> None:
    if not operators.may_judge(by, player=player):
        raise NotWrittenOff("by: debts are given up by operators who are active, and not their own")


def _done(write_off: WriteOff, at: datetime) -> WriteOff:
    write_off.done_at = at
    write_off.save()
    book.post(voucher(write_off))
    return write_off
