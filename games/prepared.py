"""Statements that every request or every play asks: prepared once a connection, one round trip each.

They speak to libpq through psycopg's ``pq``, as the book does: a cursor of Django's writes the values into the text,
and PostgreSQL reads and plans it anew each time, which costs both more than the answer. The rows, the errors and
the transaction are those of Django's cursors, and so is the line in ``connection.queries``.
"""

import time
from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final
from weakref import WeakSet

import psycopg
from django.db import DEFAULT_DB_ALIAS, connections
from psycopg import pq
from psycopg.adapt import Transformer

Row = tuple[Any, ...]

_FINE: Final = (pq.ExecStatus.TUPLES_OK, pq.ExecStatus.COMMAND_OK)


class Statement:
    """``text`` takes its values as $1, $2, …, and says their types where PostgreSQL cannot tell."""

    def __init__(self, *, name: str, text: str) -> None:
        self.name, self.text = name.encode(), text
        self._known: WeakSet[psycopg.Connection[Any]] = WeakSet()
        """The connections that know it. A new one, after a loss or from the pool, is not among them."""

    def one(self, *values: object) -> Row | None:
        """The first row, None if there is none. Raises Django's database errors."""
        rows = self.all(*values)
        return rows[0] if rows else None

    def all(self, *values: object) -> Sequence[Row]:
        """Every row. Raises Django's database errors."""
        database = connections[DEFAULT_DB_ALIAS]  # once: django.db.connection looks it up at each use
        database.ensure_connection()
        database.validate_no_broken_transaction()
        began = time.monotonic()
        with database.wrap_database_errors:
            result = self._asked(database.connection, [_text_of(value) for value in values])
        if database.queries_logged:
            database.queries_log.append({"sql": self.text, "time": f"{time.monotonic() - began:.3f}"})
        reader = Transformer(database.connection)
        reader.set_pgresult(result)
        return reader.load_rows(0, result.ntuples, tuple)

    def _asked(self, connection: psycopg.Connection[Any], values: Sequence[bytes | None]) -> pq.abc.PGresult:
        line = connection.pgconn
        if not connection.autocommit and line.transaction_status == pq.TransactionStatus.IDLE:
            assert connection.isolation_level is None, "it would begin as psycopg does"
            _checked(line, line.exec_(b"BEGIN"))
        if connection not in self._known:
            assert connection.prepare_threshold is None, "psycopg would DEALLOCATE ALL, ours too"
            _checked(line, line.prepare(self.name, self.text.encode()))
            self._known.add(connection)
        return _checked(line, line.exec_prepared(self.name, values))  # type: ignore[arg-type]  # None is NULL


def _text_of(value: object) -> bytes | None:
    if value is None:
        return None
    text = value.isoformat() if isinstance(value, datetime) else str(value)
    assert "\0" not in text, "libpq takes a text up to its first NUL"
    return text.encode()


def _checked(line: pq.abc.PGconn, result: pq.abc.PGresult) -> pq.abc.PGresult:
    if result.status in _FINE:
        return result
    if line.status == pq.ConnStatus.BAD:
        raise psycopg.OperationalError(result.get_error_message(), info=result)
    raise psycopg.errors.error_from_result(result)
