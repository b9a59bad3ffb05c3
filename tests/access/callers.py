"""Who calls in tests: players with a token, rooms' servers that sign. All through HTTP."""

from datetime import UTC, datetime
from typing import Any
from uuid import UUID, uuid4

from rest_framework.test import APIClient

from games.access import room_keys, signatures
from games.access.models import PlayerToken, RoomKey, Scope
from games.models import Player, Room, User

PASSWORD = "five-checkers-home"


def now() -> datetime:
    return datetime.now(UTC)


def register(name: str = "ann", password: str = PASSWORD, *, client: APIClient | None = None) -> Any:
    """The answer."""
    return (client or APIClient()).post("/v1/players", {"name": name, "password": password}, format="json")


def log_in(name: str = "ann", password: str = PASSWORD, *, label: str = "phone", address: str = "192.0.2.1") -> Any:
    """The answer."""
    asked = {"name": name, "password": password, "label": label}
    return APIClient(REMOTE_ADDR=address).post("/v1/tokens", asked, format="json")


def bearer(token: str) -> APIClient:
    """A client with that token."""
    return APIClient(headers={"Authorization": f"Bearer {token}"})


def player_client(name: str = "ann") -> APIClient:
    """A new player, logged in."""
    assert register(name).status_code == 201
    return logged_in(name)


def logged_in(name: str = "ann", password: str = PASSWORD, *, label: str = "phone") -> APIClient:
    """One more client of a player."""
    answer = log_in(name, password, label=label)
    assert answer.status_code == 201, answer.content
    return bearer(answer.json()["token"])


def client_of(player: Player) -> APIClient:
    """A client of a player who is there already; without a password, which would take half a second to hash."""
    if player.user is None:
        player.user = User.objects.create(username=str(player.pk))
        player.save()
    _, token = PlayerToken.objects.create(user=player.user, label="test")  # type: ignore[no-untyped-call]
    return bearer(token)


class RoomClient(APIClient):
    """Signs what it sends with the key, as a room's server does. Each request is signed at ``at``, or now."""

    def __init__(self, *, key: UUID, secret: str, at: datetime | None = None) -> None:
        super().__init__()
        self.key, self.secret, self.at = key, secret, at

    def generic(  # type: ignore[override]
        self, method: str, path: str, data: Any = b"", *args: Any, **extra: Any
    ) -> Any:
        headers = dict(extra.pop("headers", None) or {})
        body = data if isinstance(data, bytes) else str(data).encode()
        headers.setdefault("Authorization", self.signed(method, path, body, headers.get("Idempotency-Key", "")))
        return super().generic(method, path, data, *args, headers=headers, **extra)

    def signed(self, method: str, path: str, body: bytes = b"", errand: str = "", nonce: str | None = None) -> str:
        """The Authorization header."""
        return signatures.header(
            key=self.key,
            secret=self.secret,
            method=method,
            path=path,
            body=body,
            at=self.at or now(),
            nonce=nonce or uuid4().hex,
            errand=errand,
        )


def room_client(room: Room, *scopes: Scope) -> RoomClient:
    """A server of ``room`` with a new key."""
    key, secret = room_keys.issue(room=room, scopes=scopes or tuple(Scope), at=now())
    return RoomClient(key=key.pk, secret=secret)


def key_of(client: RoomClient) -> RoomKey:
    return RoomKey.objects.get(pk=client.key)
