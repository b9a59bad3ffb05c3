"""One POST to an endpoint. Its answer is a status, or nothing.

Ten seconds for all of it, however slowly it is answered; no redirect is followed, no proxy of the environment is
asked, and no body read.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Final

import httpx

CONNECT_S: Final = 3
ALTOGETHER_S: Final = 10
"""Below the first pause of a delivery (``outgoing.PAUSES_S``), or it could go out twice at once."""


def post(url: str, *, body: bytes, headers: Mapping[str, str]) -> int | None:
    """The status that was answered; None if none was in time."""
    return asyncio.run(_posted(url, body, headers))


async def _posted(url: str, body: bytes, headers: Mapping[str, str]) -> int | None:
    patience = httpx.Timeout(ALTOGETHER_S, connect=CONNECT_S)
    try:
        async with (
            asyncio.timeout(ALTOGETHER_S),
            httpx.AsyncClient(timeout=patience, trust_env=False) as http,
            http.stream("POST", url, content=body, headers=headers) as answer,
        ):
            return answer.status_code
    except (httpx.HTTPError, httpx.InvalidURL, TimeoutError, OSError):
        return None
