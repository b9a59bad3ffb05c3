"""The keys of rooms' servers: issued, revoked, and the judgement of what they sign.

A key's secret is kept nowhere. It is derived, by HMAC-SHA-256 under the service's SECRET_KEY, from the key's id and its
random salt. A stolen database therefore signs nothing, and neither does a stolen SECRET_KEY without the database;
whoever has both has every room's secret, and each key must be revoked. When SECRET_KEY changes, keys signed under the
old one work for as long as it stands in SECRET_KEY_FALLBACKS.
"""

import base64
import hmac
from collections.abc import Collection, Iterator
from datetime import datetime, timedelta
from typing import Final
from uuid import uuid4

from django.conf import settings
from django.db import IntegrityError, transaction
from django.utils.crypto import salted_hmac
from rest_framework.exceptions import AuthenticationFailed

from games.access import signatures
from games.access.models import RoomKey, Scope, UsedNonce
from games.access.signatures import DRIFT_MAX, SignatureMalformed, Signed
from games.models import Room

ALIVE_MAX: Final = 2
"""Keys of a room that may the same and are alive at once: the one in use, and the next until all servers have it."""
LIFE: Final = timedelta(days=365)
SEEN_EVERY: Final = timedelta(hours=1)
"""How exactly it is known when a key was last used: each note costs a write."""


class TooManyKeys(ValueError):
    """The room has two keys for that already: revoke the one that is no longer used."""

    def __init__(self, *, room: Room, scope: str, alive: list[RoomKey]) -> None:
        ids = ", ".join(str(key.pk) for key in alive)
        super().__init__(f"scopes: {room.slug} has {len(alive)} keys for {scope}: {ids}; revoke one first")
        self.alive = alive


class SignatureUnreadable(AuthenticationFailed):
    """The Authorization header is not written as ``signatures`` says."""


class SignatureAged(AuthenticationFailed):
    """The request says that it was signed more than five minutes ago, or from now."""

    def __init__(self, *, at: str, now: datetime) -> None:
        minutes = DRIFT_MAX // timedelta(minutes=1)
        super().__init__(
            f"at: signed at {at}, the time here is {now:%Y-%m-%dT%H:%M:%SZ}; at most {minutes} minutes off"
        )


class SignatureRefused(AuthenticationFailed):
    """No key with that id signed this request; it is not said whether there is such a key."""

    def __init__(self) -> None:
        super().__init__("the signature is not this key's over this method, path, time, nonce, errand and body")


class KeyNotInForce(AuthenticationFailed):
    """The signature is right, but the key is revoked, has expired, or is not in force yet."""

    def __init__(self, key: RoomKey) -> None:
        life = f"in force from {key.not_before:%Y-%m-%dT%H:%M:%SZ} to {key.expires_at:%Y-%m-%dT%H:%M:%SZ}"
        super().__init__(f"the key {key.pk} is {'revoked' if key.revoked_at else life}")


class SignatureReplayed(AuthenticationFailed):
    """This nonce was used before: the request came already, perhaps by another hand."""

    def __init__(self) -> None:
        super().__init__("this nonce was used before: sign each request anew, also one that is repeated")


def issue(
    *, room: Room, scopes: Collection[Scope], at: datetime, not_before: datetime | None = None, life: timedelta = LIFE
) -> tuple[RoomKey, str]:
    """A new key for the servers of ``room``, and its secret, to be shown once. Raises TooManyKeys."""
    begins = not_before or at
    with transaction.atomic():
        Room.objects.select_for_update(no_key=True).get(pk=room.pk)  # whoever issues at the same time waits here
        for scope in scopes:
            alive = list(room.keys.filter(revoked_at=None, expires_at__gt=at, scopes__contains=[scope]))
            if len(alive) >= ALIVE_MAX:
                raise TooManyKeys(room=room, scope=scope, alive=alive)
        key = RoomKey.objects.create(
            id=uuid4(),
            room=room,
            scopes=sorted(scopes),
            created_at=at,
            not_before=begins,
            expires_at=begins + life,
        )
    return key, secret_of(key, master=settings.SECRET_KEY)


def revoke(*, key: RoomKey, at: datetime) -> None:
    """The key signs nothing from now on; again, nothing changes."""
    RoomKey.objects.filter(pk=key.pk, revoked_at=None).update(revoked_at=at)


def secret_of(key: RoomKey, *, master: str) -> str:
    """The key's secret under that SECRET_KEY: 43 characters of base64url, 256 bits."""
    derived = salted_hmac(
        "games.access.room_keys", key.pk.bytes + bytes(key.salt), secret=master, algorithm="sha256"
    ).digest()
    return base64.urlsafe_b64encode(derived).rstrip(b"=").decode()


def judge(*, header: str, method: str, path: str, body: bytes, errand: str, at: datetime) -> RoomKey:
    """The key that signed this request, which is accepted once; ``signatures`` says how the words are meant.

    Raises SignatureUnreadable, SignatureAged, SignatureRefused, KeyNotInForce, SignatureReplayed, in this order: only
    who holds the secret learns about the key, and only what was signed is remembered.
    """
    try:
        signed = signatures.parse(header)
    except SignatureMalformed as error:
        raise SignatureUnreadable(str(error)) from error
    if abs(at - signed.moment) > DRIFT_MAX:
        raise SignatureAged(at=signed.at, now=at)
    found = RoomKey.objects.select_related("room").filter(pk=signed.key).first()
    is_signed = False
    for secret in _secrets(found or RoomKey(id=signed.key)):
        expected = signatures.sign(
            secret=secret, method=method, path=path, body=body, at=signed.at, nonce=signed.nonce, errand=errand
        )
        is_signed |= hmac.compare_digest(expected, signed.signature)
    if found is None or not is_signed:
        raise SignatureRefused
    if not found.is_in_force(at=at):
        raise KeyNotInForce(found)
    _use(found, signed, at)
    return found


def forget(*, at: datetime) -> int:
    """Delete the nonces whose signatures have aged twice over, since servers' clocks differ; how many."""
    deleted, _ = UsedNonce.objects.filter(at__lt=at - 2 * DRIFT_MAX).delete()
    return deleted


def _secrets(key: RoomKey) -> Iterator[str]:
    for master in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS):
        yield secret_of(key, master=str(master))


def _use(key: RoomKey, signed: Signed, at: datetime) -> None:
    try:
        with transaction.atomic():
            UsedNonce.objects.create(key=key, nonce=signed.nonce, at=signed.moment)
    except IntegrityError as error:  # of two that come at once, the database lets one in
        raise SignatureReplayed from error
    if key.used_at is None or at - key.used_at >= SEEN_EVERY:
        RoomKey.objects.filter(pk=key.pk).update(used_at=at)
