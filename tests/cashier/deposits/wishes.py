"""Deposits as tests want them."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

from games.models import Player
from ledger import money
from tests.cashier.outside import Outside
from wagering.cashier.deposits import services
from wagering.cashier.deposits.models import Deposit


def wished(world: Outside, player: Player, amount: str = "20.00", currency: str = "USD") -> Deposit:
    """Asked for, and no more."""
    return services.begin(
        player=player,
        amount=money.parse(amount, currency),
        currency=currency,
        provider="sandbox",
        return_url="https://room.example/wallet",
        at=world.at,
    )


def started(world: Outside, player: Player, amount: str = "20.00", currency: str = "USD") -> Deposit:
    """Begun at the provider, and to be paid."""
    return services.start(deposit=wished(world, player, amount, currency).pk, at=world.at)


def paid(
    world: Outside,
    player: Player,
    amount: str = "20.00",
    currency: str = "USD",
    *,
    card: str = "4242424242424242",
) -> Deposit:
    """Paid on the provider's page, and told by it."""
    deposit = started(world, player, amount, currency)
    world.is_paid(deposit, card)
    world.delivers()
    return fresh(deposit)


def fresh(deposit: Deposit) -> Deposit:
    return Deposit.objects.get(pk=deposit.pk)


def asks(client: Any, amount: str = "20.00", currency: str = "USD", *, key: str = "", **more: Any) -> Any:
    """The answer to a player's POST."""
    body = {"amount": {"amount": amount, "currency": currency}, **more}
    return client.post("/v1/deposits", body, format="json", headers={"Idempotency-Key": key or uuid4().hex})
