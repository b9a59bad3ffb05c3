"""A player lets a room's server stake from the wallet, for a while, and may end that at any moment."""

import hashlib
import secrets
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Final
from uuid import UUID

from django.db.models import F
from django.db.models.functions import Least

from games.models import Player, Room
from ledger import money
from wagering.protection import gate
from wagering.seamless.refusals import PlayerDisabled, TokenExpired, TokenUnknown
from wagering.stakes.models import Session

LIFE: Final = timedelta(hours=8)
"""An evening of play. What was begun in time ends whenever it ends."""
KEPT: Final = timedelta(days=30)
"""How long it is known of a token that it has expired, rather than that it is none."""
PREFIX: Final = "bgs_"


@dataclass(frozen=True, slots=True)
class Opened:
    """A new session. ``token`` is the text to give to the room, of which only a hash is kept."""

    session: Session
    token: str


def open_session(*, player: Player, room: Room, currency: str, at: datetime, client: UUID | None = None) -> Opened:
    """Let the server of ``room`` stake ``player``'s money in ``currency``.

    The session ends when ``client`` does, the token that the player asked with, if that is revoked before.
    Raises UnknownCurrency, PlayerDisabled, Protected.
    """
    money.currency(currency)
    _check_may_play(player)
    gate.check_seat(player=player, exposure=Decimal(0), currency=currency, at=at)
    token = PREFIX + secrets.token_urlsafe(32)
    session = Session.objects.create(
        player=player,
        room=room,
        currency=currency,
        digest=_digest(token),
        client=client,
        opened_at=at,
        expires_at=at + LIFE,
    )
    return Opened(session, token)


def end_all(*, player: Player, at: datetime, clients: Collection[UUID] | None = None) -> int:
    """No room's server may stake for the player from now on; how many sessions were ended.

    With ``clients`` only those end that these tokens of the player opened.
    """
    found = Session.objects.filter(player=player, ended_at=None, expires_at__gt=at)
    return (found if clients is None else found.filter(client__in=clients)).update(ended_at=at)


def session_of(*, room: Room, token: str, at: datetime) -> Session:
    """The session that the player gave ``room``. Raises TokenUnknown, TokenExpired, PlayerDisabled."""
    found = Session.objects.select_related("player__user").filter(room=room, digest=_digest(token)).first()
    if found is None or found.ended_at is not None:
        raise TokenUnknown
    if at >= found.expires_at:
        raise TokenExpired
    _check_may_play(found.player)
    return found


def forget(*, at: datetime) -> int:
    """Delete the sessions that ended or expired long ago; how many."""
    over = Session.objects.alias(over_at=Least(F("expires_at"), F("ended_at")))
    deleted, _ = over.filter(over_at__lt=at - KEPT).delete()
    return deleted


def _check_may_play(player: Player) -> None:
    if not player.may_play:
        raise PlayerDisabled


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
