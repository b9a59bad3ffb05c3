"""What the rules look at, out of what was settled and booked.

Real money alone. Rounds at rooms' own servers do not say who lost to whom, and are not among it.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Final
from uuid import UUID

from django.db.models import Q, QuerySet

from games.models import Game, Player, Table
from games.rules.endings import Ending, Win
from ledger import book
from wagering.settlement.models import Settlement
from wagering.surveillance.models import Alert
from wagering.surveillance.rules import Account, Contest, Deposit, Played

DEPOSITS: Final = frozenset({"deposit_confirmed", "transfer_received", "transfer_assigned"})


def contests_of(*, player: Player, since: datetime, until: datetime) -> list[Contest]:
    """Those that the player won or lost, the earliest first; a ruling takes the place of its settlement."""
    seats = Q(stake__table__player_1=player) | Q(stake__table__player_2=player)
    rows = (
        Settlement.objects.filter(seats, stake__table__zone=Table.Zone.PROFESSIONALS)
        .filter(settled_at__gt=since, settled_at__lte=until)
        .select_related("stake__table")
        .prefetch_related("stake__table__games", "stake__rulings")
        .order_by("settled_at", "id")
    )
    return [contest for row in rows if (contest := _contest(row))]


def account_of(*, player: UUID, currency: str, since: datetime) -> Account:
    """Since when there is a log-in, and what was paid in."""
    joined = Player.objects.filter(pk=player).values_list("user__date_joined", flat=True).get()
    moved = book.movements(owner=player, currency=currency, kinds=("wallet",), since=since)
    deposits = [Deposit(each.key, each.posted_at, each.amount) for each in moved if each.of in DEPOSITS]
    return Account(player, joined, deposits)


def active(*, since: datetime) -> QuerySet[Player]:
    """Whoever's money moved at a table since then."""
    tables = Settlement.objects.filter(
        settled_at__gt=since, lost__gt=0, stake__table__zone=Table.Zone.PROFESSIONALS
    ).values("stake__table__player_1", "stake__table__player_2")
    return Player.objects.filter(
        Q(pk__in=tables.values("stake__table__player_1")) | Q(pk__in=tables.values("stake__table__player_2"))
    )


def open_for(*players: Player | UUID) -> QuerySet[Alert]:
    """The alerts that keep payouts of any of ``players`` waiting: all that nobody has cleared."""
    return Alert.objects.filter(Q(loser__in=players) | Q(winner__in=players)).exclude(state=Alert.State.CLEARED)


def _contest(row: Settlement) -> Contest | None:
    winner, moved = row.winner, row.lost
    for ruling in row.stake.rulings.all():
        if ruling.approved_at is not None:
            winner, moved = ruling.receiver, ruling.transfer
    if winner is None or not moved:
        return None
    seats = row.stake.table.seats
    return Contest(
        stake=row.stake_id,
        loser=seats[2 - winner].pk,
        winner=seats[winner - 1].pk,
        currency=row.stake.currency,
        moved=moved,
        at=row.settled_at,
        games=list(_played(row.stake.table)),
    )


def _played(table: Table) -> Iterator[Played]:
    games: list[Game] = sorted(table.games.all(), key=lambda game: game.number)
    for game in games:
        win = Win(game.win) if game.win else None
        yield Played(table.seats[2 - game.winner].pk, Ending(game.ending), win, game.plays)
