"""What the outside world knows: one SQLite file, written in whole transactions by one thread at a time."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

Row = dict[str, Any]


class Record:
    """The file at ``path`` with the tables of ``schemas``; ``:memory:`` is forgotten with its process."""

    def __init__(self, path: str, schemas: tuple[str, ...]) -> None:
        self._lock = threading.RLock()
        self._db = sqlite3.connect(path, check_same_thread=False, isolation_level=None)
        self._db.row_factory = sqlite3.Row
        self._db.execute("PRAGMA journal_mode = WAL")
        self._db.execute("PRAGMA synchronous = NORMAL")
        for schema in schemas:
            self._db.executescript(schema)

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All of it is written, or nothing; inside another it is part of that."""
        with self._lock:
            if self._db.in_transaction:
                yield
                return
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield
            except BaseException:
                self._db.execute("ROLLBACK")
                raise
            self._db.execute("COMMIT")

    def run(self, sql: str, *values: Any) -> int:
        """How many rows it changed."""
        with self._lock:
            return self._db.execute(sql, values).rowcount

    def one(self, sql: str, *values: Any) -> Row | None:
        with self._lock:
            found = self._db.execute(sql, values).fetchone()
        return dict(found) if found else None

    def all(self, sql: str, *values: Any) -> list[Row]:
        with self._lock:
            return [dict(row) for row in self._db.execute(sql, values).fetchall()]

    def insert(self, table: str, **values: Any) -> None:
        names, marks = ", ".join(values), ", ".join("?" for _ in values)
        self.run(f"INSERT INTO {table} ({names}) VALUES ({marks})", *values.values())

    def close(self) -> None:
        with self._lock:
            self._db.close()
