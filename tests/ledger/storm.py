"""Starts the processes of ``hammer.py``, kills them and lets them finish."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Final, Self

from games.models import Player, Room
from ledger import book
from tests.ledger import cards
from tests.ledger.hammer import Folder
from tests.ledger.people import NOON
from wagering.commission.models import RoomTariff
from wagering.commission.services import publish_shipped

ROOT: Final = Path(__file__).resolve().parents[2]
STALLED_S: Final = 60
"""Without anything acknowledged for so long, something hangs: that is a failure, however slow the machine."""


def prepare(folder: Folder) -> None:
    """A room with a tariff, four players and some money."""
    publish_shipped(at=NOON)
    room = Room.objects.create(pk=cards.ROOM, slug="hammer", name="Hammer Room")
    RoomTariff.objects.create(room=room, tariff="gammonempire")
    for player, name in zip(cards.PLAYERS, cards.NAMES, strict=True):
        Player.objects.create(pk=player, name=name)
    folder.append(folder.diary("test"), ["post", *(first := [f"deposit:first.{n}" for n in range(30)])])
    for card in first:
        folder.acknowledge(voucher := cards.voucher(card), book.post(voucher), by="test")


class Stalled(Exception):
    """Nothing is acknowledged any more."""


class Storm:
    """The processes ``names``, from their start to their end. ``kill`` gives the killed another life."""

    def __init__(self, names: Iterable[str], *, folder: Folder, environment: Mapping[str, str], seed: str) -> None:
        self.names, self.folder, self.environment, self.seed = tuple(names), folder, dict(environment), seed
        self.lives: Counter[str] = Counter()
        self.pids: dict[str, int] = {}
        self.born: dict[str, int] = {}

    def __enter__(self) -> Self:
        with (self.folder.path / "errors").open("w") as errors:
            self.nursery = subprocess.Popen(
                [sys.executable, "-m", "tests.ledger.hammer", str(self.folder.path)],
                cwd=ROOT,
                env=self.environment,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
            )
        for name in self.names:
            self.start(name)
        return self

    def __exit__(self, *_: object) -> None:
        for pid in self.pids.values():
            if alive(pid):
                os.kill(pid, signal.SIGKILL)
        self.nursery.communicate()

    def finish(self) -> None:
        """Let everybody end what they have begun, and go."""
        self.folder.stop.touch()
        self.until("everybody has finished", lambda: not any(alive(pid) for pid in self.pids.values()))

    def start(self, name: str) -> None:
        self.lives[name] += 1
        assert self.nursery.stdin and self.nursery.stdout
        self.born[name] = size(self.folder.diary(name))
        self.nursery.stdin.write(f"{name} {self.lives[name]} {self.seed}\n")
        self.nursery.stdin.flush()
        self.pids[name] = int(self.nursery.stdout.readline())

    def kill(self, name: str) -> None:
        """Kill a process that has begun to work, and start its next life."""
        self.until(f"{name} works", grown(self.folder.diary(name), beyond=self.born[name]))
        os.kill(self.pids[name], signal.SIGKILL)
        self.until(f"{name} is gone", lambda: not alive(self.pids[name]))
        self.start(name)

    def work(self, *, keys: int) -> None:
        """Wait until that many more keys are acknowledged, or more."""
        for _ in range(keys):
            self.until("a key is acknowledged", grown(self.folder.acknowledged))

    def until(self, what: str, happens: Callable[[], bool]) -> None:
        end = time.monotonic() + STALLED_S
        while not happens():
            if surprises := self.folder.surprises.read_text():
                raise AssertionError(surprises)
            if time.monotonic() > end:
                raise Stalled(f"not in {STALLED_S} s: {what}")
            time.sleep(0.002)


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def grown(file: Path, *, beyond: int | None = None) -> Callable[[], bool]:
    """Whether the file is longer than ``beyond``, or than now."""
    before = size(file) if beyond is None else beyond
    return lambda: size(file) > before


def size(file: Path) -> int:
    return file.stat().st_size if file.exists() else 0
