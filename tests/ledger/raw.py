"""``ledger_post`` called as the application's role can call it, with what no ``Voucher`` would say."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from types import SimpleNamespace
from typing import Any, Final, NamedTuple
from uuid import UUID, uuid4

import psycopg
from django.db import connection

from ledger.chart import AccountRef
from ledger.vouchers import fingerprint
from tests.ledger.people import NOON

CLOSED: Final = "RELEASED"
_POST: Final = """
    SELECT outcome, to_char(posted AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"'), balances, refusal
    FROM public.ledger_post(
        %s::text[], %s::text[], %s::bytea[], %s::timestamptz[], %s::jsonb[], %s::bigint[],
        %s::int[], %s::text[], %s::uuid[], %s::text[], %s::text[], %s::numeric[],
        %s::int[], %s::uuid[], %s::uuid[], %s::text[], %s::numeric[],
        %s::int[], %s::uuid[], %s::text[])
"""


class Side(NamedTuple):
    """One line; nothing about it needs to be right."""

    account: tuple[Any, Any, Any] | AccountRef
    side: str | None
    amount: Decimal | None


@dataclass
class Item:
    """One voucher of a call."""

    lines: Sequence[Side]
    opens: Sequence[tuple[UUID, UUID, str, Decimal]] = ()
    closes: Sequence[UUID] = ()
    key: str = field(default_factory=lambda: f"raw:{uuid4()}")
    event: str = "raw"

    @property
    def fingerprint(self) -> bytes:
        """As a Voucher would have it, so that what is posted proves."""
        return fingerprint(
            event=self.event,
            lines=((side, AccountRef(*account), amount) for account, side, amount in self.lines),  # type: ignore[misc]
            opens=(SimpleNamespace(id=h[0], owner=h[1], currency=h[2], amount=h[3]) for h in self.opens),  # type: ignore[misc]
            captures=(),
            releases=self.closes,
        )


class Answer(NamedTuple):
    outcome: str
    posted: object
    balances: list[Decimal | None] | None
    refusal: list[str] | None


def call(*items: Item, line_places: Sequence[int] | None = None) -> list[Answer]:
    """On Django's own connection, in whatever transaction is open there."""
    connection.ensure_connection()
    return call_on(connection.connection, *items, line_places=line_places)


def call_on(service: psycopg.Connection[Any], *items: Item, line_places: Sequence[int] | None = None) -> list[Answer]:
    """``line_places`` says which voucher each line is of, if not its own."""
    numbered = list(enumerate(items, 1))
    lines = [(n, *line) for n, item in numbered for line in item.lines]
    opens = [(n, *hold) for n, item in numbered for hold in item.opens]
    closes = [(n, hold) for n, item in numbered for hold in item.closes]
    parameters = [
        [item.key for item in items],
        [item.event for item in items],
        [item.fingerprint for item in items],
        [NOON for _ in items],
        ["{}" for _ in items],
        [None for _ in items],
        list(line_places or [n for n, *_ in lines]),
        [account[0] for _, account, _, _ in lines],
        [account[1] for _, account, _, _ in lines],
        [account[2] for _, account, _, _ in lines],
        [side for _, _, side, _ in lines],
        [amount for _, _, _, amount in lines],
        *([row[place] for row in opens] for place in range(5)),
        [n for n, _ in closes],
        [hold for _, hold in closes],
        [CLOSED for _ in closes],
    ]
    return [Answer(*row) for row in psycopg.Cursor(service).execute(_POST, parameters).fetchall()]


def move(debited: AccountRef, credited: AccountRef, amount: str) -> list[Side]:
    """Two lines that balance."""
    return [Side(debited, "DR", Decimal(amount)), Side(credited, "CR", Decimal(amount))]
