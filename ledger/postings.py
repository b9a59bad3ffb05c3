"""The auditor's page: every event that moves money, and the lines it writes. Nothing else builds a voucher.

Each function is one event. Debit (DR) and credit (CR) follow the chart (``ledger/chart.py``): a wallet, an escrow and a
commission grow on CR, a bank and a clearing account on DR. Worked amounts of every event stand in
``tests/golden/postings.txt``.
"""

from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal
from typing import Literal, NamedTuple
from uuid import UUID

from ledger import chart
from ledger.vouchers import Hold, Line, Voucher, credit, debit


class Win(NamedTuple):
    """What is paid out of a round to one of those who staked in it."""

    player: UUID
    amount: Decimal


class Seat(NamedTuple):
    """One side of a contest as the book needs it: the hold of what they set aside, and what of it comes back."""

    player: UUID
    hold: UUID
    held: Decimal
    returned: Decimal


def deposit_confirmed(
    *, deposit: UUID, player: UUID, provider: UUID, amount: Decimal, currency: str, at: datetime
) -> Voucher:
    """A payment provider confirms a deposit: it owes us the money, we owe it to the player (P-1)."""
    return Voucher(
        event="deposit_confirmed",
        key=f"deposit_confirmed:{deposit}",
        occurred_at=at,
        lines=[
            debit(chart.clearing(provider, currency), amount),
            credit(chart.wallet(player, currency), amount),
        ],
    )


def play_money_issued(*, issue: UUID, player: UUID, amount: Decimal, at: datetime) -> Voucher:
    """Play money is given to a player of the amateurs' zone, free of charge (Z)."""
    return Voucher(
        event="play_money_issued",
        key=f"play_money_issued:{issue}",
        occurred_at=at,
        lines=[
            debit(chart.house("play_issued", "PLAY"), amount),
            credit(chart.wallet(player, "PLAY"), amount),
        ],
    )


def stake_held(*, stake: UUID, holds: Sequence[Hold], at: datetime) -> Voucher:
    """Players sit down: each one's exposure goes from the wallet into escrow, all or none (S-4)."""
    lines: list[Line] = []
    for hold in holds:
        lines.append(debit(chart.wallet(hold.owner, hold.currency), hold.amount))
        lines.append(credit(chart.escrow(hold.owner, hold.currency), hold.amount))
    return Voucher(event="stake_held", key=f"stake_held:{stake}", occurred_at=at, lines=lines, opens=tuple(holds))


def stake_released(*, stake: UUID, holds: Sequence[Hold], at: datetime) -> Voucher:
    """Players stand up before the contest starts: everything held goes back."""
    return _all_back(event="stake_released", stake=stake, holds=holds, at=at)


def stake_voided(*, stake: UUID, holds: Sequence[Hold], at: datetime) -> Voucher:
    """A contest that began is void: every stake goes back, no commission is taken (A-8)."""
    return _all_back(event="stake_voided", stake=stake, holds=holds, at=at)


def single_settled(
    *, stake: UUID, seats: Sequence[Seat], room: UUID, commission: Decimal, currency: str, at: datetime
) -> Voucher:
    """A single game is decided: both escrows empty into the two wallets and the room's commission (S-5)."""
    return _settled("single_settled", stake, seats, room, commission, currency, at)


def series_settled(
    *, stake: UUID, seats: Sequence[Seat], room: UUID, commission: Decimal, currency: str, at: datetime
) -> Voucher:
    """A match is decided: both escrows empty into the two wallets and the room's commission (S-5)."""
    return _settled("series_settled", stake, seats, room, commission, currency, at)


def wager_held(*, wager: UUID, hold: Hold, at: datetime) -> Voucher:
    """A player bets in a round at a room's own server: the amount goes from the wallet into escrow (S-4)."""
    return Voucher(
        event="wager_held",
        key=f"wager_held:{wager}",
        occurred_at=at,
        lines=[
            debit(chart.wallet(hold.owner, hold.currency), hold.amount),
            credit(chart.escrow(hold.owner, hold.currency), hold.amount),
        ],
        opens=(hold,),
    )


def wager_released(*, wager: UUID, hold: Hold, at: datetime) -> Voucher:
    """A bet is rolled back or refunded before its round closes: it goes back whole."""
    return Voucher(
        event="wager_released",
        key=f"wager_released:{wager}",
        occurred_at=at,
        lines=[
            debit(chart.escrow(hold.owner, hold.currency), hold.amount),
            credit(chart.wallet(hold.owner, hold.currency), hold.amount),
        ],
        releases=(hold.id,),
    )


