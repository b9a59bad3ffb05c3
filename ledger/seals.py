"""The hash chain over the book: sealed behind the writers, verified from the rows alone or against a checkpoint.

Sealing gives each committed journal a number without gaps and a hash of everything up to it; it runs in the database
(``ledger/sql/seal.sql``). Verifying is written here a second time, from the values as stored, and trusts no function
there. A ``Checkpoint`` kept outside the database also finds a tail that was cut off, or a chain made anew.
"""

import hashlib
import json
import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any, Final

from django.db import connection

from ledger.moment import one_moment

PAGE: Final = 2000
"""Journals read at a time."""


class InvalidCheckpoint(ValueError):
    """The file is no checkpoint of this book's format."""


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """Where the chain stood: the last ``number`` sealed, the ``count`` of journals sealed, the seal's hash in hex."""

    number: int
    count: int
    sha256: str

    @classmethod
    def read(cls, path: Path) -> "Checkpoint":
        """The checkpoint in a file written by ``write``. Raises InvalidCheckpoint, OSError."""
        try:
            found = json.loads(path.read_text(encoding="utf-8"))
            checkpoint = cls(number=found["number"], count=found["count"], sha256=found["sha256"])
        except (ValueError, KeyError, TypeError) as error:
            raise InvalidCheckpoint(f"checkpoint: {path} is no checkpoint ({error})") from error
        if type(checkpoint.number) is not int or type(checkpoint.count) is not int:
            raise InvalidCheckpoint(f"checkpoint: {path} is no checkpoint (number and count are whole numbers)")
        if not re.fullmatch("[0-9a-f]{64}", str(checkpoint.sha256)):
            raise InvalidCheckpoint(f"checkpoint: {path} is no checkpoint (sha256 is 64 hexadecimal digits)")
        return checkpoint

    def write(self, path: Path) -> None:
        path.write_text(json.dumps(asdict(self), indent=1) + "\n", encoding="utf-8")


@dataclass(frozen=True, slots=True)
class Verified:
    """What ``verify`` found: ``count`` journals and ``seals`` that hold, ``fault`` the first row that does not."""

    count: int
    seals: int
    fault: str | None = None


def seal(*, at_most: int = 10_000) -> Checkpoint | None:
    """Number and chain up to ``at_most`` committed journals; the chain's new end, or None if none could be sealed.

    None with journals ``waiting`` means that a posting has been under way for two seconds: try again later.
    """
    with connection.cursor() as cursor:
        cursor.execute("SELECT ledger_seal(%s)", [at_most])
        sealed = cursor.fetchone()[0] is not None
    return checkpoint() if sealed else None


def waiting() -> int:
    """How many journals have been recorded since the last sealed one."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM ledger_journal WHERE id > coalesce((SELECT max(journal_id) FROM ledger_sealed), 0)"
        )
        return int(cursor.fetchone()[0])


def checkpoint() -> Checkpoint | None:
    """Where the chain ends now; None if nothing was ever sealed."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT last, sum(count) OVER (), sha256 FROM ledger_seal ORDER BY last DESC LIMIT 1")
        found = cursor.fetchone()
    return Checkpoint(found[0], int(found[1]), bytes(found[2]).hex()) if found else None


def verify(*, against: Checkpoint | None = None) -> Verified:
    """Compute the whole chain again from the rows. Never raises for what it finds; says the first row that is wrong."""
    with one_moment():  # or what is sealed meanwhile would lie beyond the seals that were read
        return _verify(against)


def _verify(against: Checkpoint | None) -> Verified:
    chain = b""
    seal_before = b""
    seals = list(_seals())
    number = 0
    waiting = iter(seals)
    current = next(waiting, None)
    for found, journal_id, stored, text in _numbered():
        number += 1
        if found != number:
            return Verified(number - 1, 0, f"number {number} is missing, {found} is in its place")
        if text is None:
            return Verified(number - 1, 0, f"number {number}: its journal {journal_id} is gone")
        chain = hashlib.sha256(chain + f"{number}|{text}".encode()).digest()
        if chain != stored:
            return Verified(number - 1, 0, f"number {number}: journal {journal_id} is not what was sealed")
        if current is not None and number == current["last"]:
            fault = _seal_fault(current, chain=chain, before=seal_before, first_expected=number - current["count"] + 1)
            if fault:
                return Verified(number, seals.index(current), fault)
            seal_before = current["sha256"]
            current = next(waiting, None)
    if current is not None:
        return Verified(number, seals.index(current), f"seal up to {current['last']}: the numbers end at {number}")
    if number != (seals[-1]["last"] if seals else 0):
        return Verified(number, len(seals), f"number {number} lies beyond the last seal")
    if fault := _totals_fault(seals):
        return Verified(number, len(seals), fault)
    if against is not None:
        kept = next((one for one in seals if one["last"] == against.number), None)
        if kept is None:
            fault = f"checkpoint: the chain has no seal that ends at {against.number}; it ends at {number}"
            return Verified(number, len(seals), fault)
        if kept["sha256"].hex() != against.sha256 or against.count != against.number:
            return Verified(
                number, len(seals), f"checkpoint: the seal up to {against.number} is not the one that was kept"
            )
    return Verified(number, len(seals))


def _seal_fault(seal: dict[str, Any], *, chain: bytes, before: bytes, first_expected: int) -> str | None:
    name = f"seal up to {seal['last']}"
    if seal["first"] != first_expected or seal["previous"] != before:
        return f"{name}: does not follow the seal before it"
    text = "|".join([str(seal["first"]), str(seal["last"]), seal["totals"], seal["posted_until"], seal["sealed_at"]])
    if hashlib.sha256(before + chain + text.encode()).digest() != seal["sha256"]:
        return f"{name}: is not what was sealed"
    return None


