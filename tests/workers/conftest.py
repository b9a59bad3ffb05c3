"""A real embedded Valkey, and programs that are run beside the tests and ended with them."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from wagering.config.embedded import broker

ROOT = Path(__file__).resolve().parents[2]


class Program:
    """A process in a group of its own, whose output is read as it comes."""

    def __init__(self, *arguments: str, environment: dict[str, str]) -> None:
        self.process = subprocess.Popen(
            [sys.executable, *arguments],
            cwd=ROOT,
            env={**environment, "PYTHONUNBUFFERED": "1"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
        self.lines: list[str] = []
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        self.lines.extend(self.process.stdout)  # line by line: extend takes each as it comes

    @property
    def output(self) -> str:
        return "".join(self.lines)

    def says(self, what: str, *, times: int = 1) -> bool:
        return happens(lambda: self.output.count(what) >= times)

    def kill(self) -> None:
        """Kill -9 it and all of its group."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()


Run = Callable[..., Program]


def happens(what: Callable[[], bool], *, within_s: float = 120) -> bool:
    end = time.monotonic() + within_s
    while time.monotonic() < end:
        if what():
            return True
        time.sleep(0.02)
    return False


def descendants(pid: int) -> list[int]:
    """Of a process, all the living ones."""
    parents: dict[int, list[int]] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            state, parent, *_ = stat.read_text().rpartition(")")[2].split()
            if state != "Z":
                parents.setdefault(int(parent), []).append(int(stat.parent.name))
    found = list(parents.get(pid, []))
    for child in found:
        found.extend(parents.get(child, []))
    return found


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.fixture
def valkey() -> Iterator[broker.Broker]:
    with broker.scratch() as valkey:
        yield valkey


@pytest.fixture
def run() -> Iterator[Run]:
    programs = []

    def start(*arguments: str, environment: dict[str, str]) -> Program:
        programs.append(Program(*arguments, environment=environment))
        return programs[-1]

    yield start
    for program in programs:
        program.kill()
