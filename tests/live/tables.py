"""Tables that are played live in tests: two players, a clock that the test moves, and a way to do things by name."""

import random
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any, Final
from uuid import UUID, uuid4

from games.analysis import time_out
from games.analysis.analysis import Analysis
from games.analysis.probabilities import Probabilities
from games.live import selectors, services
from games.live.models import Live
from games.live.pricing import Price
from games.live.rules.document import match_state
from games.live.rules.pace import Pace
from games.live.rules.stand import Stand
from games.live.rules.wishes import wish
from games.live.services import Done
from games.models import Table
from games.rules.dice import hash_of
from games.rules.sides import SIDES, Side
from tests.factories import NOON, TableFactory

GAMMON: Final = ("0.2", "0.1", "0", "0.15", "0.45", "0.1")
"""Chances with which a game lost on time costs a gammon."""
SEEDS: Final = (b"a" * 32, b"b" * 32)
CONNECTIONS: Final = (uuid4(), uuid4())
USUAL: Final = Pace(move_s=15, reserve_s=120)


@dataclass
class Parlour:
    """One table and the time of day there."""

    table: Table
    at: datetime = NOON
    seeds: tuple[bytes, bytes] = SEEDS
    clock_asked: int = field(default=0)

    def now(self) -> datetime:
        """What the clock on the wall shows."""
        self.clock_asked += 1
        return self.at

    def wait(self, *, minutes: float = 0, seconds: float = 0) -> None:
        """Time goes by."""
        self.at += timedelta(minutes=minutes, seconds=seconds)

    @property
    def pk(self) -> UUID:
        return self.table.pk

    @property
    def live(self) -> Live:
        return Live.objects.get(pk=self.pk)

    @property
    def stand(self) -> Stand:
        return selectors.stand(table=self.pk)

    @property
    def side(self) -> Side:
        """Whoever has to act."""
        side = self.stand.to_act
        assert side is not None
        return side

    def state(self, viewer: Side | None = None) -> dict[str, Any]:
        return selectors.state(table=self.pk, viewer=viewer, at=self.at)

    def seed(self) -> None:
        """Both sides bind themselves, then tell their seeds."""
        for side in SIDES:
            self.commits(side)
        for side in SIDES:
            self.reveals(side)

    def commits(self, side: Side) -> Done:
        digest = hash_of(seed=self.seeds[side - 1]).hex()
        return services.commit_seed(table=self.pk, side=side, digest=digest, now=self.now)

    def reveals(self, side: Side) -> Done:
        return services.reveal_seed(table=self.pk, side=side, seed=self.seeds[side - 1].hex(), now=self.now)

    def does(self, kind: str, *, side: Side | None = None, version: int | None = None, **what: Any) -> Done:
        """``side``, or whoever has to act, does it at the present version."""
        return services.act(
            table=self.pk,
            side=self.side if side is None else side,
            version=self.live.version if version is None else version,
            wish=wish({"kind": kind, **what}),
            now=self.now,
        )

    def plays(self, play: str | None = None) -> Done:
        """Whoever is on turn plays, the first of the legal plays unless told."""
        return self.does("play", play=play or str(self.stand.game.plays[0]))

    def expires(self) -> Done | None:
        return services.expire(table=self.pk, now=self.now)

    def is_priced(self, *six: str) -> Done | None:
        """An engine gives the side that lost on time these six: single, gammon, backgammon, won and then lost."""
        return services.price(table=self.pk, price=price_of(self.stand, *six), now=self.now)

    def comes(self, side: Side, *, heard_at: datetime | None = None) -> bool:
        connection = CONNECTIONS[side - 1]
        return services.came(table=self.pk, side=side, connection=connection, now=self.now, heard_at=heard_at)

    def goes(self, side: Side) -> bool:
        return services.went(table=self.pk, side=side, connection=CONNECTIONS[side - 1], now=self.now)


def price_of(stand: Stand, *six: str) -> Price:
    """What the game costs that ``stand`` is at, if the side to play has these chances, those to win first."""
    state, position = match_state(stand), stand.game.position
    assert state is not None
    chances = Probabilities(*map(Decimal, six))
    found = Analysis(
        position=position, state=state, engine="given", version="1", level="", evaluated=position, probabilities=chances
    )
    record = time_out.record_of(found, state)
    return Price(stand.number, time_out.again(record), record)


def parlour(
    *, pace: Pace = USUAL, seeded: bool = True, chance: int | None = None, at: datetime = NOON, **options: Any
) -> Parlour:
    """A table that is played live, its first dice thrown. ``chance`` picks the server's seed no more than the sides'
    seeds: the dice of two runs differ all the same."""
    table = TableFactory.create(**options)
    seeds = SEEDS
    if chance is not None:
        dice = random.Random(chance)
        seeds = (dice.randbytes(32), dice.randbytes(32))
    made = Parlour(table, at=at, seeds=seeds)
    services.start(table=table, pace=pace, at=made.at)
    for side in SIDES:
        made.comes(side)
    if seeded:
        made.seed()
    return made
