"""The limits of a player, and what counts against them by the book. Nothing of that is kept a second time."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Final
from uuid import UUID

from games.models import Player
from ledger import book, chart, money
from ledger.book import Movement
from wagering.protection.limits.rules import LONGEST, Bound, Kind, Moved, Window
from wagering.protection.models import Limit

DEPOSITS: Final = frozenset({"deposit_confirmed", "transfer_received", "transfer_assigned"})
PLAYED: Final = frozenset(
    {"single_settled", "series_settled", "abandonment_settled", "settlement_corrected", "round_settled"}
)
"""Events that decide what was won and lost, in wallet and escrow taken together."""
HELD: Final = {"stake_held": ("stake_released", "stake_voided"), "wager_held": ("wager_released",)}
"""Events that set a stake aside, each with those that give the same one back before it was played for."""


@dataclass(frozen=True, slots=True)
class Sort:
    """Which limit: what, over which time, in which currency."""

    kind: Kind
    window: Window
    currency: str


@dataclass(frozen=True, slots=True)
class Said:
    """What holds of one sort by one side's word, and the ``pending`` word that waits; ``amount`` None is no limit."""

    sort: Sort
    by: str
    amount: Decimal | None
    pending: Limit | None


def said(*, player: Player, currency: str | None = None) -> list[Said]:
    """Every limit that was ever set for the player, and not yet gone without a trace, in a stable order."""
    rows = Limit.objects.filter(person=player.pk, withdrawn_at=None)
    if currency is not None:
        rows = rows.filter(currency=currency)
    holding: dict[tuple[Sort, str], Limit] = {}
    waiting: dict[tuple[Sort, str], Limit] = {}
    for row in rows.order_by("id"):  # the latest comes last
        sort = Sort(Kind(row.kind), Window(row.window), row.currency)
        (waiting if row.confirmed_at is None else holding)[sort, row.by] = row
    found = []
    for sort, by in sorted(holding | waiting, key=lambda key: (_place(key[0]), key[1])):
        holds, pending = holding.get((sort, by)), waiting.get((sort, by))
        amount = None if holds is None or holds.amount is None else money.exact(holds.amount, sort.currency)
        if amount is not None or pending is not None:
            found.append(Said(sort, by, amount, pending))
    return found


def lowest(limits: Iterable[Said]) -> dict[Sort, Decimal]:
    """What binds of each sort: the lowest, whoever set it."""
    found: dict[Sort, Decimal] = {}
    for each in limits:
        if each.amount is not None:
            found[each.sort] = min(each.amount, found.get(each.sort, each.amount))
    return found


def bounds(*, player: Player, currency: str, kinds: Iterable[Kind], pending: Decimal, at: datetime) -> list[Bound]:
    """The limits of these ``kinds`` that bind, each with what counts against it at ``at``.

    ``pending`` are deposits under way. What the book has recorded counts, also what it has recorded since ``at``.
    """
    wanted = set(kinds)
    binding = {s: a for s, a in lowest(said(player=player, currency=currency)).items() if s.kind in wanted}
    if not binding:
        return []
    counted = _counted(player.pk, currency, {sort.kind for sort in binding}, at)
    standing = {Kind.DEPOSIT: pending, Kind.LOSS: Decimal(0), Kind.STAKE: Decimal(0)}
    if any(sort.kind == Kind.LOSS for sort in binding):
        standing[Kind.LOSS] = book.balance(chart.escrow(player.pk, currency))
    return [
        Bound(sort.kind, sort.window, amount, counted[sort.kind], standing[sort.kind])
        for sort, amount in binding.items()
    ]


def won_and_lost(*, player: UUID, currency: str, since: datetime | None) -> list[Movement]:
    """What the player won (above zero) and lost since then, contest by contest, and what of it was undone."""
    moved = book.movements(owner=player, currency=currency, kinds=("wallet", "escrow"), since=since)
    return [each for each in moved if each.of in PLAYED]


def _counted(player: UUID, currency: str, kinds: set[Kind], at: datetime) -> dict[Kind, list[Moved]]:
    since = at - LONGEST
    found: dict[Kind, list[Moved]] = {}
    if Kind.DEPOSIT in kinds:
        wallet = book.movements(owner=player, currency=currency, kinds=("wallet",), since=since)
        found[Kind.DEPOSIT] = [Moved(each.posted_at, each.amount) for each in wallet if each.event in DEPOSITS]
    if Kind.LOSS in kinds:
        played = won_and_lost(player=player, currency=currency, since=since)
        found[Kind.LOSS] = [Moved(each.posted_at, -each.amount) for each in played]
    if Kind.STAKE in kinds:
        escrow = book.movements(owner=player, currency=currency, kinds=("escrow",), since=since)
        given_back = {each.key for each in escrow}
        found[Kind.STAKE] = [
            Moved(each.posted_at, each.amount)
            for each in escrow
            if each.event in HELD and not given_back & {f"{back}:{_about(each)}" for back in HELD[each.event]}
        ]
    return found


def _about(movement: Movement) -> str:
    return movement.key.rpartition(":")[2]


def _place(sort: Sort) -> tuple[str, int, int]:
    return sort.currency, list(Kind).index(sort.kind), list(Window).index(sort.window)
