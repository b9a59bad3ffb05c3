"""The operator makes good what disputes took beyond the deposits (P-4)."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal

from django.db import transaction

from games.models import User
from ledger import book, chart, money, postings
from ledger.vouchers import Voucher
from wagering.cashier.disputes.models import DifferenceCover, Dispute


class NotCovered(ValueError):
    """There is no reason, or less to be covered."""


@transaction.atomic
def cover(*, currency: str, amount: Decimal, reason: str, by: User, at: datetime) -> DifferenceCover:
    """Pay ``amount`` of the differences into the players' account. Raises NotCovered, InvalidAmount."""
    amount = money.exact(amount, currency)
    if not reason.strip():
        raise NotCovered("reason: is missing")
    # What two covers at once wait for; where there is a difference there is one of these.
    list(Dispute.objects.select_for_update(of=("self",)).filter(currency=currency, difference__gt=0).order_by("pk"))
    uncovered = book.balance(chart.house("dispute_differences", currency))
    if not 0 < amount <= uncovered:
        raise NotCovered(f"amount: {amount} is not within the {uncovered} {currency} that is not covered")
    made = DifferenceCover.objects.create(
        currency=currency, amount=amount, reason=reason.strip()[:500], covered_by=by, covered_at=at
    )
    book.post(voucher(made))
    return made


def voucher(made: DifferenceCover) -> Voucher:
    """What a cover moved in the book."""
    return postings.dispute_difference_covered(
        cover=made.pk, amount=made.amount, currency=made.currency, at=made.covered_at
    )
