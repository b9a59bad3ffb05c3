"""A file from the bank comes in: read whole, kept by its hash, once; every movement by the bank's own reference, once.

What follows from an answer to an order is done with it, in its transaction, by who is named in settings.BANK_REPORTS:
dotted paths of functions ``report(*, report: Report, at: datetime) -> None``. Movements wait (``entries``).
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from datetime import datetime

from django.conf import settings
from django.db import transaction
from django.utils.module_loading import import_string

from games.models import User
from wagering.cashier.bank import sealed
from wagering.cashier.bank.models import BankEntry, ClosingBalance, Statement
from wagering.cashier.bank.rules import camt, pain002, xml
from wagering.cashier.bank.rules.camt import Closing, Movement
from wagering.cashier.bank.rules.pain002 import Report


class NotOurAccount(xml.Unreadable):
    """A statement of an account that is not the players'."""


def take(*, body: bytes, name: str, at: datetime, by: User | None = None) -> Statement:
    """Keep what the file tells; again, what was kept. Raises Unreadable, of which nothing is kept."""
    kind, root = xml.document(body)
    digest = hashlib.sha256(body).hexdigest()
    said = {"kind": kind, "name": name[:200], "received_at": at, "brought_by": by}
    if kind == "pain.002":
        return _reported(digest, said, pain002.read(root), at)
    if kind in camt.STATEMENTS:
        moved, closings = camt.read(kind, root), camt.closings(kind, root)
        for account in (*(each.account for each in moved), *(each.account for each in closings)):
            if account != settings.BANK_IBAN:
                raise NotOurAccount(f"statement: is of the account {account}, not of the players'")
        return _moved(digest, said, moved, closings, at)
    raise xml.Unreadable(f"file: is a {kind}, which is none that a bank sends us")


@transaction.atomic
def _reported(digest: str, said: dict[str, object], report: Report, at: datetime) -> Statement:
    found, made = Statement.objects.get_or_create(
        sha256=digest, defaults={**said, "entries": len(report.lines), "new": 0}
    )
    if made:
        for path in settings.BANK_REPORTS:
            import_string(path)(report=report, at=at)
    return found


@transaction.atomic
def _moved(
    digest: str, said: dict[str, object], moved: Sequence[Movement], closings: Sequence[Closing], at: datetime
) -> Statement:
    found, made = Statement.objects.get_or_create(sha256=digest, defaults={**said, "entries": len(moved), "new": 0})
    if made:
        for movement in sorted(moved, key=lambda each: (each.account, each.reference)):  # rivals meet in one order
            found.new += _kept(found, movement, at)
        found.save(update_fields=["new"])
        for closing in closings:
            ClosingBalance.objects.create(
                statement=found, currency=closing.currency, amount=closing.amount, day=closing.day
            )
    return found


def _kept(statement: Statement, movement: Movement, at: datetime) -> bool:
    """Whether it was not known before."""
    _, made = BankEntry.objects.get_or_create(
        account=movement.account,
        reference=movement.reference,
        defaults={
            "statement": statement,
            "currency": movement.currency,
            "amount": movement.amount,
            "is_credit": movement.is_credit,
            "day": movement.day,
            "end_to_end": movement.end_to_end,
            "returned": movement.returned,
            "reason": movement.reason,
            "told": sealed.shut(sealed.Told(movement.name, movement.iban, movement.text)),
            "came_at": at,
        },
    )
    return made
