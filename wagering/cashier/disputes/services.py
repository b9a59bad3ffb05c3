"""A dispute as its provider tells it (P-3): what the wallet has pays for it, what it lacks is owed. Won, it comes back.

Of all that goes back of a deposit, the player answers for what was paid in and not refunded; what a bank takes beyond
that is the operator's, a dispute difference.
"""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal
from typing import Final
from uuid import UUID

from django.db import transaction
from django.db.models import F, Sum

from games.models import Player
from ledger import book, chart, money, postings
from ledger.vouchers import Voucher
from wagering.cashier.deposits import inbox
from wagering.cashier.deposits import selectors as deposits
from wagering.cashier.deposits.models import Deposit, InboxEvent, Refund
from wagering.cashier.disputes.models import Dispute, WriteOff
from wagering.cashier.providers.protocol import Disputed, account_of
from wagering.notices import services as notices
from wagering.protection import gate

State = Dispute.State
ZERO = Decimal(0)

OUTCOMES: Final = {
    (False, False): "dispute opened",
    (False, True): "dispute dropped",
    (True, False): "charged back",
    (True, True): "dispute won",
}
"""What is said of an event in the inbox, by whether it moved money and whether the dispute was won."""


@transaction.atomic
def settle_told(*, deposit: UUID, told: Disputed, at: datetime, event: InboxEvent | None = None) -> Dispute | None:
    """What follows from a dispute of a ``deposit`` that was paid. Any number of times, in any order.

    None for a dispute in another currency than was paid: that is an operator's.
    """
    gate.locked(Player.objects.get(deposits=deposit))
    found = Deposit.objects.select_for_update(of=("self",)).get(pk=deposit)
    assert found.paid is not None, f"{found} was not paid"
    if told.currency != found.paid_currency:
        inbox.finish(event, outcome="dispute in another currency: for an operator", at=at)
        return None
    known = Dispute.objects.select_for_update().filter(provider=found.provider, theirs=told.dispute).first()
    if known and not _is_news(known, told):
        inbox.finish(event, outcome="was known", at=at)
        return known
    if known and known.state == State.TAKEN:
        return _won(known, found, event, at)
    inbox.finish(event, outcome=OUTCOMES[told.moved, told.won], at=at)
    amount = money.exact(told.amount, told.currency)
    dispute = known or Dispute(
        deposit=found, provider=found.provider, theirs=told.dispute, currency=told.currency, amount=amount
    )
    if told.moved and not told.won:
        return _lost(dispute, found, amount, at)
    if told.won:  # it was not known to be lost; nothing is
        dispute.state, dispute.won_at = State.WON, at
    else:
        dispute.state, dispute.opened_at = State.OPEN, at
    dispute.save()
    return dispute


def _is_news(known: Dispute, told: Disputed) -> bool:
    """Whether more is told: what is open was taken or is over; what was taken came back. Nothing is after that."""
    if known.state == State.OPEN:
        return told.moved or told.won
    return known.state == State.TAKEN and told.moved and told.won


def _lost(dispute: Dispute, deposit: Deposit, amount: Decimal, at: datetime) -> Dispute:
    """The payer's bank has taken ``amount``, which may be another than it asked for at first."""
    dispute.state, dispute.amount, dispute.taken_at = State.TAKEN, amount, at
    if deposit.succeeded_at:
        share = min(amount, _answered_for(deposit))
        deposit.state = Deposit.State.DISPUTED
        deposit.save(update_fields=["state"])
        return _taken(dispute, share)
    # It is in no wallet, and need not be given back any more.
    deposit.state, deposit.reason = Deposit.State.FAILED, f"{deposit.reason}; charged back"[:500]
    deposit.save(update_fields=["state", "reason"])
    dispute.save()
    return dispute


def taken(dispute: Dispute) -> Voucher:
    """What a dispute moved in the book when it was lost."""
    assert dispute.taken_at is not None, f"{dispute} took nothing"
    return postings.deposit_charged_back(
        dispute=dispute.pk,
        player=dispute.deposit.player_id,
        provider=account_of(dispute.provider),
        wallet=dispute.wallet,
        receivable=dispute.receivable,
        difference=dispute.difference,
        currency=dispute.currency,
        at=dispute.taken_at,
    )


