"""A connection that sends half a request is closed, half a body is answered so, and a whole request is answered."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
import uvicorn
from uvicorn.server import ServerState

from wagering.config import patience
from wagering.config.http import body_limit
from wagering.config.http.body_limit import BodyLimitASGI
from wagering.config.web import Worker

HEAD = b"GET / HTTP/1.1\r\nHost: localhost\r\n"
POST = b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n"


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
    assert answers_to(sent, application).count(b"HTTP/1.1 204") == answers


async def reads(scope: Any, receive: Any, send: Any) -> None:
    """As Django does: the body to its end, then what it means, while it is looked whether the client goes."""
    more = True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            return
        more = message.get("more_body", False)
    goes = asyncio.create_task(receive())
    await application(scope, receive, send)
    goes.cancel()


@pytest.mark.parametrize(
    ("sent", "stall_s", "whole_s", "status"),
    [
        ([POST], 0.2, 10, b"408"),
        ([POST, b"12345678"], 0.2, 10, b"408"),
        ([POST, b"1", b"2"], 10, 0.3, b"408"),
        ([POST, b"1234", b"56789"], 0.2, 0.3, b"204"),
        ([POST + b"123456789"], 0.2, 0.3, b"204"),
    ],
)
def test_who_sends_half_a_body_is_told_so_and_cut_off(
    sent: list[bytes], stall_s: float, whole_s: float, status: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(body_limit, "STALL_S", stall_s)
    monkeypatch.setattr(body_limit, "WHOLE_S", whole_s)
    said = answers_to(sent, BodyLimitASGI(reads))
    assert said.startswith(b"HTTP/1.1 " + status)
    assert said.count(b"HTTP/1.1") == 1
    assert (b'"code":"body_too_slow"' in said) == (status == b"408")


def answers_to(sent: list[bytes], application: Any) -> bytes:
    """All that comes until the server closes the connection."""

    async def meets() -> bytes:
        options: dict[str, Any] = {**Worker.CONFIG_KWARGS, "timeout_keep_alive": 1}
        config = uvicorn.Config(application, log_config=None, interface="asgi3", lifespan="off", **options)
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

    return asyncio.run(meets())
