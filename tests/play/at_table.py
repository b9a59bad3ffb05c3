"""Two players at a table with a stake, through HTTP as their clients play, and a clock that the test moves."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, Final
from unittest import mock
from uuid import UUID, uuid4

from django.utils import timezone
from rest_framework.test import APIClient

from games.live import rows
from games.live import selectors as lives
from games.live import services as live
from games.live.models import Pulse
from games.live.rules.pace import Pace
from games.live.rules.stand import Stand
from games.models import Table
from games.rules.dice import hash_of
from games.rules.sides import SIDES, Side
from ledger import proofs
from tests.access.callers import client_of
from tests.factories import seated, terms, wallet
from wagering.play import tasks
from wagering.stakes.models import Stake
from wagering.stakes.rules import Terms

SEEDS: Final = (b"a" * 32, b"b" * 32)
PACE: Final = Pace(move_s=15, reserve_s=120)
START: Final = datetime.now(UTC).replace(microsecond=0) + timedelta(hours=1)
"""Later than what the real clock makes, and before a token of today expires."""


@dataclass
class AtTable:
    """A table, a client for each side, and the time of day."""

    stake: Stake
    clients: tuple[APIClient, APIClient]
    at: datetime = START
    connections: tuple[UUID, UUID] = field(default_factory=lambda: (uuid4(), uuid4()))

    @property
    def table(self) -> Table:
        return self.stake.table

    @property
    def stand(self) -> Stand:
        return lives.stand(table=self.table.pk)

    @property
    def side(self) -> Side:
        side = self.stand.to_act
        assert side is not None
        return side

    def wait(self, *, minutes: int = 0, seconds: int = 0) -> None:
        """Time goes by, and the service's heart beats on."""
        self.at += timedelta(minutes=minutes, seconds=seconds)
        self.beat()

    def beat(self) -> None:
        Pulse.objects.update_or_create(id=1, defaults={"beat_at": self.at})

    @contextmanager
    def clock(self) -> Iterator[None]:
        """Everybody's clock shows this table's time."""
        with mock.patch.object(timezone, "now", side_effect=lambda: self.at):
            yield

    def posts(self, side: Side, what: str, body: Any = None, *, key: str | None = None) -> Any:
        headers = {"Idempotency-Key": key or uuid4().hex}
        with self.clock():
            return self.clients[side - 1].post(f"/v1/tables/{self.table.pk}/{what}", body, headers=headers)

    def state(self, side: Side = 1) -> Any:
        with self.clock():
            answer = self.clients[side - 1].get(f"/v1/tables/{self.table.pk}")
        assert answer.status_code == 200, answer.content
        return answer.json()

    def does(self, kind: str, *, side: Side | None = None, version: int | None = None, **what: Any) -> Any:
        """The answer to ``side``, or to whoever has to act."""
        version = rows.seen(table=self.table.pk).version if version is None else version
        return self.posts(side or self.side, "actions", {"kind": kind, "version": version, **what})

    def done(self, kind: str, **what: Any) -> Any:
        """The state after it."""
        answer = self.does(kind, **what)
        assert answer.status_code == 200, answer.content
        return answer.json()

    def plays(self) -> Any:
        """Whoever is on turn plays the first of the legal plays; the state after it."""
        return self.done("play", play=self.state(self.side)["plays"][0]["play"])

    def seed(self) -> None:
        for side in SIDES:
            assert self.posts(side, "seeds", {"hash": hash_of(seed=SEEDS[side - 1]).hex()}).status_code == 200
        for side in SIDES:
            assert self.posts(side, "seeds", {"seed": SEEDS[side - 1].hex()}).status_code == 200

    def beats(self, side: Side, **what: Any) -> Any:
        return self.posts(side, "heartbeat", {"connection": str(self.connections[side - 1]), **what})

    def sweeps(self) -> None:
        with self.clock():
            tasks.look_at_the_clock()

    def nets(self) -> tuple[str, str]:
        one, two = (wallet(player, self.stake.currency) - 1000 for player in self.table.seats)
        return str(one), str(two)


def sat_down(agreed: Terms | None = None, *, seeded: bool = True, pace: Pace = PACE, **options: Any) -> AtTable:
    """ann and bob, 1,000 each, have sat down to ``agreed``: stake 5, cap 30, unless told."""
    stake = seated(agreed or terms("5", cap="30"), **options)
    one, two = stake.table.seats
    found = AtTable(stake, (client_of(one), client_of(two)))
    found.beat()
    live.start(table=stake.table, pace=pace, at=found.at)
    for side in SIDES:
        assert found.beats(side).status_code == 200
    if seeded:
        found.seed()
    return found


def assert_proven() -> None:
    assert [(proof.name, proof.fault) for proof in proofs.run() if not proof.holds] == []
