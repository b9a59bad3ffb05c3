"""What is done about deposits behind the request and by the clock. Rows say what waits; a message only says: look."""

from __future__ import annotations

import functools
from collections.abc import Callable
from uuid import UUID

import structlog
from celery import shared_task
from django.conf import settings
from django.utils import timezone

from wagering.cashier.deposits import inbox, refunds, selectors, services
from wagering.cashier.deposits.models import Deposit, Refund
from wagering.cashier.providers.protocol import ProviderSilent
from wagering.rest import sweeps

log = structlog.get_logger(__name__)


@shared_task
def handle_event(event: str) -> None:
    """What one webhook said."""
    _unless_silent(lambda: inbox.handle(event=UUID(event), at=timezone.now()))


@shared_task
def look_at_payment(deposit: str) -> None:
    """Ask the provider about one deposit."""
    _unless_silent(lambda: services.look(deposit=UUID(deposit), at=timezone.now()))


@shared_task
def send_refund(refund: str) -> None:
    """Ask the provider for one refund."""
    _unless_silent(lambda: refunds.send(refund=UUID(refund), at=timezone.now()))


@shared_task
def look_in_the_inbox() -> None:
    """Events whose hint was lost, or whose provider did not answer when it was asked."""
    waiting = selectors.waiting_events()
    sweeps.hint_some(waiting, handle_event)


@shared_task
def look_for_payments() -> None:
    """Deposits whose provider has been silent for long (P-1): what never came is found, what is over is closed."""
    due = Deposit.objects.filter(look_at__lte=timezone.now())
    sweeps.hint_some(due, look_at_payment)


@shared_task
def look_for_refunds() -> None:
    """Refunds that a provider has not confirmed."""
    due = Refund.objects.filter(look_at__lte=timezone.now())
    sweeps.hint_some(due, send_refund)


@shared_task
def look_for_refunds_made_there() -> None:
    """Refunds that somebody made at a provider, and whose webhook never came."""
    for code in settings.PROVIDERS:
        _unless_silent(functools.partial(refunds.look, provider=code, at=timezone.now()))


def _unless_silent(do: Callable[[], object]) -> None:
    """A provider that does not answer is asked again by the sweep."""
    try:
        do()
    except ProviderSilent as silence:
        log.warning("a provider does not answer", why=str(silence))
