"""The machine as the opponent (B-17): a table against it, and its part in the play. It acts as anyone does.

Nothing is staked, held, charged or rated. Its seed is drawn from the service's secret and the table, so that nothing of
it is kept; it commits itself to it, like everybody, before it hears the other's.
"""

import random
from datetime import datetime
from decimal import Decimal
from typing import Final
from uuid import UUID

from django.db import transaction
from django.utils.crypto import salted_hmac

from games import services as games
from games.analysis.strategy import Strength
from games.live import rows
from games.live import selectors as lives
from games.live import services as live
from games.live.rules.pace import Pace
from games.live.rules.stand import Agreed, Status, opened
from games.live.services import Done, StaleVersion
from games.live.sitting import Now
from games.models import Player, Room, Table
from games.rules.dice import hash_of
from games.rules.sides import Side
from wagering.play.machine import players, selectors
from wagering.play.machine.choices import choice
from wagering.play.tables import services as tables
from wagering.protection import gate
from wagering.rest.retries import outermost

SIDE: Final[Side] = 2
TABLES_MAX: Final = 5
"""Games that a player may have with the machine at once."""

ACTIONS_MAX: Final = 1000
"""In one go: a whole game has far fewer, of which the machine's own is only one turn."""


class TooManyMachineTables(ValueError):
    """The player has as many games with the machine as anyone may; one of them is finished or resigned first."""

    def __init__(self) -> None:
        super().__init__(f"table: you have {TABLES_MAX} games with the machine already; finish one of them first")
        self.limit = TABLES_MAX


def open_table(
    *,
    room: Room,
    player: Player,
    strength: Strength,
    match_length: int,
    crawford: bool,
    jacoby: bool,
    beavers: bool,
    cube: bool = True,
    pace: Pace,
    at: datetime,
) -> Done:
    """A table of ``player``, who is side 1, against the machine, waiting for the player's seed.

    Raises TooManyMachineTables, MoneyPlayOnly, CubeNeeded, ImpossibleClock, Excluded.
    """
    # The rules refuse what the database would only crash on.
    opened(Agreed(match_length=match_length, crawford=crawford, jacoby=jacoby, beavers=beavers, cube=cube), pace)
    with transaction.atomic():
        gate.check_stake(player=player, exposure=Decimal(0), currency="PLAY", at=at)
        Player.objects.select_for_update().get(pk=player.pk)
        if selectors.open_tables(player=player) >= TABLES_MAX:
            raise TooManyMachineTables
        table = games.open_table(
            room=room,
            zone=Table.Zone.AMATEURS,
            players=(player, players.player_of(strength)),
            match_length=match_length,
            crawford=crawford,
            jacoby=jacoby,
            beavers=beavers,
            cube=cube,
            at=at,
        )
        live.start(table=table, pace=pace, at=at)
        digest = hash_of(seed=_seed(table.pk)).hex()
        return tables.commit_seed(table=table.pk, side=SIDE, digest=digest, now=lambda: at)


def go_on(*, table: UUID, now: Now) -> Done | None:
    """The machine does whatever is its to do at ``table``, one action after the other; what it did last, or None.

    It thinks outside any transaction, as everybody does, and thinks again if the table has moved on meanwhile.
    Raises NotLive.
    """
    done: Done | None = None
    for _ in range(ACTIONS_MAX):
        row = rows.seen(table=table)
        stand = lives.stand_of(row)
        try:
            if stand.status is Status.SEEDS:
                if not (all(stand.hashes) and not stand.seeds[SIDE - 1]):
                    return done
                seed = _seed(table).hex()
                done = outermost(tables.reveal_seed)(table=table, side=SIDE, seed=seed, now=now)
            elif stand.to_act == SIDE:
                strength = players.strength_of(row.table.player_2_id)
                # What it errs by is drawn from table and version: asked again, it says the same.
                chance = random.Random(f"{table} {row.version}")
                wish = choice(stand, side=SIDE, strength=strength, chance=chance, at=now())
                done = outermost(tables.act)(table=table, side=SIDE, version=row.version, wish=wish, now=now)
            else:
                return done
        except StaleVersion:
            continue
    return done


def _seed(table: UUID) -> bytes:
    return salted_hmac("the machine's seed", str(table), algorithm="sha256").digest()
