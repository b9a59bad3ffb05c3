"""What the book says of deposits and refunds, and what their rows say: the same."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal
from uuid import UUID

from ledger import book
from ledger.proofs import Proof
from ledger.vouchers import Voucher
from wagering.cashier.deposits import refunds, services
from wagering.cashier.deposits.models import CREDITED, Deposit, Refund
from wagering.cashier.providers import registry

ZERO = Decimal(0)


def deposits_are_posted() -> Proof:
    """Each deposit that succeeded was credited as it was paid, once; no other was; and nobody else's was."""
    name = "deposits_are_posted"
    told = set()
    for count, deposit in enumerate(Deposit.objects.filter(state__in=CREDITED).iterator(), start=1):
        voucher = services.voucher(deposit)
        told.add(voucher.key)
        if not _is_in_the_book(voucher):
            return Proof(name, f"{count} deposits", f"deposit {deposit.pk}: the book moved something else")
    stray = _stray(told, "deposit_confirmed")
    return Proof(name, f"{len(told)} deposits", f"the book has {stray}, no deposit tells of it" if stray else None)


def refunds_are_posted() -> Proof:
    """Each refund left the wallet as it says, one that failed came back, and no more went back than was paid."""
    name = "refunds_are_posted"
    told = set()
    back: dict[UUID, Decimal] = {}
    for count, refund in enumerate(Refund.objects.select_related("deposit").iterator(), start=1):
        deposit, figure = refund.deposit, f"{count} refunds"
        stands = refund.state != Refund.State.FAILED
        back[deposit.pk] = back.get(deposit.pk, ZERO) + (refund.amount if stands else ZERO)
        if deposit.paid is None or back[deposit.pk] > deposit.paid:
            return Proof(name, figure, f"deposit {deposit.pk}: more went back than was paid")
        if deposit.succeeded_at:
            voucher = refunds.voucher(refund)
            told.add(voucher.key)
            if not _is_in_the_book(voucher, reversed_since=not stands):
                return Proof(name, figure, f"refund {refund.pk}: the book moved something else")
    stray = _stray(told, "deposit_refunded")
    return Proof(name, f"{len(told)} refunds", f"the book has {stray}, no refund tells of it" if stray else None)


def _is_in_the_book(voucher: Voucher, *, reversed_since: bool = False) -> bool:
    posted = book.find(voucher.key)
    return posted is not None and set(posted.lines) == set(voucher.lines) and posted.reversed == reversed_since


def _stray(told: Iterable[str], event: str) -> str | None:
    """A journal of ``event`` that no row tells of and that moved the account of a provider that there is code for."""
    known = registry.accounts()
    for key in sorted(set(book.keys_of([event])) - set(told)):
        posted = book.find(key)
        assert posted
        if any(line.account.owner in known for line in posted.lines):
            return key
    return None
