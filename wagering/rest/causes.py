"""What an entry in a wallet is because of: read from the key of its event, which ends with an id.

An app that knows of events beyond play adds a function, named in settings.ENTRY_CAUSES,

    def causes(*, keys: Collection[str]) -> Mapping[str, Cause]

that says of those keys that are its own what they are about.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final
from uuid import UUID

KINDS: Final[Mapping[str, str]] = {
    "table": "the table whose stakes it is about",
    "deposit": "a deposit, under `/v1/deposits`",
    "transfer": "a transfer to our bank, as its notice names it",
    "refund": "what was given back of a deposit, as its notice names it",
    "dispute": "what the payer's bank took back of a deposit, or gave back after all, as its notice names it",
    "payout": "a payout, under `/v1/payouts`",
    "adjustment": "a correction by operators",
}
"""Every kind, and what has the id."""


@dataclass(frozen=True, slots=True)
class Cause:
    """What it is, one of ``KINDS``, and which."""

    kind: str
    id: UUID


def id_of(key: str) -> UUID | None:
    """The id of what an event is about, which its key ends with."""
    try:
        return UUID(key.rpartition(":")[2])
    except ValueError:
        return None
