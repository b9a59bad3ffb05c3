"""The one connection of a process on which PostgreSQL tells it of every change (LISTEN), outside the pool."""

import asyncio
import random
from collections.abc import Callable
from typing import Any, Final

import psycopg
import structlog
from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, connections

from games.live.rows import CHANNEL

log = structlog.get_logger(__name__)

PAUSES_S: Final = (0.2, 5.0)
"""Between two attempts to connect: the first pause, doubled each time up to the last."""

QUIET_S: Final = 10.0
"""A connection that says nothing for so long is asked whether it is still there."""

ANSWER_S: Final = 5.0
"""How long it may take to connect, and to answer."""

_OF_DJANGO: Final = ("cursor_factory", "context", "prepare_threshold")
"""What Django's parameters have beside those of the connection."""


async def listen(*, heard: Callable[[str], None], connected: Callable[[], None]) -> None:
    """Until it is cancelled: ``heard`` with each payload; ``connected`` each time that nothing is missed from now on.

    What was told while there was no connection is lost: ``connected`` has to look for it in the table.
    """
    pause = PAUSES_S[0]
    while True:
        try:
            async with await _connect() as connection:
                await connection.execute(f"LISTEN {CHANNEL}")
                pause = PAUSES_S[0]
                connected()
                while True:
                    async for word in connection.notifies(timeout=QUIET_S):
                        heard(word.payload)
                    async with asyncio.timeout(ANSWER_S):
                        await connection.execute("SELECT")
        except Exception as lost:  # whatever it was, nothing is told without this connection
            log.warning("listener_lost", reason=type(lost).__name__, again_in_s=round(pause, 1))
        await asyncio.sleep(pause * random.uniform(0.5, 1))
        pause = min(2 * pause, PAUSES_S[1])


async def _connect() -> psycopg.AsyncConnection[Any]:
    # The embedded server may have to be started first, which nobody else should wait for.
    parameters = await asyncio.get_running_loop().run_in_executor(None, _parameters)
    return await psycopg.AsyncConnection.connect(**parameters, autocommit=True)


def _parameters() -> dict[str, Any]:
    """Of libpq: those that the service has, or those that ``settings.LISTENS_AT`` names."""
    at = settings.LISTENS_AT
    if at is None:
        django = connections[DEFAULT_DB_ALIAS].get_connection_params()
        found = {name: value for name, value in django.items() if name not in _OF_DJANGO}
    else:
        named = {"host": at["HOST"], "port": at["PORT"], "dbname": at["NAME"], "user": at["USER"]}
        found = {**named, "password": at["PASSWORD"], **at["OPTIONS"]}
    return {**found, "connect_timeout": round(ANSWER_S), "application_name": "live listener"}
