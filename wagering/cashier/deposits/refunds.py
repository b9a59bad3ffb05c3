"""Giving back: what an operator asks for, and what was given back at the provider by itself.

An operator's refund leaves the wallet first; then the provider is asked, and what it refuses comes back. So money that
is on its way back can be staked by nobody. All refunds of a deposit together are at most what was paid.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from decimal import Decimal
from typing import Final
from uuid import UUID, uuid4

import structlog
from django.db import transaction

from games.models import User
from ledger import book, chart, money, postings
from ledger.vouchers import Voucher
from wagering.cashier.deposits import inbox, selectors, services
from wagering.cashier.deposits.models import REFUNDABLE, Deposit, InboxEvent, Refund
from wagering.cashier.providers import registry
from wagering.cashier.providers.protocol import Payment, ProviderRefused, Refunded, account_of
from wagering.notices import services as notices
from wagering.rest.retries import outermost

log = structlog.get_logger(__name__)

State = Refund.State

LOOKS: Final = (60, 300, 900, 3600)
"""Seconds after which a provider that did not answer is asked again; it is the same request."""


LOOKS_BACK: Final = timedelta(days=7)
"""Refunds that are younger are asked for by the clock, so one whose webhook never came is found."""

STATES: Final = {
    Payment.PROCESSING: State.REQUESTED,
    Payment.SUCCEEDED: State.SUCCEEDED,
    Payment.FAILED: State.FAILED,
    Payment.RETURNED: State.FAILED,
}


class NothingToRefund(Exception):
    """The deposit was never paid, or the payer's bank has taken it back."""

    def __init__(self, deposit: Deposit) -> None:
        super().__init__(f"deposit: nothing of {deposit.pk} can be given back, it is {deposit.state}")


class RefundTooLarge(Exception):
    """All refunds of a deposit together are at most what was paid."""

    def __init__(self, *, amount: Decimal, left: Decimal, currency: str) -> None:
        super().__init__(f"amount: {amount} {currency} is more than the {left} {currency} that is left of the deposit")
        self.field, self.left = "amount", left


class ReasonMissing(ValueError):
    """Whoever gives money back says why."""

    def __init__(self) -> None:
        super().__init__("reason: is missing")
        self.field = "reason"


@transaction.atomic
def ask(*, deposit: UUID, amount: Decimal, reason: str, by: User, at: datetime) -> Refund:
    """An operator gives back ``amount`` of a deposit, also of one that could not be credited.

    Raises NothingToRefund, RefundTooLarge, ReasonMissing, InvalidAmount, InsufficientFunds.
    """
    if not reason.strip():
        raise ReasonMissing
    found = Deposit.objects.select_for_update().get(pk=deposit)
    if found.state not in REFUNDABLE and not found.is_held:
        raise NothingToRefund(found)
    amount = money.exact(amount, found.paid_currency)
    if amount == 0:
        raise money.InvalidAmount(field="amount", value=amount, rule="is nothing to give back")
    if amount > (left := _left(found)):
        raise RefundTooLarge(amount=amount, left=left, currency=found.paid_currency)
    refund = _new(found, amount, at, reason=reason.strip()[:500], asked_by=by, look_at=at)
    _stands(found)
    if found.succeeded_at:
        _tell(refund, at)
        book.post(voucher(refund))
    return refund


def send(*, refund: UUID, at: datetime) -> None:
    """Ask the provider for a refund that is due. Raises ProviderSilent: then it is asked again later."""
    claimed = outermost(_claim)(refund, at)
    if claimed is None:
        return
    deposit = claimed.deposit
    try:
        told = registry.provider(deposit.provider).refund(
            ours=claimed.ours, payment=deposit.theirs, amount=claimed.amount, currency=claimed.currency
        )
    except ProviderRefused as refusal:
        outermost(_record)(refund, None, at, because=f"{refusal.code}: {refusal}")
    else:
        outermost(_record)(refund, told, at)


def look(*, provider: str, at: datetime) -> None:
    """Ask a provider for the refunds of the last days: what was told of none, or told and lost, follows now.

    Raises ProviderSilent.
    """
    made = registry.provider(provider).refunds(since=at - LOOKS_BACK)
    rows = Refund.objects.filter(deposit__provider=provider, theirs__in=[each.theirs for each in made])
    known = set(rows.values_list("theirs", "state"))
    for each in made:
        if (each.theirs, STATES[each.state]) not in known and not told(refunded=each, provider=provider, at=at):
            log.info("a refund at a provider is of nothing of ours", provider=provider, theirs=each.theirs)


def told(*, refunded: Refunded, provider: str, at: datetime, event: InboxEvent | None = None) -> bool:
    """What follows from a refund that the provider tells of; whether it is of a deposit of ours."""
    known = Refund.objects.filter(deposit__provider=provider)
    mine = known.filter(ours=refunded.ours).first() if refunded.ours else None
    mine = mine or known.filter(theirs=refunded.theirs).first()
    if mine:
        outermost(_record)(mine.pk, refunded, at, event=event)
        return True
    deposit = Deposit.objects.filter(provider=provider, theirs=refunded.payment).first()
    if deposit is None or refunded.state != Payment.SUCCEEDED:
        return False
    if deposit.paid is None:  # the refund came before the payment
        services.look_up(ours=deposit.ours, at=at)
    return outermost(_made_there)(deposit.pk, refunded, event, at)


@transaction.atomic
def _claim(refund: UUID, at: datetime) -> Refund | None:
    found = Refund.objects.select_for_update(of=("self",)).select_related("deposit").get(pk=refund)
    if found.state != State.REQUESTED or found.look_at is None or found.look_at > at:
        return None
    found.look_at = at + timedelta(seconds=LOOKS[min(found.looks, len(LOOKS) - 1)])
    found.looks += 1
    found.save(update_fields=["look_at", "looks"])
    return found


