"""Who is asking: a player's client by its token, a room's server by its signature. Nobody else has a way in.

Operators have a session in the admin, which is no credential here.
"""

import re
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, Literal, TypeVar
from uuid import UUID

from django.db import DEFAULT_DB_ALIAS
from django.db.models import Model
from django.http import HttpRequest
from django.utils import timezone
from knox.auth import TokenAuthentication
from knox.crypto import hash_token
from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from games.access import room_keys, signatures
from games.access.models import PlayerToken, RoomKey
from games.access.services import StaffMayNotPlay
from games.models import Player, Room, User
from games.prepared import Statement

M = TypeVar("M", bound=Model)

_TOKEN: Final = re.compile(rb"bgr_[0-9a-f]{64}")

_IN_FORCE: Final = Statement(
    name="token_in_force",
    text="""
    SELECT token.digest, token.id, token.label, token.created, token.expiry,
           login.id, login.username, login.is_active, login.is_staff, login.is_superuser, login.date_joined,
           player.id, player.name
    FROM access_playertoken token
    JOIN games_user login ON login.id = token.user_id
    LEFT JOIN games_player player ON player.user_id = login.id
    WHERE token.digest = $1 AND token.expiry > $2
    """,
)


class TokenRefused(AuthenticationFailed):
    """The token is none of ours, has expired, or was revoked."""

    def __init__(self) -> None:
        super().__init__("the token is unknown, has expired, or was revoked: log in again")


@dataclass(frozen=True, slots=True)
class RoomServer:
    """A room's own server, by the key it signed with. It acts in that room, and in no other."""

    key: RoomKey
    is_authenticated: Literal[True] = True

    @property
    def pk(self) -> UUID:
        """Rates and Idempotency-Keys are counted for the room: what one key began, its successor may repeat."""
        return self.key.room_id

    @property
    def room(self) -> Room:
        return self.key.room

    @property
    def scopes(self) -> frozenset[str]:
        return frozenset(self.key.scopes)


class ByToken(TokenAuthentication):
    """``Authorization: Bearer <token>``. The user is the player's games.User, ``request.auth`` the PlayerToken."""

    def authenticate_credentials(self, token: bytes) -> tuple[User, PlayerToken]:
        """One row by the token's digest; what has expired is left for the sweep, not deleted on the way."""
        found = None
        if _TOKEN.fullmatch(token):
            found = _in_force(digest=hash_token(token.decode()), at=timezone.now())
        if found is None or not found.user.is_active:
            raise TokenRefused
        if not found.user.may_play:
            raise StaffMayNotPlay
        return found.user, found


def _in_force(*, digest: str, at: datetime) -> PlayerToken | None:
    """The token with its user and the user's player, if it lets anybody in at that time."""
    row = _IN_FORCE.one(digest, at)
    if row is None:
        return None
    token = _known(PlayerToken, digest=row[0], user_id=row[5], id=row[1], label=row[2], created=row[3], expiry=row[4])
    token.user = _known(
        User,
        id=row[5],
        username=row[6],
        is_active=row[7],
        is_staff=row[8],
        is_superuser=row[9],
        date_joined=row[10],
    )
    if row[11] is not None:
        _known(Player, id=row[11], name=row[12], user_id=row[5]).user = token.user
    return token


def _known(model: type[M], **known: Any) -> M:
    """A row of which so much is known; Django fetches the rest if anybody asks for it."""
    names = [field.attname for field in model._meta.concrete_fields if field.attname in known]
    return model.from_db(DEFAULT_DB_ALIAS, names, [known[name] for name in names])


class BySignature(BaseAuthentication):
    """``Authorization: Room key=…`` as in ``signatures``. The user is a RoomServer, ``request.auth`` its RoomKey."""

    def authenticate(self, request: Request) -> tuple[RoomServer, RoomKey] | None:
        header = request.headers.get("Authorization", "")
        if header.split(" ", 1)[0].lower() != signatures.SCHEME.lower():
            return None
        http = request._request
        # A signature is accepted once, and whoever asks for the user of one request twice must get the same.
        key = getattr(http, "room_key", None) or _judged(http, header)
        http.room_key = key  # type: ignore[attr-defined]
        return RoomServer(key), key

    def authenticate_header(self, request: Request) -> str:
        return signatures.SCHEME


def _judged(http: HttpRequest, header: str) -> RoomKey:
    return room_keys.judge(
        header=header,
        method=http.method or "",
        path=http.get_full_path(),
        body=http.body,
        errand=http.headers.get("Idempotency-Key", ""),
        at=timezone.now(),
    )


def player_token(request: Request) -> PlayerToken:
    """The token that this player's request came with; for views that only players reach."""
    assert isinstance(request.auth, PlayerToken)
    return request.auth
