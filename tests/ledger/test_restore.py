"""A dump of the book, restored into a fresh cluster: it proves, verifies, refuses and goes on there."""

from __future__ import annotations

from collections.abc import Iterator

import psycopg
import pytest
from django.db import IntegrityError

from ledger import book, seals
from tests.ledger import small_book
from tests.ledger.people import ANNS_WALLET, CLEARING, deposited
from wagering.config import embedded

DATABASE = "backgammon"  # made by roles.sql, empty


@pytest.fixture(scope="module")
def fresh() -> Iterator[embedded.Cluster]:
    with embedded.scratch(durable=False) as cluster:
        yield cluster


@pytest.mark.django_db(transaction=True)
def test_a_restored_book_proves_and_goes_on(owner_dsn: str, fresh: embedded.Cluster) -> None:
    names = small_book.write()
    kept = seals.checkpoint()
    before = book.balances([ANNS_WALLET, CLEARING])
    dump = embedded.run("pg_dump", "-d", owner_dsn).stdout
    superuser = fresh.dsn(embedded.SUPERUSER, DATABASE)
    embedded.run("psql", "-X", "-q", "-v", "ON_ERROR_STOP=1", "-d", superuser, stdin=dump)

    with small_book.connected_as(fresh.dsn("app", DATABASE)):
        assert small_book.failing() == {}
        assert seals.verify(against=kept) == seals.Verified(12, 2)
        assert book.balances([ANNS_WALLET, CLEARING]) == before

        again = deposited("1.00")
        assert not book.post(again).replayed
        assert book.post(again).replayed
        assert book.balance(ANNS_WALLET) == before[ANNS_WALLET] + 1
        assert book.roll_up() > 0
        after = seals.seal()
        assert after is not None
        assert after.number == 18
        assert seals.verify(against=kept) == seals.verify(against=after) == seals.Verified(18, 3)
        assert small_book.failing() == {}

    with psycopg.connect(fresh.dsn("app", DATABASE)) as service, pytest.raises(psycopg.errors.InsufficientPrivilege):
        service.execute("UPDATE ledger_entry SET amount = 1")
    with small_book.acting_as(fresh.dsn("book_owner", DATABASE)), pytest.raises(IntegrityError, match="append_only"):
        small_book.run_sql("DELETE FROM ledger_entry")
    with small_book.acting_as(superuser):
        small_book.run_sql(
            "SET session_replication_role = replica; DELETE FROM ledger_journal WHERE id = {first}".format(**names)
        )
        assert "seals_verify" in small_book.failing()