def given_back(dispute: Dispute) -> Voucher:
    """What a dispute moved in the book when it was won."""
    assert dispute.won_at is not None, f"{dispute} gave nothing back"
    return postings.chargeback_won(
        dispute=dispute.pk,
        player=dispute.deposit.player_id,
        provider=account_of(dispute.provider),
        wallet=dispute.back_wallet,
        receivable=dispute.back_receivable,
        difference=dispute.difference,
        currency=dispute.currency,
        at=dispute.won_at,
    )


def _taken(dispute: Dispute, share: Decimal) -> Dispute:
    """The player's ``share`` comes from the wallet as far as that goes, which the book alone knows."""
    assert dispute.taken_at is not None
    has = min(share, book.balance(chart.wallet(dispute.deposit.player_id, dispute.currency)))
    while True:
        try:
            with transaction.atomic():
                dispute.wallet, dispute.receivable, dispute.difference = has, share - has, dispute.amount - share
                dispute.save()
                _tell(dispute, at=dispute.taken_at)
                book.post(taken(dispute))
                return dispute
        except book.InsufficientFunds as refusal:  # it was staked since
            has = min(share, refusal.balance)


def _won(dispute: Dispute, deposit: Deposit, event: InboxEvent | None, at: datetime) -> Dispute:
    """First what is still owed of it; what an operator had given up of it is the operator's; the rest to the wallet."""
    given_up = list(WriteOff.objects.filter(dispute=dispute, done_at__isnull=False, undone_at=None))
    owed = book.balance(chart.players("receivable", deposit.player_id, deposit.currency))
    owed += sum((each.amount for each in given_up), ZERO)
    dispute.back_receivable = min(owed, dispute.receivable)
    dispute.back_wallet = dispute.wallet + dispute.receivable - dispute.back_receivable
    dispute.state, dispute.won_at = State.WON, at
    dispute.save()
    WriteOff.objects.filter(pk__in=[each.pk for each in given_up]).update(undone_at=at)
    _stands_again(deposit)
    _tell(dispute, at=at)
    inbox.finish(event, outcome="dispute won", at=at)
    for each in given_up:
        book.reverse(key=f"receivable_written_off:{each.pk}", reason="the dispute was won", at=at)
    if dispute.taken:
        book.post(given_back(dispute))
    return dispute


def _tell(dispute: Dispute, *, at: datetime) -> None:
    """The player hears what it is to them, and not what is the operator's to bear."""
    data = {"dispute": dispute.pk, "amount": dispute.wallet + dispute.receivable, "currency": dispute.currency}
    if dispute.state == State.WON:
        notices.tell(kind="chargeback_won", data=data, player=dispute.deposit.player, at=at)
    else:
        data["owed"] = dispute.receivable
        notices.tell(kind="deposit_charged_back", data=data, player=dispute.deposit.player, at=at)


def _stands_again(deposit: Deposit) -> None:
    """The deposit's state once a dispute of it was won, unless another one stands."""
    if deposit.disputes.filter(state=State.TAKEN).exists():
        return
    if not deposit.succeeded_at:
        deposit.state = Deposit.State.PROCESSING
    elif deposits.refunded(deposit) < (deposit.paid or ZERO):
        deposit.state = Deposit.State.SUCCEEDED
    else:
        deposit.state = Deposit.State.REFUNDED
    deposit.save(update_fields=["state"])


def _answered_for(deposit: Deposit) -> Decimal:
    """What of a deposit the player still answers for.

    A refund that is still under way counts for nothing: a provider refuses those of what is disputed.
    """
    paid: Decimal | None = deposit.paid
    assert paid is not None
    back = deposit.refunds.filter(state=Refund.State.SUCCEEDED).aggregate(sum=Sum("amount"))["sum"] or ZERO
    others = deposit.disputes.filter(state=State.TAKEN).aggregate(sum=Sum(F("wallet") + F("receivable")))["sum"] or ZERO
    return money.exact(max(paid - back - others, ZERO), deposit.currency)
