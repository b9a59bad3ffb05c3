"""Proofs about what the book and the tables say of each other. ``prove_book`` runs them after the book's own."""

from collections.abc import Iterator
from decimal import Decimal
from uuid import UUID

from django.db.models import QuerySet

from ledger import book, chart
from ledger.chart import AccountRef
from ledger.proofs import Proof
from wagering.settlement.models import Settlement
from wagering.stakes.models import Stake


def open_stakes_are_held() -> Proof:
    """What the tables say is at stake is what the book's open holds set aside, hold by hold."""
    name = "open_stakes_are_held"
    held = {hold.id: hold for hold in book.open_holds()}
    count = 0
    for stake in _stakes().filter(state=Stake.State.HELD):
        for hold in stake.holds:
            count += 1
            found = held.pop(hold.id, None)
            if found != hold:
                said = f"{found.amount} {found.currency} of {found.owner}" if found else "nothing"
                return Proof(name, f"{count} seats", f"table {stake.table_id} holds {hold.amount}, the book {said}")
    again = _held_again() if held else set()
    stray = next((hold for hold in held.values() if hold.id not in again), None)
    fault = f"hold {stray.id} of {stray.amount} {stray.currency} is of no open stake" if stray else None
    return Proof(name, f"{count} seats", fault)


def settlements_are_posted() -> Proof:
    """Every settlement is in the book: what each side got back and the house's commission, to the last digit."""
    name = "settlements_are_posted"
    count = 0
    for settlement in _settlements():
        count += 1
        posted = book.find(settlement.key)
        moved = {line.account: line.amount for line in posted.lines} if posted else {}
        if moved != _expected(settlement):
            fault = f"table {settlement.stake.table_id}: the book moved something else as {settlement.key}"
            return Proof(name, f"{count} settlements", fault)
    missing = _stakes().filter(state=Stake.State.SETTLED, settlement=None).first()
    untold = f"table {missing.table_id} is settled and nothing tells how" if missing else None
    return Proof(name, f"{count} settlements", untold)


def _expected(settlement: Settlement) -> dict[AccountRef, Decimal]:
    """What a settlement moves, account by account; what is nothing is no line."""
    stake = settlement.stake
    moves: dict[AccountRef, Decimal] = {
        chart.commission(stake.table.room_id, stake.currency): settlement.commission,
    }
    for hold, back in zip(stake.holds, (settlement.back_1, settlement.back_2), strict=True):
        moves[chart.escrow(hold.owner, hold.currency)] = hold.amount
        moves[chart.wallet(hold.owner, hold.currency)] = back
    return {account: amount for account, amount in moves.items() if amount}


def _held_again() -> set[UUID]:
    """Holds that may have taken the place of closed ones, when what closed them was reversed."""
    closed = _stakes().exclude(state=Stake.State.HELD)
    return {book.reopened(hold.id) for stake in closed for hold in stake.holds}


def _stakes() -> QuerySet[Stake]:
    return Stake.objects.select_related("table__player_1", "table__player_2").order_by("sat_down_at", "id")


def _settlements() -> Iterator[Settlement]:
    settlements = Settlement.objects.select_related("stake__table__player_1", "stake__table__player_2")
    return settlements.order_by("settled_at", "id").iterator()
