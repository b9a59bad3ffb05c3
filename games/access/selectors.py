"""Only what is theirs: what belongs to others is not refused but not found, so that asking tells nothing."""

from collections.abc import Sequence
from typing import TypeVar
from uuid import UUID

from django.db.models import Model, Q, QuerySet
from rest_framework.request import Request

from games.access.authentication import RoomServer
from games.access.permissions import player_of

M = TypeVar("M", bound=Model)


def theirs(rows: QuerySet[M], request: Request, *, players: Sequence[str] = (), room: str | None = None) -> QuerySet[M]:
    """Those of ``rows`` that whoever asks has a part in.

    ``players`` are the look-ups of the rows' Players, any of whom a player may be; ``room`` is that of their Room, for
    the room's server. Without a look-up for who is asking, nothing is theirs.

        theirs(Table.objects.all(), request, players=("player_1", "player_2"), room="room")
    """
    player = player_of(request)
    if player is not None and players:
        part = Q()
        for lookup in players:
            part |= Q(**{lookup: player})
        return rows.filter(part)
    if isinstance(request.user, RoomServer) and room is not None:
        return rows.filter(**{room: request.user.room})
    return rows.none()


def one_of_theirs(
    rows: QuerySet[M], request: Request, *, pk: UUID, players: Sequence[str] = (), room: str | None = None
) -> M:
    """The one with that id. Raises the model's DoesNotExist, whether it is another's or there is none."""
    return theirs(rows, request, players=players, room=room).get(pk=pk)
