"""A connection that sends half a request is closed, and one that sends a whole one is answered."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
import uvicorn
from uvicorn.server import ServerState

from wagering.config import patience
from wagering.config.web import Worker

HEAD = b"GET / HTTP/1.1\r\nHost: localhost\r\n"


async def application(scope: Any, receive: Any, send: Any) -> None:
    await asyncio.sleep(0.5)  # longer than a head may take
    await send({"type": "http.response.start", "status": 204, "headers": []})
    await send({"type": "http.response.body"})


@pytest.mark.parametrize(
    ("sent", "answers"),
    [([b""], 0), ([HEAD], 0), ([HEAD[:9], HEAD[9:]], 0), ([HEAD + b"\r\n"], 1), ([HEAD + b"\r\n", HEAD], 1)],
)
def test_who_sends_half_a_request_is_cut_off(sent: list[bytes], answers: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patience, "HEAD_S", 0.2)

    async def meets() -> bytes:
        config = uvicorn.Config(application, log_config=None, interface="asgi3", lifespan="off", **Worker.CONFIG_KWARGS)
        config.load()
        state = ServerState()
        protocol: Any = config.http_protocol_class
        loop = asyncio.get_running_loop()
        server = await loop.create_server(
            lambda: protocol(config=config, server_state=state, app_state={}), "127.0.0.1"
        )
        reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname())
        for part in sent:
            writer.write(part)
            await asyncio.sleep(0.05)
        async with asyncio.timeout(10):
            said = await reader.read()  # until it is closed
        writer.close()
        server.close()
        return said

    assert asyncio.run(meets()).count(b"HTTP/1.1 204") == answers
