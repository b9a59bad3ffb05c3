"""The system check on the service's role fails as soon as there is a way past the book's functions."""

from __future__ import annotations

import pytest

from tests.ledger.small_book import acting_as, run_sql
from wagering.config import checks

pytestmark = pytest.mark.django_db(transaction=True)


def found() -> list[str]:
    return [message.msg for message in checks.the_service_cannot_write_the_book(None, databases=["default"])]


def test_the_service_as_it_is_passes() -> None:
    assert found() == []


@pytest.mark.parametrize(
    ("way", "said"),
    [
        ("GRANT INSERT ON ledger_forged TO app", "can write ledger_forged"),
        ("GRANT UPDATE (n) ON ledger_forged TO app", "can write ledger_forged"),
        ("GRANT TRUNCATE ON ledger_forged TO PUBLIC", "can write ledger_forged"),
        ("GRANT book_owner TO app", "(as book_owner)"),
        ("ALTER ROLE app SUPERUSER", "superuser"),
    ],
)
def test_a_way_past_the_functions_is_found(way: str, said: str, superuser_dsn: str) -> None:
    with acting_as(superuser_dsn):  # never committed: roles are all databases' of a server, and other tests run beside
        run_sql("SET LOCAL ROLE book_owner; CREATE TABLE ledger_forged (n int); RESET ROLE")
        run_sql("REVOKE INSERT, UPDATE, DELETE ON ledger_forged FROM app")
        run_sql("SET LOCAL SESSION AUTHORIZATION app")
        assert found() == []
        run_sql(f"RESET SESSION AUTHORIZATION; {way}; SET LOCAL SESSION AUTHORIZATION app")
        assert any(said in message for message in found())
