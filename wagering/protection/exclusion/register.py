"""Registers of those who play nowhere, imported whole: names and dates of birth go in, only their digests stay."""

import csv
import io
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta

from django.db import transaction

from wagering.protection.exclusion import services
from wagering.protection.identity.services import digest_of
from wagering.protection.models import Identity, RegisterEntry


class UnreadableRegister(ValueError):
    """The file is none, or a line of it is wrong; nothing of it was imported."""


@dataclass(frozen=True, slots=True)
class Imported:
    """What an import changed: entries that are new or have another term, those that are gone, players now excluded."""

    new: int
    gone: int
    excluded: int


def import_register(*, source: str, text: str, at: datetime) -> Imported:
    """``text`` is the whole register ``source``: CSV with ``name``, ``birth_date`` and perhaps ``until``, a date.

    Whom it names no more is dropped from it, which lifts nothing by itself. Again the same: nothing changes.
    Raises UnreadableRegister.
    """
    named = dict(_read(text))
    if not named:
        raise UnreadableRegister("register: it names nobody, which would drop all that it named before")
    with transaction.atomic():
        standing = {row.digest: row for row in RegisterEntry.objects.select_for_update().filter(source=source)}
        changed = [
            RegisterEntry(source=source, digest=digest, until=until, imported_at=at, removed_at=None)
            for digest, until in named.items()
            if digest not in standing or standing[digest].removed_at or standing[digest].until != until
        ]
        RegisterEntry.objects.bulk_create(
            changed,
            update_conflicts=True,
            unique_fields=["source", "digest"],
            update_fields=["until", "imported_at", "removed_at"],
            batch_size=1000,
        )
        gone = RegisterEntry.objects.filter(source=source, removed_at=None).exclude(digest__in=list(named))
        dropped = gone.update(removed_at=at)
    return Imported(len(changed), dropped, _exclude_known(source, named, at))


def _exclude_known(source: str, named: dict[str, datetime | None], at: datetime) -> int:
    """Each by itself: what one waits for keeps no other waiting."""
    known = Identity.objects.filter(digest__in=list(named)).select_related("person__player")
    before = set(known.filter(person__exclusions__source=source).values_list("pk", flat=True))
    for identity in known:
        services.look_up(player=identity.person.player, at=at)
    return len(set(known.filter(person__exclusions__source=source).values_list("pk", flat=True)) - before)


def _read(text: str) -> Iterator[tuple[str, datetime | None]]:
    lines = csv.DictReader(io.StringIO(text))
    if not {"name", "birth_date"} <= set(lines.fieldnames or ()):
        raise UnreadableRegister("register: its first line names the columns name, birth_date and perhaps until")
    for number, line in enumerate(lines, start=2):
        try:
            birth_date = date.fromisoformat((line["birth_date"] or "").strip())
            until = (line.get("until") or "").strip()
            ends = datetime.combine(date.fromisoformat(until), time.min, UTC) + timedelta(days=1) if until else None
        except ValueError as error:
            raise UnreadableRegister(f"register: line {number}: {error}") from None
        name = (line["name"] or "").strip()
        if not name:
            raise UnreadableRegister(f"register: line {number}: the name is missing")
        yield digest_of(name=name, birth_date=birth_date), ends
