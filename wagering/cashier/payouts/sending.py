"""Payouts through a provider, to an instrument that it knows: claimed, asked for once, looked up by our reference."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

import structlog
from django.conf import settings
from django.db import transaction

from ledger import money
from wagering.cashier.deposits import inbox
from wagering.cashier.deposits.models import InboxEvent
from wagering.cashier.payouts import outcomes, standing, switch
from wagering.cashier.payouts.models import BANK, Attempt, Payout
from wagering.cashier.providers import registry
from wagering.cashier.providers.protocol import Payment, ProviderRefused, ProviderSilent, Told
from wagering.rest.retries import outermost

log = structlog.get_logger(__name__)

State = Payout.State

LOOKS: Final = (60, 60, 120, 300, 900, 3600)
"""Seconds after which a provider that tells nothing is asked, the last of them again and again."""


def send(*, attempt: UUID, at: datetime) -> None:
    """Ask the provider to pay, if nobody has. No answer: it is UNKNOWN, and looked up, never asked for again."""
    claimed = outermost(_claim)(attempt, at)
    if claimed is None:
        return
    payout = claimed.payout
    try:
        told = registry.provider(claimed.rail).pay_out(
            ours=claimed.ours,
            token=payout.method.token,
            amount=money.exact(payout.amount, payout.currency),
            currency=payout.currency,
        )
    except ProviderRefused as refusal:
        outermost(_refused)(attempt, f"{refusal.code}: {refusal}", at)
    except ProviderSilent as silence:
        log.warning("a provider does not answer", attempt=str(attempt), why=str(silence))
        outermost(_silent)(attempt)
    else:
        settle_told(told=told, at=at)


def look(*, attempt: UUID, at: datetime) -> None:
    """Ask the provider how an attempt stands, if it is time to. Raises ProviderSilent."""
    claimed = outermost(_claim_look)(attempt, at)
    if claimed is not None:
        look_up(ours=claimed.ours, at=at)


def look_up(*, ours: str, at: datetime, event: InboxEvent | None = None) -> bool:
    """Ask the provider about the payout that we call ``ours``, and do what follows; with it ``event`` is done.

    False if no attempt has the reference. Raises ProviderSilent.
    """
    found = Attempt.objects.filter(ours=ours).exclude(rail=BANK).first()
    if found is None:
        return False
    told = registry.provider(found.rail).look_up_payout(ours=ours)
    if told is None:
        outermost(_never_heard)(found.pk, at, event)
    else:
        settle_told(told=told, at=at, event=event)
    return True


def settle_told(*, told: Told, at: datetime, event: InboxEvent | None = None) -> None:
    """What follows from how the provider, asked, says the payout stands. Any number of times, in any order.

    What came back was paid first: that is one transaction, and its return the next.
    """
    if told.state == Payment.RETURNED:
        outermost(_settle)(told, Payment.SUCCEEDED, at, None)
    outermost(_settle)(told, told.state, at, event)


@transaction.atomic
def _settle(told: Told, state: Payment, at: datetime, event: InboxEvent | None) -> None:
    attempt = outcomes.locked(Attempt.objects.values_list("pk", flat=True).get(ours=told.ours))
    payout = attempt.payout
    attempt.theirs = attempt.theirs or told.theirs
    inbox.finish(event, outcome=f"payout {state.value}", at=at)
    if (told.amount, told.currency) != (payout.amount, payout.currency):
        log.error("a provider tells of another amount", attempt=str(attempt.pk), told=str(told.amount))
        attempt.reason = f"the provider tells of {told.amount} {told.currency}"
        attempt.save()
        return
    attempt.save()
    is_back = state in (Payment.RETURNED, Payment.FAILED)
    if attempt.is_open and state == Payment.SUCCEEDED:
        outcomes.pay(attempt, at=at)
    elif attempt.is_open and state == Payment.FAILED:
        outcomes.fail(attempt, reason=told.reason, at=at)
    elif attempt.is_open and state == Payment.PROCESSING:
        outcomes.hear(attempt)
    elif attempt.paid_at is not None and attempt.returned_at is None and is_back:
        outcomes.come_back(attempt, amount=told.amount, reason=told.reason, at=at)
    elif attempt.released_at is not None and state == Payment.SUCCEEDED:
        log.error("a payout was paid that had been let go", attempt=str(attempt.pk))


@transaction.atomic
def _claim(attempt: UUID, at: datetime) -> Attempt | None:
    """From here on the provider may have been asked: by who has claimed it, and by nobody else."""
    found = outcomes.locked(attempt)
    if found.payout.state != State.APPROVED or not found.is_open or found.sent_at or switch.is_stopped():
        return None
    if not standing.may_leave([found.payout], at=at):
        return None
    found.sent_at, found.look_at = at, at + timedelta(seconds=LOOKS[0])
    found.payout.state = State.SUBMITTED
    found.save()
    found.payout.save()
    return found


@transaction.atomic
def _refused(attempt: UUID, reason: str, at: datetime) -> None:
    found = outcomes.locked(attempt)
    if found.is_open:
        outcomes.fail(found, reason=reason, at=at)


@transaction.atomic
def _silent(attempt: UUID) -> None:
    outcomes.doubt(outcomes.locked(attempt))


@transaction.atomic
def _claim_look(attempt: UUID, at: datetime) -> Attempt | None:
    found = outcomes.locked(attempt)
    if found.look_at is None or found.look_at > at:
        return None
    found.looks += 1
    if found.is_open:
        found.look_at = at + timedelta(seconds=LOOKS[min(found.looks, len(LOOKS) - 1)])
    else:
        found.look_at = at + outcomes.LOOKS_BACK if found.looks < outcomes.LOOKS_BACK_FOR else None
    found.save(update_fields=["looks", "look_at"])
    return found


@transaction.atomic
def _never_heard(attempt: UUID, at: datetime, event: InboxEvent | None) -> None:
    """The provider knows nothing of it. It may be on its way, until it is too late for that."""
    found = outcomes.locked(attempt)
    inbox.finish(event, outcome="the provider, asked, knows nothing of it", at=at)
    if not found.is_open or found.sent_at is None:
        return
    if found.sent_at + timedelta(seconds=settings.PAYOUT_NEVER_HEARD_S) <= at:
        outcomes.lose(found, at=at)
    else:
        outcomes.doubt(found)
