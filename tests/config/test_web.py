"""The web server tells the application who asks as it came, and leaves it to PROXIES whom else to believe."""

from __future__ import annotations

import asyncio
from typing import Any

import uvicorn

from wagering.config.web import Worker


def test_nobody_on_this_machine_is_believed_about_an_address() -> None:
    seen: list[Any] = []

    async def application(scope: Any, receive: Any, send: Any) -> None:
        seen.append((scope["client"], scope["scheme"]))

    async def nothing(*_: Any) -> Any:
        return None

    config = uvicorn.Config(application, log_config=None, interface="asgi3", **Worker.CONFIG_KWARGS)
    config.load()
    headers = [(b"x-forwarded-for", b"198.51.100.1"), (b"x-forwarded-proto", b"https")]
    scope = {"type": "http", "scheme": "http", "client": ("127.0.0.1", 4711), "headers": headers}
    asyncio.run(config.loaded_app(scope, nothing, nothing))
    assert seen == [(("127.0.0.1", 4711), "http")]
