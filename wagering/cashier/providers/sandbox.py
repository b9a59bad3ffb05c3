"""The sandbox, as a provider: ``wagering/cashier/sandbox`` is the other end."""

from __future__ import annotations

import hashlib
import hmac
import json
import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from functools import cached_property
from typing import Any, Final
from uuid import UUID

import httpx
from django.conf import settings

from ledger import money
from wagering.cashier.providers.minor_units import from_minor, to_minor
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

TOLERANCE: Final = timedelta(minutes=5)
SIGNATURE: Final = re.compile(r"t=([0-9]{1,12}),v1=([0-9a-f]{64})")
TIMEOUT_S: Final = 10

IN: Final = {
    "open": Payment.PROCESSING,
    "processing": Payment.PROCESSING,
    "succeeded": Payment.SUCCEEDED,
    "failed": Payment.FAILED,
}
OUT: Final = {
    "processing": Payment.PROCESSING,
    "paid": Payment.SUCCEEDED,
    "failed": Payment.FAILED,
    "returned": Payment.RETURNED,
}
PAYMENTS: Final = frozenset({"payment.processing", "payment.succeeded", "payment.failed"})
PAYOUTS: Final = frozenset({"payout.paid", "payout.failed", "payout.returned"})
DISPUTES: Final = {
    "dispute.opened": {"won": False, "moved": False},
    "dispute.taken": {"won": False, "moved": True},
    "dispute.won": {"won": True, "moved": True},
    "dispute.dropped": {"won": True, "moved": False},
}
REFUNDS: Final = frozenset({"refund.succeeded"})


class SandboxProvider:
    """Speaks to settings.SANDBOX_URL; SANDBOX_SECRET signs both ways."""

    code = "sandbox"
    currencies = frozenset(code for code, unit in money.CURRENCIES.items() if unit.zone == "professionals")

    @cached_property
    def http(self) -> httpx.Client:
        return httpx.Client(timeout=TIMEOUT_S, trust_env=False)

    def start(
        self, *, ours: str, amount: Decimal, currency: str, player: UUID, return_url: str, description: str
    ) -> Started:
        asked = {"customer": str(player), "return_url": return_url, "description": description}
        told = self._post("payments", ours, amount, currency, **asked)
        return Started(reference=told["id"], url=told["url"])

    def look_up(self, *, ours: str, theirs: str = "") -> Told | None:
        told = self._get("payments", ours)
        return _payment(told) if told else None

    def refund(self, *, ours: str, payment: str, amount: Decimal, currency: str) -> Refunded:
        return _refund(self._post("refunds", ours, amount, currency, payment=payment))

    def refunds(self, *, since: datetime) -> Sequence[Refunded]:
        status, told = self._ask("GET", "refunds", params={"since": int(since.timestamp())})
        if status != 200:
            raise ProviderSilent(f"refunds: answered {status}")
        return [_refund(each) for each in told["refunds"]]

    def pay_out(self, *, ours: str, token: str, amount: Decimal, currency: str) -> Told:
        return _payout(self._post("payouts", ours, amount, currency, token=token))

    def look_up_payout(self, *, ours: str) -> Told | None:
        told = self._get("payouts", ours)
        return _payout(told) if told else None

    def read(self, *, body: bytes, headers: Mapping[str, str], at: datetime) -> Sequence[Event]:
        signature = {name.lower(): value for name, value in headers.items()}.get("sandbox-signature", "")
        found = SIGNATURE.fullmatch(signature)
        if found is None:
            raise NotGenuine("Sandbox-Signature: is missing or malformed")
        signed_at, given = found.groups()
        expected = hmac.new(settings.SANDBOX_SECRET.encode(), f"{signed_at}.".encode() + body, hashlib.sha256)
        if not hmac.compare_digest(given, expected.hexdigest()):
            raise NotGenuine("Sandbox-Signature: is not of this body and our secret")
        if abs(at - datetime.fromtimestamp(int(signed_at), UTC)) > TOLERANCE:
            raise NotGenuine("Sandbox-Signature: is more than 5 minutes off")
        return [_event(json.loads(body))]

    def _post(self, what: str, ours: str, amount: Decimal, currency: str, **more: str) -> dict[str, Any]:
        asked = {"reference": ours, "amount": to_minor(amount, currency), "currency": currency, **more}
        status, told = self._ask("POST", what, json=asked)
        if status in (200, 201):
            return told
        error = told.get("error", {})
        raise ProviderRefused(str(error.get("code")), str(error.get("message")))

    def _get(self, what: str, ours: str) -> dict[str, Any] | None:
        status, told = self._ask("GET", what, params={"reference": ours})
        if status == 404:
            return None
        if status != 200:
            raise ProviderSilent(f"{what}: answered {status}")
        return told

    def _ask(self, method: str, what: str, **asked: Any) -> tuple[int, dict[str, Any]]:
        """Status and what was told; a server that fails, or is not there, has told nothing."""
        headers = {"Authorization": f"Bearer {settings.SANDBOX_SECRET}"}
        try:
            answer = self.http.request(method, f"{settings.SANDBOX_URL}/v1/{what}", headers=headers, **asked)
            told = answer.json()
        except (httpx.HTTPError, ValueError) as error:
            raise ProviderSilent(f"{what}: {type(error).__name__}") from error
        if answer.status_code >= 500 or answer.status_code in (401, 429) or not isinstance(told, dict):
            raise ProviderSilent(f"{what}: answered {answer.status_code}")
        return answer.status_code, told


def _event(told: dict[str, Any]) -> Event:
    kind, data = str(told["type"]), told["data"]
    tells: Told | Disputed | Refunded | None = None
    if kind in PAYMENTS:
        tells = _payment(data)
    elif kind in PAYOUTS:
        tells = _payout(data)
    elif kind in REFUNDS:
        tells = _refund(data)
    elif kind in DISPUTES:
        amount = from_minor(data["amount"], data["currency"])
        tells = Disputed(data["id"], data["payment"], amount, data["currency"], **DISPUTES[kind])
    return Event(id=str(told["id"]), kind=kind, at=datetime.fromtimestamp(told["created"], UTC), tells=tells)


def _payment(told: dict[str, Any]) -> Told:
    return Told(
        ours=told["reference"],
        theirs=told["id"],
        state=IN[told["status"]],
        amount=from_minor(told["amount"], told["currency"]),
        currency=told["currency"],
        instrument=Instrument(**told["card"]) if "card" in told else None,
        reason=told["reason"],
    )


def _payout(told: dict[str, Any]) -> Told:
    amount = from_minor(told["amount"], told["currency"])
    return Told(
        ours=told["reference"],
        theirs=told["id"],
        state=OUT[told["status"]],
        amount=amount,
        currency=told["currency"],
        reason=told["reason"],
    )


def _refund(told: dict[str, Any]) -> Refunded:
    return Refunded(
        ours=told["reference"] or "",
        theirs=told["id"],
        payment=told["payment"],
        amount=from_minor(told["amount"], told["currency"]),
        currency=told["currency"],
        state=Payment.SUCCEEDED,
    )
