"""The service's role reaches the book through its functions and in no other way, and nobody can bend them."""

from __future__ import annotations

from typing import Any, LiteralString

import psycopg
import pytest
from django.db import IntegrityError, ProgrammingError, connection

from tests.ledger import small_book
from tests.ledger.attacks import ATTACKS
from tests.ledger.crafted import called

BECOME: tuple[LiteralString, ...] = (
    "SET ROLE book_writer",
    "SET ROLE book_owner",
    "SET ROLE postgres",
    "SET SESSION AUTHORIZATION book_owner",
    "GRANT book_writer TO app",
    "ALTER ROLE app SUPERUSER",
    "ALTER ROLE book_writer LOGIN",
)
CREATE: tuple[LiteralString, ...] = (
    "CREATE TABLE public.mine (n int)",
    "CREATE TEMP TABLE ledger_journal (key text)",
    "CREATE TEMP VIEW ledger_journal AS SELECT 1",
    "CREATE SCHEMA mine",
    "CREATE SCHEMA AUTHORIZATION app",
    "CREATE FUNCTION public.scale(numeric) RETURNS int LANGUAGE sql RETURN 0",
    "CREATE FUNCTION pg_temp.scale(numeric) RETURNS int LANGUAGE sql RETURN 0",
    "CREATE OPERATOR public.<> (LEFTARG = numeric, RIGHTARG = numeric, FUNCTION = numeric_eq)",
    "CREATE EXTENSION btree_gist",
)
BEND: tuple[LiteralString, ...] = (
    "SET session_replication_role = replica",
    "ALTER TABLE ledger_entry DISABLE TRIGGER ledger_entry_checked",
    "ALTER TABLE ledger_entry DISABLE TRIGGER ALL",
    "DROP TRIGGER ledger_append_only ON ledger_entry",
    "CREATE TRIGGER mine BEFORE INSERT ON ledger_entry FOR EACH ROW EXECUTE FUNCTION ledger_refuse_changes()",
    "CREATE RULE mine AS ON INSERT TO ledger_entry DO INSTEAD NOTHING",
    "ALTER TABLE ledger_entry DROP CONSTRAINT ledger_entry_amount",
    "ALTER FUNCTION ledger_seal(int) RESET ALL",
    "ALTER FUNCTION ledger_seal(int) SECURITY INVOKER",
    "CREATE OR REPLACE FUNCTION ledger_seal(at_most int) RETURNS bigint LANGUAGE sql RETURN 0",
    "DROP FUNCTION ledger_seal(int)",
    "COMMENT ON TABLE ledger_journal IS 'sql is up to date'",
)
REACH: tuple[LiteralString, ...] = (
    "SELECT setval('ledger_journal_id_seq', 1)",
    "SELECT nextval('ledger_journal_id_seq')",
    "SELECT 1 FROM ledger_balance FOR UPDATE",
    "LOCK TABLE ledger_entry IN EXCLUSIVE MODE",
    "COPY ledger_entry FROM STDIN",
    "WITH gone AS (DELETE FROM ledger_entry RETURNING 1) SELECT count(*) FROM gone",
)


@pytest.mark.parametrize("statement", BECOME + CREATE + BEND + REACH)
def test_the_service_may_not(statement: LiteralString, committed: dict[str, Any], app_dsn: str) -> None:
    # The owner of a table or a function is asked for in other words than a privilege, by the same code.
    with psycopg.connect(app_dsn) as service, pytest.raises(psycopg.errors.InsufficientPrivilege):
        service.execute(statement)


def test_nobody_logs_in_as_the_writer(app_dsn: str) -> None:
    with pytest.raises(psycopg.OperationalError):
        psycopg.connect(app_dsn, user="book_writer", password="service")


def test_what_runs_as_the_writer_looks_only_where_it_is_told(committed: dict[str, Any], app_dsn: str) -> None:
    with small_book.acting_as(app_dsn):
        found = _rows(
            """
            SELECT p.proname, p.proowner::regrole::text, p.proconfig, has_function_privilege('public', p.oid, 'EXECUTE')
            FROM pg_proc p WHERE p.prosecdef AND p.pronamespace = 'public'::regnamespace ORDER BY p.proname
            """
        )
    assert [name for name, *_ in found] == ["ledger_post", "ledger_roll_up", "ledger_seal"]
    for _, owner, settings, public in found:
        assert owner == "book_writer"
        assert "search_path=pg_catalog, pg_temp" in settings
        assert not public


