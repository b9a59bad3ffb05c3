"""What a payment provider is to us: what it is asked, what it answers, what it tells by itself.

Every request carries a reference of ours that is derived from our own row, so that asking again is the same request,
and what became of it can always be looked up by it. Amounts are Decimal in the major unit; each provider writes
them in minor units by the currency's ISO 4217 exponent (500 JPY are 500, 1.234 KWD are 1234).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from enum import StrEnum
from typing import Protocol
from uuid import UUID, uuid5

_PROVIDERS = UUID("5b1d1f9e-6d0c-4f0a-9a31-6f1f3d1c2b7a")


class ProviderRefused(Exception):
    """The provider said no, for good: nothing was done there. ``code`` and the message are its own words."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class ProviderSilent(Exception):
    """No answer, or one that says nothing: whether it was done is not known. Look it up, never ask anew."""


class NotGenuine(Exception):
    """A webhook that its provider did not sign, that was changed on the way, or that is more than 5 minutes off."""


class Unreadable(Exception):
    """A webhook that its provider signed, and of which nothing can be made."""


class Payment(StrEnum):
    """Where a payment stands, in or out, as the provider tells it."""

    PROCESSING = "processing"
    SUCCEEDED = "succeeded"
    FAILED = "failed"
    RETURNED = "returned"
    """A payout that was paid and came back."""


@dataclass(frozen=True, slots=True)
class Instrument:
    """What a player pays with, as the provider may tell it: a token of theirs, and what a person recognises it by."""

    token: str
    brand: str
    last4: str
    can_receive: bool
    """Whether money can be paid out to it (closed loop)."""


@dataclass(frozen=True, slots=True)
class Started:
    """A payment was begun. The player finishes it at ``url``, on the provider's own page."""

    reference: str
    url: str


@dataclass(frozen=True, slots=True)
class Told:
    """How a payment stands. ``ours`` is our reference, ``theirs`` the provider's, ``amount`` what was really paid."""

    ours: str
    theirs: str
    state: Payment
    amount: Decimal
    currency: str
    instrument: Instrument | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Disputed:
    """What the payer's bank took back, or (``won``) gave back after all. ``amount`` may be more than was paid in.

    One that ``moved`` nothing is only opened; ``won``, it is over and nothing was taken.
    """

    dispute: str
    payment: str
    amount: Decimal
    currency: str
    won: bool = False
    moved: bool = True


@dataclass(frozen=True, slots=True)
class Refunded:
    """A refund as the provider tells it; ``ours`` is our reference, empty if somebody refunded at the provider."""

    ours: str
    theirs: str
    payment: str
    amount: Decimal
    currency: str
    state: Payment


@dataclass(frozen=True, slots=True)
class Event:
    """What a webhook says, verified. ``tells`` is None for a kind that we do not know: kept, counted, acknowledged."""

    id: str
    kind: str
    at: datetime
    tells: Told | Disputed | Refunded | None


class Provider(Protocol):
    """One provider. Nothing here touches our database, so all of it is called outside transactions."""

    code: str
    """Its name here, in the address of its webhook and in rows: lower case, never changed."""
    currencies: frozenset[str]

    def start(
        self, *, ours: str, amount: Decimal, currency: str, player: UUID, return_url: str, description: str
    ) -> Started:
        """Begin a payment in. Raises ProviderRefused, ProviderSilent."""
        ...

    def look_up(self, *, ours: str, theirs: str = "") -> Told | None:
        """How the payment in stands; None if the provider never heard of it. Raises ProviderSilent.

        ``theirs`` is what the provider itself calls it, if that is known: some find it sooner by that.
        """
        ...

    def refund(self, *, ours: str, payment: str, amount: Decimal, currency: str) -> Refunded:
        """Pay back, wholly or in part, what came by the provider's reference ``payment``. Raises as ``start``."""
        ...

    def refunds(self, *, since: datetime) -> Sequence[Refunded]:
        """Every refund that was made since then, whoever made it, as it stands now. Raises ProviderSilent."""
        ...

    def pay_out(self, *, ours: str, token: str, amount: Decimal, currency: str) -> Told:
        """Pay to an instrument that can receive. Raises as ``start``."""
        ...

    def look_up_payout(self, *, ours: str) -> Told | None:
        """How the payout stands; None if the provider never heard of it. Raises ProviderSilent."""
        ...

    def read(self, *, body: bytes, headers: Mapping[str, str], at: datetime) -> Sequence[Event]:
        """The events of a webhook's raw body, verified first. Raises NotGenuine."""
        ...


def account_of(code: str) -> UUID:
    """The owner of a provider's clearing account in the book."""
    return uuid5(_PROVIDERS, code)
