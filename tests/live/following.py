"""Streams that are followed in tests: a real server in a process of its own, and clients that read it all at once."""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
import resource
import subprocess
import sys
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import Future
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from uuid import UUID

import httpx

from games.access.models import PlayerToken
from games.models import Player, User


@dataclass(frozen=True, slots=True)
class Event:
    """What came, and when (s, ``time.monotonic``)."""

    name: str
    data: Any
    id: int | None
    came_at: float


@dataclass
class Followed:
    """One stream, from its opening to its end."""

    status: int = 0
    headers: httpx.Headers = field(default_factory=httpx.Headers)
    body: str = ""
    """Of an answer that is no stream."""
    events: list[Event] = field(default_factory=list)
    comments: int = 0
    retry_ms: int = 0
    over: threading.Event = field(default_factory=threading.Event)
    reading: Future[None] | None = None

    def named(self, name: str) -> list[Event]:
        return [event for event in self.events if event.name == name]

    def waits_for(self, found: Callable[[Followed], Any], *, seconds: float = 15.0) -> Any:
        """What ``found`` finds as soon as it finds something."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if it := found(self):
                return it
            time.sleep(0.01)
        raise AssertionError(f"not within {seconds} s: {self.status} {self.body} {self.events[-3:]}")

    def state(self, number: int = 1) -> Event:
        """The ``number``-th state that comes."""
        self.waits_for(lambda followed: len(followed.named("state")) >= number)
        return self.named("state")[number - 1]

    def ends(self, *, seconds: float = 15.0) -> str | None:
        """The reason, None for a stream that was cut off."""
        assert self.over.wait(seconds), "it is still open"
        told = self.named("end")
        return told[-1].data["reason"] if told else None

    def leaves(self) -> None:
        """The client closes the connection."""
        assert self.reading is not None
        self.reading.cancel()
        assert self.over.wait(10)


class Crowd:
    """Clients of one server, in a loop of their own."""

    def __init__(self, address: str) -> None:
        self.address = address
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        limits = httpx.Limits(max_connections=None, max_keepalive_connections=0)
        self._client = httpx.AsyncClient(base_url=address, limits=limits, timeout=60, trust_env=False)

    def follows(self, table: UUID, token: str | None, *, last_event_id: str | None = None) -> Followed:
        headers = {"Accept": "text/event-stream"}
        if token is not None:
            headers["Authorization"] = f"Bearer {token}"
        if last_event_id is not None:
            headers["Last-Event-ID"] = last_event_id
        followed = Followed()
        reads = self._reads(followed, f"/v1/games/{table}/stream", headers)
        followed.reading = asyncio.run_coroutine_threadsafe(reads, self._loop)
        return followed

    async def _reads(self, followed: Followed, path: str, headers: dict[str, str]) -> None:
        try:
            async with self._client.stream("GET", path, headers=headers) as answer:
                followed.status, followed.headers = answer.status_code, answer.headers
                if answer.status_code == 200:
                    await _parse(answer.aiter_lines(), followed)
                else:
                    followed.body = (await answer.aread()).decode()
        except httpx.HTTPError as error:
            followed.body = repr(error)
        finally:
            followed.over.set()

    def close(self) -> None:
        async def end() -> None:
            tasks = asyncio.all_tasks() - {asyncio.current_task()}
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            await self._client.aclose()

        asyncio.run_coroutine_threadsafe(end(), self._loop).result(timeout=30)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(timeout=10)
        self._loop.close()


async def _parse(lines: AsyncIterator[str], followed: Followed) -> None:
    said: dict[str, str] = {}
    async for line in lines:
        if line:
            name, _, value = line.partition(":")
            said[name] = value.removeprefix(" ")
            continue
        followed.comments += "" in said
        followed.retry_ms = int(said.get("retry", followed.retry_ms))
        if "data" in said:
            number = int(said["id"]) if "id" in said else None
            followed.events.append(Event(said["event"], json.loads(said["data"]), number, time.monotonic()))
        said = {}


@dataclass
class Server:
    """uvicorn with the whole application."""

    process: subprocess.Popen[bytes]
    address: str
    log: Path

    def memory_mb(self) -> float:
        """What of it is in memory."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        found = re.search(r"VmRSS:\s+(\d+) kB", status)
        assert found
        return int(found[1]) / 1024

    def threads(self) -> int:
        return len(list(Path(f"/proc/{self.process.pid}/task").iterdir()))


@contextlib.contextmanager
def served(environment: dict[str, str], log: Path) -> Iterator[Server]:
    """The server, from the moment at which it answers."""
    raise_limit_of_files()
    command = [sys.executable, "-m", "uvicorn", "wagering.config.asgi:application", "--port", "0", "--no-access-log"]
    with log.open("wb") as out:
        process = subprocess.Popen(command, env=environment, stdout=out, stderr=subprocess.STDOUT)
    try:
        yield Server(process, _address(process, log), log)
    finally:
        process.kill()
        process.wait(timeout=10)


def _address(process: subprocess.Popen[bytes], log: Path) -> str:
    end = time.monotonic() + 60
    while time.monotonic() < end and process.poll() is None:
        if found := re.search(r"running on (http://127\.0\.0\.1:\d+)", log.read_text()):
            return found[1]
        time.sleep(0.05)
    raise AssertionError(log.read_text())


def raise_limit_of_files() -> None:
    """As many as this process, and those that it starts, may have."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def token_of(player: Player) -> str:
    """One more client of the player."""
    if player.user is None:
        player.user = User.objects.create(username=str(player.pk))
        player.save()
    _, token = PlayerToken.objects.create(user=player.user, label="test")  # type: ignore[no-untyped-call]
    return str(token)
