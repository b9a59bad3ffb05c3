"""Passwords are hashed one after the other in a process, and nobody who waits for it holds a connection.

A hash takes all processors and 100 MB for a tenth of a second, on purpose. A hundred at once would keep the players at
the tables waiting; and a hundred connections that wait for them would be all that there are.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from django.contrib.auth.hashers import Argon2PasswordHasher
from django.db import connection

WAIT_S: Final = 3.0

_turn = threading.Lock()


class TooManyPasswords(Exception):
    """Others' passwords are being looked at. Nothing was done; ask again in a moment."""

    def __init__(self) -> None:
        super().__init__("too many passwords are being looked at; ask again in a moment")


class Argon2InTurn(Argon2PasswordHasher):
    """Argon2, of which a process computes one at a time. Raises TooManyPasswords to who would wait for too long."""

    def encode(self, password: str, salt: str, *arguments: Any, **named: Any) -> str:
        with _in_turn():
            return str(super().encode(password, salt, *arguments, **named))

    def verify(self, password: str, encoded: str) -> bool:
        with _in_turn():
            return bool(super().verify(password, encoded))


@contextmanager
def _in_turn() -> Iterator[None]:
    if not connection.in_atomic_block:
        connection.close()  # back to the pool; the next query takes another
    if not _turn.acquire(timeout=WAIT_S):
        raise TooManyPasswords
    try:
        yield
    finally:
        _turn.release()
