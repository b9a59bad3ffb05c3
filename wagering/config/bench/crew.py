"""The clients of the service: processes of their own, started once, that work at the same time when told to."""

import gc
import multiprocessing
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection
from typing import Final

from wagering.config.bench.arithmetic import Measured, measured
from wagering.config.bench.works import WORKS
from wagering.config.postgres.base import close_pools

LEAD_S: Final = 0.05
"""From the telling to the start, so that everybody has heard."""
WARM_S: Final = 0.3
READY: Final = "ready"
FAREWELL_S: Final = 5
FORK: Final = multiprocessing.get_context("fork")  # what was imported and set up is there at once


class WorkerDied(Exception):
    """A client of the bench ended before it was told to; what it said is on standard error."""


class Crew:
    """So many clients; the first one is also the one writer of the batches."""

    def __init__(self, *, clients: int) -> None:
        close_pools()  # no connection and no thread of a pool may be shared with a child
        self._lines: list[Connection] = []
        self._processes = []
        for _ in range(clients):
            ours, theirs = FORK.Pipe()
            process = FORK.Process(target=_listen, args=(theirs, [*self._lines, ours]), daemon=True)
            process.start()
            theirs.close()
            self._lines.append(ours)
            self._processes.append(process)

    def together(self, work: str, *, seconds: float) -> Measured:
        """Everybody does ``work`` for so long."""
        took = self._tell(self._lines, work, seconds=seconds)
        return measured(latencies_s=[one for each in took for one in each], seconds=seconds)

    def batches(self, *, size: int, seconds: float) -> Measured:
        """One writer records ``size`` vouchers a call; vouchers a second of the calls themselves."""
        (took,) = self._tell(self._lines[:1], "many", seconds=seconds, size=size)
        calls = measured(latencies_s=took, seconds=sum(took))
        return Measured(per_second=size * calls.per_second, p50_ms=calls.p50_ms, p99_ms=calls.p99_ms)

    def warm_up(self) -> None:
        """Connections are opened and statements prepared, which a service does once an hour."""
        for work in WORKS:
            self._tell(self._lines, work, seconds=WARM_S)

    def leave(self) -> None:
        """Everybody goes home: their connections must be gone before the database can be."""
        for line in self._lines:
            line.close()
        for process in self._processes:
            process.join(FAREWELL_S)
            if process.is_alive():
                process.kill()
                process.join()

    def _tell(self, lines: list[Connection], work: str, *, seconds: float, size: int = 1) -> list[list[float]]:
        try:
            for line in lines:
                line.send((work, seconds, size))
            for line in lines:
                assert line.recv() == READY
            start = time.monotonic() + LEAD_S
            for line in lines:
                line.send(start)
            return [line.recv() for line in lines]
        except (EOFError, BrokenPipeError, ConnectionResetError) as error:
            raise WorkerDied(f"a client of the bench died of {work!r}; see above") from error


@contextmanager
def at_work(*, clients: int) -> Iterator[Crew]:
    """A crew that has warmed up, until it is not needed any more."""
    crew = Crew(clients=clients)
    try:
        crew.warm_up()
        yield crew
    finally:
        crew.leave()


def _listen(line: Connection, others: list[Connection]) -> None:
    """A client's life: do what is said, at the same moment as all others, until the line is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches us too; the bench ends us in its own time
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    for other in others:
        other.close()  # while we hold an end, nobody hears that it was closed
    gc.freeze()
    while True:
        try:
            work, seconds, size = line.recv()
            prepared = WORKS[work](seconds, size)
            line.send(READY)
            start = line.recv()
            time.sleep(max(0.0, start - time.monotonic()))
            line.send(prepared(start + seconds))
        except (EOFError, BrokenPipeError):
            break  # the bench has hung up, perhaps in the middle
    close_pools()
