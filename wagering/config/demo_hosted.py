"""Two games that are played here, for the demonstration: one against the machine, and one that a side leaves."""

import random
from collections.abc import Callable
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Final
from uuid import uuid4

from django.db import transaction

from games.analysis.strategy import STRENGTHS
from games.live import rows, selectors
from games.live import services as live
from games.live.rules.events import Kind
from games.live.rules.pace import Pace
from games.live.rules.wishes import Wish
from games.models import Player, Room, Table
from games.rules.dice import hash_of
from games.rules.sides import SIDES, Side
from games.services import open_table
from wagering.audit.trace import Sheet, trace
from wagering.play.machine import services as machine
from wagering.play.machine.choices import choice
from wagering.play.tables import services as tables
from wagering.settlement.abandonment import services as abandonment
from wagering.settlement.models import Adjudication
from wagering.stakes.rules import Terms
from wagering.stakes.services import sit_down

PACE: Final = Pace(move_s=60, reserve_s=600)
BEFORE_IT_IS_LEFT: Final = 9
"""Actions, the fewest of which a game ends long after."""

AGO: Final = timedelta(minutes=10)
"""The game that is left began so long ago, so that its five minutes are over now (A-1)."""


def against_the_machine(*, room: Room, player: Player, at: Callable[[], datetime]) -> str:
    """A whole game, ``player`` as strong as a club's and the machine a novice; how it came out."""
    done = machine.open_table(
        room=room,
        player=player,
        strength=STRENGTHS["novice"],
        match_length=0,
        crawford=True,
        jacoby=False,
        beavers=False,
        pace=PACE,
        at=at(),
    )
    table = Table.objects.get(pk=done.table)
    seed = uuid4().bytes + uuid4().bytes
    tables.commit_seed(table=table.pk, side=1, digest=hash_of(seed=seed).hex(), now=at)
    tables.reveal_seed(table=table.pk, side=1, seed=seed.hex(), now=at)
    while not selectors.stand(table=table.pk).status.is_final:
        machine.go_on(table=table.pk, now=at)
        if selectors.stand(table=table.pk).to_act == 1:
            _act(table, 1, now=at)
    outcome = selectors.stand(table=table.pk).outcome
    assert outcome is not None and outcome.winner is not None, "nobody leaves or voids it"
    winner = table.seats[outcome.winner - 1]
    return f"{player} against the machine, for nothing: {winner} wins a {outcome.win}, cube {outcome.cube}"


def left_behind(*, room: Room, players: tuple[Player, Player], at: Callable[[], datetime]) -> Sheet | str:
    """A single game that a side leaves on its turn and does not come back to; its sheet, or what it waits for (A)."""
    live.pulse(now=at)
    clock = [at() - AGO]

    def now() -> datetime:
        return clock[0]

    # All of its past in one transaction, so that no sweep finds it half-way.
    with transaction.atomic():
        table = open_table(room=room, zone=Table.Zone.PROFESSIONALS, players=players, match_length=0, at=now())
        terms = Terms(currency="USD", stake=Decimal(5), match_length=0, cap=Decimal(30))
        stake = sit_down(table=table, terms=terms, at=now())
        live.start(table=table, pace=PACE, at=now())
        connections = [uuid4() for _ in SIDES]
        for side, connection in zip(SIDES, connections, strict=True):
            live.came(table=table.pk, side=side, connection=connection, now=now)
        seeds = [uuid4().bytes + uuid4().bytes for _ in SIDES]
        for side, seed in zip(SIDES, seeds, strict=True):
            tables.commit_seed(table=table.pk, side=side, digest=hash_of(seed=seed).hex(), now=now)
        for side, seed in zip(SIDES, seeds, strict=True):
            tables.reveal_seed(table=table.pk, side=side, seed=seed.hex(), now=now)
        for _ in range(BEFORE_IT_IS_LEFT):
            clock[0] += timedelta(seconds=5)
            _act(table, _to_act(table), now=now, doubles=False)
        leaver = _to_act(table)
        live.went(table=table.pk, side=leaver, connection=connections[leaver - 1], now=now)
        clock[0] += timedelta(minutes=5)
        tables.expire(table=table.pk, now=now)
    found = abandonment.analyse(stake=stake.pk, at=at())
    if found.state == Adjudication.State.OPERATOR:
        return f"{table} was left and waits for an operator: {found.reason}"
    abandonment.settle(stake=stake.pk, at=at())
    return trace(table)


def _to_act(table: Table) -> Side:
    side = selectors.stand(table=table.pk).to_act
    assert side is not None, "so early no game is over"
    return side


def _act(table: Table, side: Side, *, now: Callable[[], datetime], doubles: bool = True) -> None:
    row = rows.seen(table=table.pk)
    stand = selectors.stand_of(row)
    chance = random.Random(f"{table.pk} {row.version}")
    wish = choice(stand, side=side, strength=STRENGTHS["club"], chance=chance, at=now())
    if wish.kind == Kind.DOUBLE and not doubles:
        wish = Wish(Kind.ROLL)
    tables.act(table=table.pk, side=side, version=row.version, wish=wish, now=now)
