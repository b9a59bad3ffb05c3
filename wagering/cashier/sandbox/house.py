"""The provider's house: its record, its secret, its clock, and its mood."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs

from wagering.cashier.sandbox.mischief import Mischief
from wagering.cashier.sandbox.record import Record


class TimedOut(Exception):
    """The connection is lost, and no answer given."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A request. Names of headers are in lower case."""

    method: str
    path: str
    query: Mapping[str, str] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""

    def json(self) -> dict[str, Any]:
        """Raises ValueError for what is no JSON object."""
        read = json.loads(self.body or b"{}")
        if not isinstance(read, dict):
            raise ValueError("the body is no object")
        return read

    def form(self) -> dict[str, str]:
        return {name: values[0] for name, values in parse_qs(self.body.decode(errors="replace")).items()}


@dataclass(frozen=True, slots=True)
class Answer:
    """What is answered."""

    status: int
    body: bytes
    kind: str = "application/json"
    headers: Mapping[str, str] = field(default_factory=dict)


def answered(status: int, told: object) -> Answer:
    return Answer(status, json.dumps(told).encode())


def refused(status: int, code: str, message: str) -> Answer:
    return answered(status, {"error": {"code": code, "message": message}})


@dataclass(slots=True)
class House:
    """All that a request needs. ``url`` is where the house is found, ``clock_ms`` tells the time in milliseconds."""

    record: Record
    secret: str
    url: str
    mischief: Mischief = field(default_factory=Mischief)
    clock_ms: Callable[[], int] = lambda: time.time_ns() // 1_000_000
    wake: threading.Event = field(default_factory=threading.Event)

    def now_ms(self) -> int:
        return self.clock_ms()

    def now(self) -> int:
        """Unix seconds."""
        return self.clock_ms() // 1000

    def next_id(self, prefix: str) -> str:
        """A new id; they count up in the record."""
        self.record.run("INSERT INTO counter (name, value) VALUES ('id', 0) ON CONFLICT (name) DO NOTHING")
        self.record.run("UPDATE counter SET value = value + 1 WHERE name = 'id'")
        found = self.record.one("SELECT value FROM counter WHERE name = 'id'")
        assert found
        return f"{prefix}_{found['value']:012d}"


SCHEMA = "CREATE TABLE IF NOT EXISTS counter (name TEXT PRIMARY KEY, value INTEGER NOT NULL);"
