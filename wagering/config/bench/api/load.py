"""The clients: one connection a table, each asks again as soon as it is answered.

They speak HTTP by themselves, with nothing that is not needed here: what a client library costs would be counted as the
server's.
"""

import asyncio
import json
import random
import time
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from typing import Any, Final
from uuid import uuid4

from wagering.config.bench.api.tables import Playing
from wagering.config.bench.arithmetic import Measured, measured

WARM_S: Final = 1


class Refused(Exception):
    """An answer that was not 2xx: the bench is wrong, or the service."""


class Line:
    """One kept connection to the service."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer

    @classmethod
    async def to(cls, port: int) -> "Line":
        return cls(*await asyncio.open_connection("127.0.0.1", port))

    async def ask(self, method: str, path: str, *, token: str = "", body: dict[str, Any] | None = None) -> bytes:
        """The body of the answer. Raises Refused."""
        sent = json.dumps(body).encode() if body is not None else b""
        head = [f"{method} {path} HTTP/1.1", "Host: localhost", f"Content-Length: {len(sent)}"]
        if token:
            head.append(f"Authorization: Bearer {token}")
        if body is not None:
            head += ["Content-Type: application/json", f"Idempotency-Key: {uuid4()}"]
        self._writer.write("\r\n".join([*head, "", ""]).encode() + sent)
        status, _, rest = (await self._reader.readuntil(b"\r\n\r\n")).partition(b"\r\n")
        fields = dict(line.lower().split(b": ", 1) for line in rest.split(b"\r\n") if line)
        answer = await self._reader.readexactly(int(fields[b"content-length"]))
        if status.split()[1][:1] != b"2":
            raise Refused(f"{method} {path}: {status.decode()} {answer.decode()[:300]}")
        return answer

    async def close(self) -> None:
        self._writer.close()
        await self._writer.wait_closed()


Step = Callable[[Line], Awaitable[float]]
"""Asks once and says how long the answer took, in seconds."""


def bare(port: int, *, clients: int, seconds: float) -> Measured:
    """The view that does nothing."""

    async def step(line: Line) -> float:
        return await _timed(line.ask("GET", "/bare"))

    return _load(port, [step] * clients, seconds)


def wallets(port: int, tables: Sequence[Playing], *, seconds: float) -> Measured:
    """A player looks at the wallet."""

    def step_of(table: Playing) -> Step:
        async def step(line: Line) -> float:
            return await _timed(line.ask("GET", "/v1/wallet", token=table.tokens[0]))

        return step

    return _load(port, [step_of(table) for table in tables], seconds)


def plays(port: int, tables: Sequence[Playing], *, seconds: float) -> Measured:
    """Both sides roll and play, any legal play; each of the two is one."""

    def step_of(table: Playing) -> Step:
        return lambda line: act(line, table)

    return _load(port, [step_of(table) for table in tables], seconds)


async def act(line: Line, table: Playing) -> float:
    """Whoever has to act rolls, or plays any legal play; how long the answer took, in seconds."""
    token = table.tokens[table.state["to_act"] - 1]
    if table.state["phase"] == "to_play" and not table.state["plays"]:
        seen = await line.ask("GET", f"/v1/tables/{table.table}", token=token)  # a new game's first play
        table.state = json.loads(seen)
    wish = {"version": table.state["version"], "kind": "roll"}
    if table.state["phase"] == "to_play":
        wish |= {"kind": "play", "play": random.choice(table.state["plays"])["play"]}
    began = time.perf_counter()
    answer = await line.ask("POST", f"/v1/tables/{table.table}/actions", token=token, body=wish)
    took = time.perf_counter() - began
    table.state = json.loads(answer)
    return took


async def _timed(asking: Coroutine[Any, Any, object]) -> float:
    began = time.perf_counter()
    await asking
    return time.perf_counter() - began


def _load(port: int, steps: Sequence[Step], seconds: float) -> Measured:
    return asyncio.run(_together(port, steps, seconds))


async def _together(port: int, steps: Sequence[Step], seconds: float) -> Measured:
    counted_from = time.monotonic() + WARM_S
    end = counted_from + seconds
    took = await asyncio.gather(*(_one(port, step, counted_from, end) for step in steps))
    return measured(latencies_s=[one for each in took for one in each], seconds=seconds)


async def _one(port: int, step: Step, counted_from: float, end: float) -> list[float]:
    line = await Line.to(port)
    took = []
    while time.monotonic() < end:
        latency = await step(line)
        if counted_from < time.monotonic() <= end:
            took.append(latency)
    await line.close()
    return took
