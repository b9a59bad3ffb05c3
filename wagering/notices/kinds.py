"""Every kind of notice on one page: what it says, and the shape of its data. Nothing else is ever told.

Data is text by name: ids, amounts, instants, last four. No name, no address, no account number: a notice outlives
what is erased, and leaves the service.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from typing import Final
from uuid import UUID

ID: Final = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
AMOUNT: Final = re.compile(r"[0-9]{1,12}(\.[0-9]{1,3})?")
CURRENCY: Final = re.compile(r"[A-Z]{3,4}")
INSTANT: Final = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{6})?Z")
LAST_FOUR: Final = re.compile(r"[0-9A-Z]{0,4}")
WORD: Final = re.compile(r"[a-z_]{1,40}")

Shape = Mapping[str, re.Pattern[str]]


@dataclass(frozen=True, slots=True)
class Kind:
    """What is said to the player, or to the operator, and what each notice of the kind says besides."""

    text: str
    shape: Shape
    for_players: bool = True


MONEY: Final[Shape] = {"amount": AMOUNT, "currency": CURRENCY}

KINDS: Final[Mapping[str, Kind]] = {
    "deposit_succeeded": Kind("What you paid in is in your wallet.", {"deposit": ID, **MONEY}),
    "deposit_refunded": Kind("A deposit, or part of it, goes back to where it came from.", {"refund": ID, **MONEY}),
    "deposit_charged_back": Kind(
        "The payer's bank took a deposit back; what your wallet lacked is owed.",
        {"dispute": ID, "owed": AMOUNT, **MONEY},
    ),
    "chargeback_won": Kind("A deposit that was taken back has come again.", {"dispute": ID, **MONEY}),
    "transfer_received": Kind("Your bank transfer is in your wallet.", {"transfer": ID, **MONEY}),
    "payout_approved": Kind("Your payout goes out with the next batch.", {"payout": ID, **MONEY}),
    "payout_in_review": Kind(
        "Your payout was approved, and is looked at again before it goes out; it stays held.", {"payout": ID, **MONEY}
    ),
    "payout_paid": Kind("Your payout was paid.", {"payout": ID, "last4": LAST_FOUR, **MONEY}),
    "payout_refused": Kind("Your payout was refused; its amount is in your wallet.", {"payout": ID, **MONEY}),
    "payout_failed": Kind("Your payout failed; its amount is in your wallet.", {"payout": ID, **MONEY}),
    "payout_returned": Kind("Your payout came back; its amount is in your wallet.", {"payout": ID, **MONEY}),
    "balance_becomes_unclaimed": Kind(
        "You have been away for long. What is in your wallet is set apart then, and is yours when you are back.",
        {"absence": ID, "due_at": INSTANT, **MONEY},
    ),
    "alert_opened": Kind("Surveillance opened an alert.", {"alert": ID, "alert_kind": WORD}, for_players=False),
    "endpoint_disabled": Kind(
        "An endpoint has failed for so long that nothing is sent to it.", {"endpoint": ID}, for_players=False
    ),
}


def written(kind: str, data: Mapping[str, object]) -> dict[str, str]:
    """``data`` as it is kept and sent. What is not of the kind's shape is a mistake of ours, and goes nowhere."""
    shape = KINDS[kind].shape
    told = {name: _text(value) for name, value in data.items()}
    wrong = sorted(shape.keys() ^ told.keys()) or [name for name in shape if not shape[name].fullmatch(told[name])]
    if wrong:
        raise AssertionError(f"{kind}: {', '.join(wrong)} not as the kind says")
    return told


def _text(value: object) -> str:
    """Exact as it is; of what is no text, amount, id or instant there is none."""
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat().replace("+00:00", "Z")
    return str(value) if isinstance(value, str | Decimal | UUID) else ""
