"""Who the ledger's tests are about, and the vouchers they speak of.

Ann and bob play in a room, ann usually wins. Every call without an id of its own is another event.
"""

from datetime import UTC, datetime
from decimal import Decimal
from typing import Final
from uuid import UUID, uuid4

from ledger import chart, postings
from ledger.vouchers import Hold, Voucher

ANN: Final = UUID("00000000-0000-4000-8000-000000000a11")
BOB: Final = UUID("00000000-0000-4000-8000-000000000b0b")
ROOM: Final = UUID("00000000-0000-4000-8000-00000000700a")
PROVIDER: Final = UUID("00000000-0000-4000-8000-0000000000aa")
OPERATOR: Final = UUID("00000000-0000-4000-8000-0000000000ff")
NOON: Final = datetime(2026, 3, 1, 12, tzinfo=UTC)

ANNS_WALLET: Final = chart.wallet(ANN, "USD")
BOBS_WALLET: Final = chart.wallet(BOB, "USD")
ANNS_ESCROW: Final = chart.escrow(ANN, "USD")
BOBS_ESCROW: Final = chart.escrow(BOB, "USD")
CLEARING: Final = chart.clearing(PROVIDER, "USD")
COMMISSION: Final = chart.commission(ROOM, "USD")


def deposited(
    amount: str, *, player: UUID = ANN, deposit: UUID | None = None, currency: str = "USD", at: datetime = NOON
) -> Voucher:
    return postings.deposit_confirmed(
        deposit=deposit or uuid4(), player=player, provider=PROVIDER, amount=Decimal(amount), currency=currency, at=at
    )


def hold(amount: str, *, player: UUID = ANN, hold_id: UUID | None = None) -> Hold:
    return Hold(hold_id or uuid4(), player, "USD", Decimal(amount))


def seated(*holds: Hold, stake: UUID | None = None, at: datetime = NOON) -> Voucher:
    return postings.stake_held(stake=stake or uuid4(), holds=holds, at=at)


def stood_up(*holds: Hold, stake: UUID | None = None, at: datetime = NOON) -> Voucher:
    return postings.stake_released(stake=stake or uuid4(), holds=holds, at=at)


def won(
    winner: Hold, loser: Hold, *, lost: str, commission: str, stake: UUID | None = None, at: datetime = NOON
) -> Voucher:
    """The winner takes what was lost, less the commission of both."""
    back = winner.amount + Decimal(lost) - Decimal(commission)
    return postings.single_settled(
        stake=stake or uuid4(),
        seats=[
            postings.Seat(winner.owner, winner.id, winner.amount, back),
            postings.Seat(loser.owner, loser.id, loser.amount, loser.amount - Decimal(lost)),
        ],
        room=ROOM,
        commission=Decimal(commission),
        currency="USD",
        at=at,
    )


def taken(amount: str, *, player: UUID = ANN, adjustment: UUID | None = None, at: datetime = NOON) -> Voucher:
    """An operator takes ``amount`` out of a wallet."""
    return postings.manual_adjustment(
        adjustment=adjustment or uuid4(),
        player=player,
        direction="debit",
        amount=Decimal(amount),
        currency="USD",
        reason="a refund that went to the wrong player",
        operator=OPERATOR,
        at=at,
    )
