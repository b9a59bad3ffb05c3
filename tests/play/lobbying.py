"""The lobby through HTTP, as players' clients see it."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

from rest_framework.test import APIClient

from games.models import Player, Room
from tests.access.callers import client_of
from tests.factories import PlayerFactory, RoomFactory, fund

SINGLE: dict[str, Any] = {
    "stake": {"amount": "5.00", "currency": "USD"},
    "cap": {"amount": "15.00", "currency": "USD"},
    "move_s": 15,
    "reserve_s": 120,
}
PLAY: dict[str, Any] = {
    **SINGLE,
    "stake": {"amount": "5.00", "currency": "PLAY"},
    "cap": {"amount": "15.00", "currency": "PLAY"},
}
MATCH: dict[str, Any] = {"stake": {"amount": "10.00", "currency": "USD"}, "match_length": 3, "days_a_move": 3}


class Guest:
    """A player at the lobby's door, with a client of their own."""

    def __init__(self, name: str, *, funds: str | None = "100", currency: str = "USD") -> None:
        self.player: Player = PlayerFactory.create(name=name)
        self.client: APIClient = client_of(self.player)
        if funds is not None:
            fund(self.player, funds, currency)

    def posts(self, path: str, body: Any = None, *, key: str | None = None) -> Any:
        headers = {"Idempotency-Key": key or uuid4().hex}
        return self.client.post(f"/v1/{path}", body, format="json", headers=headers)

    def gets(self, path: str, **query: str) -> Any:
        return self.client.get(f"/v1/{path}", query)

    def offers(self, terms: dict[str, Any] | None = None, *, room: Room, **more: Any) -> Any:
        return self.posts("offers", {"room": room.slug, **(terms or SINGLE), **more})

    def offered(self, terms: dict[str, Any] | None = None, *, room: Room, **more: Any) -> str:
        """The id of a new offer."""
        answer = self.offers(terms, room=room, **more)
        assert answer.status_code == 201, answer.content
        made: str = answer.json()["id"]
        return made

    def accepts(self, offer: str) -> Any:
        return self.posts(f"offers/{offer}/accept")

    def counters(self, offer: str, terms: dict[str, Any]) -> Any:
        return self.posts(f"offers/{offer}/counters", terms)

    def countered(self, offer: str, terms: dict[str, Any]) -> str:
        """The id of a new counter-proposal."""
        answer = self.counters(offer, terms)
        assert answer.status_code == 201, answer.content
        made: str = answer.json()["counter"]["id"]
        return made

    def sees(self, offer: str) -> Any:
        return self.gets(f"offers/{offer}")


def emerald(*, charges: str | None = "gammonempire") -> Room:
    return RoomFactory.create(slug="emerald", name="Emerald", charges=charges)


def refused(answer: Any, status: int, code: str) -> dict[str, Any]:
    """The problem."""
    problem: dict[str, Any] = answer.json()
    assert (answer.status_code, problem["code"]) == (status, code), problem
    return problem
