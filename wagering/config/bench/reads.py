"""How reading grows with the account: a balance, now and past, of one with many entries beside one with few."""

import random
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Final
from uuid import UUID

from django.db import connection
from django.utils import timezone

from ledger import book, chart
from ledger.chart import AccountRef
from ledger.vouchers import Line, fingerprint
from wagering.config.bench.arithmetic import typical

CALL: Final = 1000
CENT: Final = Decimal("0.01")

FILL: Final = """
    SELECT count(*) FROM public.ledger_post(
        ARRAY(SELECT 'bench_deposit:' || %(owner)s || ':' || n
              FROM generate_series(%(first)s::int, %(last)s::int) AS n),
        array_fill('bench_deposit'::text, ARRAY[%(count)s]), array_fill(%(fingerprint)s::bytea, ARRAY[%(count)s]),
        array_fill(now(), ARRAY[%(count)s]), array_fill('{}'::jsonb, ARRAY[%(count)s]),
        array_fill(NULL::bigint, ARRAY[%(count)s]),
        ARRAY(SELECT n FROM generate_series(1, %(count)s) AS n, generate_series(1, 2) ORDER BY n),
        ARRAY(SELECT unnest(ARRAY['clearing', 'wallet']) FROM generate_series(1, %(count)s)),
        ARRAY(SELECT unnest(ARRAY[%(provider)s::uuid, %(owner)s::uuid]) FROM generate_series(1, %(count)s)),
        array_fill('USD'::text, ARRAY[2 * %(count)s]),
        ARRAY(SELECT unnest(ARRAY['DR', 'CR']) FROM generate_series(1, %(count)s)),
        array_fill(0.01::numeric, ARRAY[2 * %(count)s]),
        ARRAY[]::int[], ARRAY[]::uuid[], ARRAY[]::uuid[], ARRAY[]::text[], ARRAY[]::numeric[],
        ARRAY[]::int[], ARRAY[]::uuid[], ARRAY[]::text[])
    WHERE outcome = 'posted'
"""
"""Deposits of a cent by the book's own function, as many as a call takes; from Python, 10^6 would take minutes."""


@dataclass(frozen=True, slots=True)
class Filled:
    """A cold wallet and the hot clearing account beside it, with so many entries each, and when they were made."""

    wallet: AccountRef
    clearing: AccountRef
    entries: int
    since: datetime
    until: datetime

    def some_instant(self) -> datetime:
        return self.since + (self.until - self.since) * random.random()


@dataclass(frozen=True, slots=True)
class Growth:
    """Microseconds, medians, for few entries and for many."""

    few_us: float
    many_us: float

    @property
    def ratio(self) -> float:
        return self.many_us / self.few_us


def filled(number: int, *, entries: int, progress: Callable[[str], None]) -> Filled:
    """Make ``entries`` deposits for a player of his own, by a provider of his own."""
    owner = UUID(f"00000000-0000-4000-b000-{number:012x}")
    provider = UUID(f"00000000-0000-4000-c000-{number:012x}")
    wallet, clearing = chart.wallet(owner, "USD"), chart.clearing(provider, "USD")
    mark = fingerprint(
        event="bench_deposit", lines=[("DR", clearing, CENT), ("CR", wallet, CENT)], opens=(), captures=(), releases=()
    )
    assert Line(wallet, "CR", CENT).amount == CENT
    since = timezone.now()
    began = told = time.monotonic()
    for first in range(1, entries + 1, CALL):
        last = min(first + CALL - 1, entries)
        with connection.cursor() as cursor:
            cursor.execute(
                FILL,
                {
                    "owner": str(owner),
                    "provider": str(provider),
                    "fingerprint": mark,
                    "first": first,
                    "last": last,
                    "count": last - first + 1,
                },
            )
            assert cursor.fetchone() == (last - first + 1,), "every deposit is new"
        if time.monotonic() - told > 5:
            told = time.monotonic()
            progress(f"  {last:,} of {entries:,} entries, {last / (told - began):,.0f} a second")
    return Filled(wallet, clearing, entries, since, timezone.now() + timedelta(microseconds=1))


def growth(read: Callable[[Filled], object], few: Filled, many: Filled, *, times: int) -> Growth:
    """Read both in turns, ``times`` each."""
    took: tuple[list[float], list[float]] = ([], [])
    for _ in range(times):
        for account, times_of_it in zip((few, many), took, strict=True):
            began = time.perf_counter()
            read(account)
            times_of_it.append(time.perf_counter() - began)
    return Growth(few_us=1e6 * typical(took[0]), many_us=1e6 * typical(took[1]))


def balance(account: Filled) -> Decimal:
    return book.balance(account.wallet)


def hot_balance(account: Filled) -> Decimal:
    return book.balance(account.clearing)


def past_balance(account: Filled) -> Decimal:
    return book.balance_at(account.wallet, account.some_instant())
