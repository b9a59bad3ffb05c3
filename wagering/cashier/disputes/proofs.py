"""What disputes, collections, write-offs and covers say, and what the book does: the same."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from decimal import Decimal
from uuid import UUID

from django.db.models import Q

from ledger import book
from ledger.proofs import Proof
from ledger.vouchers import Voucher
from wagering.cashier.deposits import refunds
from wagering.cashier.deposits import selectors as deposits
from wagering.cashier.disputes import covers, receivables, services, write_offs
from wagering.cashier.disputes.models import Collection, DifferenceCover, Dispute, WriteOff
from wagering.settlement import rulings
from wagering.settlement.models import Ruling

EVENTS = (
    "deposit_charged_back",
    "chargeback_won",
    "receivable_collected",
    "receivable_written_off",
    "dispute_difference_covered",
    "shortfall_owed",
)


def disputes_are_posted() -> Proof:
    """Each dispute, collection, write-off, cover and ruling moved what it says, once; and the book has no other."""
    name, told = "disputes_are_posted", set()
    for voucher, undone in _vouchers():
        told.add(voucher.key)
        posted = book.find(voucher.key)
        if posted is None or set(posted.lines) != set(voucher.lines) or posted.reversed != undone:
            return Proof(name, f"{len(told)} journals", f"{voucher.key}: the book moved something else")
    told |= {refunds.voucher(refund).key for refund in deposits.refunds_charged_back()}
    stray = min(set(book.keys_of(EVENTS)) - told, default=None)
    return Proof(name, f"{len(told)} journals", f"the book has {stray}, no row tells of it" if stray else None)


def receivables_are_told() -> Proof:
    """What each player owes is what disputes, refunds and rulings left, less what was collected, given up or won."""
    name = "receivables_are_told"
    owed: dict[tuple[UUID, str], Decimal] = {}
    for player, currency, amount in _debts():
        owed[player, currency] = owed.get((player, currency), Decimal(0)) + amount
    accounts = book.accounts(kind="receivable")
    for account, balance in book.balances(accounts).items():
        told = owed.pop((account.owner, account.currency), Decimal(0))
        if balance != told:
            fault = f"{account.owner} owes {balance} {account.currency} by the book, {told} by the rows"
            return Proof(name, f"{len(accounts)} accounts", fault)
    left = next((debtor for debtor, amount in owed.items() if amount), None)
    return Proof(name, f"{len(accounts)} accounts", f"{left}: the book knows no debt" if left else None)


def _vouchers() -> Iterator[tuple[Voucher, bool]]:
    """Every voucher that a row tells of, and whether it was reversed since."""
    for dispute in Dispute.objects.select_related("deposit").iterator():
        if dispute.taken:
            yield services.taken(dispute), False
            if dispute.state == Dispute.State.WON:
                yield services.given_back(dispute), False
    for ruling in _rulings():
        yield rulings.shortfall(ruling), False
    for made in Collection.objects.iterator():
        yield receivables.voucher(made), False
    for write_off in WriteOff.objects.filter(done_at__isnull=False).iterator():
        yield write_offs.voucher(write_off), write_off.undone_at is not None
    for cover in DifferenceCover.objects.iterator():
        yield covers.voucher(cover), False


def _debts() -> Iterable[tuple[UUID, str, Decimal]]:
    """What made debts more and less, by player and currency."""
    for dispute in Dispute.objects.select_related("deposit").iterator():
        left = dispute.receivable - dispute.back_receivable
        yield dispute.deposit.player_id, dispute.currency, left
    for refund in deposits.refunds_charged_back().select_related("deposit"):
        yield refund.deposit.player_id, refund.currency, refund.owed
    for ruling in _rulings():
        one, other = ruling.stake.table.seats
        yield one.pk, ruling.stake.currency, ruling.owed_1
        yield other.pk, ruling.stake.currency, ruling.owed_2
    for made in Collection.objects.iterator():
        yield made.player_id, made.currency, -made.amount
    for write_off in WriteOff.objects.filter(done_at__isnull=False, undone_at=None).iterator():
        yield write_off.player_id, write_off.currency, -write_off.amount


def _rulings() -> Iterator[Ruling]:
    """Those that left somebody owing."""
    found = Ruling.objects.filter(Q(owed_1__gt=0) | Q(owed_2__gt=0))
    return found.select_related("stake__table__player_1", "stake__table__player_2").iterator()
