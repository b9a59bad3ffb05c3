"""What came in, went out, was won and lost over a period: counted from the book, so it is the statement's own sum."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Final

from games.models import Player
from ledger import book
from ledger.book import Movement

OWNED: Final = ("wallet", "escrow", "payouts_pending", "bonus", "unclaimed")
"""What a player owns, taken together: a stake that is held and a payout that is asked for are no loss."""

PAID_IN: Final = frozenset({"deposit_confirmed", "transfer_received", "transfer_assigned", "suspense_credited"})
PAID_OUT: Final = frozenset({"payout_paid", "deposit_refunded"})
TAKEN_BACK: Final = frozenset({"deposit_charged_back", "chargeback_won", "receivable_collected"})
PLAY: Final = frozenset(
    {"single_settled", "series_settled", "abandonment_settled", "settlement_corrected", "round_settled"}
)


@dataclass(frozen=True, slots=True)
class Totals:
    """Of a period in one currency; all but ``other`` are zero or more.

    ``paid_in`` less ``paid_out`` less ``taken_back`` (by chargebacks) plus ``won`` less ``lost`` plus ``other``
    (bonuses, corrections, play money) is by how much what the player owns has grown.
    """

    paid_in: Decimal
    paid_out: Decimal
    taken_back: Decimal
    won: Decimal
    lost: Decimal
    other: Decimal

    @property
    def net_deposits(self) -> Decimal:
        return self.paid_in - self.paid_out - self.taken_back


def totals(*, player: Player, currency: str, since: datetime | None = None, until: datetime | None = None) -> Totals:
    """By the book's clock, after ``since``, up to and with ``until``; without them for life. Raises UnknownCurrency."""
    return _summed(
        book.movements(owner=player.pk, currency=currency, kinds=OWNED, since=since, until=until),
    )


def _summed(movements: Iterable[Movement]) -> Totals:
    paid_in = paid_out = taken_back = won = lost = other = Decimal(0)
    for movement in movements:
        if movement.of in PAID_IN:
            paid_in += movement.amount
        elif movement.of in PAID_OUT:
            paid_out -= movement.amount
        elif movement.of in TAKEN_BACK:
            taken_back -= movement.amount
        elif movement.of not in PLAY:
            other += movement.amount
        elif movement.amount > 0:
            won += movement.amount
        else:
            lost -= movement.amount
    return Totals(paid_in, paid_out, taken_back, won, lost, other)