def test_every_trigger_stands(committed: dict[str, Any], app_dsn: str) -> None:
    with small_book.acting_as(app_dsn):
        asleep = _rows("SELECT tgrelid::regclass, tgname FROM pg_trigger WHERE NOT tgisinternal AND tgenabled <> 'O'")
    assert asleep == []


def test_a_hostile_search_path_changes_nothing(committed: dict[str, Any], superuser_dsn: str) -> None:
    """As if somebody could create: the names that the functions use, made again in a schema before pg_catalog."""
    with small_book.acting_as(superuser_dsn):
        small_book.run_sql(
            """
            CREATE SCHEMA hostile;
            CREATE FUNCTION hostile.clock_timestamp() RETURNS timestamptz LANGUAGE sql RETURN timestamptz '1999-01-01';
            CREATE FUNCTION hostile.scale(numeric) RETURNS int LANGUAGE sql RETURN 0;
            CREATE FUNCTION hostile.sha256(bytea) RETURNS bytea LANGUAGE sql RETURN 'x'::bytea;
            CREATE FUNCTION hostile.never(numeric, numeric) RETURNS boolean LANGUAGE sql RETURN false;
            CREATE OPERATOR hostile.< (LEFTARG = numeric, RIGHTARG = numeric, FUNCTION = hostile.never);
            CREATE OPERATOR hostile.<> (LEFTARG = numeric, RIGHTARG = numeric, FUNCTION = hostile.never);
            CREATE TABLE hostile.ledger_entry (LIKE public.ledger_entry);
            CREATE TABLE hostile.ledger_journal (LIKE public.ledger_journal);
            GRANT ALL ON SCHEMA hostile TO app, book_writer;
            GRANT ALL ON ALL TABLES IN SCHEMA hostile TO app, book_writer;
            SET LOCAL ROLE app;
            SET LOCAL search_path = hostile, pg_catalog, public;
            """
        )
        for changed, outcome in (
            ({}, "posted"),
            ({"line_amount": "ARRAY[7.001, 7.001]"}, "invalid_amount"),
            ({"line_amount": "ARRAY[7.00, 8.00]"}, "unbalanced"),
            ({"line_code": "ARRAY['wallet', 'wallet']", "line_amount": "ARRAY[9e9, 9e9]"}, "insufficient_funds"),
        ):
            assert called({"keys": f"ARRAY['hostile:{outcome}']", **changed}, committed) == [outcome]
        small_book.run_sql("SELECT public.ledger_seal(1000)")
        small_book.run_sql("SET LOCAL search_path = public")
        assert small_book.failing() == {}


def test_an_owner_who_becomes_the_writer_still_edits_nothing(committed: dict[str, Any], owner_dsn: str) -> None:
    with small_book.acting_as(owner_dsn), pytest.raises(ProgrammingError, match="permission denied"):
        small_book.run_sql("SET LOCAL ROLE book_writer; UPDATE ledger_entry SET amount = 1")


def test_a_hold_stays_closed_even_for_the_writer(committed: dict[str, Any], owner_dsn: str) -> None:
    with small_book.acting_as(owner_dsn), pytest.raises(IntegrityError, match="ledger_hold_closes_once"):
        small_book.run_sql("SET LOCAL ROLE book_writer; UPDATE ledger_hold SET state = 'OPEN', closed_by = NULL")


def test_what_an_owner_forges_as_the_writer_is_found(committed: dict[str, Any], owner_dsn: str) -> None:
    """Owner of the tables, he could switch the triggers off as well: what he does is not refused, but shows."""
    (forged,) = (attack for attack in ATTACKS if attack.name == "a forged journal that balances")
    with small_book.acting_as(owner_dsn):
        small_book.run_sql("SET LOCAL ROLE book_writer;" + forged.sql.format(**committed))
        small_book.run_sql("SET CONSTRAINTS ALL IMMEDIATE")
        assert set(small_book.failing()) == {"fingerprints_match", "journals_numbered"}


def _rows(query: str) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(query)
        return list(cursor.fetchall())
