"""The system check on the service's role fails as soon as there is a way past the book's functions."""

from __future__ import annotations

from typing import LiteralString

import psycopg
import pytest
from psycopg import sql

from wagering.config import checks

pytestmark = pytest.mark.django_db(transaction=True)


def found() -> list[str]:
    return [message.msg for message in checks.the_service_cannot_write_the_book(None, databases=["default"])]


def test_the_service_as_it_is_passes() -> None:
    assert found() == []


@pytest.mark.parametrize(
    ("way", "back", "said"),
    [
        ("GRANT INSERT ON {table} TO app", "REVOKE INSERT ON {table} FROM app", "can write ledger_forged"),
        ("GRANT UPDATE (n) ON {table} TO app", "REVOKE UPDATE (n) ON {table} FROM app", "can write ledger_forged"),
        ("GRANT TRUNCATE ON {table} TO PUBLIC", "REVOKE TRUNCATE ON {table} FROM PUBLIC", "can write ledger_forged"),
        ("GRANT book_owner TO app", "REVOKE book_owner FROM app", "(as book_owner)"),
        ("ALTER ROLE app SUPERUSER", "ALTER ROLE app NOSUPERUSER", "superuser"),
    ],
)
def test_a_way_past_the_functions_is_found(
    way: LiteralString,
    back: LiteralString,
    said: str,
    owner_connection: psycopg.Connection,
    superuser_connection: psycopg.Connection,
) -> None:
    table = sql.Identifier("ledger_forged")
    owner_connection.execute("CREATE TABLE ledger_forged (n int)")
    owner_connection.execute("REVOKE INSERT, UPDATE, DELETE ON ledger_forged FROM app")
    try:
        assert found() == []
        superuser_connection.execute(sql.SQL(way).format(table=table))
        assert any(said in message for message in found())
    finally:
        superuser_connection.execute(sql.SQL(back).format(table=table))
        superuser_connection.execute("DROP TABLE ledger_forged")
