"""Who is asking: a player's client by its token, a room's server by its signature. Nobody else has a way in.

Operators have a session in the admin, which is no credential here.
"""

import re
from dataclasses import dataclass
from typing import Final, Literal
from uuid import UUID

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
from games.models import Room, User

_TOKEN: Final = re.compile(rb"bgr_[0-9a-f]{64}")


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
            rows = PlayerToken.objects.select_related("user__player")
            found = rows.filter(digest=hash_token(token.decode()), expiry__gt=timezone.now()).first()
        if found is None or not found.user.is_active:
            raise TokenRefused
        if found.user.is_staff or found.user.is_superuser:
            raise StaffMayNotPlay
        return found.user, found


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
