"""What the bank is asked by the clock. Rows say what waits; a message only says: look."""

from __future__ import annotations

from uuid import UUID

import structlog
from celery import shared_task
from django.utils import timezone

from wagering.cashier.bank import balances, connection, entries, imports
from wagering.cashier.bank.connection import BankSilent
from wagering.cashier.bank.models import BankEntry
from wagering.cashier.bank.rules.xml import Unreadable
from wagering.rest import sweeps
from wagering.rest.retries import outermost

log = structlog.get_logger(__name__)


@shared_task
def fetch_documents() -> None:
    """Files that the bank has for us. One that cannot be read stays there, and is told, until somebody looks."""
    if not connection.is_there():
        return
    bank = connection.bank()
    try:
        for document in bank.documents():
            try:
                outermost(imports.take)(body=document.body, name=document.name, at=timezone.now())
            except Unreadable as refusal:
                log.exception("a file from the bank is not read", file=document.name, why=str(refusal))
            else:
                bank.taken(name=document.name)
    except BankSilent as silence:
        log.warning("the bank does not answer", why=str(silence))
    look_for_entries()


@shared_task
def handle_entry(entry: str) -> None:
    """What one movement is."""
    entries.handle(entry=UUID(entry), at=timezone.now())


@shared_task
def look_for_entries() -> None:
    """Movements that nobody has looked at; once there are none, closing balances."""
    new = BankEntry.objects.filter(state=BankEntry.State.NEW)
    sweeps.hint_some(new, handle_entry)
    outermost(balances.compare)()
