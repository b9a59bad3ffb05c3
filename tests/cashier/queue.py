"""The queue of hints, as a worker would find it."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
import redis
from celery import Task

from wagering.config.embedded import broker
from wagering.rest import hints


class Hints:
    """What was said since the last look, in its order."""

    def __init__(self, valkey: redis.Redis) -> None:
        self._valkey = valkey
        self.forget()

    def forget(self) -> None:
        self._valkey.delete("default")

    def of(self, task: Task[Any, Any]) -> list[list[str]]:
        """The arguments of each hint to ``task``; all others are forgotten."""
        told = [json.loads(message) for message in reversed(self._valkey.lrange("default", 0, -1))]
        self.forget()
        return [json.loads(base64.b64decode(each["body"]))[0] for each in told if each["headers"]["task"] == task.name]


@contextmanager
def listened_to(monkeypatch: pytest.MonkeyPatch) -> Iterator[Hints]:
    monkeypatch.setattr(hints, "_silent_until", 0.0)
    with redis.Redis(unix_socket_path=str(broker.current().start().address)) as valkey:
        yield Hints(valkey)
