"""Sealing behind the writers: one chain without a gap, whoever posts, waits or fails meanwhile."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from functools import partial
from typing import Any, TypeVar

import psycopg
import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import connection, transaction

from ledger import book, seals
from tests.ledger import raw
from tests.ledger.people import ANN, ANNS_WALLET, BOB, BOBS_WALLET, CLEARING, deposited
from tests.ledger.proving import prove

pytestmark = pytest.mark.django_db(transaction=True)

Found = TypeVar("Found")
WRITERS, EACH, SEALERS = 10, 5, 2


def test_case_45_parallel_entries_make_one_chain() -> None:
    """FootprintAI/Containarium#1326: a chain forked under parallel inserts, and never verified once it was stored."""
    done = threading.Event()

    def write(writer: int) -> None:
        for n in range(EACH):
            book.post(deposited("1.00", player=ANN if (writer + n) % 2 else BOB))

    def keep_sealing() -> int:
        sealed = 0
        while not done.is_set():
            sealed += seals.seal(at_most=3) is not None
        return sealed

    with ThreadPoolExecutor(WRITERS + SEALERS) as threads:
        sealers = [threads.submit(_closing(keep_sealing)) for _ in range(SEALERS)]
        for writer in [threads.submit(_closing(partial(write, n))) for n in range(WRITERS)]:
            writer.result()
        done.set()
        runs = sum(sealer.result() for sealer in sealers)
    while seals.seal():
        runs += 1

    assert seals.verify(against=seals.checkpoint()) == seals.Verified(WRITERS * EACH, runs)
    assert _column("SELECT number FROM ledger_sealed ORDER BY number") == list(range(1, WRITERS * EACH + 1))
    prove()


def test_what_follows_a_journal_that_commits_late_waits_for_it(other: psycopg.Connection) -> None:
    book.post(deposited("1.00", player=ANN))  # opens the accounts: that, the next would wait for
    late = raw.Item(raw.move(CLEARING, ANNS_WALLET, "1.00"))
    early = deposited("1.00", player=BOB)
    raw.call_on(other, late)
    book.post(early)
    assert seals.seal() is None
    assert seals.waiting() == 2
    with pytest.raises(CommandError, match="2 journals wait behind a posting"):
        call_command("seal")
    assert book.roll_up() == 0
    assert book.balance(CLEARING) == Decimal("2.00")
    other.commit()
    assert book.balance(CLEARING) == Decimal("3.00")
    assert book.roll_up() == 3
    seals.seal()

    keys = _column("SELECT j.key FROM ledger_sealed n JOIN ledger_journal j ON j.id = n.journal_id ORDER BY n.number")
    assert keys[1:] == [late.key, early.key]
    assert seals.verify() == seals.Verified(3, 1)
    prove()


def test_a_seal_waits_for_nobody_who_posts_after_it_began(other: psycopg.Connection, app_dsn: str) -> None:
    book.post(deposited("1.00", player=ANN))
    book.post(deposited("1.00", player=BOB))
    raw.call_on(other, raw.Item(raw.move(CLEARING, ANNS_WALLET, "1.00")))
    with ThreadPoolExecutor(1) as thread, psycopg.connect(app_dsn) as third:
        sealing = thread.submit(_closing(seals.seal))
        threading.Event().wait(0.2)
        raw.call_on(third, raw.Item(raw.move(CLEARING, BOBS_WALLET, "1.00")))
        other.commit()
        assert sealing.result(timeout=10) == seals.checkpoint()
        third.rollback()
    assert _column("SELECT count(*) FROM ledger_sealed") == [3]


def test_a_posting_that_is_rolled_back_leaves_no_number(other: psycopg.Connection) -> None:
    raw.call_on(other, raw.Item(raw.move(CLEARING, ANNS_WALLET, "1.00")))
    other.rollback()
    book.post(deposited("1.00"))
    seals.seal()
    assert _column("SELECT number FROM ledger_sealed") == [1]
    assert seals.verify() == seals.Verified(1, 1)


def test_a_sealing_that_is_rolled_back_seals_nothing() -> None:
    book.post(deposited("1.00"))
    with transaction.atomic():
        assert seals.seal() is not None
        transaction.set_rollback(True)
    assert seals.checkpoint() is None
    assert seals.seal() is not None
    assert seals.verify() == seals.Verified(1, 1)


def test_it_waits_for_another_that_seals_and_goes_on_from_there(other: psycopg.Connection) -> None:
    for _ in range(4):
        book.post(deposited("1.00"))
    other.execute("SELECT ledger_seal(2)")
    with ThreadPoolExecutor(1) as thread:
        second = thread.submit(_closing(seals.seal))
        _until_somebody_waits(other)
        assert not second.done()
        other.commit()
        assert second.result(timeout=10) == seals.checkpoint()
    assert _column("SELECT first FROM ledger_seal ORDER BY last") == [1, 3]
    assert seals.verify() == seals.Verified(4, 2)


def test_what_is_sealed_while_it_verifies_is_no_fault(
    other: psycopg.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    book.post(deposited("1.00", player=BOB))
    seals.seal()
    numbered = seals._numbered

    def meanwhile() -> Iterator[tuple[int, int, bytes, str | None]]:
        raw.call_on(other, raw.Item(raw.move(CLEARING, BOBS_WALLET, "1.00")))
        other.execute("SELECT ledger_seal(10)")
        other.commit()
        return numbered()

    monkeypatch.setattr(seals, "_numbered", meanwhile)
    assert seals.verify() == seals.Verified(1, 1)
    monkeypatch.undo()
    assert seals.verify() == seals.Verified(2, 2)


@pytest.mark.parametrize("at_most", [0, None, 1000])
def test_any_size_of_a_run_is_harmless(at_most: int | None, other: psycopg.Connection) -> None:
    book.post(deposited("1.00"))
    other.execute("SELECT ledger_seal(%s)", [at_most])
    other.commit()
    seals.seal()
    assert seals.verify() == seals.Verified(1, 1)


@pytest.fixture
def other(app_dsn: str) -> Iterator[psycopg.Connection]:
    """Another of the service's connections, in a transaction of its own."""
    with psycopg.connect(app_dsn) as connection:
        yield connection
        connection.rollback()


def _closing(work: Callable[[], Found]) -> Callable[[], Found]:
    """For a thread: its connection goes back before the thread ends."""

    def run() -> Found:
        try:
            return work()
        finally:
            connection.close()

    return run


def _column(query: str) -> list[Any]:
    with connection.cursor() as cursor:
        cursor.execute(query)
        return [value for (value,) in cursor.fetchall()]


def _until_somebody_waits(other: psycopg.Connection) -> None:
    for _ in range(1000):
        waiting = other.execute("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted").fetchone()
        if waiting and waiting[0]:
            return
        threading.Event().wait(0.01)
    raise AssertionError("nobody waits for the seal")
