"""What a process does before it serves anybody, and after: ASGI's lifespan, which Django leaves to others."""

import asyncio
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from games.live.heart import Heart

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]


class Lifespan:
    """Around the ASGI application: a heart beats while players are served."""

    def __init__(self, application: Application) -> None:
        self.application = application

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "lifespan":
            await self.application(scope, receive, send)
            return
        heart = Heart()
        await receive()  # lifespan.startup
        await asyncio.to_thread(heart.start)
        await send({"type": "lifespan.startup.complete"})
        await receive()  # lifespan.shutdown
        await asyncio.to_thread(heart.stop)
        await send({"type": "lifespan.shutdown.complete"})
