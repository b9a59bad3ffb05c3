"""Whoever keeps failing to log in waits, longer each time: by the name that is tried and by the address that tries.

An attempt is counted before the password is looked at, under a lock on its rows, and taken back if the password was
right. So a hundred attempts at once are a hundred, not one. A name that nobody has is counted like any other.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from ipaddress import ip_address, ip_network
from typing import Final

from django.db import transaction
from django.utils.crypto import salted_hmac

from games.access import names
from games.access.models import Failures

FORGOTTEN_AFTER: Final = timedelta(days=1)
"""A failure this long after the last is the first again."""


@dataclass(frozen=True, slots=True)
class Patience:
    """How many failures cost nothing, how long the next one locks, doubled by each further, and the longest lock."""

    free: int
    first: timedelta
    longest: timedelta

    def lock(self, *, failures: int) -> timedelta:
        """How long nobody may try after that many ``failures``."""
        over = failures - self.free
        if over <= 0:
            return timedelta(0)
        return min(self.first * (1 << min(over - 1, 20)), self.longest)


OF_NAMES: Final = Patience(free=5, first=timedelta(seconds=30), longest=timedelta(minutes=15))
"""Short enough that nobody can keep a player out for long by failing on purpose; tokens given before keep working."""
OF_ADDRESSES: Final = Patience(free=20, first=timedelta(seconds=30), longest=timedelta(hours=1))
"""More are free, since a household or a mobile network may share one."""


class TooManyFailures(Exception):
    """Logging in has failed too often by this name or from this address. ``retry_at`` is when it may be tried again."""

    def __init__(self, *, retry_at: datetime) -> None:
        super().__init__("logging in has failed too often by this name or from this address; wait, then try again")
        self.retry_at = retry_at


@dataclass(frozen=True, slots=True)
class Attempt:
    """What is counted; ``address`` is empty where the server does not know it.

    A player's ``name`` and an operator's count apart, so that failing at one door locks nobody out of the other.
    """

    name: str
    address: str
    whose: str = "name"

    @property
    def subjects(self) -> dict[str, Patience]:
        found = {_subject(self.whose, names.key(self.name)): OF_NAMES}
        if self.address:
            found[_subject("address", network(self.address))] = OF_ADDRESSES
        return found


def begin(attempt: Attempt, *, at: datetime) -> None:
    """Count the attempt as a failure for now. Raises TooManyFailures, and counts nothing, while a lock is on."""
    with transaction.atomic():
        rows = _locked(list(attempt.subjects), at=at)
        waits = [row.locked_until for row in rows if row.locked_until is not None and row.locked_until > at]
        if waits:
            raise TooManyFailures(retry_at=max(waits))
        for row in rows:
            row.count = 1 if at - row.last_at >= FORGOTTEN_AFTER else row.count + 1
            row.last_at = at
            lock = attempt.subjects[row.subject].lock(failures=row.count)
            row.locked_until = at + lock if lock else None
            row.save(update_fields=("count", "last_at", "locked_until"))


def taken_back(attempt: Attempt) -> None:
    """Nobody has looked whether the attempt was right."""
    with transaction.atomic():
        for row in Failures.objects.select_for_update().filter(subject__in=attempt.subjects).order_by("subject"):
            row.count, row.locked_until = max(row.count - 1, 0), None
            row.save(update_fields=("count", "locked_until"))


def succeeded(attempt: Attempt, *, at: datetime) -> None:
    """The name starts anew.

    The address only takes this attempt back, or having one account would be a way to guess at others.
    """
    of_name, *of_address = attempt.subjects
    with transaction.atomic():
        for row in _locked([of_name, *of_address], at=at):
            row.count = 0 if row.subject == of_name else max(row.count - 1, 0)
            row.locked_until = None
            row.save(update_fields=("count", "locked_until"))


def forget(*, at: datetime) -> int:
    """Delete what no longer counts; how many rows."""
    deleted, _ = Failures.objects.filter(last_at__lte=at - FORGOTTEN_AFTER).delete()
    return deleted


def network(address: str) -> str:
    """An IPv6 host has a /64 to itself, and would be a new address each time."""
    try:
        found = ip_address(address)
    except ValueError:
        return address
    return str(ip_network((found, 64), strict=False)) if found.version == 6 else str(found)


def _locked(subjects: Sequence[str], *, at: datetime) -> list[Failures]:
    """Their rows, made if need be. In one order, so that rivals meet in a queue and not in a deadlock."""
    subjects = sorted(subjects)
    Failures.objects.bulk_create([Failures(subject=subject, last_at=at) for subject in subjects], ignore_conflicts=True)
    return list(Failures.objects.select_for_update().filter(subject__in=subjects).order_by("subject"))


def _subject(kind: str, text: str) -> str:
    return salted_hmac("games.access.lockout", f"{kind}:{text}", algorithm="sha256").hexdigest()
