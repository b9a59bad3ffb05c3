"""What the cashier's events in a wallet are about (``rest.causes``), in the words that the API has for it."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Final
from uuid import UUID

from wagering.cashier.deposits.models import Refund
from wagering.cashier.payouts.models import Attempt
from wagering.rest.causes import Cause, id_of

KIND_OF: Final = {
    "deposit_confirmed": "deposit",
    "deposit_refunded": "refund",
    "deposit_charged_back": "dispute",
    "chargeback_won": "dispute",
    "transfer_received": "transfer",
    "transfer_assigned": "transfer",
    "suspense_credited": "payout",
    "payout_held": "payout",
    "payout_released": "payout",
    "manual_adjustment": "adjustment",
}


def causes(*, keys: Collection[str]) -> dict[str, Cause]:
    """A payout is told by itself, not by its attempt, also when it came back; a refund that is owed for as a refund.

    What an operator gave a player of what had come back is told by the transfer that it came with.
    """
    known = {key: Cause(KIND_OF[event], found) for key in keys for event, found in _parts(key)}
    attempts = _ids(known, "payout_held", "payout_released", "suspense_credited")
    payouts = dict(Attempt.objects.filter(pk__in=attempts).values_list("pk", "payout_id")) if attempts else {}
    charged = _ids(known, "deposit_charged_back")
    refunds = set(Refund.objects.filter(pk__in=charged).values_list("pk", flat=True)) if charged else set()
    for key, cause in known.items():
        if cause.id in payouts:
            known[key] = Cause("payout", payouts[cause.id])
        elif cause.id in refunds:
            known[key] = Cause("refund", cause.id)
        elif key.startswith("suspense_credited:"):
            known[key] = Cause("transfer", cause.id)
    return known


def _parts(key: str) -> Iterator[tuple[str, UUID]]:
    event, found = key.partition(":")[0], id_of(key)
    if event in KIND_OF and found is not None:
        yield event, found


def _ids(known: dict[str, Cause], *events: str) -> list[UUID]:
    return [cause.id for key, cause in known.items() if key.startswith(tuple(f"{event}:" for event in events))]
