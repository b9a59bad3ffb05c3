"""Bodies that are too long: refused before they are read, under WSGI and ASGI."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import MutableMapping
from typing import Any

import pytest
from django.test import Client
from django.urls import clear_url_caches
from pytest_django.live_server_helper import LiveServer

from wagering.config.asgi import application
from wagering.config.http.body_limit import BODY_MAX, limit_of

pytestmark = [pytest.mark.urls("tests.api.addresses")]

MIB = 2**20


def body(length: int) -> bytes:
    return b'{"a": "' + b"x" * (length - 9) + b'"}'


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("to", "length", "status"),
    [
        ("/v1/echo", MIB, 200),
        ("/v1/echo", MIB + 1, 413),
        ("/v1/records", MIB + 1, 200),
        ("/v1/records", 8 * MIB, 200),
        ("/v1/records", 8 * MIB + 1, 413),
        ("/v1/nowhere", MIB + 1, 413),
    ],
)
def test_an_address_takes_a_mebibyte_or_what_it_says(to: str, length: int, status: int, client: Client) -> None:
    answer = client.post(to, body(length), content_type="application/json")
    assert answer.status_code == status, answer.content
    if status == 413:
        assert answer["Content-Type"] == "application/problem+json"
        assert answer.json()["code"] == "body_too_large"


@pytest.mark.django_db(transaction=True)
def test_ten_megabytes_are_refused_without_being_read(live_server: LiveServer) -> None:
    """Of ten million bytes only ten are ever sent, and the answer is there."""
    with socket.create_connection((live_server.thread.host, live_server.thread.port), timeout=10) as line:
        head = [
            "POST /v1/echo HTTP/1.1",
            "Host: localhost",
            "Content-Type: application/json",
            "Content-Length: 10000000",
        ]
        line.sendall("\r\n".join([*head, "", '{"a": "xxx']).encode())
        assert line.recv(4096).split(b"\r\n")[0] == b"HTTP/1.1 413 Request Entity Too Large"


class Caller:
    """One request to the ASGI application: what it asked to read, and what it answered."""

    def __init__(self, *, headers: list[tuple[bytes, bytes]], chunks: list[bytes]) -> None:
        self.headers, self.chunks = headers, chunks
        self.read = 0
        self.sent: list[MutableMapping[str, Any]] = []

    async def receive(self) -> dict[str, Any]:
        if not self.chunks:
            await asyncio.sleep(0.05)
            return {"type": "http.disconnect"}
        chunk = self.chunks.pop(0)
        self.read += len(chunk)
        return {"type": "http.request", "body": chunk, "more_body": bool(self.chunks)}

    async def send(self, message: MutableMapping[str, Any]) -> None:
        self.sent.append(message)

    def ask(self, path: str) -> tuple[int, dict[str, Any]]:
        scope = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": "POST",
            "scheme": "http",
            "path": path,
            "raw_path": path.encode(),
            "query_string": b"",
            "root_path": "",
            "headers": [(b"host", b"localhost"), (b"content-type", b"application/json"), *self.headers],
            "client": ("127.0.0.1", 1),
            "server": ("127.0.0.1", 80),
        }
        asyncio.run(application(scope, self.receive, self.send))
        answered = b"".join(message.get("body", b"") for message in self.sent)
        return self.sent[0]["status"], json.loads(answered)


def test_under_asgi_an_announced_length_is_refused_unread() -> None:
    caller = Caller(headers=[(b"content-length", b"10000000")], chunks=[b"x" * 65536] * 160)
    status, told = caller.ask("/v1/echo")
    assert (status, told["code"], caller.read) == (413, "body_too_large", 0)


def test_under_asgi_a_body_of_no_announced_length_is_counted() -> None:
    caller = Caller(headers=[(b"transfer-encoding", b"chunked")], chunks=[b"x" * 65536] * 160)
    status, told = caller.ask("/v1/echo")
    assert (status, told["code"]) == (413, "body_too_large")
    assert caller.read <= MIB + 65536
    assert len(caller.sent) == 2  # one answer, not two


def test_a_view_says_its_own_limit() -> None:
    clear_url_caches()
    assert limit_of("/v1/echo") == BODY_MAX == MIB
    assert limit_of("/v1/records") == 8 * MIB
    assert limit_of("/nowhere/at/all") == MIB
