"""Paying a contest: whatever ended it, it comes through one function, once."""

from collections.abc import Mapping
from datetime import datetime
from decimal import Decimal

from django.db import transaction

from games import services as games
from games.models import Table
from games.rules import endings
from games.rules.endings import Outcome
from games.rules.sides import SIDES, Side
from ledger import book, postings
from ledger.vouchers import Voucher
from ratings import services as ratings
from ratings.rules import Zone
from wagering.commission import selectors as commission
from wagering.rest.gains import gained
from wagering.settlement import rules
from wagering.settlement.abandonment.rules.split import Split
from wagering.settlement.models import Settlement
from wagering.settlement.rules import Shares
from wagering.stakes import services as stakes
from wagering.stakes.models import Stake


class SettledOtherwise(ValueError):
    """The contest was settled before, with another outcome. What was paid is reversed in the book, not overwritten."""

    def __init__(self, settlement: Settlement, outcome: Outcome) -> None:
        super().__init__(
            f"outcome: table {settlement.stake.table_id} was settled as {settlement.ending}, "
            f"winner {settlement.winner}, {settlement.points} points; now it is reported as {outcome.ending}, "
            f"winner {outcome.winner}, {outcome.points} points"
        )
        self.settlement = settlement


class SettlementReversed(ValueError):
    """What was paid was undone in the book since: the money waits in escrow, under holds that were opened again.

    Two operators close those by what is right (``rulings``), under a key of its own; asking here again pays nothing.
    """

    def __init__(self, settlement: Settlement) -> None:
        super().__init__(
            f"settlement: the payment of table {settlement.stake.table_id} was reversed in the book; the money waits "
            f"in escrow under reopened holds for an operator"
        )
        self.settlement = settlement


def settle_record(*, table: Table, text: str, at: datetime) -> Settlement:
    """Replay the record of everything played at ``table`` and pay what follows from it; again, the first answer.

    Raises what ``games.services.report`` and ``settle`` raise; then nothing is kept of the record either.
    """
    with transaction.atomic():
        outcome = games.report(table=table, text=text, at=at)
        return settle(table=table, outcome=outcome, at=at)


def settle(*, table: Table, outcome: Outcome, at: datetime, lost: Decimal | None = None) -> Settlement:
    """Pay the contest at ``table`` as ``outcome`` says, once, whoever asks twice.

    ``outcome`` is a single game's, or that of the game that decided a match; ``lost`` as for ``rules.price``. Raises
    Stake.DoesNotExist, StakeClosed, SettlementReversed, SettledOtherwise, InvalidAmount.
    """
    with transaction.atomic():
        return _settle(stakes.locked(table=table), outcome, at, lost)


def void(*, table: Table, at: datetime) -> Settlement:
    """The contest does not count: stakes back, no commission, no rating (A-8); again, the first answer.

    Raises what ``settle`` raises.
    """
    return settle(table=table, outcome=endings.voided(), at=at)


# --- Every ending comes through here ----------------------------------------------------------------------------------


def _settle(stake: Stake, outcome: Outcome, at: datetime, lost: Decimal | None) -> Settlement:
    if stake.state == Stake.State.SETTLED:
        return _first_answer(stake.settlement, outcome)
    if stake.state != Stake.State.HELD:
        raise stakes.StakeClosed(stake)
    shares = rules.price(
        outcome=outcome,
        terms=stake.terms,
        tariff=commission.tariff_of(stake.tariff),
        standings=stake.standings,
        lost=lost,
    )
    voucher = _voucher(stake, shares, at)
    told = {
        "winner": outcome.winner,
        "win": outcome.win or "",
        "cube": outcome.cube,
        "points": outcome.points,
        "ending": outcome.ending,
        "lost": shares.lost,
    }
    settlement = write(stake=stake, told=told, paid=shares, key=voucher.key, at=at)
    if outcome.winner is not None:
        rate(stake=stake, winner=outcome.winner, at=at)
    book.post(voucher)
    return settlement


def _first_answer(settlement: Settlement, outcome: Outcome) -> Settlement:
    """What was answered first, as long as it is still so: paid, and for the same outcome."""
    posted = book.find(settlement.key)
    if posted and posted.reversed:
        raise SettlementReversed(settlement)
    return _same(settlement, outcome)


def _same(settlement: Settlement, outcome: Outcome) -> Settlement:
    if settlement.winner is None and outcome.winner is None:
        return settlement  # void is void, wherever the cube stood
    told = settlement.winner, settlement.win, settlement.cube, settlement.points, settlement.ending
    if told != (outcome.winner, outcome.win or "", outcome.cube, outcome.points, outcome.ending):
        raise SettledOtherwise(settlement, outcome)
    return settlement


def _voucher(stake: Stake, shares: Shares, at: datetime) -> Voucher:
    if shares.winner is None:
        return postings.stake_voided(stake=stake.pk, holds=stake.holds, at=at)
    post = postings.series_settled if stake.terms.is_series else postings.single_settled
    return post(
        stake=stake.pk,
        seats=[
            postings.Seat(hold.owner, hold.id, hold.amount, shares.back_to(side))
            for side, hold in zip(SIDES, stake.holds, strict=True)
        ],
        room=stake.table.room_id,
        commission=shares.commission,
        currency=stake.currency,
        at=at,
    )


def write(*, stake: Stake, told: Mapping[str, object], paid: Shares | Split, key: str, at: datetime) -> Settlement:
    """Close ``stake`` by what was ``paid``: the row that says so, ``told`` being how the contest came out."""
    stake.state = Stake.State.SETTLED
    stake.save(update_fields=["state"])
    gained(players=[hold.owner for hold in stake.holds], currency=stake.currency)
    return Settlement.objects.create(
        stake=stake,
        **told,
        commission=paid.commission,
        back_1=paid.back_to(1),
        back_2=paid.back_to(2),
        charge=paid.charge.as_dict() if paid.charge else {},
        key=key,
        settled_at=at,
    )


def rate(*, stake: Stake, winner: Side, at: datetime) -> None:
    """Both ratings change with the result, in the transaction that settles it; who asks knows that it is rated (R)."""
    won, lost = stake.table.seats if winner == 1 else reversed(stake.table.seats)
    ratings.record(
        contest=stake.table_id,
        zone=Zone(stake.table.zone),
        winner=won,
        loser=lost,
        length=max(1, stake.table.match_length),
        at=at,
    )
