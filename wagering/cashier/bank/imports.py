"""A file from the bank comes in: read whole, kept by its hash, once; every movement by the bank's own reference, once.

What the connection to the bank fetched acts at once, what an operator brings when another has brought the same: nobody
makes money, or a payout that failed, by a file of their own.

What follows from an answer to an order is done with it, in its transaction, by who is named in settings.BANK_REPORTS:
dotted paths of functions ``report(*, report: Report, at: datetime) -> None``. Movements wait (``entries``).
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from datetime import datetime
from decimal import Decimal

from django.conf import settings
from django.db import connection, transaction
from django.utils.module_loading import import_string

from games.models import User
from wagering.cashier.bank import sealed
from wagering.cashier.bank.models import BankEntry, ClosingBalance, Statement
from wagering.cashier.bank.rules import camt, pain002, xml
from wagering.cashier.bank.rules.camt import Closing, Movement
from wagering.cashier.bank.rules.pain002 import Report


class NotOurAccount(xml.Unreadable):
    """A statement of an account that is not the players'."""


class NotTaken(ValueError):
    """Whoever brings a file is no active operator."""


def take(*, body: bytes, name: str, at: datetime, by: User | None = None) -> Statement:
    """Keep what the file tells, if the bank gave it or a second operator brings it; again, what was kept.

    For ``by`` None it was fetched from the bank. Raises Unreadable, of which nothing is kept, and NotTaken.
    """
    if by is not None and not (by.is_active and by.is_staff):
        raise NotTaken("by: files are brought by operators who are active")
    kind, root = xml.document(body)
    digest = hashlib.sha256(body).hexdigest()
    said: dict[str, object] = {"kind": kind, "name": name[:200]}
    if kind == "pain.002":
        return _reported(digest, said, pain002.read(root), at, by)
    if kind in camt.STATEMENTS:
        moved, closings = camt.read(kind, root), camt.closings(kind, root)
        for account in (*(each.account for each in moved), *(each.account for each in closings)):
            if account != settings.BANK_IBAN:
                raise NotOurAccount(f"statement: is of the account {account}, not of the players'")
        return _moved(digest, said, moved, closings, at, by)
    raise xml.Unreadable(f"file: is a {kind}, which is none that a bank sends us")


@transaction.atomic
def _reported(digest: str, said: dict[str, object], report: Report, at: datetime, by: User | None) -> Statement:
    found, acts = _once(digest, {**said, "entries": len(report.lines)}, at, by)
    if acts:
        for path in settings.BANK_REPORTS:
            import_string(path)(report=report, at=at)
    return found


@transaction.atomic
def _moved(
    digest: str,
    said: dict[str, object],
    moved: Sequence[Movement],
    closings: Sequence[Closing],
    at: datetime,
    by: User | None,
) -> Statement:
    found, acts = _once(digest, {**said, "entries": len(moved)}, at, by)
    if acts:
        _alone()
        known = _known(moved)
        for movement in moved:
            found.new += movement.whole not in known and _kept(found, movement, at)
        found.save(update_fields=["new"])
        for closing in closings:
            ClosingBalance.objects.create(
                statement=found, currency=closing.currency, amount=closing.amount, day=closing.day
            )
    return found


def _once(digest: str, said: dict[str, object], at: datetime, by: User | None) -> tuple[Statement, bool]:
    """The file's row, locked, and whether what it tells is to be done now."""
    told = {**said, "new": 0, "received_at": at, "fetched": by is None, "brought_by": by}
    found, made = Statement.objects.get_or_create(
        sha256=digest, defaults={**told, "done_at": at if by is None else None}
    )
    if made:
        return found, by is None
    found = Statement.objects.select_for_update(of=("self",)).get(pk=found.pk)
    if found.done_at is not None or (by is not None and by.pk == found.brought_by_id):
        return found, False
    found.fetched, found.confirmed_by, found.done_at = by is None, by, at
    found.save(update_fields=["fetched", "confirmed_by", "done_at"])
    return found, True


def _alone() -> None:
    """One file of movements at a time: two may tell of one entry in different parts."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(hashtextextended('movements at the bank', 0))")


def _known(moved: Sequence[Movement]) -> set[str]:
    """Which entries were told of before, whole or in whichever parts. Raises Unreadable for one that has changed."""
    here: dict[str, list[Movement]] = {}
    before: dict[str, list[BankEntry]] = {}
    for movement in moved:
        if movement.whole:
            here.setdefault(movement.whole, []).append(movement)
    for entry in BankEntry.objects.filter(account=settings.BANK_IBAN, whole__in=here):
        before.setdefault(entry.whole, []).append(entry)
    for whole, entries in before.items():
        was, now = _amounts(entries), _amounts(here[whole])
        if sum(was.values()) != sum(now.values()) and not now.items() <= was.items():
            raise xml.Unreadable(f"entry {whole}: was told of as {sum(was.values())}, and is {sum(now.values())} here")
    return set(before)


def _amounts(moved: Iterable[Movement | BankEntry]) -> dict[str, Decimal]:
    """What each moved, what left below zero."""
    return {each.reference: each.amount if each.is_credit else -each.amount for each in moved}


def _kept(statement: Statement, movement: Movement, at: datetime) -> bool:
    """Whether it was not known before. Raises Unreadable for one that has changed."""
    found, made = BankEntry.objects.get_or_create(
        account=movement.account,
        reference=movement.reference,
        defaults={
            "statement": statement,
            "whole": movement.whole,
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
    if (found.amount, found.is_credit) != (movement.amount, movement.is_credit):
        raise xml.Unreadable(
            f"entry {movement.reference}: was told of as {found.amount}, and is {movement.amount} here"
        )
    return made
