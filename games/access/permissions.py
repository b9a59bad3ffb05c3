"""Who may ask at all. A view says it by one of these; one that says nothing is closed to everybody.

Which rows are somebody's is not asked here but of ``selectors``: what is not yours is not found.
"""

from typing import Any

from rest_framework.permissions import BasePermission
from rest_framework.request import Request

from games.access.authentication import RoomServer, TokenRefused, player_token
from games.access.models import PlayerToken, Scope
from games.models import Player, User


class Nobody(BasePermission):
    """The default: whoever forgets to say who may ask has opened nothing."""

    message = "This is open to nobody."

    def has_permission(self, request: Request, view: Any) -> bool:
        return False


class IsPlayer(BasePermission):
    """A player's client. An operator is none: operators never play (F)."""

    message = "Only a player may do this: log in, and send the token."

    def has_permission(self, request: Request, view: Any) -> bool:
        return player_of(request) is not None


class IsRoomServer(BasePermission):
    """A room's server, with a key for the view's ``scope``, a Scope. A view without one is closed.

    A player's client never passes, so it can never settle.
    """

    message = "Only a room's own server may do this, with a key that has the scope for it."

    def has_permission(self, request: Request, view: Any) -> bool:
        scope = getattr(view, "scope", None)
        return scope in Scope and isinstance(request.user, RoomServer) and scope in request.user.scopes


def player_of(request: Request) -> Player | None:
    """The player whose client is asking; None for everybody else."""
    user = request.user
    if not isinstance(user, User) or not user.may_play:
        return None
    return getattr(user, "player", None)


def player(request: Request) -> Player:
    """The player whose client is asking, in a view that only players reach."""
    found = player_of(request)
    assert found is not None, "IsPlayer stands before"
    return found


def stays_in(request: Request) -> None:
    """To the end of the transaction: whoever logs the client out meanwhile waits, and then ends what it did too.

    Raises TokenRefused of a client that was logged out since its request began.
    """
    tokens = PlayerToken.objects.select_for_update(no_key=True)
    if not tokens.filter(pk=player_token(request).pk).exists():
        raise TokenRefused
