"""Which events of providers are about deposits (``inbox``)."""

from __future__ import annotations

from datetime import datetime

from wagering.cashier.deposits import refunds, services
from wagering.cashier.deposits.models import InboxEvent
from wagering.cashier.deposits.told import Tells
from wagering.cashier.providers.protocol import Refunded, Told


def handle(*, event: InboxEvent, tells: Tells, at: datetime) -> bool:
    """A payment is looked up: what is done is what the provider says when asked. A refund is believed as it was signed.

    Raises ProviderSilent.
    """
    if isinstance(tells, Told):
        return services.look_up(ours=tells.ours, theirs=tells.theirs, at=at, event=event) is not None
    if isinstance(tells, Refunded):
        return refunds.told(refunded=tells, provider=event.provider, event=event, at=at)
    return False
