"""The inbox of all providers: kept as it came, once, before anybody looks at it; and done once.

A webhook is verified, kept and acknowledged; a task then does what it says. Who it is about is asked in the order of
settings.PROVIDER_EVENTS, dotted paths of functions

    def handle(*, event: InboxEvent, tells: Told | Disputed | Refunded, at: datetime) -> bool

that say whether it is theirs, and call ``finish`` in the transaction that does what follows, before they post.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

import structlog
from django.conf import settings
from django.db import transaction
from django.utils.module_loading import import_string
from prometheus_client import Counter

from wagering.cashier.deposits import told
from wagering.cashier.deposits.models import InboxEvent
from wagering.cashier.providers import registry
from wagering.cashier.providers.protocol import Event, Unreadable
from wagering.rest.retries import outermost

log = structlog.get_logger(__name__)

PATIENCE: Final = timedelta(hours=1)
"""How long an event waits for what it is about to be known here."""

EVENTS: Final = Counter("provider_events", "Events that came from payment providers", ["provider", "what"])
"""By ``what`` came of them at the door: new, repeated, unknown (a kind that we do not know)."""


def receive(*, provider: str, body: bytes, headers: Mapping[str, str], at: datetime) -> list[UUID]:
    """Keep what a webhook tells; the ids of what is new and waits to be done.

    Raises UnknownProvider, NotGenuine, Unreadable.
    """
    told_by = registry.provider(provider)
    try:
        found = told_by.read(body=body, headers=headers, at=at)
    except (ValueError, LookupError, TypeError, AttributeError, ArithmeticError) as error:
        log.warning("a provider told what cannot be read", provider=provider, why=type(error).__name__)
        raise Unreadable("what is signed cannot be read as an event") from error
    return outermost(_kept)(provider, body, found, at)


@transaction.atomic
def _kept(provider: str, body: bytes, events: Sequence[Event], at: datetime) -> list[UUID]:
    waiting = []
    for event in events:
        known = event.tells is not None
        row, made = InboxEvent.objects.get_or_create(
            provider=provider,
            event_id=event.id,
            defaults={
                "kind": event.kind[:100],
                "body": body,
                "tells": told.written(event.tells),
                "received_at": at,
                **({} if known else {"done_at": at, "outcome": "unknown kind"}),
            },
        )
        EVENTS.labels(provider, "repeated" if not made else "new" if known else "unknown").inc()
        if not known and made:
            log.warning("a provider told of something unknown", provider=provider, kind=event.kind, event_id=event.id)
        if row.done_at is None:
            waiting.append(row.pk)
    return waiting


def handle(*, event: UUID, at: datetime) -> None:
    """Do what one event says, if nobody has yet. Raises ProviderSilent: then it waits."""
    found = InboxEvent.objects.get(pk=event)
    if found.done_at is not None:
        return
    assert found.tells is not None, "what tells nothing is done when it comes in"
    tells = told.read(found.tells)
    for path in settings.PROVIDER_EVENTS:
        if import_string(path)(event=found, tells=tells, at=at):
            return
    if found.received_at + PATIENCE <= at:
        finish(found, outcome="about nothing of ours", at=at)


def finish(event: InboxEvent | None, *, outcome: str, at: datetime) -> None:
    """The event is done, in this transaction; the first outcome stands. None is no event: a sweep looked by itself."""
    if event is not None:
        InboxEvent.objects.filter(pk=event.pk, done_at=None).update(done_at=at, outcome=outcome[:200])
