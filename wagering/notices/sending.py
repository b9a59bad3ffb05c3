"""One POST to an endpoint. Its answer is a status, or nothing.

Ten seconds for all of it, however slowly it is answered; no redirect is followed, no proxy of the environment is
asked, and no body read. The host is looked up once, and what was looked at is what is connected to: a name that leads
to another place by then, or inside, is sent nothing.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Final

import httpx
import structlog

from wagering.notices import addresses

log = structlog.get_logger(__name__)

CONNECT_S: Final = 3
ALTOGETHER_S: Final = 10
"""Below the first pause of a delivery (``outgoing.PAUSES_S``), or it could go out twice at once."""


def post(url: str, *, body: bytes, headers: Mapping[str, str]) -> int | None:
    """The status that was answered; None if none was in time."""
    return asyncio.run(_posted(url, body, headers))


async def _posted(url: str, body: bytes, headers: Mapping[str, str]) -> int | None:
    patience = httpx.Timeout(ALTOGETHER_S, connect=CONNECT_S)
    try:
        there = httpx.URL(url)
        async with (
            asyncio.timeout(ALTOGETHER_S),
            httpx.AsyncClient(timeout=patience, trust_env=False) as http,
        ):
            for address in await _addresses(there):
                with suppress(httpx.ConnectError, httpx.ConnectTimeout):
                    return await _answered(http, there, address, body, headers)
    except (httpx.HTTPError, httpx.InvalidURL, TimeoutError, OSError, UnicodeError):
        pass
    return None


async def _addresses(there: httpx.URL) -> Sequence[str]:
    host = there.raw_host.decode("ascii").strip("[]")
    found = await addresses.of(host, there.port or (443 if there.scheme == "https" else 80))
    if not found:
        log.warning("an endpoint is inside: nothing is sent there", host=host)
    return found


async def _answered(
    http: httpx.AsyncClient, there: httpx.URL, address: str, body: bytes, headers: Mapping[str, str]
) -> int:
    named = {"Host": there.netloc.decode("ascii"), **headers}
    async with http.stream(
        "POST", there.copy_with(host=address), content=body, headers=named, extensions={"sni_hostname": there.host}
    ) as answer:
        return answer.status_code
