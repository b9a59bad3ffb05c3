"""A live table read, and a change to it written: one statement each, since this is what a play costs.

Django would need four of them, and three times as long to write them as PostgreSQL to carry them out.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from django.db import connection, transaction

from games.live.models import Live
from games.live.rules.events import Event, Kind, utc
from games.models import Player, Table
from games.prepared import Statement
from games.rules.sides import Side

CHANNEL: Final = "live"
"""Where PostgreSQL tells of every change, after its commit: ``<table> <sequence> <version>``."""


class NotLive(LookupError):
    """The table is not played here."""

    def __init__(self, table: UUID) -> None:
        super().__init__(f"table: {table} is not played here")
        self.table = table


@dataclass(frozen=True, slots=True)
class Happened:
    """An event as it is written down: in which game it happened, and what a side asked for, if one did."""

    sequence: int
    version: int
    game: int
    event: Event
    asked: str = ""

    def as_told(self) -> dict[str, Any]:
        """As players see it."""
        event = self.event
        return {
            "sequence": self.sequence,
            "version": self.version,
            "game": self.game,
            "side": event.side,
            "kind": event.kind.value,
            "at": utc(event.at),
            **{key: value for key, value in event.payload.items() if key != "to"},
        }


_READ: Final = """
SELECT l.table_id, l.move_s, l.reserve_s, l.days, l.status, l.version, l.sequence, l.snapshot, l.recent,
       l.started_at, l.changed_at,
       t.room_id, t.zone, t.match_length, t.crawford, t.jacoby, t.beavers, t.automatic_doubles, t.cube, t.opened_at,
       one.id, one.name, two.id, two.name
"""

_FROM: Final = """
FROM live_live l
JOIN games_table t ON t.id = l.table_id
JOIN games_player one ON one.id = t.player_1_id
JOIN games_player two ON two.id = t.player_2_id
"""

_LOCKED: Final = Statement(
    name="live_locked",
    text=f"""{_READ}, secret.seed, (SELECT beat_at FROM live_pulse)
    {_FROM} JOIN live_secret secret ON secret.live_id = l.table_id
    WHERE l.table_id = $1
    FOR UPDATE OF l
    """,
)

_SEEN: Final = Statement(name="live_seen", text=f"{_READ} {_FROM} WHERE l.table_id = $1")

_WRITE: Final = Statement(
    name="live_write",
    text="""
    WITH changed AS (
        UPDATE live_live
        SET version = $2, sequence = $3, status = $4, to_act = $5, due_at = $6, snapshot = $7, recent = $8,
            changed_at = $9
        WHERE table_id = $1
    ), happened AS (
        INSERT INTO live_action (live_id, sequence, version, game, side, kind, payload, asked, at, heard_at)
        SELECT $1, row.* FROM jsonb_to_recordset($10) AS row(
            sequence int, version int, game int, side int, kind text, payload jsonb, asked text,
            at timestamptz, heard_at timestamptz)
    )
    SELECT
    """,
)

_TELL: Final = "SELECT pg_notify(%s, %s)"


def seen(*, table: UUID) -> Live:
    """The row with its table and both players. Raises NotLive."""
    return _read(_SEEN, table)[0]


def locked(*, table: UUID) -> tuple[Live, str, datetime | None]:
    """The same, locked until the transaction ends, the server's seed, and when the service's heart last beat.

    Raises NotLive.
    """
    live, (seed, beat_at) = _read(_LOCKED, table)
    return live, seed, beat_at


def write(live: Live, happened: Sequence[Happened]) -> None:
    """``live`` as it has become, what happened, and after the commit a word to whoever listens.

    A transaction that writes carries no NOTIFY itself, since PostgreSQL lets those commit only one by one. A word that
    is lost, because the process dies in between, is made up for by the listeners' heartbeats (games/live/hub.py).
    """
    rows = [
        {
            "sequence": row.sequence,
            "version": row.version,
            "game": row.game,
            "side": row.event.side,
            "kind": row.event.kind.value,
            "payload": dict(row.event.payload),
            "asked": row.asked,
            "at": row.event.at.isoformat(),
            "heard_at": row.event.heard_at.isoformat(),
        }
        for row in happened
    ]
    stand = (live.version, live.sequence, live.status, live.to_act, live.due_at)
    kept = (json.dumps(live.snapshot), json.dumps(live.recent), live.changed_at)
    _WRITE.all(live.pk, *stand, *kept, json.dumps(rows))
    told = f"{live.pk} {live.sequence} {live.version}"
    transaction.on_commit(lambda: _tell(told), robust=True)  # a partial has no name to log a failure by


def happened_of(values: tuple[Any, ...]) -> Happened:
    """From the columns of an action: sequence, version, game, side, kind, payload, at, heard_at."""
    sequence, version, game, number, kind, payload, at, heard_at = values
    side: Side | None = None if number is None else 1 if number == 1 else 2
    return Happened(sequence, version, game, Event(Kind(kind), side, at, heard_at, payload))


def _read(statement: Statement, table: UUID) -> tuple[Live, tuple[Any, ...]]:
    row = statement.one(table)
    if row is None:
        raise NotLive(table)
    pk, move_s, reserve_s, days, status, version, sequence, snapshot, recent, started_at, changed_at = row[:11]
    room, zone, match_length, crawford, jacoby, beavers, automatic_doubles, cube, opened_at = row[11:20]
    live = Live(
        table=Table(
            id=pk,
            room_id=room,
            zone=zone,
            player_1=Player(id=row[20], name=row[21]),
            player_2=Player(id=row[22], name=row[23]),
            match_length=match_length,
            crawford=crawford,
            jacoby=jacoby,
            beavers=beavers,
            automatic_doubles=automatic_doubles,
            cube=cube,
            opened_at=opened_at,
        ),
        move_s=move_s,
        reserve_s=reserve_s,
        days=days,
        status=status,
        version=version,
        sequence=sequence,
        snapshot=json.loads(snapshot),
        recent=json.loads(recent),
        started_at=started_at,
        changed_at=changed_at,
    )
    return live, tuple(row[24:])


def _tell(payload: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(_TELL, [CHANNEL, payload])
