"""The whole room on real processes, and guests who come in over HTTP; what the book says is read beside it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Any, Final
from uuid import UUID

from django.db import connection

from backgammon_client import Action, Json, Room, State, Strategy, first_legal_play
from games.live.models import Connection, Pulse
from games.models import Player, Table
from games.models import Room as RoomRow
from ledger import proofs
from tests.factories import RoomFactory, fund, wallet
from tests.workers.conftest import ROOT
from wagering.audit.trace import Sheet, trace

PASSWORD: Final = "five-checkers-home"
NAMES: Final = count()
"""Nobody in a run has the name of somebody before."""

TERMS: Final[Json] = {
    "stake": {"amount": "5.00", "currency": "USD"},
    "cap": {"amount": "15.00", "currency": "USD"},
    "move_s": 60,
    "reserve_s": 600,
}


@dataclass
class Guest:
    """A player with a client, and what is in the wallet."""

    room: Room
    player: Player
    seen: list[State] = field(default_factory=list)

    @property
    def dollars(self) -> str:
        return str(wallet(self.player))

    def plays(self, table: str, strategy: Strategy) -> State:
        return self.room.play(table, strategy, see=self.seen.append)


@dataclass
class House:
    """Where the web listens, and the room that everybody meets in."""

    address: str
    log: Callable[[], str]
    environment: dict[str, str]
    forward: Path
    hands: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(8))

    def manage(self, *words: str) -> str:
        """What an operator's command says."""
        command = [sys.executable, "manage.py", *words]
        done = subprocess.run(command, cwd=ROOT, env=self.environment, capture_output=True, text=True, check=True)
        return done.stdout

    def puts_its_clocks(self, at: datetime) -> None:
        """It is ``at`` now, for all of the house. Who is there is there all the time, and so is the house."""
        seconds = int(self.forward.read_text()) + round((at - self.now()).total_seconds())
        then = datetime.now(UTC) + timedelta(seconds=seconds)
        Pulse.objects.update(beat_at=then)
        self.forward.write_text(str(seconds))
        Connection.objects.update(seen_at=then)

    def now(self) -> datetime:
        return datetime.now(UTC) + timedelta(seconds=int(self.forward.read_text()))

    def room(self) -> RoomRow:
        return RoomFactory.create(charges="gammonempire")

    def guest(self, name: str, *, dollars: str = "100.00", **options: Any) -> Guest:
        """Registered and logged in over HTTP, with money that came from outside."""
        client = Room(self.address, poll_s=0.2, **options)
        name = f"{name}-{next(NAMES)}x"
        player = Player.objects.get(pk=client.register(name, PASSWORD)["id"])
        client.log_in(name, PASSWORD)
        if dollars != "0.00":
            fund(player, dollars)
        return Guest(client, player)

    def both(self, *, dollars: str = "100.00") -> tuple[Guest, Guest]:
        asked = [self.later(lambda name=name: self.guest(name, dollars=dollars)) for name in ("ann", "bob")]
        ann, bob = (each.result(timeout=60) for each in asked)
        return ann, bob

    def seats(self, ann: Guest, bob: Guest, **terms: Any) -> str:
        """Ann offers, bob takes it; the table where they sit, ann as side 1."""
        agreed = {name: value for name, value in {**TERMS, **terms}.items() if value is not None}
        offer = ann.room.offer(room=self.room().slug, **agreed)
        table = bob.room.accept(offer["id"])["table"]
        assert ann.room.wait_for_table(offer, at_most_s=10) == table
        return str(table)

    def play(self, ann: Guest, bob: Guest, table: str, one: Strategy, two: Strategy) -> tuple[State, State]:
        """Both play at once, each at its own client; the final state as each sees it."""
        playing = [self.later(ann.plays, table, one), self.later(bob.plays, table, two)]
        finals = [each.result(timeout=90) for each in playing]
        return finals[0], finals[1]

    def later(self, what: Callable[..., Any], *arguments: Any) -> Future[Any]:
        """Done beside the others, on a connection of its own."""

        def does() -> Any:
            try:
                return what(*arguments)
            finally:
                connection.close()

        return self.hands.submit(does)


def audited(table: str) -> Sheet:
    """The sheet of the contest, after all of the book has been proved."""
    assert [(proof.name, proof.fault) for proof in proofs.run() if not proof.holds] == []
    return trace(Table.objects.get(pk=UUID(table)))


def proved() -> None:
    assert [(proof.name, proof.fault) for proof in proofs.run() if not proof.holds] == []


# --- Strategies that bring a certain end about ------------------------------------------------------------------------

When = Callable[[State], bool]


def always(_: State) -> bool:
    return True


def resigning(concession: str, *, when: When = always, otherwise: Strategy = first_legal_play) -> Strategy:
    """Offers to resign as soon as it may."""

    def strategy(state: State) -> Action:
        if "resign" in state["actions"] and concession in state["resignations"] and when(state):
            return {"kind": "resign", "concession": concession}
        return otherwise(state)

    return strategy


def doing(kind: str, *, when: When = always, otherwise: Strategy = first_legal_play) -> Strategy:
    """Does ``kind`` whenever it may."""

    def strategy(state: State) -> Action:
        return {"kind": kind} if kind in state["actions"] and when(state) else otherwise(state)

    return strategy