@transaction.atomic
def _record(
    refund: UUID, told: Refunded | None, at: datetime, *, because: str = "", event: InboxEvent | None = None
) -> None:
    """What became of it; ``told`` is None for one that was refused."""
    deposit = Deposit.objects.select_for_update().get(refunds=refund)
    found = Refund.objects.select_for_update().get(pk=refund)
    if told:
        found.theirs, found.differs = found.theirs or told.theirs, _difference(found, told)
    if told and found.differs:
        log.error("a provider tells of a refund of another amount", refund=str(refund), told=found.differs)
        inbox.finish(event, outcome="refund of another amount: for an operator", at=at)
        found.save(update_fields=["theirs", "differs"])
        return
    failed = told is None or told.state in (Payment.FAILED, Payment.RETURNED)
    comes_back = failed and found.state != State.FAILED
    if comes_back and found.owed:
        inbox.finish(event, outcome="a refund that is owed for has failed: for an operator", at=at)
        return
    if comes_back:
        found.state, found.failed_because = State.FAILED, because[:500] or "the provider could not"
    elif told and told.state == Payment.SUCCEEDED and found.state == State.REQUESTED:
        found.state = State.SUCCEEDED
    if found.state != State.REQUESTED:
        found.done_at, found.look_at = found.done_at or at, None
    found.save()
    _stands(deposit)
    inbox.finish(event, outcome=f"refund {found.state}", at=at)
    if comes_back and deposit.succeeded_at:
        book.reverse(key=voucher(found).key, reason=found.failed_because, at=at)


@transaction.atomic
def _made_there(deposit: UUID, refunded: Refunded, event: InboxEvent | None, at: datetime) -> bool:
    """Somebody refunded at the provider: what the wallet has pays for it, what it lacks is owed (P-3)."""
    found = Deposit.objects.select_for_update().get(pk=deposit)
    if found.paid is None:
        return False  # not yet: it is told again
    if found.refunds.filter(theirs=refunded.theirs).exists():
        inbox.finish(event, outcome="was known", at=at)
        return True
    if refunded.currency != found.paid_currency or refunded.amount > _left(found):
        log.warning("a refund of more than is left", deposit=str(deposit), theirs=refunded.theirs)
        inbox.finish(event, outcome="refund of more than is left: for an operator", at=at)
        return True
    amount = money.exact(refunded.amount, refunded.currency)
    said = {"theirs": refunded.theirs, "state": State.SUCCEEDED, "done_at": at, "reason": "made at the provider"}
    if not found.succeeded_at:
        _new(found, amount, at, **said)
        _stands(found)
        inbox.finish(event, outcome="refund made at the provider", at=at)
        return True
    wallet = chart.wallet(found.player_id, found.currency)
    refund = _new(found, amount, at, **said)
    _stands(found)
    inbox.finish(event, outcome="refund made at the provider", at=at)
    _tell(refund, at)
    while True:  # what the wallet has may be staked before the book has locked it
        has = min(amount, book.balance(wallet))
        refund.owed = amount - has
        refund.save(update_fields=["owed"])
        try:
            book.post(voucher(refund))
        except book.InsufficientFunds:
            continue
        return True


def voucher(refund: Refund) -> Voucher:
    """What a refund of a credited deposit moved in the book: as a chargeback does, if it took more than there was."""
    deposit, amount, currency = refund.deposit, refund.amount, refund.currency
    provider = account_of(deposit.provider)
    if not refund.owed:
        return postings.deposit_refunded(
            refund=refund.pk,
            player=deposit.player_id,
            provider=provider,
            amount=amount,
            currency=currency,
            at=refund.asked_at,
        )
    return postings.deposit_charged_back(
        dispute=refund.pk,
        player=deposit.player_id,
        provider=provider,
        wallet=amount - refund.owed,
        receivable=refund.owed,
        difference=Decimal(0),
        currency=currency,
        at=refund.asked_at,
    )


def _tell(refund: Refund, at: datetime) -> None:
    notices.tell(
        kind="deposit_refunded",
        data={"refund": refund.pk, "amount": refund.amount, "currency": refund.currency},
        player=refund.deposit.player,
        at=at,
    )


def _difference(refund: Refund, told: Refunded) -> str:
    """What the provider says it gave back, if that is not what was asked for."""
    same = (told.amount, told.currency) == (refund.amount, refund.currency)
    return "" if same or STATES[told.state] == State.FAILED else f"{told.amount} {told.currency}"[:100]


def _left(deposit: Deposit) -> Decimal:
    paid: Decimal | None = deposit.paid
    assert paid is not None
    return paid - selectors.refunded(deposit)


def _new(deposit: Deposit, amount: Decimal, at: datetime, **said: object) -> Refund:
    number = uuid4()
    ours = f"refund-{number.hex}"
    row = {"id": number, "deposit": deposit, "amount": amount, "currency": deposit.paid_currency, "ours": ours}
    return Refund.objects.create(**row, asked_at=at, **said)


def _stands(deposit: Deposit) -> None:
    """The deposit's state, by what has gone back of it."""
    left = _left(deposit)
    if deposit.state in (Deposit.State.SUCCEEDED, Deposit.State.REFUNDED):
        deposit.state = Deposit.State.SUCCEEDED if left else Deposit.State.REFUNDED
    elif not left and deposit.is_held and not deposit.refunds.filter(state=State.REQUESTED).exists():
        deposit.state, deposit.reason = Deposit.State.FAILED, f"{deposit.reason}; given back"
    else:
        return
    deposit.save(update_fields=["state", "reason"])
