"""The daily sweep. What it moved is to be moved at the bank too: the list of sweeps says how much, for which day."""

from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal

from django.db import transaction

from games.models import Room
from ledger import book, postings
from ledger.chart import AccountRef
from wagering.cashier.sweeps.models import CommissionSweep


def sweep(*, day: date, at: datetime) -> list[CommissionSweep]:
    """Sweep what every room had earned by the end of ``day`` (UTC) and has not had swept; again: nothing more."""
    accounts = [account for account in book.accounts(kind="commission") if account.currency != "PLAY"]
    return [swept for account in accounts if (swept := _swept(account, day, at)) is not None]


def _swept(account: AccountRef, day: date, at: datetime) -> CommissionSweep | None:
    with transaction.atomic():
        # The room's row is what two sweeps at once wait for: the second sees what the first has taken.
        room = Room.objects.select_for_update(no_key=True).get(pk=account.owner)
        if CommissionSweep.objects.filter(room=room, currency=account.currency, day=day).exists():
            return None
        amount = _earned(account, day)
        if amount <= 0:
            return None
        made = CommissionSweep.objects.create(room=room, currency=account.currency, day=day, amount=amount, swept_at=at)
        voucher = postings.commission_swept(
            sweep=made.pk, room=room.pk, amount=amount, currency=account.currency, at=at
        )
        book.post(voucher)
        return made


def _earned(account: AccountRef, day: date) -> Decimal:
    """What was earned by the end of the day, less what was swept since; not more than is there now.

    A settlement that was reversed since has taken its commission back out of what is there.
    """
    end = datetime.combine(day + timedelta(days=1), time(), UTC) - timedelta(microseconds=1)
    later = CommissionSweep.objects.filter(room=account.owner, currency=account.currency, swept_at__gt=end)
    swept = sum(later.values_list("amount", flat=True), Decimal(0))
    return min(book.balance_at(account, end) - swept, book.balance(account))
