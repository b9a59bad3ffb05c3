"""How the API's description names the two credentials."""

from typing import Any

from drf_spectacular.extensions import OpenApiAuthenticationExtension


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
