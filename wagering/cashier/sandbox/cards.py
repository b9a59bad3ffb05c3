"""The test cards: what becomes of a payment, of a payout to it, and what its bank does later."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Card:
    """``pays`` of a payment: ``all``, ``half``, ``double``, ``another currency``, ``nothing`` (declined) or ``later``.

    ``payout`` is what becomes of a payout to it: ``paid``, ``failed``, ``returned`` (paid first) or ``later``; empty
    for a card that cannot receive. ``disputed`` is how many minor units beyond the payment are taken back, or None.
    """

    number: str
    brand: str
    meaning: str
    pays: str = "all"
    payout: str = "paid"
    disputed: int | None = None
    refunds: bool = True

    @property
    def last4(self) -> str:
        return self.number[-4:]

    def token(self, customer: str) -> str:
        """What the provider calls the card of this customer; the number itself is kept nowhere."""
        return "card_" + hashlib.sha256(f"{customer} {self.number}".encode()).hexdigest()[:24]


CARDS: Final = {
    card.number: card
    for card in (
        Card("4242424242424242", "visa", "pays"),
        Card("5555555555554444", "mastercard", "pays, and cannot receive payouts", payout=""),
        Card("4000000000000002", "visa", "is declined", pays="nothing"),
        Card("4000000000003220", "visa", "is processing until POST /control/payments says more", pays="later"),
        Card("4000000000000051", "visa", "pays half of what was asked", pays="half"),
        Card("4000000000000127", "visa", "pays twice what was asked", pays="double"),
        Card("4000000000000036", "visa", "pays in another currency", pays="another currency"),
        Card("4000000000000259", "visa", "pays, and the payment is disputed at once", disputed=0),
        Card("4000000000000267", "visa", "pays, and 37 minor units more than that are disputed", disputed=37),
        Card("4000000000000416", "visa", "pays; refunds to it are refused", refunds=False),
        Card("4000000000000341", "visa", "pays; payouts to it fail", payout="failed"),
        Card("4000000000000358", "visa", "pays; payouts to it are paid and come back", payout="returned"),
        Card("4000000000000366", "visa", "pays; payouts to it wait until POST /control/payouts", payout="later"),
    )
}