def round_settled(
    *,
    round: UUID,  # noqa: A002 - what the room's server calls it
    holds: Sequence[Hold],
    wins: Sequence[Win],
    room: UUID,
    commission: Decimal,
    currency: str,
    at: datetime,
) -> Voucher:
    """A round closes: the escrows of all its bets empty into the winners' wallets and the room's commission (S-5)."""
    lines = [debit(chart.escrow(hold.owner, hold.currency), hold.amount) for hold in holds]
    lines += [credit(chart.wallet(win.player, currency), win.amount) for win in wins]
    lines += [credit(chart.commission(room, currency), commission)]
    return Voucher(
        event="round_settled",
        key=f"round_settled:{round}",
        occurred_at=at,
        lines=lines,
        captures=tuple(hold.id for hold in holds),
    )


def abandonment_settled(
    *, stake: UUID, seats: Sequence[Seat], room: UUID, commission: Decimal, currency: str, at: datetime
) -> Voucher:
    """A contest that was left is settled by what it was worth: the escrows empty as after a win of that much (A-6)."""
    return _settled("abandonment_settled", stake, seats, room, commission, currency, at)


def settlement_corrected(
    *, stake: UUID, seats: Sequence[Seat], room: UUID, commission: Decimal, currency: str, at: datetime
) -> Voucher:
    """A settlement was reversed, and this is what two operators ruled instead; it empties the new holds (A-10)."""
    return _settled("settlement_corrected", stake, seats, room, commission, currency, at)


def manual_adjustment(
    *,
    adjustment: UUID,
    player: UUID,
    direction: Literal["credit", "debit"],
    amount: Decimal,
    currency: str,
    reason: str,
    operator: UUID,
    at: datetime,
) -> Voucher:
    """An operator corrects a wallet by hand, for a stated ``reason``; ``direction`` is the wallet's.

    Real money follows at the operator's expense from its own bank account to the players', so that customer money stays
    whole (P-4); play money is issued or taken back.
    """
    if direction not in ("credit", "debit"):
        raise ValueError(f"direction: {direction!r} is neither 'credit' nor 'debit'")
    if currency == "PLAY":
        lines = [
            debit(chart.house("play_issued", currency), amount),
            credit(chart.wallet(player, currency), amount),
        ]
    else:
        lines = [
            debit(chart.house("adjustments", currency), amount),
            credit(chart.house("bank_operating", currency), amount),
            debit(chart.house("bank_customers", currency), amount),
            credit(chart.wallet(player, currency), amount),
        ]
    return Voucher(
        event="manual_adjustment",
        key=f"manual_adjustment:{adjustment}",
        occurred_at=at,
        lines=lines if direction == "credit" else [_opposite(line) for line in lines],
        detail={"reason": reason, "operator": str(operator)},
    )


def commission_swept(*, sweep: UUID, room: UUID, amount: Decimal, currency: str, at: datetime) -> Voucher:
    """Earned commission leaves the players' bank account for the operator's own and becomes revenue (P-4)."""
    return Voucher(
        event="commission_swept",
        key=f"commission_swept:{sweep}",
        occurred_at=at,
        lines=[
            debit(chart.commission(room, currency), amount),
            credit(chart.house("bank_customers", currency), amount),
            debit(chart.house("bank_operating", currency), amount),
            credit(chart.house("revenue", currency), amount),
        ],
    )


def reversal(
    *,
    journal: int,
    lines: Sequence[Line],
    opens: Sequence[Hold],
    reason: str,
    at: datetime,
) -> Voucher:
    """A mistake is undone: every line of ``journal`` on the other side. Nothing is ever edited.

    Money that the journal took out of escrow goes back under a new hold. A journal that opened holds has no reversal.
    """
    return Voucher(
        event="reversal",
        key=f"reverse:{journal}",
        occurred_at=at,
        lines=[_opposite(line) for line in lines],
        opens=opens,
        reverses=journal,
        detail={"reason": reason},
    )


def _settled(
    event: str,
    stake: UUID,
    seats: Sequence[Seat],
    room: UUID,
    commission: Decimal,
    currency: str,
    at: datetime,
) -> Voucher:
    lines = [debit(chart.escrow(seat.player, currency), seat.held) for seat in seats]
    lines += [credit(chart.wallet(seat.player, currency), seat.returned) for seat in seats]
    lines += [credit(chart.commission(room, currency), commission)]
    return Voucher(
        event=event,
        key=f"{event}:{stake}",
        occurred_at=at,
        lines=lines,
        captures=tuple(seat.hold for seat in seats),
    )


def _all_back(*, event: str, stake: UUID, holds: Sequence[Hold], at: datetime) -> Voucher:
    lines: list[Line] = []
    for hold in holds:
        lines.append(debit(chart.escrow(hold.owner, hold.currency), hold.amount))
        lines.append(credit(chart.wallet(hold.owner, hold.currency), hold.amount))
    return Voucher(
        event=event, key=f"{event}:{stake}", occurred_at=at, lines=lines, releases=tuple(hold.id for hold in holds)
    )


def _opposite(line: Line) -> Line:
    return Line(line.account, "CR" if line.side == "DR" else "DR", line.amount)
