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
    """What comes into one player's wallet."""

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
    return _moved(
        "deposit_confirmed",
        deposit,
        at,
        debit(chart.clearing(provider, currency), amount),
        credit(chart.wallet(player, currency), amount),
    )


def play_money_issued(*, issue: UUID, player: UUID, amount: Decimal, at: datetime) -> Voucher:
    """Play money is given to a player of the amateurs' zone, free of charge (Z)."""
    return _moved(
        "play_money_issued",
        issue,
        at,
        debit(chart.house("play_issued", "PLAY"), amount),
        credit(chart.wallet(player, "PLAY"), amount),
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


def shortfall_owed(*, ruling: UUID, shortfalls: Sequence[Win], currency: str, at: datetime) -> Voucher:
    """A settlement is about to be reversed whose money has gone on: what the wallets lack of it is owed (A-10, P-3)."""
    lines: list[Line] = []
    for short in shortfalls:
        lines.append(debit(chart.players("receivable", short.player, currency), short.amount))
        lines.append(credit(chart.wallet(short.player, currency), short.amount))
    return _moved("shortfall_owed", ruling, at, *lines)


# --- The cashier ------------------------------------------------------------------------------------------------------


def transfer_received(*, deposit: UUID, player: UUID, amount: Decimal, currency: str, at: datetime) -> Voucher:
    """The bank's statement shows a transfer with a player's reference: it is in the players' account, and theirs."""
    return _moved(
        "transfer_received",
        deposit,
        at,
        debit(chart.house("bank_customers", currency), amount),
        credit(chart.wallet(player, currency), amount),
    )


def transfer_unidentified(*, entry: UUID, amount: Decimal, currency: str, at: datetime) -> Voucher:
    """The bank's statement shows money and not whose it is: it waits in suspense."""
    return _moved(
        "transfer_unidentified",
        entry,
        at,
        debit(chart.house("bank_customers", currency), amount),
        credit(chart.house("suspense", currency), amount),
    )


def transfer_assigned(*, entry: UUID, player: UUID, amount: Decimal, currency: str, at: datetime) -> Voucher:
    """An operator knows whose a transfer in suspense is: it goes to the wallet."""
    return _moved(
        "transfer_assigned",
        entry,
        at,
        debit(chart.house("suspense", currency), amount),
        credit(chart.wallet(player, currency), amount),
    )


def suspense_credited(*, item: UUID, player: UUID, amount: Decimal, currency: str, at: datetime) -> Voucher:
    """What came back of a payout and waits in suspense goes to the wallet, and the player is told."""
    return _moved(
        "suspense_credited",
        item,
        at,
        debit(chart.house("suspense", currency), amount),
        credit(chart.wallet(player, currency), amount),
    )


def suspense_sent_back(*, item: UUID, amount: Decimal, currency: str, at: datetime) -> Voucher:
    """Money in suspense that is nobody's here goes back to where it came from."""
    return _moved(
        "suspense_sent_back",
        item,
        at,
        debit(chart.house("suspense", currency), amount),
        credit(chart.house("bank_customers", currency), amount),
    )


def deposit_refunded(
    *, refund: UUID, player: UUID, provider: UUID, amount: Decimal, currency: str, at: datetime
) -> Voucher:
    """A deposit, or part of it, goes back the way it came."""
    return _moved(
        "deposit_refunded",
        refund,
        at,
        debit(chart.wallet(player, currency), amount),
        credit(chart.clearing(provider, currency), amount),
    )


def deposit_charged_back(
    *,
    dispute: UUID,
    player: UUID,
    provider: UUID,
    wallet: Decimal,
    receivable: Decimal,
    difference: Decimal,
    currency: str,
    at: datetime,
) -> Voucher:
    """The provider takes a deposit back (P-3): from the ``wallet`` what it has, the rest is a ``receivable``.

    What is taken beyond the deposit is the operator's to bear, a dispute ``difference``.
    """
    return _moved(
        "deposit_charged_back",
        dispute,
        at,
        debit(chart.wallet(player, currency), wallet),
        debit(chart.players("receivable", player, currency), receivable),
        debit(chart.house("dispute_differences", currency), difference),
        credit(chart.clearing(provider, currency), wallet + receivable + difference),
    )


def chargeback_won(
    *,
    dispute: UUID,
    player: UUID,
    provider: UUID,
    wallet: Decimal,
    receivable: Decimal,
    difference: Decimal,
    currency: str,
    at: datetime,
) -> Voucher:
    """The provider gives back what it took: first what is still owed of it, the rest to the wallet (P-3)."""
    return _moved(
        "chargeback_won",
        dispute,
        at,
        debit(chart.clearing(provider, currency), wallet + receivable + difference),
        credit(chart.players("receivable", player, currency), receivable),
        credit(chart.wallet(player, currency), wallet),
        credit(chart.house("dispute_differences", currency), difference),
    )


def receivable_collected(*, collection: UUID, player: UUID, amount: Decimal, currency: str, at: datetime) -> Voucher:
    """What a player owes is paid from what came into the wallet, before anything else can be done with it (P-3)."""
    return _moved(
        "receivable_collected",
        collection,
        at,
        debit(chart.wallet(player, currency), amount),
        credit(chart.players("receivable", player, currency), amount),
    )


def receivable_written_off(*, write_off: UUID, player: UUID, amount: Decimal, currency: str, at: datetime) -> Voucher:
    """The operator gives up what a player owes, and makes the players' account whole from its own (P-4)."""
    return _moved(
        "receivable_written_off",
        write_off,
        at,
        debit(chart.house("adjustments", currency), amount),
        credit(chart.house("bank_operating", currency), amount),
        debit(chart.house("bank_customers", currency), amount),
        credit(chart.players("receivable", player, currency), amount),
    )


def dispute_difference_covered(*, cover: UUID, amount: Decimal, currency: str, at: datetime) -> Voucher:
    """The operator pays the players' account what disputes took beyond the deposits (P-4)."""
    return _moved(
        "dispute_difference_covered",
        cover,
        at,
        debit(chart.house("adjustments", currency), amount),
        credit(chart.house("bank_operating", currency), amount),
        debit(chart.house("bank_customers", currency), amount),
        credit(chart.house("dispute_differences", currency), amount),
    )


def payout_held(*, attempt: UUID, player: UUID, amount: Decimal, currency: str, at: datetime) -> Voucher:
    """A player asks for a payout: from now on the amount can be spent on nothing else (P-2)."""
    return _moved(
        "payout_held",
        attempt,
        at,
        debit(chart.wallet(player, currency), amount),
        credit(chart.players("payouts_pending", player, currency), amount),
    )


def payout_released(*, attempt: UUID, player: UUID, amount: Decimal, currency: str, at: datetime) -> Voucher:
    """A payout was refused, cancelled or failed before it was paid: the amount is the player's to dispose of again."""
    return _moved(
        "payout_released",
        attempt,
        at,
        debit(chart.players("payouts_pending", player, currency), amount),
        credit(chart.wallet(player, currency), amount),
    )


def payout_paid(
    *, attempt: UUID, player: UUID, provider: UUID | None, amount: Decimal, currency: str, at: datetime
) -> Voucher:
    """A payout has left: from our account at ``provider``, or for None from the players' bank account."""
    return _moved(
        "payout_paid",
        attempt,
        at,
        debit(chart.players("payouts_pending", player, currency), amount),
        credit(_where(provider, currency), amount),
    )


def payout_returned(*, attempt: UUID, provider: UUID | None, amount: Decimal, currency: str, at: datetime) -> Voucher:
    """A payout that was paid came back: it waits in suspense until the player has been told."""
    return _moved(
        "payout_returned",
        attempt,
        at,
        debit(_where(provider, currency), amount),
        credit(chart.house("suspense", currency), amount),
    )


def provider_settled(
    *, settlement: UUID, provider: UUID, amount: Decimal, fee: Decimal, currency: str, at: datetime
) -> Voucher:
    """What came to the bank is a provider's: it pays ``amount``, and owes so much and its ``fee`` less.

    The fee is the operator's to bear, who makes it good to the players' account at once (P-4).
    """
    return _moved(
        "provider_settled",
        settlement,
        at,
        debit(chart.house("suspense", currency), amount),
        debit(chart.house("bank_customers", currency), fee),
        credit(chart.clearing(provider, currency), amount + fee),
        debit(chart.house("processing_costs", currency), fee),
        credit(chart.house("bank_operating", currency), fee),
    )


def balance_unclaimed(*, spell: UUID, player: UUID, amount: Decimal, currency: str, at: datetime) -> Voucher:
    """A player has been away so long, and was told: what the wallet holds is set apart, and stays theirs."""
    return _moved(
        "balance_unclaimed",
        spell,
        at,
        debit(chart.wallet(player, currency), amount),
        credit(chart.players("unclaimed", player, currency), amount),
    )


def unclaimed_recovered(*, spell: UUID, player: UUID, amount: Decimal, currency: str, at: datetime) -> Voucher:
    """The player is back, and has it all again."""
    return _moved(
        "unclaimed_recovered",
        spell,
        at,
        debit(chart.players("unclaimed", player, currency), amount),
        credit(chart.wallet(player, currency), amount),
    )


def bonus_granted(*, bonus: UUID, player: UUID, amount: Decimal, currency: str, at: datetime) -> Voucher:
    """The operator gives a bonus from its own money; the player cannot dispose of it yet."""
    return _moved(
        "bonus_granted",
        bonus,
        at,
        debit(chart.house("promotions", currency), amount),
        credit(chart.house("bank_operating", currency), amount),
        debit(chart.house("bank_customers", currency), amount),
        credit(chart.players("bonus", player, currency), amount),
    )


def bonus_released(*, bonus: UUID, player: UUID, amount: Decimal, currency: str, at: datetime) -> Voucher:
    """A bonus has become the player's own."""
    return _moved(
        "bonus_released",
        bonus,
        at,
        debit(chart.players("bonus", player, currency), amount),
        credit(chart.wallet(player, currency), amount),
    )


def bonus_forfeited(*, bonus: UUID, player: UUID, amount: Decimal, currency: str, at: datetime) -> Voucher:
    """A bonus goes back to the operator."""
    return _moved(
        "bonus_forfeited",
        bonus,
        at,
        debit(chart.players("bonus", player, currency), amount),
        credit(chart.house("bank_customers", currency), amount),
        debit(chart.house("bank_operating", currency), amount),
        credit(chart.house("promotions", currency), amount),
    )


# --- What the house does ----------------------------------------------------------------------------------------------


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
    return _moved(
        "commission_swept",
        sweep,
        at,
        debit(chart.commission(room, currency), amount),
        credit(chart.house("bank_customers", currency), amount),
        debit(chart.house("bank_operating", currency), amount),
        credit(chart.house("revenue", currency), amount),
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


def _moved(event: str, about: UUID, at: datetime, *lines: Line) -> Voucher:
    """An event that opens and closes no hold; its key is made of its name and what it is about."""
    return Voucher(event=event, key=f"{event}:{about}", occurred_at=at, lines=lines)


def _where(provider: UUID | None, currency: str) -> chart.AccountRef:
    return chart.house("bank_customers", currency) if provider is None else chart.clearing(provider, currency)


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
