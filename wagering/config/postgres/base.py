"""Django's PostgreSQL backend, on the embedded server when settings name no other.

Started here and not when settings are read: ``check``, ``--help`` and the pure commands start nothing.
"""

from __future__ import annotations

import atexit
import functools
from collections.abc import Iterable
from typing import Any

from django.db import connections
from django.db.backends.postgresql import base, client

from wagering.config import embedded
from wagering.config.postgres import EMBEDDED_HOST


class DatabaseClient(client.DatabaseClient):
    """``dbshell``: the wheel's psql on the embedded server."""

    @classmethod
    def settings_to_cmd_args_env(
        cls, settings_dict: dict[str, Any], parameters: Iterable[str]
    ) -> tuple[list[str], dict[str, str] | None]:
        if settings_dict["HOST"] != EMBEDDED_HOST:
            return super().settings_to_cmd_args_env(settings_dict, parameters)
        cluster = embedded.current().start()
        there = {**settings_dict, "HOST": str(cluster.socket), "PORT": str(embedded.PORT)}
        (_psql, *arguments), environment = super().settings_to_cmd_args_env(there, parameters)
        return [str(embedded.bin("psql")), *arguments], environment


class DatabaseWrapper(base.DatabaseWrapper):
    client_class = DatabaseClient

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
