"""The outermost door: what lost a race with a rival is run again, from its first line."""

from collections.abc import Callable
from functools import wraps
from typing import Final, ParamSpec, TypeVar

from django.db import OperationalError, connection
from psycopg_pool import PoolTimeout

P = ParamSpec("P")
R = TypeVar("R")

RUN_AGAIN: Final = {
    "40P01": "deadlock_detected",
    "40001": "serialization_failure",
    "55P03": "lock_not_available",
}
"""PostgreSQL's answers that mean: nothing was done, and the same may well succeed now."""

TIMES: Final = 3
"""How often a service is run again, after its first run."""


class TryAgain(Exception):
    """The service is too busy with rivals, or has no connection to spare. Nothing was done; later it may succeed."""


def outermost(service: Callable[P, R]) -> Callable[P, R]:
    """``service``, run whole again when PostgreSQL ended it for a rival's sake; at most three times, then TryAgain.

    A service is one transaction: what it had done is undone before it runs again. Inside a transaction this is not the
    outermost door, and everything passes. So does a lost connection, here as anywhere: whether a COMMIT on its way was
    done is not known, and only the caller can ask again with the same key.
    """

    @wraps(service)
    def door(*args: P.args, **kwargs: P.kwargs) -> R:
        if connection.in_atomic_block:
            return service(*args, **kwargs)
        for runs_left in reversed(range(1 + TIMES)):
            try:
                return service(*args, **kwargs)
            except OperationalError as error:
                if isinstance(error.__cause__, PoolTimeout):
                    raise TryAgain("every connection to the database is in use") from error
                reason = RUN_AGAIN.get(sqlstate(error) or "")
                if reason is None:
                    raise
                if not runs_left:
                    raise TryAgain(f"{1 + TIMES} runs were ended by PostgreSQL, the last by {reason}") from error
        raise AssertionError("every run returns or raises")

    return door


def sqlstate(error: BaseException) -> str | None:
    """PostgreSQL's code for a database error as Django raises it; None for one that came from no server."""
    return getattr(error.__cause__, "sqlstate", None)
