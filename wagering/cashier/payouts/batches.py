"""Orders to our bank: made at the cut-off, claimed, sent once, and looked up when no answer came; never sent again."""

from __future__ import annotations

import hashlib
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID, uuid4

import structlog
from django.conf import settings
from django.db import connection as database
from django.db import transaction
from django.db.models import QuerySet

from ledger import money
from wagering.cashier.bank import connection, schema
from wagering.cashier.bank.connection import BankRefused, BankSilent
from wagering.cashier.bank.rules import calendar
from wagering.cashier.bank.rules.calendar import Hours
from wagering.cashier.bank.rules.pain001 import Order, Payer, Transfer, write
from wagering.cashier.payouts import accounts, standing, switch
from wagering.cashier.payouts.models import BANK, SENT, Attempt, Batch, Payout
from wagering.rest.retries import outermost

log = structlog.get_logger(__name__)

State, Verdict = Batch.State, Attempt.Verdict

LINES: Final = 500
"""Of one batch at most."""
ANSWERS_WITHIN: Final = timedelta(minutes=2)
"""A claim that is older has lost its worker: whether the bank has it is looked up."""
LOOKS_EVERY: Final = timedelta(minutes=1)
WEIGHTS: Final = (Verdict.NONE, Verdict.LOST, Verdict.ACCEPTED, Verdict.REFUSED, Verdict.SETTLED)
"""Of two words on one attempt the later of these counts: any of the bank's before that it never had it."""


def hours() -> Hours:
    return Hours(settings.BANK_ZONE, settings.BANK_CUT_OFF)


def make(*, currency: str, at: datetime) -> Batch | None:
    """An order of what was approved by the last cut-off and may leave; None if there is nothing.

    Two at once never take the same.
    """
    with transaction.atomic():
        _alone()
        if switch.is_stopped():
            return None
        cut_off = calendar.last_cut_off(hours(), at=at)
        approved = Payout.objects.select_for_update(of=("self",)).filter(
            state=Payout.State.APPROVED, method__provider=BANK, currency=currency, approved_at__lte=cut_off
        )
        ready = approved.select_related("player", "method").order_by("approved_at", "pk")[:LINES]
        payouts = {payout.pk: payout for payout in standing.may_leave(ready, at=at)}
        if not payouts:
            return None
        attempts = list(Attempt.objects.filter(payout__in=payouts, released_at=None, paid_at=None).order_by("pk"))
        total = sum(payout.amount for payout in payouts.values())
        batch = Batch(
            id=uuid4(),
            currency=currency,
            day=calendar.day_of(hours(), at=cut_off),
            made_at=at,
            payer_name=settings.BANK_HOLDER,
            payer_iban=settings.BANK_IBAN,
            payer_bic=settings.BANK_BIC,
            count=len(attempts),
            control_sum=total,
        )
        for position, attempt in enumerate(attempts, start=1):
            attempt.payout, attempt.batch, attempt.position = payouts[attempt.payout_id], batch, position
        file = write(_order(batch, attempts))
        schema.check(file)
        batch.sha256 = hashlib.sha256(file).hexdigest()
        batch.save(force_insert=True)
        Attempt.objects.bulk_update(attempts, ["batch", "position"])
        Payout.objects.filter(pk__in=payouts).update(state=Payout.State.BATCHED)
        return batch


def render(batch: Batch) -> bytes:
    """The file of the batch: the bytes whose hash it keeps. Raises Erased for one that paid somebody who is erased."""
    attempts = batch.attempts.select_related("payout__method__player").order_by("position")
    return write(_order(batch, list(attempts)))


def submit(*, batch: UUID, at: datetime) -> Batch | None:
    """Hand a batch in, if nobody has or does; None if there is nothing to hand in. No answer: it is UNKNOWN."""
    claimed = outermost(_claim)(batch, at)
    if claimed is None:
        return None
    file = render(claimed)
    assert hashlib.sha256(file).hexdigest() == claimed.sha256, f"{claimed} is not what it was made as"
    try:
        connection.bank().submit(message=claimed.message, file=file)
    except BankRefused as refusal:
        return outermost(_told)(batch, State.REFUSED, str(refusal), at)
    except BankSilent as silence:
        log.warning("the bank does not answer", batch=str(batch), why=str(silence))
        return outermost(_told)(batch, State.UNKNOWN, "", at)
    return outermost(_told)(batch, State.SUBMITTED, "", at)


