"""What an attempt comes to: paid, failed, come back, never heard of. Each is one posting, once, whoever tells of it."""

from __future__ import annotations

from datetime import datetime, timedelta
from decimal import Decimal
from typing import Final
from uuid import UUID

import structlog
from django.db import transaction

from ledger import book, money, postings
from ledger.vouchers import Voucher
from wagering.cashier.payouts import accounts, services
from wagering.cashier.payouts.models import BANK, SENT, Attempt, Payout
from wagering.cashier.payouts.told import tell
from wagering.cashier.providers.protocol import account_of

log = structlog.get_logger(__name__)

State, Verdict = Payout.State, Attempt.Verdict

ATTEMPTS: Final = 3
"""After so many that were never heard of, an operator has to look at it."""

LOOKS_BACK: Final = timedelta(days=1)
"""How often a provider is asked whether what it paid came back, LOOKS_BACK_FOR times."""
LOOKS_BACK_FOR: Final = 30


def settle(*, attempt: UUID, at: datetime) -> None:
    """Do what follows from the verdict on an attempt, if nobody has."""
    with transaction.atomic():
        found = locked(attempt)
        verdict, found.verdict = found.verdict, Verdict.NONE
        if not found.is_open or verdict == Verdict.NONE:
            found.save(update_fields=["verdict"])
            return
        match verdict:
            case Verdict.SETTLED:
                pay(found, at=at)
            case Verdict.REFUSED:
                fail(found, reason=found.reason, at=at)
            case Verdict.LOST:
                lose(found, at=at)
            case Verdict.ACCEPTED:
                found.save()
                hear(found)


def pay(attempt: Attempt, *, at: datetime) -> None:
    """It has left."""
    assert attempt.is_open, f"{attempt} has ended"
    payout = attempt.payout
    attempt.paid_at, attempt.look_at = at, None if attempt.rail == BANK else at + LOOKS_BACK
    attempt.looks = 0
    payout.state, payout.ended_at = State.PAID, at
    attempt.save()
    payout.save()
    tell(payout, "payout_paid", at=at)
    accounts.share(payout.method, at=at)
    book.post(paid(attempt))


def fail(attempt: Attempt, *, reason: str, at: datetime) -> None:
    """It was refused on its way, for good: the player has it again."""
    assert attempt.is_open, f"{attempt} has ended"
    payout = attempt.payout
    attempt.released_at, attempt.reason, attempt.look_at = at, reason[:300], None
    payout.state, payout.ended_at, payout.reason = State.FAILED, at, reason[:500]
    attempt.save()
    payout.save()
    tell(payout, "payout_failed", at=at)
    book.post(services.released(attempt))


def lose(attempt: Attempt, *, at: datetime) -> None:
    """It never arrived, and cannot any more: another attempt, under a reference and a hold of its own.

    The old hold is let go and the new one taken in one transaction, so nothing else gets at the money.
    """
    if attempt.number >= ATTEMPTS:
        fail(attempt, reason="could not be handed in", at=at)
        return
    payout = attempt.payout
    attempt.released_at, attempt.reason, attempt.look_at = at, "never heard of", None
    attempt.save()
    payout.state = State.APPROVED
    payout.save()
    new = services.opened(payout, number=attempt.number + 1, at=at)
    book.post(services.released(attempt))
    book.post(services.held(new))


def come_back(attempt: Attempt, *, amount: Decimal, reason: str, at: datetime) -> None:
    """It was paid, and came back: it waits in suspense."""
    assert attempt.paid_at is not None and attempt.returned_at is None, f"{attempt} did not come back now"
    payout = attempt.payout
    attempt.returned, attempt.returned_at, attempt.reason, attempt.look_at = amount, at, reason[:300], None
    payout.state, payout.reason = State.RETURNED, reason[:500]
    attempt.save()
    payout.save()
    book.post(returned(attempt))


def credit(*, attempt: UUID, at: datetime) -> None:
    """What came back is the player's to dispose of again, and the player is told."""
    with transaction.atomic():
        found = locked(attempt)
        if found.returned_at is None or found.credited_at is not None:
            return
        found.credited_at = at
        found.save()
        tell(found.payout, "payout_returned", amount=found.returned, at=at)
        book.post(credited(found))


def hear(attempt: Attempt) -> None:
    """Whoever was silent has it after all."""
    if attempt.payout.state == State.UNKNOWN:
        attempt.payout.state = State.SUBMITTED
        attempt.payout.save()


def doubt(attempt: Attempt) -> None:
    """No answer came."""
    if attempt.is_open and attempt.payout.state in SENT:
        attempt.payout.state = State.UNKNOWN
        attempt.payout.save()


def locked(attempt: UUID) -> Attempt:
    """The attempt and its payout, locked."""
    payout = Payout.objects.select_for_update(of=("self",)).select_related("player", "method").get(attempts=attempt)
    found = Attempt.objects.select_for_update().get(pk=attempt)
    found.payout = payout
    return found


# --- what it moved in the book ---------------------------------------------------------------------------------------


def paid(attempt: Attempt) -> Voucher:
    assert attempt.paid_at is not None
    payout = attempt.payout
    return postings.payout_paid(
        attempt=attempt.pk,
        player=payout.player_id,
        provider=_provider(attempt),
        amount=money.exact(payout.amount, payout.currency),
        currency=payout.currency,
        at=attempt.paid_at,
    )


def returned(attempt: Attempt) -> Voucher:
    assert attempt.returned_at is not None and attempt.returned is not None
    currency = attempt.payout.currency
    return postings.payout_returned(
        attempt=attempt.pk,
        provider=_provider(attempt),
        amount=money.exact(attempt.returned, currency),
        currency=currency,
        at=attempt.returned_at,
    )


def credited(attempt: Attempt) -> Voucher:
    assert attempt.credited_at is not None and attempt.returned is not None
    payout = attempt.payout
    return postings.suspense_credited(
        item=attempt.pk,
        player=payout.player_id,
        amount=money.exact(attempt.returned, payout.currency),
        currency=payout.currency,
        at=attempt.credited_at,
    )


def _provider(attempt: Attempt) -> UUID | None:
    return None if attempt.rail == BANK else account_of(attempt.rail)
