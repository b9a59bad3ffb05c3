"""Sealing, opening, and the destruction of a key.

AES-256-GCM, a random nonce of 96 bits before each text; whose it is and what it is for are authenticated with it, so
that no sealed text passes for another. A person's key is wrapped the same way under a key derived from SECRET_KEY, and
what an earlier SECRET_KEY wrapped is opened as long as that one stands in SECRET_KEY_FALLBACKS.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from datetime import datetime
from typing import Final
from uuid import UUID

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from django.conf import settings

from games.models import Player
from wagering.vault.models import PersonKey

NONCE: Final = 12


class Erased(Exception):
    """The person's key was destroyed: nothing of what it sealed can be read again, by anybody."""

    def __init__(self, player: UUID) -> None:
        super().__init__(f"player: the data of {player} was erased")


class KeyUnknown(ValueError):
    """Neither SECRET_KEY nor SECRET_KEY_FALLBACKS opens what is here: they are not the ones it was sealed under."""

    def __init__(self, what: str) -> None:
        super().__init__(f"SECRET_KEY: opens not {what}, nor do SECRET_KEY_FALLBACKS")


def seal(text: str, *, player: Player, purpose: str) -> bytes:
    """``text`` as it may be stored: of that player, for that ``purpose`` alone. Raises Erased."""
    return _seal(_key_of(player, make=True), text.encode(), _about(player.pk, purpose))


def opened(sealed: bytes, *, player: Player, purpose: str) -> str:
    """What ``seal`` was given. Raises Erased, KeyUnknown, and ValueError for what it did not make so."""
    return _open(_key_of(player, make=False), bytes(sealed), _about(player.pk, purpose)).decode()


def seal_unowned(text: str, *, purpose: str) -> bytes:
    """As ``seal`` for what is not known to be anybody's yet: under the service's own key."""
    return _seal(_derived(settings.SECRET_KEY, "unowned"), text.encode(), purpose.encode())


def opened_unowned(sealed: bytes, *, purpose: str) -> str:
    """What ``seal_unowned`` was given. Raises ValueError for what it did not make for that purpose."""
    for master in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS):
        try:
            return _open(_derived(master, "unowned"), bytes(sealed), purpose.encode()).decode()
        except ValueError:
            continue
    raise KeyUnknown("what is nobody's")


def digest(text: str, *, purpose: str) -> str:
    """What is the same for the same ``text`` and ``purpose``, and tells nothing of it: 64 hexadecimal digits.

    Keyed by SECRET_KEY, which must not change while digests are to be found by it.
    """
    return hmac.new(_derived(settings.SECRET_KEY, f"digest {purpose}"), text.encode(), hashlib.sha256).hexdigest()


def destroy(*, player: Player, at: datetime) -> None:
    """Erase the player: what was sealed stays where it is, and nobody can read it again. Again: nothing more."""
    _, made = PersonKey.objects.get_or_create(player=player, defaults={"wrapped": None, "destroyed_at": at})
    if not made:
        PersonKey.objects.filter(player=player, destroyed_at=None).update(wrapped=None, destroyed_at=at)


def is_erased(*, player: Player) -> bool:
    """Whether the player's key was destroyed."""
    return PersonKey.objects.filter(player=player, destroyed_at__isnull=False).exists()


def key_is_known(row: PersonKey) -> bool:
    """Whether this service's SECRET_KEY, or one of the fallbacks, opens that key; a destroyed one needs none."""
    try:
        return row.wrapped is None or bool(_unwrapped(row.player_id, row.wrapped))
    except KeyUnknown:
        return False


def _key_of(player: Player, *, make: bool) -> bytes:
    row = PersonKey.objects.filter(player=player).first()
    if row is None:
        if not make:
            raise ValueError(f"sealed: nothing was ever sealed for {player.pk}")
        wrapped = _seal(_derived(settings.SECRET_KEY, "wrap"), secrets.token_bytes(32), _about(player.pk, "key"))
        row, _ = PersonKey.objects.get_or_create(player=player, defaults={"wrapped": wrapped})
    if row.wrapped is None:
        raise Erased(player.pk)
    return _unwrapped(player.pk, row.wrapped)


def _unwrapped(player: UUID, wrapped: bytes | memoryview[int]) -> bytes:
    for master in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS):
        try:
            return _open(_derived(master, "wrap"), bytes(wrapped), _about(player, "key"))
        except ValueError:
            continue
    raise KeyUnknown(f"the key of {player}")


def _about(player: UUID, purpose: str) -> bytes:
    return f"{player} {purpose}".encode()


def _derived(master: str, purpose: str) -> bytes:
    return hmac.new(master.encode(), f"vault {purpose}".encode(), hashlib.sha256).digest()


def _seal(key: bytes, text: bytes, about: bytes) -> bytes:
    nonce = secrets.token_bytes(NONCE)
    return nonce + AESGCM(key).encrypt(nonce, text, about)


def _open(key: bytes, sealed: bytes, about: bytes) -> bytes:
    try:
        return AESGCM(key).decrypt(sealed[:NONCE], sealed[NONCE:], about)
    except (InvalidTag, ValueError):
        raise ValueError("sealed: this was not sealed with that key, for them and for that purpose") from None
