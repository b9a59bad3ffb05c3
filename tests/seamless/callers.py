"""A room's server that speaks the seamless protocol, and the players who let it in."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime
from threading import Barrier
from typing import Any
from uuid import UUID, uuid4

from django.db import connection

from games.access.models import Scope
from games.models import Player, Room
from ledger import proofs
from tests.access.callers import RoomClient, room_client
from tests.factories import RoomFactory, person
from wagering.seamless.sessions import open_session


@dataclass
class Aggregator:
    """One room's server."""

    room: Room
    client: RoomClient

    def say(self, word: str, **told: Any) -> dict[str, Any]:
        """The answer to one message, whatever its HTTP status."""
        answer: dict[str, Any] = self.post(word, **told).json()
        return answer

    def post(self, word: str, **told: Any) -> Any:
        told.setdefault("request_uuid", str(uuid4()))
        body = {name: str(value) if isinstance(value, UUID) else value for name, value in told.items()}
        return self.client.post(f"/v1/seamless/{word}", body, format="json")

    def bet(self, token: str, amount: str = "10.00", **told: Any) -> dict[str, Any]:
        return self.say("bet", **{**usual(), "token": token, "amount": amount, **told})

    def win(self, bet: UUID, amount: str = "19.02", **told: Any) -> dict[str, Any]:
        about = {**usual(), "reference_transaction_uuid": bet, "amount": amount, "round_closed": True}
        return self.say("win", **{**about, **told})

    def rollback(self, what: UUID, **told: Any) -> dict[str, Any]:
        return self.say("rollback", **{"transaction_uuid": uuid4(), "reference_transaction_uuid": what, **told})

    def refund(self, bet: UUID, amount: str = "10.00", **told: Any) -> dict[str, Any]:
        about = {"transaction_uuid": uuid4(), "reference_transaction_uuid": bet, "currency": "USD", "amount": amount}
        return self.say("refund", **{**about, **told})


def usual() -> dict[str, Any]:
    return {"transaction_uuid": uuid4(), "round": "4711", "currency": "USD"}


def aggregator(*, charges: str | None = "gammonempire", room: Room | None = None) -> Aggregator:
    room = room or RoomFactory.create(charges=charges)
    return Aggregator(room, room_client(room, Scope.WALLET))


def let_in(room: Room, player: Player, *, currency: str = "USD", at: datetime | None = None) -> str:
    """The token that the player gives the room."""
    return open_session(player=player, room=room, currency=currency, at=at or datetime.now(UTC)).token


def player(name: str = "ann", funds: str = "100.00", currency: str = "USD") -> Player:
    return person(name, funds, currency)


def at_once(*calls: Callable[[], Any]) -> list[Any]:
    """The answers; all start at the same moment, each on its own connection."""
    start = Barrier(len(calls))

    def run(call: Callable[[], Any]) -> Any:
        try:
            connection.ensure_connection()
            start.wait(timeout=20)
            return call()
        finally:
            connection.close()

    with ThreadPoolExecutor(max_workers=len(calls)) as threads:
        return list(threads.map(run, calls))


def assert_proven() -> None:
    assert [(proof.name, proof.fault) for proof in proofs.run() if not proof.holds] == []
