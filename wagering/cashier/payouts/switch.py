"""One row stops all that pays out, jobs and approvals. Requests are held all the same, what was sent is looked up."""

from __future__ import annotations

from datetime import datetime

from games.models import User
from wagering.cashier.payouts.models import Switch


class PayoutsStopped(Exception):
    """An operator has stopped all payouts; nothing is approved until one lets them go on."""


def is_stopped() -> bool:
    """By the latest word; asked in the transaction that would pay."""
    latest = Switch.objects.order_by("-id").first()
    return latest is not None and latest.stopped


def turn(*, stopped: bool, reason: str, by: User, at: datetime) -> Switch:
    return Switch.objects.create(stopped=stopped, reason=reason, by=by, at=at)
