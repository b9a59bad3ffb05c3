"""What a player owes is paid by what comes into the wallet, before anything else can be done with it (P-3).

While a player owes anything, in any currency, nothing is staked and no payout held (``protection.gate``, under the
person's lock, as here), so what comes in stays in the wallet and it is enough that the clock looks.
"""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from django.db import transaction

from games.models import Player
from ledger import book, chart, postings
from ledger.vouchers import Voucher
from wagering.cashier.disputes import selectors
from wagering.cashier.disputes.models import Collection
from wagering.protection import gate


@transaction.atomic
def collect(*, player: UUID, currency: str, at: datetime) -> Collection | None:
    """Take from the wallet what it has of what is owed; None if there is nothing to take. Safe at any time."""
    gate.locked(Player.objects.get(pk=player))
    owed = selectors.owed(player, currency)
    has = book.balance(chart.wallet(player, currency))
    while (amount := min(owed, has)) > 0:
        try:
            with transaction.atomic():
                made = Collection.objects.create(player_id=player, currency=currency, amount=amount, collected_at=at)
                book.post(voucher(made))
                return made
        except book.InsufficientFunds as refusal:  # of the wallet; what is owed grows less under our lock alone
            has = refusal.balance
    return None


def voucher(made: Collection) -> Voucher:
    """What a collection moved in the book."""
    return postings.receivable_collected(
        collection=made.pk, player=made.player_id, amount=made.amount, currency=made.currency, at=made.collected_at
    )
