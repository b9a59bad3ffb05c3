"""Reading a player's wallets: what there is, and how it came about."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Final
from uuid import UUID

from django.conf import settings
from django.utils.module_loading import import_string

from games.models import Player
from ledger import book, chart, money
from ledger.book import Statement, StatementLine
from ledger.chart import AccountRef
from wagering.rest.causes import Cause, id_of
from wagering.stakes.models import Stake

KINDS: Final = ("wallet", "escrow", "payouts_pending", "bonus", "unclaimed", "receivable")
"""Of a player's accounts, in the order of the amounts of ``Wallet``."""


@dataclass(frozen=True, slots=True)
class Wallet:
    """What a player owns in one currency: at hand, held at tables, and what else there may be; and what is owed."""

    currency: str
    available: Decimal
    held: Decimal
    pending: Decimal
    bonus: Decimal
    unclaimed: Decimal
    owed: Decimal

    @property
    def zone(self) -> str:
        """Where it can be staked; it never leaves it (Z)."""
        return money.currency(self.currency).zone


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of a statement, what it is because of, and, if that is a contest, the table and who else sat there."""

    line: StatementLine
    change: Decimal
    cause: Cause | None
    table: UUID | None
    opponent: Player | None


def wallets(*, player: Player) -> list[Wallet]:
    """Every currency that the player ever had, in the order of their codes, by one query."""
    found = book.owned(owner=player.pk, kinds=KINDS)
    return [_wallet(currency, found) for currency in sorted({account.currency for account in found})]


def wallet(*, player: Player, currency: str) -> Wallet:
    """One currency's. Raises UnknownCurrency."""
    money.currency(currency)
    return _wallet(currency, book.owned(owner=player.pk, kinds=KINDS))


def statement(*, player: Player, currency: str, after: int, limit: int) -> tuple[Statement, list[Entry]]:
    """A page of the wallet's statement behind the entry ``after``, with what each entry is because of.

    Raises UnknownCurrency.
    """
    page = book.statement(chart.wallet(player.pk, currency), after=after, limit=limit)
    keys = [_key(line) for line in page.lines]
    stakes, told = _stakes(keys), _told(keys)
    return page, [
        _entry(line, told.get(key), stakes.get(id_of(key)), player) for line, key in zip(page.lines, keys, strict=True)
    ]


def _wallet(currency: str, found: Mapping[AccountRef, Decimal]) -> Wallet:
    mine = {account.code: amount for account, amount in found.items() if account.currency == currency}
    amounts = (mine.get(kind, Decimal(0)) for kind in KINDS)
    return Wallet(currency, *amounts)


def _entry(line: StatementLine, cause: Cause | None, stake: Stake | None, player: Player) -> Entry:
    change = line.amount if line.side == "CR" else -line.amount  # a wallet grows on CR
    if stake is None:
        return Entry(line, change, cause, None, None)
    one, other = stake.table.seats
    return Entry(line, change, Cause("table", stake.table_id), stake.table_id, other if one.pk == player.pk else one)


def _key(line: StatementLine) -> str:
    """Of what the line is about: a reversal is about what it reverses."""
    return line.undoes or line.key


def _stakes(keys: Sequence[str]) -> Mapping[UUID | None, Stake]:
    ids = {named for key in keys if (named := id_of(key)) is not None}
    found = Stake.objects.filter(pk__in=ids).select_related("table__player_1", "table__player_2")
    return {stake.pk: stake for stake in found}


def _told(keys: Sequence[str]) -> Mapping[str, Cause]:
    """By who knows of more than play."""
    return {key: cause for path in settings.ENTRY_CAUSES for key, cause in import_string(path)(keys=keys).items()}
