"""Statements prepared once a connection: as Django's own cursors, but quicker."""

from datetime import UTC, datetime
from uuid import UUID

import psycopg
import pytest
from django.db import DatabaseError, IntegrityError, InternalError, OperationalError, connection, transaction
from django.test.utils import CaptureQueriesContext

from games.models import Room
from games.prepared import Statement

pytestmark = pytest.mark.django_db(transaction=True)

ECHO = Statement(name="echo", text="SELECT $1::uuid, $2::timestamptz, $3::text, $4::int, $5::bool, $6::text")
OPEN = Statement(name="open_a_room", text="INSERT INTO games_room (id, slug, name) VALUES ($1, $2, $3) RETURNING slug")
MANY = Statement(name="many", text="SELECT n FROM generate_series(1, $1::int) AS n")
LOCK = Statement(name="lock_a_room", text="SELECT slug FROM games_room WHERE id = $1 FOR UPDATE NOWAIT")

ID = UUID("0d3ab2d4-9a0f-4a68-8b0e-d2f4c3a0e6b1")
NOON = datetime(2026, 3, 1, 12, 0, 0, 1, tzinfo=UTC)


def test_values_come_back_as_they_went() -> None:
    went = (ID, NOON, "l'été ü \\ \" {}", 7, True, None)
    assert ECHO.one(*went) == went
    assert MANY.all(3) == [(1,), (2,), (3,)]
    assert MANY.one(0) is None


def test_it_is_prepared_once_a_connection() -> None:
    def known() -> int:
        with connection.cursor() as cursor:
            cursor.execute("SELECT count(*) FROM pg_prepared_statements WHERE name = 'many'")
            found: int = cursor.fetchone()[0]
        return found

    connection.close()
    connection.close_pool()  # type: ignore[attr-defined]
    assert known() == 0
    assert MANY.all(1) == MANY.all(1)
    assert known() == 1
    with connection.cursor() as cursor, pytest.raises(OperationalError):
        cursor.execute("SELECT pg_terminate_backend(pg_backend_pid())")
    connection.close()
    assert MANY.all(1) == [(1,)]
    assert known() == 1


def test_it_keeps_to_the_transaction() -> None:
    with transaction.atomic():
        assert OPEN.one(ID, "first", "First") == ("first",)
        transaction.set_rollback(True)
    assert not Room.objects.exists()
    with transaction.atomic():
        OPEN.one(ID, "second", "Second")
    assert Room.objects.get().slug == "second"


def test_errors_are_djangos() -> None:
    OPEN.one(ID, "first", "First")
    with pytest.raises(IntegrityError), transaction.atomic():
        OPEN.one(ID, "again", "Again")
    with transaction.atomic():
        with pytest.raises(DatabaseError):
            MANY.all("no number")
        with pytest.raises(InternalError, match="aborted"):
            MANY.all(1)
        transaction.set_rollback(True)
    assert MANY.one(1) == (1,)


def test_a_refusal_names_its_cause(app_dsn: str) -> None:
    OPEN.one(ID, "first", "First")
    with psycopg.connect(app_dsn) as rival:
        rival.execute("SELECT 1 FROM games_room FOR UPDATE")
        with pytest.raises(OperationalError) as refused:
            LOCK.one(ID)
    assert getattr(refused.value.__cause__, "sqlstate", None) == "55P03"
    assert LOCK.one(ID) == ("first",)


def test_a_lost_connection_is_an_operational_error(app_dsn: str) -> None:
    MANY.all(1)
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        (backend,) = cursor.fetchone()
    with psycopg.connect(app_dsn, autocommit=True) as other:
        other.execute("SELECT pg_terminate_backend(%s)", [backend])
        while other.execute("SELECT 1 FROM pg_stat_activity WHERE pid = %s", [backend]).fetchone():
            pass
    with pytest.raises(OperationalError):
        MANY.all(1)
    connection.close()
    assert MANY.all(1) == [(1,)]


def test_no_text_is_cut_at_a_nul() -> None:
    with pytest.raises(AssertionError):
        OPEN.one(ID, "fir\0st", "First")


def test_it_is_seen_where_djangos_are() -> None:
    with CaptureQueriesContext(connection) as asked:
        MANY.all(1)
    assert [query["sql"] for query in asked] == [MANY.text]
