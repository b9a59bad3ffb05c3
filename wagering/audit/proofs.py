"""Proofs about what the book and the tables say of each other. ``prove_book`` runs them after the book's own.

What a table says may be nonsense after a forgery, so nothing here trusts that it can be read: what cannot is a fault.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Final, cast
from uuid import UUID

from django.db.models import QuerySet

from games.live import selectors as lives
from games.models import Game, Record, Table
from games.rules.endings import Ending, Outcome, Win
from games.rules.sides import Side
from games.services import games_of, sha256_of
from ledger import book, chart
from ledger.chart import AccountRef
from ledger.proofs import Proof
from ledger.vouchers import Hold
from wagering.audit.unfinished import lost_again, split_differs
from wagering.commission import selectors as commission
from wagering.seamless import proofs as wagers
from wagering.settlement import rules
from wagering.settlement.models import Ruling, Settlement
from wagering.stakes.models import Stake

OF_STAKES: Final = (
    "stake_held",
    "stake_released",
    "stake_voided",
    "single_settled",
    "series_settled",
    "abandonment_settled",
    "settlement_corrected",
)
"""Events whose key ends in a stake's id."""


def open_stakes_are_held() -> Proof:
    """What the tables say is at stake is what the book's open holds set aside, hold by hold.

    A hold that was opened again, because what had closed it was reversed, is of a stake too: what is right will close
    it.
    """
    name = "open_stakes_are_held"
    held = {hold.id: hold for hold in book.open_holds()}
    seats = 0
    for stake in _stakes().filter(state=Stake.State.HELD).iterator():
        try:
            holds = stake.holds
        except ValueError as refused:
            return Proof(name, f"{seats} seats", f"table {stake.table_id}: {refused}")
        for hold in holds:
            seats += 1
            found = held.pop(hold.id, None)
            if found != hold:
                said = f"{found.amount} {found.currency} of {found.owner}" if found else "nothing"
                fault = f"table {stake.table_id} holds {hold.amount} {hold.currency} of {hold.owner}, the book {said}"
                return Proof(name, f"{seats} seats", fault)
    again = set(_held_again(held)) if held else set()
    # What bets at rooms' own servers hold is looked at by a proof of its own.
    again |= {hold.id for hold in wagers.reopened()} if held else set()
    bets = set(wagers.bets(held)) if held else set()
    stray = next((hold for hold in held.values() if hold.id not in again | bets), None)
    strayed = f"hold {stray.id} of {stray.amount} {stray.currency} is of no open stake" if stray else None
    return Proof(name, f"{seats} seats" + (f", {len(again)} held again" if again else ""), strayed)


def stakes_are_told() -> Proof:
    """Every stake in the book is a table's, and what a table says was held, given back or paid is in the book."""
    name = "stakes_are_told"
    booked = set(book.keys_of(OF_STAKES))
    told = set(Settlement.objects.values_list("key", flat=True))
    told |= set(Ruling.objects.exclude(key="").values_list("key", flat=True))
    stakes = set()
    for stake, state in Stake.objects.values_list("pk", "state"):
        stakes.add(str(stake))
        told.add(f"stake_held:{stake}")
        if state == Stake.State.RELEASED:
            told.add(f"stake_released:{stake}")
    fault = None
    if untold := min((key for key in booked if key.split(":")[1] not in stakes), default=None):
        fault = f"the book has {untold}, no table tells of that stake"
    elif unbooked := min(told - booked, default=None):
        fault = f"a table tells of {unbooked}, the book does not have it"
    return Proof(name, f"{len(stakes)} stakes", fault)


def settlements_are_posted() -> Proof:
    """Every settlement is in the book: what each side got back and the house's commission, to the last digit."""
    name = "settlements_are_posted"
    count = undone = 0
    for settlement in _settlements():
        count += 1
        stake = settlement.stake
        try:
            expected = _expected(settlement)
        except ValueError as refused:
            return Proof(name, f"{count} settlements", f"table {stake.table_id}: {refused}")
        posted = book.find(settlement.key)
        if posted is None or {line.account: (line.side, line.amount) for line in posted.lines} != expected:
            moved = "something else" if posted else "nothing"
            return Proof(
                name, f"{count} settlements", f"table {stake.table_id}: the book moved {moved} as {settlement.key}"
            )
        if stake.state != Stake.State.SETTLED:
            return Proof(name, f"{count} settlements", f"table {stake.table_id} was settled and says {stake.state}")
        undone += posted.reversed
    missing = _stakes().filter(state=Stake.State.SETTLED, settlement=None).first()
    untold = f"table {missing.table_id} is settled and nothing tells how" if missing else None
    return Proof(name, f"{count} settlements" + (f", {undone} reversed" if undone else ""), untold)


