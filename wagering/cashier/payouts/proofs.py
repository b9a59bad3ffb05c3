"""What the book says of payouts, and what their rows say: the same. And every order can be written again."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from decimal import Decimal
from uuid import UUID

from ledger import book, chart
from ledger.proofs import Proof
from ledger.vouchers import Voucher
from wagering.cashier.bank.models import BankEntry
from wagering.cashier.payouts import batches, outcomes, services
from wagering.cashier.payouts.models import Attempt, Batch
from wagering.vault.services import Erased, KeyUnknown


def pending_payouts_are_open() -> Proof:
    """What each player has pending is the sum of their open attempts, in each currency."""
    name = "pending_payouts_are_open"
    rows: dict[tuple[UUID, str], Decimal] = {}
    opened = Attempt.objects.filter(released_at=None, paid_at=None)
    for player, currency, amount in opened.values_list("payout__player", "payout__currency", "payout__amount"):
        rows[player, currency] = rows.get((player, currency), Decimal(0)) + amount
    accounts = {(each.owner, each.currency) for each in book.accounts(kind="payouts_pending")}
    for player, currency in sorted(rows.keys() | accounts, key=str):
        pending = book.balance(chart.players("payouts_pending", player, currency))
        if pending != rows.get((player, currency), Decimal(0)):
            told = rows.get((player, currency), Decimal(0))
            return Proof(name, f"{len(rows)} players", f"{player}: {pending} {currency} pending, attempts say {told}")
    return Proof(name, f"{len(rows)} players")


def payouts_are_posted() -> Proof:
    """Each attempt moved in the book what its row says, step by step; nothing else did, and suspense has what waits."""
    name, told = "payouts_are_posted", set()
    for count, attempt in enumerate(Attempt.objects.select_related("payout").iterator(), start=1):
        for voucher in _vouchers(attempt):
            told.add(voucher.key)
            posted = book.find(voucher.key)
            if posted is None or set(posted.lines) != set(voucher.lines):
                return Proof(name, f"{count} attempts", f"attempt {attempt.pk}: {voucher.event} is not so in the book")
    events = ("payout_held", "payout_released", "payout_paid", "payout_returned")
    if stray := min(set(book.keys_of(events)) - told, default=None):
        return Proof(name, f"{len(told)} journals", f"the book has {stray}, no attempt tells of it")
    return Proof(name, f"{len(told)} journals", _suspense())


def batches_write_again() -> Proof:
    """Each batch, written again, is the file whose hash it keeps, with its count and its control sum."""
    name, erased = "batches_write_again", 0
    rows = list(Batch.objects.order_by("made_at", "pk"))
    for batch in rows:
        try:
            file = batches.render(batch)
        except Erased:
            erased += 1
            continue
        except KeyUnknown as unknown:
            return Proof(name, f"{len(rows)} batches", str(unknown))
        amounts = [attempt.payout.amount for attempt in batch.attempts.select_related("payout")]
        same = hashlib.sha256(file).hexdigest() == batch.sha256
        if not same or (len(amounts), sum(amounts)) != (batch.count, batch.control_sum):
            return Proof(name, f"{len(rows)} batches", f"batch {batch.pk} is not what it was made as")
    return Proof(name, f"{len(rows)} batches, {erased} of them with somebody who is erased")


def _vouchers(attempt: Attempt) -> Iterator[Voucher]:
    yield services.held(attempt)
    if attempt.released_at is not None:
        yield services.released(attempt)
    if attempt.paid_at is not None:
        yield outcomes.paid(attempt)
    if attempt.returned_at is not None:
        yield outcomes.returned(attempt)
    if attempt.credited_at is not None:
        yield outcomes.credited(attempt)


def _suspense() -> str | None:
    """The account is what came in and is nobody's yet, and what came back and was not credited yet."""
    waits: dict[str, Decimal] = {}
    entries = BankEntry.objects.filter(state=BankEntry.State.SUSPENSE).values_list("currency", "amount")
    backs = Attempt.objects.filter(returned_at__isnull=False, credited_at=None)
    for currency, amount in (*entries, *backs.values_list("payout__currency", "returned")):
        waits[currency] = waits.get(currency, Decimal(0)) + (amount or 0)
    for account, balance in book.balances(book.accounts(kind="suspense")).items():
        if balance != waits.get(account.currency, Decimal(0)):
            return f"suspense has {balance} {account.currency}, {waits.get(account.currency, 0)} waits in it"
    return None
