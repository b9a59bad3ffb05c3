"""Who reads an answer slowly holds a socket, and no connection to the database."""

import asyncio
from typing import Any

import pytest
from django.core.asgi import get_asgi_application
from django.db import connection

from tests.factories import PlayerFactory
from tests.live.following import token_of


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(("path", "status"), [("/v1/me", 200), ("/v1/nothing", 404), ("/v1/ratings?zone=x", 422)])
def test_no_connection_is_held_while_an_answer_is_sent(path: str, status: int) -> None:
    token = token_of(PlayerFactory.create())
    connection.close()
    pool = connection.pool  # type: ignore[attr-defined]
    seen: list[tuple[int, int]] = []

    requests = [{"type": "http.request"}]

    async def receive() -> Any:
        return requests.pop() if requests else await asyncio.Event().wait()

    async def send(message: Any) -> None:
        if message["type"] == "http.response.start":
            stats = pool.get_stats()
            seen.append((message["status"], stats["pool_size"] - stats["pool_available"]))

    headers = [(b"host", b"localhost"), (b"authorization", f"Bearer {token}".encode())]
    where, _, query = path.partition("?")
    scope = {"type": "http", "method": "GET", "path": where, "query_string": query.encode(), "headers": headers}
    application: Any = get_asgi_application()
    asyncio.run(application(scope, receive, send))
    assert seen == [(status, 0)]