def _totals_fault(seals: list[dict[str, Any]]) -> str | None:
    """The first seal whose totals are not those of the book up to its last number; they are summed anew."""
    debits: dict[str, Decimal] = defaultdict(Decimal)
    hot: dict[str, Decimal] = defaultdict(Decimal)
    until = ""
    added = {
        "debits": _sums("a.currency", "e.amount", "e.side = 'DR'"),
        "hot": _sums("a.id::text", "CASE WHEN e.side = a.grows_on THEN e.amount ELSE -e.amount END", "a.hot"),
    }
    latest = _latest()
    for seal in seals:
        for sums, name in ((debits, "debits"), (hot, "hot")):
            for key, amount in added[name][seal["last"]]:
                sums[key] += amount
        until = max(until, latest[seal["last"]])
        told = json.loads(seal["totals"])
        if told != {"debits": _as_text(debits), "hot": _as_text(hot)} or seal["posted_until"] != until:
            return f"seal up to {seal['last']}: its totals are not those of the book"
    return None


def _sums(key: str, amount: str, which: str) -> dict[int, list[tuple[str, Decimal]]]:
    """By seal, what its own journals add up to under each ``key``."""
    found: dict[int, list[tuple[str, Decimal]]] = defaultdict(list)
    with connection.cursor() as cursor:
        cursor.execute(
            f"""
            SELECT s.last, {key}, sum({amount})
            FROM ledger_seal s JOIN ledger_sealed n ON n.number BETWEEN s.first AND s.last
            JOIN ledger_entry e ON e.journal_id = n.journal_id JOIN ledger_account a ON a.id = e.account_id
            WHERE {which} GROUP BY 1, 2
            """
        )
        for last, name, total in cursor.fetchall():
            found[last].append((name, total))
    return found


def _latest() -> dict[int, str]:
    """By seal, when the last of its own journals was recorded."""
    with connection.cursor() as cursor:
        cursor.execute(
            f"""
            SELECT s.last, max({_instant("j.posted_at")})
            FROM ledger_seal s JOIN ledger_sealed n ON n.number BETWEEN s.first AND s.last
            JOIN ledger_journal j ON j.id = n.journal_id GROUP BY s.last
            """
        )
        return dict(cursor.fetchall())


def _as_text(sums: dict[str, Decimal]) -> dict[str, str]:
    return {key: str(amount) for key, amount in sums.items()}


def _seals() -> Iterator[dict[str, Any]]:
    with connection.cursor() as cursor:
        cursor.execute(
            f"""
            SELECT first, last, count, totals::text, {_instant("posted_until")}, {_instant("sealed_at")},
                   sha256, previous
            FROM ledger_seal ORDER BY last
            """
        )
        for first, last, count, totals, posted_until, sealed_at, sha256, previous in cursor.fetchall():
            yield {
                "first": first,
                "last": last,
                "count": count,
                "totals": totals,
                "posted_until": posted_until,
                "sealed_at": sealed_at,
                "sha256": bytes(sha256),
                "previous": bytes(previous or b""),
            }


def _numbered() -> Iterator[tuple[int, int, bytes, str | None]]:
    """Each number with its journal, the hash it was sealed with, and the journal's text: None if the row is gone."""
    after = -(2**63)  # a number below 1 is read too, and found wrong
    while True:
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT number, journal_id, sha256 FROM ledger_sealed WHERE number > %s ORDER BY number LIMIT %s",
                [after, PAGE],
            )
            page = cursor.fetchall()
        if not page:
            return
        texts = _texts([journal_id for _, journal_id, _ in page])
        for number, journal_id, sha256 in page:
            yield number, journal_id, bytes(sha256), texts.get(journal_id)
        after = page[-1][0]


def _texts(journals: list[int]) -> dict[int, str]:
    """Each journal in the canonical form that is hashed: its own line, its entries, the holds it opens and closes."""
    parts: dict[int, list[str]] = defaultdict(list)
    with connection.cursor() as cursor:
        cursor.execute(
            f"""
            SELECT id, concat_ws('|', 'journal', id, key, event, encode(fingerprint, 'hex'), {_instant("occurred_at")},
                                 {_instant("posted_at")}, coalesce(reverses::text, '-'), detail::text)
            FROM ledger_journal WHERE id = ANY (%s)
            """,
            [journals],
        )
        own = dict(cursor.fetchall())
        cursor.execute(
            """
            SELECT e.journal_id, concat_ws('|', 'entry', e.account_id, a.code, a.owner, a.currency, e.version, e.side,
                                           e.amount, coalesce(e.balance_after::text, '-'))
            FROM ledger_entry e LEFT JOIN ledger_account a ON a.id = e.account_id
            WHERE e.journal_id = ANY (%s) ORDER BY e.account_id, e.version
            """,
            [journals],
        )
        for journal, text in cursor.fetchall():
            parts[journal].append(text)
        cursor.execute(
            """
            SELECT opened_by, concat_ws('|', 'opens', id, owner, currency, amount)
            FROM ledger_hold WHERE opened_by = ANY (%s) ORDER BY id
            """,
            [journals],
        )
        for journal, text in cursor.fetchall():
            parts[journal].append(text)
        cursor.execute(
            """
            SELECT closed_by, concat_ws('|', 'closes', id, state)
            FROM ledger_hold WHERE closed_by = ANY (%s) ORDER BY id
            """,
            [journals],
        )
        for journal, text in cursor.fetchall():
            parts[journal].append(text)
    return {journal: "\n".join([line, *parts[journal]]) for journal, line in own.items()}


def _instant(column: str) -> str:
    return f"to_char({column} AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.US')"
