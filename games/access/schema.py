"""How the API's description names the two credentials, and tells which of them lets somebody in where."""

from collections.abc import Iterable, Iterator
from typing import Any, Final

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework.views import APIView

from games.access.authentication import TokenRefused
from games.access.permissions import IsPlayer, IsRoomServer
from games.access.room_keys import (
    KeyNotInForce,
    SignatureAged,
    SignatureRefused,
    SignatureReplayed,
    SignatureUnreadable,
)
from games.access.services import StaffMayNotPlay

Refusals = tuple[type[Exception], ...]

WAYS_IN: Final[dict[str, tuple[type, Refusals]]] = {
    "playerToken": (IsPlayer, (TokenRefused, StaffMayNotPlay)),
    "roomSignature": (
        IsRoomServer,
        (SignatureUnreadable, SignatureAged, SignatureRefused, SignatureReplayed, KeyNotInForce),
    ),
}
"""Each credential with the permission that it satisfies, and with what it may be refused as."""


def ways_in(view: APIView) -> dict[str, Refusals]:
    """The credentials that the permissions of ``view`` ask for, each with what it may be refused as."""
    asked = list(_single(view.get_permissions()))
    return {
        name: refusals
        for name, (permission, refusals) in WAYS_IN.items()
        if any(isinstance(one, permission) for one in asked)
    }


def _single(permissions: Iterable[Any]) -> Iterator[Any]:
    """Each by itself, also those that are joined by ``|`` or ``&``."""
    for permission in permissions:
        parts = [part for name in ("op1", "op2") if (part := getattr(permission, name, None)) is not None]
        if parts:
            yield from _single(parts)
        else:
            yield permission


class TokenScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    target_class = "games.access.authentication.ByToken"
    name = "playerToken"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        return {
            "type": "http",
            "scheme": "bearer",
            "description": "A player's token, from `POST /v1/tokens`: `Authorization: Bearer bgr_…`.",
        }


class SignatureScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    target_class = "games.access.authentication.BySignature"
    name = "roomSignature"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        return {
            "type": "apiKey",
            "in": "header",
            "name": "Authorization",
            "description": (
                "A room's own server signs each request with its key: `Room key=<key id>, at=2026-11-30T10:00:00Z, "
                "nonce=<16 to 64 of A-Z a-z 0-9 _ ->, signature=<hex>`. The signature is HMAC-SHA-256, under the key's "
                "secret, of seven lines joined by line feeds: `backgammon-room-1`; the method; the path with its "
                "query; `at`; `nonce`; the Idempotency-Key header or nothing; the body's SHA-256 in hexadecimal. "
                "`at` may be five minutes off, and a nonce is accepted once."
            ),
        }
