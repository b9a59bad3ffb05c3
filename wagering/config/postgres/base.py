"""Django's PostgreSQL backend, on the embedded server when settings name no other.

Started here and not when settings are read: ``check``, ``--help`` and the pure commands start nothing.
"""

from __future__ import annotations

import atexit
import functools
from typing import Any

from django.db import connections
from django.db.backends.postgresql import base

from wagering.config import embedded
from wagering.config.postgres import EMBEDDED_HOST


class DatabaseWrapper(base.DatabaseWrapper):
    def get_connection_params(self) -> dict[str, Any]:
        parameters: dict[str, Any] = super().get_connection_params()
        if parameters.get("host") == EMBEDDED_HOST:
            cluster = embedded.current().start()
            parameters["host"] = str(cluster.socket)
        _close_pools_at_exit()
        return parameters


@functools.cache
def _close_pools_at_exit() -> None:
    """Registered after the cluster's own farewell, so run before it: the pool must not see its server go."""
    atexit.register(close_pools)


def close_pools() -> None:
    """Close every connection of this process, pooled ones too."""
    for connection in connections.all(initialized_only=True):
        connection.close()
        connection.close_pool()  # type: ignore[attr-defined]
