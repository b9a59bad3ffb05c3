"""Which events of providers are about payouts (``deposits.inbox``)."""

from __future__ import annotations

from datetime import datetime

from wagering.cashier.deposits.models import InboxEvent
from wagering.cashier.deposits.told import Tells
from wagering.cashier.payouts import sending
from wagering.cashier.providers.protocol import Told


def handle(*, event: InboxEvent, tells: Tells, at: datetime) -> bool:
    """A payout is looked up: what is done is what the provider says when asked. Raises ProviderSilent."""
    return isinstance(tells, Told) and sending.look_up(ours=tells.ours, at=at, event=event)
