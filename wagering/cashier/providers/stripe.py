"""Stripe, as a provider: cards on its Checkout page, refunds, disputes. It needs the ``stripe`` extra.

What we call a payment is the metadata of its PaymentIntent, and the idempotency key of whatever is asked. Money goes
back to the card by refunds alone: Stripe pays out to others than its customer only through Connect, so no card here
can receive, and payouts go by bank. What its endpoint has to tell /v1/webhooks/stripe: ``payment_intent.succeeded``,
``.processing``, ``.payment_failed``, ``.canceled``; ``refund.created``, ``.updated``, ``.failed``;
``charge.dispute.created``, ``.funds_withdrawn``, ``.funds_reinstated``, ``.closed``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from functools import cached_property
from typing import Any, Final, TypeVar
from uuid import UUID

import stripe
from django.conf import settings

from ledger import money
from wagering.cashier.providers.protocol import (
    Disputed,
    Event,
    Instrument,
    NotGenuine,
    Payment,
    ProviderRefused,
    ProviderSilent,
    Refunded,
    Started,
    Told,
)

T = TypeVar("T")

TOLERANCE: Final = timedelta(minutes=5)
SIGNATURE: Final = re.compile(r"t=([0-9]{1,12})(?:,v[0-9]=[0-9a-f]+)+")
TIMEOUT_S: Final = 10

DIGITS: Final = {"ISK": 2, "UGX": 2, "MGA": 0}
"""Where Stripe writes other minor units than ISO 4217 has."""

IN: Final = {
    "succeeded": Payment.SUCCEEDED,
    "canceled": Payment.FAILED,
}
"""Anything else may still be paid: a card that was declined is tried again on the same page, or another is."""
BACK: Final = {
    "succeeded": Payment.SUCCEEDED,
    "failed": Payment.FAILED,
    "canceled": Payment.FAILED,
}
PAYMENTS: Final = frozenset(
    f"payment_intent.{what}" for what in ("succeeded", "processing", "payment_failed", "canceled")
)
REFUNDS: Final = frozenset({"refund.created", "refund.updated", "refund.failed"})
DISPUTES: Final = {
    "charge.dispute.created": False,
    "charge.dispute.funds_withdrawn": True,
    "charge.dispute.funds_reinstated": True,
    "charge.dispute.closed": False,
}
"""Whether money moved: opening and closing a dispute moves none."""


class StripeProvider:
    """Speaks to settings.STRIPE_API_BASE with STRIPE_SECRET_KEY; webhooks are signed with STRIPE_WEBHOOK_SECRET."""

    code = "stripe"

    @cached_property
    def currencies(self) -> frozenset[str]:
        return frozenset(settings.STRIPE_CURRENCIES)

    @cached_property
    def client(self) -> stripe.StripeClient:
        return stripe.StripeClient(
            settings.STRIPE_SECRET_KEY,
            base_addresses={"api": settings.STRIPE_API_BASE},
            http_client=stripe.RequestsClient(timeout=TIMEOUT_S),
            max_network_retries=0,  # whoever asks has a row that says when to ask again
        )

    def start(
        self, *, ours: str, amount: Decimal, currency: str, player: UUID, return_url: str, description: str
    ) -> Started:
        priced = {
            "currency": currency.lower(),
            "unit_amount": to_units(amount, currency),
            "product_data": {"name": description},
        }
        session: Any = {
            "mode": "payment",
            "payment_method_types": ["card"],
            "client_reference_id": ours,
            "line_items": [{"quantity": 1, "price_data": priced}],
            "payment_intent_data": {"metadata": {"ours": ours}},
            "success_url": return_url or settings.STRIPE_RETURN_URL,
        }
        sessions = self.client.v1.checkout.sessions
        made = _asked(lambda: sessions.create(params=session, options={"idempotency_key": ours}))
        # What it is known by, the PaymentIntent, is made by Checkout later.
        return Started(reference="", url=str(made.url))

    def look_up(self, *, ours: str, theirs: str = "") -> Told | None:
        found = self._intent(theirs) if theirs else self._searched(ours)
        return _payment(found) if found and _ours(found) == ours else None

    def refund(self, *, ours: str, payment: str, amount: Decimal, currency: str) -> Refunded:
        """One that was made is found again, also after Stripe has forgotten the key under which it was asked."""
        refunds = self.client.v1.refunds
        made = _asked(lambda: [*refunds.list(params={"payment_intent": payment, "limit": 100}).auto_paging_iter()])
        if known := next((each for each in map(_told, made) if _ours(each) == ours), None):
            return _refund(known)
        refund: Any = {"payment_intent": payment, "amount": to_units(amount, currency), "metadata": {"ours": ours}}
        return _refund(_told(_asked(lambda: refunds.create(params=refund, options={"idempotency_key": ours}))))

    def refunds(self, *, since: datetime) -> Sequence[Refunded]:
        listed = self.client.v1.refunds.list
        asked: Any = {"created": {"gte": int(since.timestamp())}, "limit": 100}
        try:
            made = [_told(each) for each in listed(params=asked).auto_paging_iter()]
        except stripe.StripeError as error:
            raise ProviderSilent(f"refunds: {type(error).__name__}") from error
        return [_refund(each) for each in made if each["payment_intent"]]

    def pay_out(self, *, ours: str, token: str, amount: Decimal, currency: str) -> Told:
        raise ProviderRefused("cannot_receive", "Stripe pays out to others through Connect only")

    def look_up_payout(self, *, ours: str) -> Told | None:
        return None

    def read(self, *, body: bytes, headers: Mapping[str, str], at: datetime) -> Sequence[Event]:
        signature = {name.lower(): value for name, value in headers.items()}.get("stripe-signature", "")
        found = SIGNATURE.fullmatch(signature)
        if found is None:
            raise NotGenuine("Stripe-Signature: is missing or malformed")
        try:
            stripe.WebhookSignature.verify_header(body, signature, settings.STRIPE_WEBHOOK_SECRET)
        except (stripe.SignatureVerificationError, UnicodeDecodeError):
            raise NotGenuine("Stripe-Signature: is not of this body and our secret") from None
        if abs(at - datetime.fromtimestamp(int(found[1]), UTC)) > TOLERANCE:
            raise NotGenuine("Stripe-Signature: is more than 5 minutes off")
        return [_event(json.loads(body))]

    def _intent(self, theirs: str) -> dict[str, Any] | None:
        try:
            found = self.client.v1.payment_intents.retrieve(theirs, params={"expand": ["payment_method"]})
        except stripe.InvalidRequestError as refusal:
            if refusal.http_status == 404:
                return None
            raise ProviderSilent(f"{theirs}: {refusal.code}") from refusal
        except stripe.StripeError as error:
            raise ProviderSilent(f"{theirs}: {type(error).__name__}") from error
        return _told(found)

    def _searched(self, ours: str) -> dict[str, Any] | None:
        """By metadata: what was paid within the last minute may not be found yet."""
        search = self.client.v1.payment_intents.search
        query = f"metadata['ours']:'{ours}'"
        try:
            found = search(params={"query": query, "limit": 1, "expand": ["data.payment_method"]})
        except stripe.StripeError as error:
            raise ProviderSilent(f"{ours}: {type(error).__name__}") from error
        return _told(found.data[0]) if found.data else None


def to_units(amount: Decimal, currency: str) -> int:
    """What Stripe writes for ``amount``. Raises ProviderRefused for one that it cannot charge.

    Most are ISO 4217's minor units (JPY 500 is 500, KWD 1.230 is 1230); of three digits the last is zero.
    """
    unit = money.currency(currency)
    units = money.exact(amount, currency).scaleb(DIGITS.get(currency, unit.minor_digits))
    if units != units.to_integral_value() or (unit.minor_digits == 3 and units % 10):
        raise ProviderRefused("amount_too_fine", f"Stripe charges no {amount} {currency}")
    return int(units)


def from_units(units: object, currency: str) -> Decimal:
    """The amount that Stripe writes so. Raises ValueError for what is no whole number of units."""
    if not isinstance(units, int) or isinstance(units, bool) or not units >= 0:
        raise ValueError(f"amount: {units!r} is no whole number of units")
    digits = DIGITS.get(currency, money.currency(currency).minor_digits)
    return money.exact(Decimal(units).scaleb(-digits), currency)


def _asked(ask: Callable[[], T]) -> T:
    """What was answered. A refusal of what was asked is one; a key in use, or of something else, says nothing."""
    try:
        return ask()
    except (stripe.CardError, stripe.InvalidRequestError) as refusal:
        raise ProviderRefused(str(refusal.code or "invalid_request"), str(refusal.user_message or "")) from refusal
    except stripe.StripeError as error:
        raise ProviderSilent(f"stripe: {type(error).__name__}") from error


def _told(found: stripe.StripeObject) -> dict[str, Any]:
    """All of an answer, as plain data."""
    return dict(found.to_dict())


def _event(told: dict[str, Any]) -> Event:
    kind, data = str(told["type"]), told["data"]["object"]
    tells: Told | Disputed | Refunded | None = None
    if kind in PAYMENTS and _ours(data):
        tells = _payment(data)
    elif kind in REFUNDS and data["payment_intent"]:
        tells = _refund(data)
    elif kind in DISPUTES and data["payment_intent"]:
        currency = data["currency"].upper()
        amount = from_units(data["amount"], currency)
        won = kind.endswith(".funds_reinstated") or (kind.endswith(".closed") and data["status"] != "lost")
        tells = Disputed(data["id"], data["payment_intent"], amount, currency, won=won, moved=DISPUTES[kind])
    return Event(id=str(told["id"]), kind=kind, at=datetime.fromtimestamp(told["created"], UTC), tells=tells)


def _payment(told: dict[str, Any]) -> Told:
    currency, state = told["currency"].upper(), IN.get(told["status"], Payment.PROCESSING)
    units = told.get("amount_received", told["amount"]) if state == Payment.SUCCEEDED else told["amount"]
    return Told(
        ours=_ours(told),
        theirs=told["id"],
        state=state,
        amount=from_units(units, currency),
        currency=currency,
        instrument=_instrument(told["payment_method"]),
        reason=str((told.get("last_payment_error") or {}).get("message") or told.get("cancellation_reason") or ""),
    )


def _instrument(told: object) -> Instrument | None:
    """A card, if the answer has it whole and not only its id."""
    if not isinstance(told, dict) or told.get("type") != "card":
        return None
    card = told["card"]
    token = str(card.get("fingerprint") or told["id"])
    return Instrument(token=token, brand=card["brand"], last4=card["last4"], can_receive=False)


def _refund(told: dict[str, Any]) -> Refunded:
    currency = told["currency"].upper()
    return Refunded(
        ours=_ours(told),
        theirs=told["id"],
        payment=told["payment_intent"],
        amount=from_units(told["amount"], currency),
        currency=currency,
        state=BACK.get(told["status"], Payment.PROCESSING),
    )


def _ours(told: dict[str, Any]) -> str:
    return str((told.get("metadata") or {}).get("ours") or "")
