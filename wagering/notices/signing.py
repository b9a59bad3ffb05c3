"""Notices as Standard Webhooks: id, time and signatures in the headers, the same body every time.

An endpoint's secret is derived, by HMAC-SHA-256 under SECRET_KEY, from its id and a random salt: a stolen database
signs nothing. After a rotation both secrets sign for a day, and after a change of SECRET_KEY those under the
SECRET_KEY_FALLBACKS sign too; a receiver looks for one signature that it knows.
"""

from __future__ import annotations

import base64
import hmac
import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Final

from django.conf import settings
from standardwebhooks.webhooks import Webhook

from wagering.notices.models import Endpoint, Notice

OVERLAP: Final = timedelta(days=1)
"""How long the secret before the present one signs beside it."""


def secret_of(endpoint: Endpoint) -> str:
    """What its receiver verifies with, as Standard Webhooks writes it."""
    return _derived(settings.SECRET_KEY, endpoint, bytes(endpoint.salt))


def body_of(notice: Notice) -> bytes:
    """``{"type", "timestamp", "data"}``; the player is in the data by id."""
    data = {**notice.data, **({"player": str(notice.player_id)} if notice.player_id else {})}
    timestamp = notice.at.astimezone(UTC).isoformat().replace("+00:00", "Z")
    said = {"type": notice.kind, "timestamp": timestamp, "data": dict(sorted(data.items()))}
    return json.dumps(said, separators=(",", ":")).encode()


def headers_of(notice: Notice, endpoint: Endpoint, *, at: datetime) -> dict[str, str]:
    """The id is the notice's, so a receiver knows what it has had; the time is the sending's."""
    body = body_of(notice).decode()
    signatures = (Webhook(each).sign(str(notice.pk), at.astimezone(UTC), body) for each in _alive(endpoint, at))
    return {
        "Content-Type": "application/json",
        "User-Agent": "backgammon-room",
        "webhook-id": str(notice.pk),
        "webhook-timestamp": str(int(at.timestamp())),
        "webhook-signature": " ".join(signatures),
    }


def _alive(endpoint: Endpoint, at: datetime) -> Iterator[str]:
    salts = [bytes(endpoint.salt)]
    if endpoint.salt_before and endpoint.rotated_at and at < endpoint.rotated_at + OVERLAP:
        salts.append(bytes(endpoint.salt_before))
    for master in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS):
        for salt in salts:
            yield _derived(master, endpoint, salt)


def _derived(master: str, endpoint: Endpoint, salt: bytes) -> str:
    made = hmac.digest(master.encode(), b"notices " + endpoint.pk.bytes + salt, "sha256")
    return "whsec_" + base64.b64encode(made).decode()
