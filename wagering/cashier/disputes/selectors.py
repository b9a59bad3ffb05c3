"""Who owes what, and whose winnings came from money that was charged back."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from uuid import UUID

from django.db.models import F

from games.models import Player
from ledger import book, chart, money
from wagering.cashier.disputes.models import Dispute, WriteOff
from wagering.seamless.models import Message
from wagering.settlement.models import Settlement


@dataclass(frozen=True, slots=True)
class MovedOn:
    """A contest that ``loser`` lost after a deposit that was charged back since, and has not been made good.

    ``contest`` is the table, or the round at a room's own server; ``amount`` what the other side had of it.
    """

    dispute: UUID
    loser: UUID
    contest: UUID
    amount: Decimal
    currency: str
    at: datetime


def owed(player: UUID, currency: str) -> Decimal:
    """What the player owes."""
    return book.balance(chart.players("receivable", player, currency))


def owing_among(players: Iterable[UUID], currency: str) -> list[UUID]:
    """Of ``players``, who owe something in ``currency``. Play money is owed by nobody."""
    if money.currency(currency).zone == "amateurs":
        return []
    debts = book.balances(chart.players("receivable", player, currency) for player in players)
    return [account.owner for account, amount in debts.items() if amount > 0]


def owing() -> list[tuple[UUID, str]]:
    """Every player who owes something, with the currency."""
    balances = book.balances(book.accounts(kind="receivable"))
    return [(account.owner, account.currency) for account, amount in balances.items() if amount > 0]


def collectable() -> list[tuple[UUID, str]]:
    """Of those, who have something in the wallet."""
    wallets = book.balances(chart.wallet(*debtor) for debtor in owing())
    return [(account.owner, account.currency) for account, amount in wallets.items() if amount > 0]


def owed_by(players: Collection[UUID]) -> dict[UUID, dict[str, Decimal]]:
    """What those of ``players`` owe who owe anything, by currency."""
    debts = book.balances(account for account in book.accounts(kind="receivable") if account.owner in players)
    owed: dict[UUID, dict[str, Decimal]] = defaultdict(dict)
    for account, amount in debts.items():
        if amount > 0:
            owed[account.owner][account.currency] = amount
    return owed


def standing(*players: Player | UUID) -> list[Dispute]:
    """Their disputes that are open or were taken, and not won: whoever has one is not paid out by rule."""
    found = Dispute.objects.filter(deposit__player__in=players).exclude(state=Dispute.State.WON)
    return list(found.select_related("deposit"))


def money_moved_on(player: Player) -> list[MovedOn]:
    """What the player won of others whose deposits were charged back since, and whose debt stands; newest first.

    It is evidence, which an operator looks at before the player is paid out.
    """
    found = sorted([*_at_tables(player), *_in_rounds(player)], key=lambda moved: moved.at, reverse=True)
    debtors = {(moved.loser, moved.currency) for moved in found}
    lost = {debtor for debtor in debtors if owed(*debtor) > 0 or _given_up(*debtor)}
    return [moved for moved in found if (moved.loser, moved.currency) in lost]


def _at_tables(player: Player) -> Iterator[MovedOn]:
    for winner, loser in ((1, 2), (2, 1)):
        seat = f"stake__table__player_{loser}"
        deposit = f"{seat}__deposits"
        rows = Settlement.objects.filter(
            **{
                "winner": winner,
                f"stake__table__player_{winner}": player,
                f"{deposit}__disputes__state": Dispute.State.TAKEN,
                f"{deposit}__disputes__receivable__gt": 0,
                f"{deposit}__currency": F("stake__currency"),
                f"{deposit}__succeeded_at__lte": F("settled_at"),
            }
        ).values_list(f"{deposit}__disputes", seat, "stake__table", "lost", "stake__currency", "settled_at")
        yield from (MovedOn(*row) for row in rows)


def _in_rounds(player: Player) -> Iterator[MovedOn]:
    """Rounds in which the player won and the other had staked; the amount is what the player was paid in it."""
    bet = "round__messages__player"
    rows = Message.objects.filter(
        **{
            "kind": Message.Kind.WIN,
            "player": player,
            "amount__gt": 0,
            "round__messages__kind": Message.Kind.BET,
            f"{bet}__deposits__disputes__state": Dispute.State.TAKEN,
            f"{bet}__deposits__disputes__receivable__gt": 0,
            f"{bet}__deposits__currency": F("round__currency"),
            f"{bet}__deposits__succeeded_at__lte": F("at"),
        }
    ).exclude(round__messages__player=None)
    told = (f"{bet}__deposits__disputes", bet, "round", "amount", "round__currency", "at")
    yield from (MovedOn(*row) for row in rows.values_list(*told).distinct() if row[1] != player.pk)


def _given_up(player: UUID, currency: str) -> bool:
    standing = WriteOff.objects.filter(player=player, currency=currency, done_at__isnull=False, undone_at=None)
    return standing.exists()
