"""Stripe as tests want it: deposits through it, and its webhooks, signed as the library verifies them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import Any, Final
from uuid import uuid4

import stripe

from games.models import Player
from ledger import money
from tests.cashier.stripe.checkout import Front
from wagering.cashier.deposits import inbox, refunds, selectors, services
from wagering.cashier.deposits.models import Deposit, InboxEvent, Refund
from wagering.cashier.providers.protocol import ProviderSilent

KEY: Final = "sk_test_localstripe"
SECRET: Final = "whsec_of_the_endpoint"


class There:
    """The clock is ours, as in ``tests.cashier.outside``."""

    def __init__(self, front: Front) -> None:
        self.front = front
        self.at = datetime.now(UTC)

    def goes_by(self, **time: int) -> None:
        self.at += timedelta(**time)

    # --- deposits

    def wished(self, player: Player, amount: str = "20.00", currency: str = "USD", return_url: str = "") -> Deposit:
        return services.begin(
            player=player,
            amount=money.parse(amount, currency),
            currency=currency,
            provider="stripe",
            return_url=return_url,
            at=self.at,
        )

    def started(self, player: Player, amount: str = "20.00", currency: str = "USD") -> Deposit:
        return services.start(deposit=self.wished(player, amount, currency).pk, at=self.at)

    def pays(self, deposit: Deposit, card: str = "4242424242424242") -> dict[str, Any]:
        """The player pays on Checkout's page, and nobody is told; the PaymentIntent."""
        return self.front.pays(self.front.sessions[deposit.ours], card)

    def paid(self, player: Player, amount: str = "20.00", currency: str = "USD") -> Deposit:
        deposit = self.started(player, amount, currency)
        self.tells("payment_intent.succeeded", self.pays(deposit))
        return Deposit.objects.get(pk=deposit.pk)

    # --- webhooks

    def tells(self, kind: str, data: Mapping[str, Any], *, event: str = "") -> InboxEvent:
        """The event comes to our door and is done as far as Stripe answers."""
        body = written(kind, data, at=self.at, event=event)
        inbox.receive(provider="stripe", body=body, headers=signed(body, at=self.at), at=self.at)
        self.works()
        return InboxEvent.objects.get(event_id=json.loads(body)["id"])

    def works(self) -> None:
        """What the workers would do now."""
        for waiting in selectors.waiting_events().values_list("pk", flat=True):
            with suppress(ProviderSilent):
                inbox.handle(event=waiting, at=self.at)
        for deposit in Deposit.objects.filter(look_at__lte=self.at).values_list("pk", flat=True):
            with suppress(ProviderSilent):
                services.look(deposit=deposit, at=self.at)
        for refund in Refund.objects.filter(look_at__lte=self.at).values_list("pk", flat=True):
            with suppress(ProviderSilent):
                refunds.send(refund=refund, at=self.at)


def written(kind: str, data: Mapping[str, Any], *, at: datetime, event: str = "") -> bytes:
    """The body of an event, as Stripe writes it."""
    told = {
        "id": event or f"evt_{uuid4().hex}",
        "object": "event",
        "type": kind,
        "created": int(at.timestamp()),
        "data": {"object": data},
    }
    return json.dumps(told, indent=2).encode()


def signed(body: bytes, *, at: datetime, secret: str = SECRET) -> dict[str, str]:
    """The headers of a webhook, by the library's own scheme."""
    second = int(at.timestamp())
    signature = stripe.WebhookSignature._compute_signature(f"{second}.{body.decode()}", secret)
    return {"Content-Type": "application/json", "Stripe-Signature": f"t={second},v1={signature},v0=5257a869"}


def disputed(deposit: Deposit, units: int, name: str = "dp_1") -> dict[str, Any]:
    """A dispute as an event tells it."""
    return {
        "id": name,
        "object": "dispute",
        "amount": units,
        "currency": deposit.currency.lower(),
        "charge": "ch_1",
        "payment_intent": deposit.theirs,
        "metadata": {},
        "status": "needs_response",
    }
