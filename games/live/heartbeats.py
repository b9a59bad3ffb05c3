"""All streams of a process say together that they are there, and hear what they might have missed: two statements."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from uuid import UUID

from django.db import connection

from games.access.models import PlayerToken
from games.models import User
from games.rules.sides import Side


@dataclass(frozen=True, slots=True)
class Seat:
    """Where a connection sits."""

    table: UUID
    side: Side
    connection: UUID

    @property
    def place(self) -> tuple[UUID, Side]:
        """Whose it is: a side may sit there by several connections."""
        return self.table, self.side


_BEAT: Final = """
UPDATE live_connection c
SET seen_at = %s
FROM unnest(%s::uuid[], %s::smallint[], %s::uuid[]) AS mine(live_id, side, client), live_live l
WHERE c.live_id = mine.live_id AND c.side = mine.side AND c.client = mine.client AND l.table_id = mine.live_id
RETURNING c.client, l.sequence
"""


def beat(seats: Collection[Seat], *, at: datetime) -> Mapping[UUID, int]:
    """These connections are there at ``at``; the sequence of the last action at the table of each.

    A connection that is not in the answer was taken for gone, and has to come anew (``services.came``). The sequences
    tell of a change whose NOTIFY was lost with the process that should have sent it.
    """
    tables = [seat.table for seat in seats]
    sides = [seat.side for seat in seats]
    clients = [seat.connection for seat in seats]
    with connection.cursor() as cursor:
        cursor.execute(_BEAT, [at, tables, sides, clients])
        return dict(cursor.fetchall())


def in_force(tokens: Collection[UUID], *, at: datetime) -> set[UUID]:
    """Those of the players' tokens that still let their clients in at ``at``, as ByToken would."""
    found = PlayerToken.objects.filter(id__in=tokens, expiry__gt=at, user__in=User.objects.filter(**User.PLAYS))
    return set(found.values_list("id", flat=True))