def settlements_compute_again() -> Proof:
    """Every settlement follows from its games, and computes again to what was paid, from what was fixed at sit-down.

    The games are replayed from the record that was reported, if there is one.
    """
    name = "settlements_compute_again"
    count = 0
    for settlement in _settlements():
        count += 1
        try:
            fault = _differs(settlement)
        except ValueError as refused:
            fault = str(refused)
        if fault:
            return Proof(name, f"{count} settlements", f"table {settlement.stake.table_id}: {fault}")
    return Proof(name, f"{count} settlements")


def _expected(settlement: Settlement) -> dict[AccountRef, tuple[chart.Side, Decimal]]:
    """What a settlement moves, account by account; what is nothing is no line."""
    stake = settlement.stake
    moves: dict[AccountRef, tuple[chart.Side, Decimal]] = {
        chart.commission(stake.table.room_id, stake.currency): ("CR", settlement.commission),
    }
    for hold, back in zip(stake.holds, (settlement.back_1, settlement.back_2), strict=True):
        moves[chart.escrow(hold.owner, hold.currency)] = "DR", hold.amount
        moves[chart.wallet(hold.owner, hold.currency)] = "CR", back
    return {account: (side, amount) for account, (side, amount) in moves.items() if amount}


def _differs(settlement: Settlement) -> str | None:
    """What about ``settlement`` is not what its games and its price make it."""
    stake = settlement.stake
    games = list(Game.objects.filter(table=stake.table_id).order_by("number"))
    if fault := _unrecorded(stake.table, games):
        return fault
    if settlement.is_split:
        return "it was played to its end and split" if games else split_differs(settlement)
    if games and _outcome(games[-1]) != _outcome(settlement):
        return "its games came out otherwise"
    shares = rules.price(
        outcome=_outcome(settlement),
        terms=stake.terms,
        tariff=commission.tariff_of(stake.tariff),
        standings=stake.standings,
        lost=lost_again(settlement),
    )
    for what, computed, paid in (
        ("lost", shares.lost, settlement.lost),
        ("commission", shares.commission, settlement.commission),
        ("back to side 1", shares.back_to(1), settlement.back_1),
        ("back to side 2", shares.back_to(2), settlement.back_2),
    ):
        if computed != paid:
            return f"{what} computes to {computed}, not {paid}"
    if settlement.charge != (shares.charge.as_dict() if shares.charge else {}):
        return "its charge was told otherwise"
    return None


def _unrecorded(table: Table, games: Sequence[Game]) -> str | None:
    """What about the ``games`` kept of ``table`` is not what its record replays to, under the table's own rules, with
    what analyses found lost by the clock.

    Raises ValueError for a record that does not stand, and for an analysis that does not compute again.
    """
    record: Record | None = getattr(table, "record", None)
    if record is None:
        return "it has games and no record" if games else None
    if record.sha256 != sha256_of(record.text):
        return "its record is not the one that was reported"
    judged = lives.judged(table=table.pk)
    if [_told(game) for game in games] != [
        _told(game) for game in games_of(table=table, text=record.text, judged=judged)
    ]:
        return "its record replays to other games"
    return None


def _told(game: Game) -> tuple[object, ...]:
    return game.number, game.winner, game.win, game.cube, game.points, game.ending, game.plays


def _outcome(told: Game | Settlement) -> Outcome:
    """Raises ValueError for what no contest can come to."""
    win = Win(told.win) if told.win else None
    winner = cast("Side | None", told.winner)
    return Outcome(winner=winner, win=win, cube=told.cube, points=told.points, ending=Ending(told.ending))


def _held_again(open_holds: Mapping[UUID, Hold]) -> Iterator[UUID]:
    """Those of ``open_holds`` that took the place of closed ones, when what closed them was reversed."""
    for stake in _stakes().exclude(state=Stake.State.HELD).iterator():
        try:
            holds = stake.holds
        except ValueError:
            continue  # what cannot be read excuses nothing
        for hold in holds:
            again = replace(hold, id=book.reopened(hold.id))
            if open_holds.get(again.id) == again and _was_reversed(stake):
                yield again.id


def _was_reversed(stake: Stake) -> bool:
    """Whether the journal that closed ``stake`` was undone since."""
    settled = stake.state == Stake.State.SETTLED
    settlement = Settlement.objects.filter(stake=stake).first() if settled else None
    closing = book.find(settlement.key if settlement else f"stake_released:{stake.pk}")
    return closing is not None and closing.reversed


def _stakes() -> QuerySet[Stake]:
    return Stake.objects.select_related("table__player_1", "table__player_2").order_by("sat_down_at", "id")


def _settlements() -> Iterator[Settlement]:
    settlements = Settlement.objects.select_related(
        "stake__table__player_1", "stake__table__player_2", "stake__table__record", "stake__tariff"
    )
    return settlements.order_by("settled_at", "id").iterator()
