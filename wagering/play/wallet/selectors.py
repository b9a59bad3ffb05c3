"""Reading a player's wallets: what there is, and how it came about."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from uuid import UUID

from games.models import Player
from ledger import book, chart, money
from ledger.book import Statement, StatementLine
from wagering.stakes.models import Stake


@dataclass(frozen=True, slots=True)
class Wallet:
    """What a player owns in one currency: at hand, and held at tables."""

    currency: str
    available: Decimal
    held: Decimal

    @property
    def zone(self) -> str:
        """Where it can be staked; it never leaves it (Z)."""
        return money.currency(self.currency).zone


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of a statement and, if it is because of a contest, the table and who else sat there."""

    line: StatementLine
    change: Decimal
    table: UUID | None
    opponent: Player | None


def wallets(*, player: Player) -> list[Wallet]:
    """Every currency that the player ever had, in the order of their codes, by one query."""
    found = book.owned(owner=player.pk, kinds=("wallet", "escrow"))
    zero = Decimal(0)
    return [
        Wallet(
            currency,
            available=found.get(chart.wallet(player.pk, currency), zero),
            held=found.get(chart.escrow(player.pk, currency), zero),
        )
        for currency in sorted({account.currency for account in found})
    ]


def wallet(*, player: Player, currency: str) -> Wallet:
    """One currency's. Raises UnknownCurrency."""
    at_hand, held = chart.wallet(player.pk, currency), chart.escrow(player.pk, currency)
    found = book.balances([at_hand, held])
    return Wallet(currency, available=found[at_hand], held=found[held])


def statement(*, player: Player, currency: str, after: int, limit: int) -> tuple[Statement, list[Entry]]:
    """A page of the wallet's statement behind the entry ``after``, with what each entry is because of.

    Raises UnknownCurrency.
    """
    page = book.statement(chart.wallet(player.pk, currency), after=after, limit=limit)
    stakes = _stakes(page.lines)
    return page, [_entry(line, stakes.get(_cause(line)), player) for line in page.lines]


def _entry(line: StatementLine, stake: Stake | None, player: Player) -> Entry:
    change = line.amount if line.side == "CR" else -line.amount  # a wallet grows on CR
    if stake is None:
        return Entry(line, change, None, None)
    one, other = stake.table.seats
    return Entry(line, change, stake.table_id, other if one.pk == player.pk else one)


def _stakes(lines: Sequence[StatementLine]) -> Mapping[UUID | None, Stake]:
    causes = {cause for line in lines if (cause := _cause(line)) is not None}
    found = Stake.objects.filter(pk__in=causes).select_related("table__player_1", "table__player_2")
    return {stake.pk: stake for stake in found}


def _cause(line: StatementLine) -> UUID | None:
    """The id of what the event is about, which its key ends with."""
    try:
        return UUID(line.key.rpartition(":")[2])
    except ValueError:
        return None
