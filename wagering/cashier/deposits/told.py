"""What a provider tells, as JSON in the inbox and back."""

from __future__ import annotations

from dataclasses import asdict
from decimal import Decimal
from typing import Any

from wagering.cashier.providers.protocol import Disputed, Instrument, Payment, Refunded, Told

Tells = Told | Disputed | Refunded
KINDS: dict[str, type[Tells]] = {kind.__name__: kind for kind in (Told, Disputed, Refunded)}


def written(tells: Tells | None) -> dict[str, Any] | None:
    """As it is kept; amounts are text."""
    if tells is None:
        return None
    return {"is": type(tells).__name__, **asdict(tells), "amount": str(tells.amount)}


def read(kept: dict[str, Any]) -> Tells:
    """What ``written`` was given."""
    said = {**kept, "amount": Decimal(kept["amount"])}
    kind = KINDS[said.pop("is")]
    if "state" in said:
        said["state"] = Payment(said["state"])
    if said.get("instrument"):
        said["instrument"] = Instrument(**said["instrument"])
    return kind(**said)
