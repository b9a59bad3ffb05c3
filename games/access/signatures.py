"""The signature of a room's server over its request: pure, so that a server's author can copy this page.

    Authorization: Room key=<key id>, at=2026-11-30T10:00:00Z, nonce=<16 to 64 of A-Z a-z 0-9 _ ->, signature=<hex>

The signature is HMAC-SHA-256, under the key's secret as it was printed, of these seven lines joined by line feeds:

    backgammon-room-1                 this scheme
    POST                              the method
    /v1/tables?page=2                 the path as sent, with its query if there is one
    2026-11-30T10:00:00Z              ``at``, at most five minutes from the service's clock
    kEe8R0c3m4uJ2fXb                  ``nonce``, never the same again
    7c0b6c1e-…                        the Idempotency-Key header, an empty line without one
    e3b0c442…                         SHA-256 of the body in hexadecimal, of nothing if there is none

So nobody on the way can change what is asked, send it again, or send it as if it were another errand.
"""

import hashlib
import hmac
import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final
from uuid import UUID

SCHEME: Final = "Room"
TITLE: Final = "backgammon-room-1"
DRIFT_MAX: Final = timedelta(minutes=5)
"""How far ``at`` may lie from the service's clock, either way."""

_HEADER: Final = re.compile(
    r"Room key=([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}), ?"
    r"at=([0-9]{4}(?:-[0-9]{2}){2}T[0-9]{2}(?::[0-9]{2}){2}Z), ?"
    r"nonce=([A-Za-z0-9_-]{16,64}), ?"
    r"signature=([0-9a-f]{64})"
)


class SignatureMalformed(ValueError):
    """The header is not written as this page says."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Signed:
    """What the header says; nothing of it is believed yet."""

    key: UUID
    at: str
    nonce: str
    signature: str

    @property
    def moment(self) -> datetime:
        return _moment(self.at)


def parse(header: str) -> Signed:
    """Read an Authorization header. Raises SignatureMalformed."""
    found = _HEADER.fullmatch(header)
    if found is None:
        raise SignatureMalformed(f"write it: {SCHEME} key=…, at=2026-11-30T10:00:00Z, nonce=…, signature=…")
    key, at, nonce, signature = found.groups()
    _moment(at)
    return Signed(key=UUID(key), at=at, nonce=nonce, signature=signature)


def header(
    *, key: UUID, secret: str, method: str, path: str, body: bytes, at: datetime, nonce: str, errand: str = ""
) -> str:
    """The Authorization header of a request; ``path`` with its query, ``errand`` is its Idempotency-Key or empty."""
    moment = f"{at.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"
    signature = sign(secret=secret, method=method, path=path, body=body, at=moment, nonce=nonce, errand=errand)
    return f"{SCHEME} key={key}, at={moment}, nonce={nonce}, signature={signature}"


def sign(*, secret: str, method: str, path: str, body: bytes, at: str, nonce: str, errand: str) -> str:
    """HMAC-SHA-256 of the seven lines, in hexadecimal."""
    lines = (TITLE, method, path, at, nonce, errand, hashlib.sha256(body).hexdigest())
    return hmac.new(secret.encode(), "\n".join(lines).encode(), hashlib.sha256).hexdigest()


def _moment(text: str) -> datetime:
    try:
        return datetime.strptime(text, "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC)
    except ValueError as error:
        raise SignatureMalformed(f"at: {text} is no time") from error
