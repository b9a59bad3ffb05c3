"""The streams' bench: 1,000 of them held by one web process, and how soon an action reaches everyone who follows."""

import asyncio
import contextlib
import json
import random
import resource
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from django.utils import timezone

from games.live.services import CONNECTIONS_MAX
from ledger import proofs
from wagering.config.bench import population, scratch
from wagering.config.bench.api import server, tables
from wagering.config.bench.api.load import Line, Refused, act
from wagering.config.bench.api.tables import Playing
from wagering.config.bench.report import Report

AT_ONCE: Final = 32
"""Streams that are opened at the same time."""

PATIENCE_S: Final = 60

LINE_MAX: Final = 2**20
"""A state is one line, and a double has hundreds of plays."""


@dataclass(frozen=True, slots=True)
class Plan:
    """At each of the ``tables`` both sides open as many streams as a side may."""

    tables: int = 63
    rounds: int = 5

    @property
    def streams(self) -> int:
        return self.tables * 2 * CONNECTIONS_MAX


def run(plan: Plan, *, progress: Callable[[str], None]) -> Report:
    """Measure as ``plan`` says, in a database that is gone afterwards. Raises NoOwner, ServerDied, Refused."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    with contextlib.suppress(OSError, ValueError):  # some systems allow less than they say
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    report = Report(environment={"plan": repr(plan), "began": timezone.now().isoformat(timespec="seconds")})
    with scratch.database() as name:
        population.settle_in(at=timezone.now())
        opened = tables.opened(plan.tables)
        progress(f"scratch database {name}, {plan.tables} tables at their first play")
        with server.serving(name=name, workers=1) as port:
            asyncio.run(measure(report, plan, port, opened, progress))
        for proof in proofs.run():
            report.proofs.append({"proof": proof.name, "holds": proof.holds, "fault": proof.fault})
    return report


class Follower:
    """One open stream: the sequence up to which it has been told, and when."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer
        self._news = asyncio.Event()
        self.sequence, self.at = 0, 0.0

    @classmethod
    async def of(cls, port: int, table: str, token: str) -> "Follower":
        """One that has its first state. Raises Refused."""
        reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=LINE_MAX)
        head = [f"GET /v1/games/{table}/stream HTTP/1.1", "Host: localhost", f"Authorization: Bearer {token}"]
        writer.write("\r\n".join([*head, "", ""]).encode())
        answer = await reader.readuntil(b"\r\n\r\n")
        if answer.split()[1] != b"200":
            raise Refused(f"a stream: {answer.decode()}")
        follower = cls(reader, writer)
        follower._reading = asyncio.create_task(follower._read())
        await follower.is_told(1)
        return follower

    _reading: asyncio.Task[None]

    async def is_told(self, sequence: int) -> None:
        """Wait for it. Raises Refused."""
        try:
            async with asyncio.timeout(PATIENCE_S):
                while self.sequence < sequence:
                    self._news.clear()
                    await self._news.wait()
        except TimeoutError:
            raise Refused(f"a stream was told up to {self.sequence} in {PATIENCE_S} s, and not {sequence}") from None

    async def close(self) -> None:
        self._reading.cancel()
        self._writer.close()
        with contextlib.suppress(OSError):
            await self._writer.wait_closed()

    async def _read(self) -> None:
        """What stands between the lines of an event is the transfer's, and begins with no field of one."""
        sequence = 0
        async for line in self._reader:
            if line.startswith(b"id: "):
                sequence = int(line[4:])
            elif line.startswith(b"data: ") and sequence:
                self.sequence, self.at = sequence, time.perf_counter()
                self._news.set()


async def measure(
    report: Report, plan: Plan, port: int, opened: Sequence[Playing], progress: Callable[[str], None]
) -> None:
    """The streams of ``opened``, of the one web process that serves ``port``."""
    alone = await _peak_mb(port)
    followers = await _all_open(port, opened)
    lines = {table.table: await Line.to(port) for table in opened}

    async def reached(acting: Sequence[Playing]) -> tuple[float, float]:
        """One action at each of them, all at once: the seconds until the last stream has its own.

        Those since the first was sent, which has the time in it that the actions themselves take, and those since the
        last was answered.
        """

        async def told(table: Playing) -> tuple[float, float]:
            await act(lines[table.table], table)
            answered = time.perf_counter()
            for follower in followers[table.table]:
                await follower.is_told(table.state["sequence"])
            return answered, max(follower.at for follower in followers[table.table])

        began = time.perf_counter()
        answered, at = map(max, zip(*await asyncio.gather(*map(told, acting)), strict=True))
        return at - began, max(0.0, at - answered)

    progress(f"{plan.streams:,} streams in one web process, which took {alone:.0f} MB before; {plan.rounds} rounds")
    for number in range(1, plan.rounds + 1):
        report.add("stream_table_s", (await reached([random.choice(opened)]))[0])
        whole, behind = await reached(opened)
        report.add("stream_all_s", whole)
        report.add("stream_behind_s", behind)
        report.add("stream_mb", await _peak_mb(port))
        said = "  ".join(f"{name} {found[-1]:.2f}" for name, found in report.rounds.items())
        progress(f"  round {number} of {plan.rounds}: {said}")
    await asyncio.gather(*(each.close() for those in followers.values() for each in those))
    await asyncio.gather(*(line.close() for line in lines.values()))


async def _all_open(port: int, opened: Sequence[Playing]) -> dict[str, list[Follower]]:
    a_few = asyncio.Semaphore(AT_ONCE)

    async def one(table: Playing, token: str) -> Follower:
        async with a_few:
            return await Follower.of(port, table.table, token)

    found = {}
    for table in opened:
        wanted = [one(table, token) for token in table.tokens for _ in range(CONNECTIONS_MAX)]
        found[table.table] = list(await asyncio.gather(*wanted))
    return found


async def _peak_mb(port: int) -> float:
    """The most memory that the process has had."""
    line = await Line.to(port)
    told = json.loads(await line.ask("GET", "/memory"))
    await line.close()
    return float(told["peak_mb"])
