"""What the book and the sweeps say of each other."""

from ledger import book, chart
from ledger.proofs import Proof
from wagering.cashier.sweeps.models import CommissionSweep


def commission_swept_was_earned() -> Proof:
    """Every sweep is in the book as its row says, the book has no other, and none took more than a room had earned."""
    name, rows = "commission_swept_was_earned", list(CommissionSweep.objects.order_by("swept_at", "pk"))
    figure = f"{len(rows)} sweeps"
    told = {f"commission_swept:{row.pk}": row for row in rows}
    if untold := min(set(book.keys_of(("commission_swept",))) - set(told), default=None):
        return Proof(name, figure, f"the book has {untold}, no sweep tells of it")
    for key, row in told.items():
        account = chart.commission(row.room_id, row.currency)
        posted = book.find(key)
        moved = [line.amount for line in posted.lines if line.account == account] if posted else []
        if posted is None or moved != [row.amount]:
            return Proof(name, figure, f"sweep {row.pk} of {row.amount} {row.currency} is not so in the book")
        if book.balance_at(account, posted.posted_at) < 0:
            return Proof(name, figure, f"sweep {row.pk} took more than {account} had earned")
    return Proof(name, figure)
