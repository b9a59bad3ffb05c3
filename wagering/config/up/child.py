"""One program that ``up`` keeps running: started on a tether, read line by line, ended with all its own children."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from wagering.config.up import tether

CHUNK: Final = 65_536
LONGEST_LINE: Final = 65_536


@dataclass(frozen=True, slots=True)
class Part:
    """A program of the room; ``inherits`` is a socket it is given."""

    name: str
    command: tuple[str, ...]
    inherits: int | None = None


class Child:
    """A running ``Part``, in a session and process group of its own, which a terminal's Ctrl-C does not reach."""

    def __init__(self, part: Part, *, environment: dict[str, str]) -> None:
        self.part = part
        self.started_at = time.monotonic()
        self._partial = b""
        self._process = subprocess.Popen(
            [sys.executable, "-I", "-S", tether.__file__, *part.command],
            stdin=subprocess.PIPE,  # held open while we live
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env=environment,
            pass_fds=() if part.inherits is None else (part.inherits,),
            start_new_session=True,
        )
        assert self._process.stdout is not None
        self.output: Final = self._process.stdout.fileno()
        os.set_blocking(self.output, False)

    def lines(self) -> Iterator[str]:
        """What it has said since the last time, whole lines."""
        while True:
            try:
                chunk = os.read(self.output, CHUNK)
            except BlockingIOError:
                return
            *whole, self._partial = (self._partial + chunk).split(b"\n")
            if len(self._partial) > LONGEST_LINE or not chunk:
                whole, self._partial = [*whole, self._partial], b""
            yield from (line.decode(errors="replace").rstrip("\r") for line in whole if line or chunk)
            if not chunk:
                return

    def tell(self, number: signal.Signals) -> None:
        """Send it a signal, which its own children do not get."""
        with contextlib.suppress(ProcessLookupError):
            os.kill(self._process.pid, number)

    def kill(self) -> None:
        """It and all its own children, at once."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)

    def has_ended(self) -> bool:
        """Whether it is gone; looked at without taking it away, so that the number of its group stays its own."""
        if self._process.returncode is not None:
            return True
        return os.waitid(os.P_PID, self._process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None

    def clear_away(self) -> str:
        """Kill what it left behind and say how it ended; for one that has ended."""
        self.kill()
        status = self._process.wait()
        assert self._process.stdin is not None
        self._process.stdin.close()
        if status < 0 or status > 128:
            number = -status if status < 0 else status - 128
            return f"killed by signal {number}"
        return f"status {status}"

    def close(self) -> None:
        assert self._process.stdout is not None
        self._process.stdout.close()
