"""The call of ``ledger_post`` on the wire: vouchers as arrays of text, one prepared statement, one round trip.

It speaks to libpq through psycopg's ``pq``: a cursor looks for types, plans and rows that are always the same here, and
costs the client more than the posting. Errors are psycopg's own, as Django wraps them.
"""

import json
from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal
from typing import Final, NamedTuple
from weakref import WeakSet

import psycopg
from django.db import DEFAULT_DB_ALIAS, connections
from psycopg import pq

from ledger.literals import octets, plain, quoted
from ledger.vouchers import Voucher

_NAME: Final = b"ledger_post"
_POST: Final = b"""
    SELECT outcome, to_char(posted AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"'),
           array_to_string(balances, ',', '-'), to_json(refusal)
    FROM public.ledger_post(
        $1::text[], $2::text[], $3::bytea[], $4::timestamptz[], $5::jsonb[], $6::bigint[],
        $7::int[], $8::text[], $9::uuid[], $10::text[], $11::text[], $12::numeric[],
        $13::int[], $14::uuid[], $15::uuid[], $16::text[], $17::numeric[],
        $18::int[], $19::uuid[], $20::text[])
"""
_NO_HOLDS: Final = [b"{}"] * 8
_PREPARED: Final[WeakSet[psycopg.Connection[object]]] = WeakSet()
"""The connections that know the statement. A new connection, after a loss or from the pool, is not among them."""


class Answer(NamedTuple):
    """What became of one voucher: ``ledger/sql/post.sql`` says which outcomes there are and what a refusal tells.

    ``balances`` has one a line, None for a hot account's.
    """

    outcome: str
    posted_at: datetime | None
    balances: Sequence[Decimal | None]
    refusal: Sequence[str]


def call(vouchers: Sequence[Voucher]) -> list[Answer]:
    """One answer a voucher. Raises Django's database errors."""
    database = connections[DEFAULT_DB_ALIAS]  # once: django.db.connection looks it up at each use
    database.ensure_connection()
    database.validate_no_broken_transaction()
    parameters = _parameters(vouchers)
    with database.wrap_database_errors:
        result = _execute(database.connection, parameters)
    return [_answer(result, row) for row in range(result.ntuples)]


def _parameters(vouchers: Sequence[Voucher]) -> list[bytes]:
    numbers, codes, owners, currencies, sides, amounts = [], [], [], [], [], []
    holds = False
    for n, voucher in enumerate(vouchers, 1):
        holds = holds or bool(voucher.opens or voucher.captures or voucher.releases)
        for line in voucher.lines:
            code, owner, currency = line.account
            numbers.append(n)
            codes.append(code)
            owners.append(owner)
            currencies.append(currency)
            sides.append(line.side)
            amounts.append(line.amount)
    texts = (
        quoted([voucher.key for voucher in vouchers]),
        quoted([voucher.event for voucher in vouchers]),
        octets([voucher.fingerprint for voucher in vouchers]),
        plain([voucher.occurred_at.isoformat() for voucher in vouchers]),
        quoted([json.dumps(dict(voucher.detail)) if voucher.detail else "{}" for voucher in vouchers]),
        plain([voucher.reverses for voucher in vouchers]),
        plain(numbers),
        plain(codes),
        plain(owners),
        plain(currencies),
        plain(sides),
        plain(amounts),
    )
    return [text.encode() for text in texts] + (_holds(vouchers) if holds else _NO_HOLDS)


def _holds(vouchers: Sequence[Voucher]) -> list[bytes]:
    opens = [(n, hold) for n, voucher in enumerate(vouchers, 1) for hold in voucher.opens]
    closes = [
        (n, hold, state)
        for n, voucher in enumerate(vouchers, 1)
        for state, holds in (("CAPTURED", voucher.captures), ("RELEASED", voucher.releases))
        for hold in holds
    ]
    texts = (
        plain([n for n, _ in opens]),
        plain([hold.id for _, hold in opens]),
        plain([hold.owner for _, hold in opens]),
        plain([hold.currency for _, hold in opens]),
        plain([hold.amount for _, hold in opens]),
        plain([n for n, _, _ in closes]),
        plain([hold for _, hold, _ in closes]),
        plain([state for _, _, state in closes]),
    )
    return [text.encode() for text in texts]


def _execute(connection: psycopg.Connection[object], parameters: Sequence[bytes]) -> pq.abc.PGresult:
    line = connection.pgconn
    if not connection.autocommit and line.transaction_status == pq.TransactionStatus.IDLE:
        connection.execute("SELECT 1")  # psycopg begins the transaction in its own way
    if connection not in _PREPARED:
        assert connection.prepare_threshold is None, "psycopg would DEALLOCATE ALL, ours too"
        _checked(line, line.prepare(_NAME, _POST))
        _PREPARED.add(connection)
    return _checked(line, line.exec_prepared(_NAME, parameters))


def _checked(line: pq.abc.PGconn, result: pq.abc.PGresult) -> pq.abc.PGresult:
    if result.status in (pq.ExecStatus.TUPLES_OK, pq.ExecStatus.COMMAND_OK):
        return result
    if line.status == pq.ConnStatus.BAD:
        raise psycopg.OperationalError(result.get_error_message(), info=result)
    raise psycopg.errors.error_from_result(result)


def _answer(result: pq.abc.PGresult, row: int) -> Answer:
    outcome, posted_at, balances, refusal = (result.get_value(row, column) for column in range(4))
    assert outcome is not None
    return Answer(
        outcome.decode(),
        datetime.fromisoformat(posted_at.decode()) if posted_at else None,
        [None if text == "-" else Decimal(text) for text in balances.decode().split(",")] if balances else (),
        json.loads(refusal) if refusal else (),
    )
