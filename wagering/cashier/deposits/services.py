"""A deposit from the wish to the wallet. The provider is never called inside a transaction: claim, call, record.

Our reference at the provider is made of the row's id, so asking again is the same request, and what became of it can
always be looked up. Once credited, a deposit is credited for good; what goes back is a refund or a dispute.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from decimal import Decimal
from typing import Final
from uuid import UUID, uuid4

from django.db import transaction

from games.models import Player
from ledger import book, money, postings
from ledger.vouchers import Voucher
from wagering.cashier.deposits import inbox, selectors
from wagering.cashier.deposits.models import CREDITED, Deposit, InboxEvent
from wagering.cashier.methods import services as methods
from wagering.cashier.providers import registry
from wagering.cashier.providers.protocol import Payment, ProviderRefused, Told, account_of
from wagering.notices import services as notices
from wagering.protection import gate
from wagering.rest.gains import gained
from wagering.rest.retries import outermost
from wagering.vault import services as vault

State = Deposit.State

LOOKS: Final = (60, 120, 300, 900, 1800, 3600)
"""Seconds after which a provider that tells nothing is asked, the last of them again and again."""

STARTED_WITHIN: Final = timedelta(hours=24)
"""A deposit that was not begun at its provider by then never will be."""

PAGE_TAKES: Final = timedelta(hours=25)
"""A page to pay at may take money for so long after it was asked for: a day, at the providers that we know, and a
while until what was paid is found."""


class CurrencyNotTaken(Exception):
    """The provider takes no payments in this currency. Play money is never paid for."""

    def __init__(self, *, provider: str, currency: str) -> None:
        super().__init__(f"amount: {provider} takes no {currency}")
        self.field = "amount"


class NotToBeStarted(Exception):
    """The deposit was paid, has failed, or was not begun in time: begin another one."""

    def __init__(self, deposit: Deposit) -> None:
        told = f"{deposit.created_at:%Y-%m-%d %H:%M} UTC is {deposit.state}"
        super().__init__(f"The deposit that you asked for at {told}, and is not begun any more; ask for another one.")


def begin(
    *, player: Player, amount: Decimal, currency: str, provider: str, at: datetime, return_url: str = ""
) -> Deposit:
    """A player wants to pay in ``amount``. Nothing is asked of the provider yet.

    Raises UnknownProvider, CurrencyNotTaken, InvalidAmount, and Protected for who may not.
    """
    if currency not in registry.provider(provider).currencies:
        raise CurrencyNotTaken(provider=provider, currency=currency)
    amount = money.exact(amount, currency)
    if amount == 0:
        raise money.InvalidAmount(field="amount", value=amount, rule="is nothing to pay in")
    number = uuid4()
    with transaction.atomic():
        gate.locked(player)
        pending = selectors.pending_sum(player, currency)
        gate.check_deposit(player=player, amount=amount, currency=currency, pending=pending, at=at)
        return Deposit.objects.create(
            id=number,
            player=player,
            provider=provider,
            currency=currency,
            amount=amount,
            ours=f"deposit-{number.hex}",
            return_url=return_url,
            created_at=at,
            look_at=at + STARTED_WITHIN,
        )


def start(*, deposit: UUID, at: datetime) -> Deposit:
    """Begin the payment at the provider; ``pay_at`` is then where the player pays. Again: the same page.

    Who may not deposit any more is not sent there again either. A provider that refuses ends the deposit. Raises
    ProviderSilent, after which this may be called again: it is the same request. Raises NotToBeStarted, and Protected
    for who may not any more.
    """
    found = outermost(_claim_start)(deposit, at)
    if found.pay_at:
        return found
    try:
        started = registry.provider(found.provider).start(
            ours=found.ours,
            amount=found.amount,
            currency=found.currency,
            player=found.player_id,
            return_url=found.return_url,
            description=f"Deposit of {found.amount} {found.currency}",
        )
    except ProviderRefused as refusal:
        return outermost(_fail)(deposit, f"{refusal.code}: {refusal}")
    return outermost(_record_start)(deposit, theirs=started.reference, pay_at=started.url)


def look(*, deposit: UUID, at: datetime) -> Deposit | None:
    """Ask the provider how a deposit stands that has been silent for long, if it is time to; what it is then.

    Raises ProviderSilent; the next look is due all the same.
    """
    claimed = outermost(_claim_look)(deposit, at)
    return look_up(ours=claimed.ours, at=at) if claimed else None


def look_up(*, ours: str, at: datetime, theirs: str = "", event: InboxEvent | None = None) -> Deposit | None:
    """Ask the provider about the payment that we call ``ours``, and do what follows from its answer.

    ``theirs`` is what an event calls it, from which it may be found sooner. With it ``event`` is done. None if no
    deposit has the reference. Raises ProviderSilent.
    """
    found = Deposit.objects.filter(ours=ours).only("provider", "theirs").first()
    if found is None:
        return None
    told = registry.provider(found.provider).look_up(ours=ours, theirs=found.theirs or theirs)
    if told is None:
        return outermost(_never_heard)(ours, at, event)
    return outermost(settle_told)(told=told, at=at, event=event)


@transaction.atomic
def settle_told(*, told: Told, at: datetime, event: InboxEvent | None = None) -> Deposit:
    """What follows from how the provider, asked, says the payment stands. Any number of times, in any order.

    A success counts after a failure too: the money is there. Nothing counts after a success.
    """
    deposit = Deposit.objects.select_for_update(of=("self",)).select_related("player").get(ours=told.ours)
    if deposit.state in CREDITED or deposit.paid is not None:
        inbox.finish(event, outcome="was known", at=at)
        return deposit
    deposit.theirs = deposit.theirs or told.theirs
    match told.state:
        case Payment.SUCCEEDED:
            return _paid(deposit, told, at, event)
        case Payment.FAILED | Payment.RETURNED:
            deposit.state, deposit.reason, deposit.look_at = State.FAILED, told.reason[:500], None
        case Payment.PROCESSING:
            deposit.state = State.PROCESSING if deposit.state == State.CREATED else deposit.state
    deposit.save()
    inbox.finish(event, outcome=f"deposit {deposit.state}", at=at)
    return deposit


def voucher(deposit: Deposit) -> Voucher:
    """What a deposit that has succeeded moved in the book."""
    assert deposit.paid is not None and deposit.succeeded_at is not None, f"{deposit} moved nothing"
    return postings.deposit_confirmed(
        deposit=deposit.pk,
        player=deposit.player_id,
        provider=account_of(deposit.provider),
        amount=deposit.paid,
        currency=deposit.currency,
        at=deposit.succeeded_at,
    )


def _paid(deposit: Deposit, told: Told, at: datetime, event: InboxEvent | None) -> Deposit:
    """It was paid: what was paid is credited, and said if it is not what was asked.

    Never in another currency, and never to who was erased meanwhile: of them nothing new is kept.
    """
    is_erased = vault.is_erased(player=deposit.player)
    deposit.paid, deposit.paid_currency = money.exact(told.amount, told.currency), told.currency
    deposit.look_at = None
    if told.instrument and not is_erased:
        deposit.method = methods.used(
            player=deposit.player, provider=deposit.provider, instrument=told.instrument, at=at
        )
    if (deposit.paid, deposit.paid_currency) != (deposit.amount, deposit.currency):
        deposit.reason = f"{deposit.paid} {deposit.paid_currency} was paid, not {deposit.amount} {deposit.currency}"
    if is_erased:
        deposit.reason = "it was paid after its player was erased"
    if deposit.paid_currency != deposit.currency or not deposit.paid or is_erased:
        deposit.state = State.PROCESSING
        deposit.save()
        inbox.finish(event, outcome="deposit held for an operator", at=at)
        return deposit
    deposit.state, deposit.succeeded_at = State.SUCCEEDED, at
    deposit.save()
    inbox.finish(event, outcome="deposit credited", at=at)
    notices.tell(
        kind="deposit_succeeded",
        data={"deposit": deposit.pk, "amount": deposit.paid, "currency": deposit.currency},
        player=deposit.player,
        at=at,
    )
    gained(players=[deposit.player_id], currency=deposit.currency)
    book.post(voucher(deposit))
    return deposit


@transaction.atomic
def _claim_start(deposit: UUID, at: datetime) -> Deposit:
    player = gate.locked(Player.objects.get(deposits=deposit)).player
    found = _locked(deposit)
    if found.state not in (State.CREATED, State.PROCESSING) or found.paid is not None:
        raise NotToBeStarted(found)
    if not found.pay_at and found.created_at + STARTED_WITHIN <= at:
        raise NotToBeStarted(found)
    others = selectors.pending_sum(player, found.currency) - found.amount
    gate.check_deposit(player=player, amount=found.amount, currency=found.currency, pending=others, at=at)
    if not found.pay_at:
        found.look_at = found.look_at if found.asked_at else at + timedelta(seconds=LOOKS[0])
        found.state, found.asked_at = State.PROCESSING, at
        found.save()
    return found


@transaction.atomic
def _record_start(deposit: UUID, *, theirs: str, pay_at: str) -> Deposit:
    found = _locked(deposit)
    found.theirs, found.pay_at = found.theirs or theirs, pay_at
    found.save()
    return found


@transaction.atomic
def _fail(deposit: UUID, reason: str) -> Deposit:
    found = _locked(deposit)
    if found.state in (State.CREATED, State.PROCESSING) and found.paid is None:
        found.state, found.reason, found.look_at = State.FAILED, reason[:500], None
        found.save()
    return found


@transaction.atomic
def _claim_look(deposit: UUID, at: datetime) -> Deposit | None:
    """None if it is not time, or if nothing was ever asked of the provider: then it has failed."""
    found = _locked(deposit)
    if found.look_at is None or found.look_at > at:
        return None
    if found.asked_at is None:
        found.state, found.reason, found.look_at = State.FAILED, "never started", None
        found.save()
        return None
    found.looks += 1
    found.look_at = at + timedelta(seconds=LOOKS[min(found.looks, len(LOOKS) - 1)])
    found.save(update_fields=["looks", "look_at"])
    return found


@transaction.atomic
def _never_heard(ours: str, at: datetime, event: InboxEvent | None) -> Deposit:
    """The provider knows nothing of it: its page may still take money, until it is too late for that."""
    found = Deposit.objects.select_for_update().get(ours=ours)
    is_open = found.state in (State.CREATED, State.PROCESSING) and found.paid is None
    if is_open and found.asked_at is not None and found.asked_at + PAGE_TAKES <= at:
        found.state, found.reason, found.look_at = State.FAILED, "the provider never heard of it", None
        found.save()
    inbox.finish(event, outcome="the provider, asked, knows nothing of it", at=at)
    return found


def _locked(deposit: UUID) -> Deposit:
    return Deposit.objects.select_for_update().get(pk=deposit)
