"""Registers of those who play nowhere, imported whole: names and dates of birth go in, only their digests stay."""

import csv
import io
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta

from django.db import transaction

from wagering.protection.exclusion import services
from wagering.protection.identity.digests import digest_of, spellings_of
from wagering.protection.models import Exclusion, Identity, RegisterEntry


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

    Each name is found in all its spellings; what was imported before they were kept is so once it is imported again.
    Whom the file names no more is dropped, which lifts nothing by itself. Again the same: nothing changes.
    Raises UnreadableRegister.
    """
    named = {entry.digest: entry for entry in _read(text, source, at)}
    if not named:
        raise UnreadableRegister("register: it names nobody, which would drop all that it named before")
    with transaction.atomic():
        standing = {row.digest: row for row in RegisterEntry.objects.select_for_update().filter(source=source)}
        changed = [
            entry
            for digest, entry in named.items()
            if digest not in standing or _says(standing[digest]) != _says(entry)
        ]
        RegisterEntry.objects.bulk_create(
            changed,
            update_conflicts=True,
            unique_fields=["source", "digest"],
            update_fields=["spellings", "until", "imported_at", "removed_at"],
            batch_size=1000,
        )
        gone = RegisterEntry.objects.filter(source=source, removed_at=None).exclude(digest__in=list(named))
        dropped = gone.update(removed_at=at)
    return Imported(len(changed), dropped, _exclude_known(source, named.values(), at))


def _says(entry: RegisterEntry) -> tuple[object, ...]:
    return entry.until, entry.removed_at, entry.spellings


def _exclude_known(source: str, named: Iterable[RegisterEntry], at: datetime) -> int:
    """Each by itself: what one waits for keeps no other waiting."""
    digests = {digest for entry in named for digest in (entry.digest, *entry.spellings)}
    rows = Identity.objects.select_related("person__player").iterator()
    known = [identity.person for identity in rows if not digests.isdisjoint(identity.digests)]
    out = Exclusion.objects.filter(source=source, person__in=known)
    before = set(out.values_list("person", flat=True))
    for person in known:
        services.look_up(player=person.player, at=at)
    return len(set(out.values_list("person", flat=True)) - before)


def _read(text: str, source: str, at: datetime) -> Iterator[RegisterEntry]:
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
        yield RegisterEntry(
            source=source,
            digest=digest_of(name=name, birth_date=birth_date),
            spellings=spellings_of(name=name, birth_date=birth_date),
            until=ends,
            imported_at=at,
        )
