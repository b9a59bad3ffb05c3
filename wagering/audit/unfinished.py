"""Proofs about contests that were left, lost by the clock or ruled on: each waits or is closed, and what was kept
computes again (A-7, A-10).
"""

from collections.abc import Iterator
from decimal import Decimal

from django.db.models import Q

from games.live.models import Live
from games.live.rules.stand import Status
from games.rules.sides import SIDES
from ledger import book, chart
from ledger.chart import AccountRef
from ledger.proofs import Proof
from wagering.settlement import rulings
from wagering.settlement.abandonment.rules.split import Split
from wagering.settlement.abandonment.rules.valuation import again
from wagering.settlement.abandonment.services import lost_of, split_of
from wagering.settlement.models import Adjudication, Ruling, Settlement
from wagering.stakes.models import Stake

Told = tuple[object, ...]


def rulings_are_posted() -> Proof:
    """Every ruling that counts is of two operators, computes again, and moved that in the book in place of what it
    reversed.
    """
    name, count = "rulings_are_posted", 0
    for ruling in _rulings():
        count += 1
        try:
            fault = _ruled_otherwise(ruling)
        except ValueError as refused:
            fault = str(refused)
        if fault:
            return Proof(name, f"{count} rulings", f"table {ruling.stake.table_id}: {fault}")
    return Proof(name, f"{count} rulings")


def ended_contests_are_closed() -> Proof:
    """A contest that has ended at its table is closed in the book's eyes too, or a game of it waits to be judged.

    What waits is of a stake still held, and what is told as settled or released waits for nothing.
    """
    name, count = "ended_contests_are_closed", 0
    found = Stake.objects.select_related("adjudication", "table__live").order_by("sat_down_at", "id")
    for stake in found.filter(Q(table__live__isnull=False) | Q(adjudication__isnull=False)).iterator():
        count += 1
        if fault := _left_standing(stake):
            return Proof(name, f"{count} contests", f"table {stake.table_id}: {fault}")
    return Proof(name, f"{count} contests")


def _left_standing(stake: Stake) -> str | None:
    adjudication: Adjudication | None = getattr(stake, "adjudication", None)
    live: Live | None = getattr(stake.table, "live", None)
    is_held = stake.state == Stake.State.HELD
    if adjudication is not None:
        waits = adjudication.state != Adjudication.State.SETTLED
        if waits is not is_held:
            return f"its adjudication is {adjudication.state} and its stake {stake.state}"
        if waits and live is not None and not Status(live.status).is_final:
            return f"its adjudication is {adjudication.state} and the table {live.status}"
    elif live is not None and Status(live.status).is_final and is_held:
        return f"the contest is {live.status}, its stake is still held, and no adjudication waits"
    return None


def split_differs(settlement: Settlement) -> str | None:
    """What about a split is not what its record, or the ruling in place of one, computes to."""
    stake = settlement.stake
    adjudication = Adjudication.objects.filter(stake=stake).first()
    if adjudication is None:
        return "it was split and nothing tells how it was left"
    ruling = Ruling.objects.filter(stake=stake, key=settlement.key).first()
    if ruling is None and (fault := _record_differs(adjudication)):
        return fault
    shares = split_of(adjudication, stake) if ruling is None else rulings.shares_of(ruling, stake)
    paid = (settlement.winner, settlement.lost, settlement.commission, settlement.back_1, settlement.back_2)
    if _told(shares) != paid:
        return f"its split computes to {_words(_told(shares))}, not {_words(paid)}"
    return None if settlement.charge == _charge(shares) else "its charge was told otherwise"


def lost_again(settlement: Settlement) -> Decimal | None:
    """What a game costs that was lost by the clock or forfeited, if a record was kept of it. Raises ValueError for a
    record that does not compute again.
    """
    adjudication = Adjudication.objects.filter(stake=settlement.stake).first()
    if adjudication is None:
        return None
    if fault := _record_differs(adjudication):
        raise ValueError(fault)
    return lost_of(adjudication, settlement.stake)


def _record_differs(adjudication: Adjudication) -> str | None:
    record = adjudication.record
    if record is None:
        return "it was split without a record" if adjudication.is_split else None
    try:
        same = again(record).as_dict() == record
    except (ArithmeticError, AssertionError, LookupError, TypeError, ValueError):
        same = False  # a record that was forged may be anything
    if not same:
        return "its record does not compute again"
    # Between two games there is no position to value: the table's word on the score.
    valued = None if adjudication.cause == Adjudication.Cause.SERVICE else adjudication.xgid
    return None if record["inputs"]["xgid"] == valued else "its record is of another game"


def _ruled_otherwise(ruling: Ruling) -> str | None:
    stake = ruling.stake
    shares = rulings.shares_of(ruling, stake)
    told = (ruling.receiver, ruling.transfer, ruling.commission, ruling.back_1, ruling.back_2)
    if _told(shares) != told or ruling.charge != _charge(shares):
        return f"its ruling computes to {_words(_told(shares))}, not {_words(told)}"
    settled = Settlement.objects.filter(stake=stake).first()
    if settled is None:
        return "it was ruled on and is not settled"
    if ruling.key == settled.key:
        return None  # what was paid by it is looked at with the settlements
    before, posted = book.find(settled.key), book.find(ruling.key)
    if before is None or not before.reversed:
        return f"a ruling was paid beside {settled.key}, which was not reversed"
    moved = {} if posted is None else {line.account: (line.side, line.amount) for line in posted.lines}
    return None if moved == _moves(ruling) else f"the book moved something else as {ruling.key}"


def _moves(ruling: Ruling) -> dict[AccountRef, tuple[chart.Side, Decimal]]:
    stake = ruling.stake
    assert ruling.commission is not None and ruling.back_1 is not None and ruling.back_2 is not None
    moves: dict[AccountRef, tuple[chart.Side, Decimal]] = {
        chart.commission(stake.table.room_id, stake.currency): ("CR", ruling.commission)
    }
    for side, hold in zip(SIDES, stake.holds, strict=True):
        moves[chart.escrow(hold.owner, hold.currency)] = "DR", hold.amount
        moves[chart.wallet(hold.owner, hold.currency)] = "CR", ruling.back_1 if side == 1 else ruling.back_2
    return {account: (side, amount) for account, (side, amount) in moves.items() if amount}


def _told(shares: Split) -> Told:
    return shares.receiver, shares.transfer, shares.commission, shares.back_1, shares.back_2


def _charge(shares: Split) -> dict[str, object]:
    return shares.charge.as_dict() if shares.charge else {}


def _words(told: Told) -> str:
    return " ".join(map(str, told))


def _rulings() -> Iterator[Ruling]:
    found = Ruling.objects.filter(approved_at__isnull=False).order_by("approved_at", "id")
    return found.select_related("stake__table__player_1", "stake__table__player_2", "stake__tariff").iterator()
