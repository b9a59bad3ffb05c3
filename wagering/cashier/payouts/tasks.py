"""What is done about payouts behind the request and by the clock. Rows say what waits; a message only says: look.

Each is safe twice, at once with itself, and after kill -9, since what is claimed is committed before anybody is asked:

screen_payout            look_for_payouts      held, or waiting for the player: screened
make_batches                                   approved, by the cut-off: into batches, by currency
submit_batch             look_for_batches      made: handed in once; claimed or unknown: looked up
send_payout              look_for_sendings     approved, to a provider: asked for once
look_at_payout           look_for_sendings     sent to a provider: looked up; paid: whether it came back
settle_attempt           look_for_verdicts     told of by the bank, or lost: paid, failed, or tried anew
credit_return            look_for_returns      come back: from suspense into the wallet

The bank's files come in by ``wagering.cashier.bank.tasks.fetch_documents``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import UUID

import structlog
from celery import shared_task
from django.conf import settings
from django.utils import timezone

from wagering.cashier.bank import connection
from wagering.cashier.bank.connection import BankSilent
from wagering.cashier.payouts import batches, outcomes, selectors, sending, services
from wagering.cashier.payouts.models import Batch, Payout
from wagering.cashier.providers.protocol import ProviderSilent
from wagering.rest import sweeps
from wagering.rest.hints import hint
from wagering.rest.retries import outermost

log = structlog.get_logger(__name__)


@shared_task
def screen_payout(payout: str) -> None:
    found = outermost(services.screen)(payout=UUID(payout), at=timezone.now())
    if found.state == Payout.State.APPROVED:
        for attempt in selectors.to_send().filter(payout=found).values_list("pk", flat=True):
            hint(send_payout, str(attempt))


@shared_task
def make_batches() -> None:
    """Every currency's, as long as there is anything for one."""
    if not connection.is_there():
        return
    for currency in settings.BANK_CURRENCIES:
        while batch := outermost(batches.make)(currency=currency, at=timezone.now()):
            hint(submit_batch, str(batch.pk))


@shared_task
def submit_batch(batch: str) -> None:
    """Hand it in, or look it up."""
    waits = Batch.objects.get(pk=batch).state == Batch.State.MADE
    do = batches.submit if waits else batches.look
    _unless_silent(do, batch=UUID(batch), at=timezone.now())


@shared_task
def send_payout(attempt: str) -> None:
    """Ask the provider for one payout."""
    _unless_silent(sending.send, attempt=UUID(attempt), at=timezone.now())


@shared_task
def look_at_payout(attempt: str) -> None:
    """Ask the provider how one stands."""
    _unless_silent(sending.look, attempt=UUID(attempt), at=timezone.now())


@shared_task
def settle_attempt(attempt: str) -> None:
    outermost(outcomes.settle)(attempt=UUID(attempt), at=timezone.now())


@shared_task
def credit_return(attempt: str) -> None:
    outermost(outcomes.credit)(attempt=UUID(attempt), at=timezone.now())


@shared_task
def look_for_payouts() -> None:
    waiting = selectors.to_screen(at=timezone.now())
    sweeps.hint_some(waiting, screen_payout)


@shared_task
def look_for_batches() -> None:
    waiting = selectors.to_submit(at=timezone.now())
    sweeps.hint_some(waiting, submit_batch)


@shared_task
def look_for_sendings() -> None:
    sweeps.hint_some(selectors.to_send(), send_payout)
    due = selectors.to_look_at(at=timezone.now())
    sweeps.hint_some(due, look_at_payout)


@shared_task
def look_for_verdicts() -> None:
    sweeps.hint_some(selectors.to_settle(), settle_attempt)


@shared_task
def look_for_returns() -> None:
    sweeps.hint_some(selectors.to_credit(), credit_return)


def _unless_silent(do: Callable[..., Any], **arguments: Any) -> None:
    """Who does not answer is asked again by the sweep."""
    try:
        do(**arguments)
    except (BankSilent, ProviderSilent) as silence:
        log.warning("no answer", why=str(silence))
