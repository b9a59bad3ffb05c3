"""Who asks: the client that keys and rates are counted for."""

import ipaddress
from typing import Any
from uuid import UUID

from django.conf import settings
from django.http import HttpRequest
from rest_framework.request import Request

from games.access import lockout


def client_of(request: Request) -> str:
    """The one who proved who they are ("user:…", "roomserver:…"); else where the request came from ("at:…")."""
    who: Any = request.user
    if who is not None and getattr(who, "is_authenticated", False):
        return f"{type(who).__name__.lower()}:{who.pk}"
    return at_address(request._request)


def at_address(request: HttpRequest) -> str:
    """Whoever asks from that address; those of one IPv6 network are one, since a host has all of it to itself."""
    return f"at:{lockout.network(address_of(request))}"


def player_of(request: Request) -> UUID | None:
    """The id of the player who asks; None for anybody else."""
    player = getattr(request.user, "player", None)
    return player.pk if player is not None else None


def address_of(request: HttpRequest) -> str:
    """The client's address. Behind ``PROXIES`` proxies of ours it is what the outermost of them saw."""
    seen = request.META.get("REMOTE_ADDR", "")
    if settings.PROXIES:
        through = [address.strip() for address in request.headers.get("X-Forwarded-For", "").split(",")]
        seen = through[-min(settings.PROXIES, len(through))] or seen
    try:
        return str(ipaddress.ip_address(seen))
    except ValueError:
        return "unknown"