def look(*, batch: UUID, at: datetime) -> Batch | None:
    """Ask the bank whether it has a batch that it did not confirm, if it is time to. Raises BankSilent."""
    found = outermost(_claim_look)(batch, at)
    if found is None:
        return None
    if connection.bank().has(message=found.message):
        return outermost(_told)(batch, State.SUBMITTED, "", at)
    assert found.claimed_at is not None
    if found.claimed_at + timedelta(seconds=settings.PAYOUT_NEVER_HEARD_S) <= at:
        return outermost(_told)(batch, State.LOST, "the bank never had it", at)
    return found


def _order(batch: Batch, attempts: list[Attempt]) -> Order:
    transfers = []
    for attempt in attempts:
        payout = attempt.payout
        account = accounts.opened(payout.method)
        transfers.append(
            Transfer(
                reference=attempt.ours,
                amount=money.exact(payout.amount, payout.currency),
                name=account.holder,
                iban=account.iban,
                text=f"Payout {payout.pk.hex[:8]}",
            )
        )
    return Order(
        message=batch.message,
        made_at=batch.made_at,
        day=batch.day,
        currency=batch.currency,
        payer=Payer(batch.payer_name, batch.payer_iban, batch.payer_bic),
        transfers=transfers,
    )


@transaction.atomic
def _claim(batch: UUID, at: datetime) -> Batch | None:
    """From here on it may be at the bank: what is sent is sent by who has claimed it, and by nobody else.

    One that lay here, since payouts were stopped, may pay somebody against whom something has come up: it is lost.
    """
    found = Batch.objects.select_for_update().get(pk=batch)
    if found.state != State.MADE or switch.is_stopped():
        return None
    found.state, found.claimed_at, found.look_at = State.CLAIMED, at, at + ANSWERS_WITHIN
    found.save()
    if standing.came_up(Payout.objects.filter(attempts__batch=found, state=Payout.State.BATCHED)):
        # It cannot leave a file whose hash is kept: nothing of it is handed in, and each is tried anew and looked at.
        _told(batch, State.LOST, "not handed in: something came up against one that it pays", at)
        return None
    _payouts(found, Payout.State.SUBMITTED, of=(Payout.State.BATCHED,))
    found.attempts.update(sent_at=at)
    return found


@transaction.atomic
def _told(batch: UUID, state: Batch.State, reason: str, at: datetime) -> Batch:
    """What became of the handing in; later words on single transfers count whatever this is."""
    found = Batch.objects.select_for_update().get(pk=batch)
    if found.state not in (State.CLAIMED, State.UNKNOWN):
        return found
    found.state, found.reason = state, reason[:300]
    match state:
        case State.SUBMITTED:
            found.submitted_at, found.look_at = at, None
            _payouts(found, Payout.State.SUBMITTED, of=SENT)
        case State.UNKNOWN:
            found.look_at = at + LOOKS_EVERY
            _payouts(found, Payout.State.UNKNOWN, of=SENT)
        case _:
            found.look_at = None
            verdict = Verdict.REFUSED if state == State.REFUSED else Verdict.LOST
            judged(found.attempts.all(), verdict, reason)
    found.save()
    return found


def judged(attempts: QuerySet[Attempt], verdict: Attempt.Verdict, reason: str) -> None:
    """Note what was told of these, if nothing weightier was; what follows is done for each by itself."""
    lighter = WEIGHTS[: WEIGHTS.index(verdict)]
    rows = attempts.select_for_update().filter(released_at=None, paid_at=None, verdict__in=lighter).order_by("pk")
    Attempt.objects.filter(pk__in=[row.pk for row in rows]).update(verdict=verdict, reason=reason[:300])


@transaction.atomic
def _claim_look(batch: UUID, at: datetime) -> Batch | None:
    found = Batch.objects.select_for_update().get(pk=batch)
    if found.state not in (State.CLAIMED, State.UNKNOWN) or found.look_at is None or found.look_at > at:
        return None
    found.state, found.look_at = State.UNKNOWN, at + LOOKS_EVERY
    found.save()
    _payouts(found, Payout.State.UNKNOWN, of=SENT)
    return found


def _payouts(batch: Batch, state: Payout.State, *, of: tuple[Payout.State, ...]) -> None:
    """The batch's open payouts in one of the states ``of`` are in ``state`` from now on, locked in order."""
    rows = Payout.objects.select_for_update().filter(attempts__batch=batch, attempts__released_at=None, state__in=of)
    Payout.objects.filter(pk__in=[row.pk for row in rows.order_by("pk")]).update(state=state)


def _alone() -> None:
    """One batch is made at a time."""
    with database.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(hashtextextended('payouts: batches', 0))")
