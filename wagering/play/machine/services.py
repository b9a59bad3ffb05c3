"""The machine as the opponent (B-17): a table against it, and its part in the play. It acts as anyone does.

Nothing is staked, held, charged or rated. Its seed is drawn from the service's secret and the table, so that nothing of
it is kept; it commits itself to it, like everybody, before it hears the other's.
"""

import random
from datetime import datetime
from typing import Final
from uuid import UUID

from django.db import transaction
from django.utils.crypto import salted_hmac

from games import services as games
from games.analysis import strategy
from games.analysis.strategy import Strength
from games.live import rows
from games.live import selectors as lives
from games.live import services as live
from games.live.rules.document import match_state
from games.live.rules.events import Kind
from games.live.rules.offered import actions_of
from games.live.rules.pace import Pace
from games.live.rules.stand import Agreed, Stand, Status, opened
from games.live.rules.wishes import Wish
from games.live.services import Done, StaleVersion
from games.live.sitting import Now
from games.models import Player, Room, Table
from games.rules.actions import Concession
from games.rules.dice import hash_of
from games.rules.sides import Side
from wagering.play.machine import players, selectors
from wagering.play.tables import services as tables
from wagering.rest.retries import outermost

SIDE: Final[Side] = 2
TABLES_MAX: Final = 5
"""Games that a player may have with the machine at once."""

ACTIONS_MAX: Final = 1000
"""In one go: a whole game has far fewer, of which the machine's own is only one turn."""

_FACTORS: Final = {Concession.SINGLE: 1, Concession.GAMMON: 2, Concession.BACKGAMMON: 3}


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
    pace: Pace,
    at: datetime,
) -> Done:
    """A table of ``player``, who is side 1, against the machine, waiting for the player's seed.

    Raises TooManyMachineTables, MoneyPlayOnly, ImpossibleClock.
    """
    # The rules refuse what the database would only crash on.
    opened(Agreed(match_length=match_length, crawford=crawford, jacoby=jacoby, beavers=beavers), pace)
    with transaction.atomic():
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
                wish = _wish(stand, strength, version=row.version, table=table, at=now())
                done = outermost(tables.act)(table=table, side=SIDE, version=row.version, wish=wish, now=now)
            else:
                return done
        except StaleVersion:
            continue
    return done


def _wish(stand: Stand, strength: Strength, *, version: int, table: UUID, at: datetime) -> Wish:
    """What the machine does as it stands. What it errs by is drawn from table and version: asked again, the same."""
    game, state = stand.game, match_state(stand)
    assert state is not None, "before the opening throw nobody has to act"
    chance = random.Random(f"{table} {version}")
    offered = actions_of(stand, SIDE, at=at)
    if game.concession is not None:
        factor = _FACTORS.get(game.concession)
        content = factor is None or strategy.accepts_resignation(game.position, state, factor=factor)
        return Wish(Kind.ACCEPT_RESIGNATION if content else Kind.DECLINE_RESIGNATION)
    if Kind.PLAY in offered:
        return Wish(Kind.PLAY, play=str(strategy.choose_play(game.plays, state, strength, chance)))
    if Kind.TAKE in offered:
        if Kind.BEAVER in offered and strategy.beavers(game.position, state):
            return Wish(Kind.BEAVER)
        return Wish(Kind.TAKE if strategy.takes(game.position, state, strength, chance) else Kind.PASS)
    if Kind.ACCEPT_BEAVER in offered:
        return Wish(Kind.ACCEPT_BEAVER)
    if Kind.DOUBLE in offered and strategy.doubles(game.position, state, strength, chance):
        return Wish(Kind.DOUBLE)
    return Wish(Kind.ROLL)


def _seed(table: UUID) -> bytes:
    return salted_hmac("the machine's seed", str(table), algorithm="sha256").digest()
