"""Which events of providers are about disputes (``deposits.inbox``)."""

from __future__ import annotations

from datetime import datetime

from wagering.cashier.deposits import inbox
from wagering.cashier.deposits import services as deposits
from wagering.cashier.deposits.models import Deposit, InboxEvent
from wagering.cashier.deposits.told import Tells
from wagering.cashier.disputes import services
from wagering.cashier.providers.protocol import Disputed
from wagering.rest.retries import outermost


def handle(*, event: InboxEvent, tells: Tells, at: datetime) -> bool:
    """A dispute of a deposit of ours. One that is not known to be paid is looked up first; until then it waits.

    Raises ProviderSilent.
    """
    if not isinstance(tells, Disputed):
        return False
    deposit = Deposit.objects.filter(provider=event.provider, theirs=tells.payment).first()
    if deposit is None:
        return False
    if deposit.paid is None:
        deposit = deposits.look_up(ours=deposit.ours, at=at)
        assert deposit, "it was there"
    if deposit.state == Deposit.State.FAILED and deposit.paid is None:
        inbox.finish(event, outcome="dispute of what was never paid: for an operator", at=at)
    elif deposit.paid is not None:
        outermost(services.settle_told)(deposit=deposit.pk, told=tells, event=event, at=at)
    return True
