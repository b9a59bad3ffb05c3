"""One small book with something of everything in it, and the names by which an attack points at its rows.

Ann and bob have deposited and play a staked game for dollars; their next stakes are held. Play money was issued and is
held. Hot accounts stand partly in their balance and partly in entries since. Twelve journals are sealed, under two
seals; the last five wait.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from decimal import Decimal
from typing import Any, Final
from uuid import UUID, uuid4

import psycopg
from django.db import connection, connections, transaction
from psycopg.conninfo import conninfo_to_dict

from ledger import book, postings, proofs, seals
from ledger.chart import AccountRef, escrow, house, wallet
from ledger.vouchers import Hold, Voucher
from tests.ledger.people import (
    ANN,
    ANNS_ESCROW,
    ANNS_WALLET,
    BOB,
    BOBS_ESCROW,
    BOBS_WALLET,
    CLEARING,
    COMMISSION,
    NOON,
    ROOM,
    deposited,
    hold,
    seated,
    taken,
    won,
)

WRITTEN: Final = (
    "account", "balance", "journal", "entry", "hold", "sealed", "seal",
)  # fmt: skip


NEVER_DRAWN: Final = """
    UPDATE ledger_journal SET id = {absent} WHERE id = {last};
    UPDATE ledger_entry SET journal_id = {absent}, version = CASE version WHEN {last} THEN {absent} ELSE version END
    WHERE journal_id = {last};
    """
"""Puts the last journal, which waits, where no seal ever looks."""


def write() -> dict[str, Any]:
    """Commit the book; the names that an attack's SQL may put in braces, with the ids they stand for."""
    first = deposited("100.00")
    anns, bobs = hold("15.00"), hold("15.00", player=BOB)
    anns_next, bobs_next = hold("20.00"), hold("20.00", player=BOB)
    ann_plays = Hold(uuid4(), ANN, "PLAY", Decimal("50.00"))
    slip = taken("5.00")
    for voucher in (
        first,
        deposited("100.00", player=BOB),
        deposited("70.00", currency="EUR"),
        _play_money(ANN),
        _play_money(BOB),
        seated(anns, bobs),
        won(anns, bobs, lost="10.00", commission="0.98"),
        slip,
    ):
        book.post(voucher)
    book.roll_up()
    book.reverse(key=slip.key, reason="it was the right player after all", at=NOON)
    seals.seal(at_most=6)
    book.post(deposited("0.50"))
    book.post(deposited("0.25", player=BOB))
    book.post(postings.commission_swept(sweep=uuid4(), room=ROOM, amount=Decimal("0.30"), currency="USD", at=NOON))
    seals.seal()
    last = deposited("1.00")
    bobs_last = deposited("2.00", player=BOB)
    for voucher in (
        seated(anns_next, bobs_next),
        _seated_for_play(ann_plays),
        bobs_last,
        deposited("3.00", currency="EUR"),
        last,
    ):
        book.post(voucher)
    accounts = {
        "ann": ANNS_WALLET,
        "ann_eur": wallet(ANN, "EUR"),
        "ann_play": wallet(ANN, "PLAY"),
        "ann_escrow": ANNS_ESCROW,
        "ann_escrow_play": escrow(ANN, "PLAY"),
        "bob": BOBS_WALLET,
        "bob_escrow": BOBS_ESCROW,
        "bob_play": wallet(BOB, "PLAY"),
        "clearing": CLEARING,
        "commission": COMMISSION,
        "revenue": house("revenue", "USD"),
    }
    return {
        **{name: _account_id(ref) for name, ref in accounts.items()},
        "ann_is": ANN,
        "bob_is": BOB,
        "first": _journal_id(first),  # ann's deposit, sealed as number 1
        "first_key": first.key,
        "slip": _journal_id(slip),
        "last": _journal_id(last),  # ann's last deposit, not sealed
        "last_key": last.key,
        "bobs_last": _journal_id(bobs_last),
        "opened": anns_next.id,
        "bob_opened": bobs_next.id,
        "captured": anns.id,
        "nobody": UUID(int=0xDEAD),
        "absent": 999_999_999,  # an id that no account and no journal has
    }


def empty(owner_dsn: str) -> None:
    """Truncate the book as its owner; the chart stays."""
    with psycopg.connect(owner_dsn) as owner:
        owner.execute("TRUNCATE " + ", ".join(f"ledger_{name}" for name in WRITTEN))


@contextmanager
def acting_as(dsn: str) -> Iterator[None]:
    """Within a transaction that is rolled back, Django's default connection is that of ``dsn``'s role.

    So the proofs read what an attack has left without its ever being committed.
    """
    with connected_as(dsn), transaction.atomic():
        yield
        transaction.set_rollback(True)


@contextmanager
def connected_as(dsn: str) -> Iterator[None]:
    """Django's default connection is one to ``dsn``, which need not be on the same server."""
    there = conninfo_to_dict(dsn)
    ours = connections["default"]
    theirs = type(ours)(
        {
            **ours.settings_dict,
            "NAME": there["dbname"],
            "USER": there["user"],
            "PASSWORD": there.get("password", ""),
            "HOST": there["host"],
            "PORT": there.get("port", ""),
            "OPTIONS": {key: value for key, value in ours.settings_dict["OPTIONS"].items() if key != "pool"},
        },
        alias="default",
    )
    connections["default"] = theirs
    try:
        yield
    finally:
        theirs.close()
        connections["default"] = ours


def run_sql(statements: str) -> None:
    """As they are: nothing is bound, so several may follow one another."""
    with connection.cursor() as cursor:
        cursor.execute(statements)


def failing() -> dict[str, str]:
    """The book's own proofs that do not hold, by name, with what they say."""
    found = [check() for check in proofs.PROOFS]
    return {proof.name: proof.fault for proof in found if proof.fault is not None}


def only(query: str, *values: str | UUID) -> Any:
    """The one value that a query finds."""
    with connection.cursor() as cursor:
        cursor.execute(query, values or None)
        ((found,),) = cursor.fetchall()
    return found


def _play_money(player: UUID) -> Voucher:
    return postings.play_money_issued(issue=uuid4(), player=player, amount=Decimal("500.00"), at=NOON)


def _seated_for_play(one: Hold) -> Voucher:
    return postings.stake_held(stake=uuid4(), holds=[one], at=NOON)


def _account_id(ref: AccountRef) -> int:
    return int(only("SELECT id FROM ledger_account WHERE code = %s AND owner = %s AND currency = %s", *ref))


def _journal_id(voucher: Voucher) -> int:
    return int(only("SELECT id FROM ledger_journal WHERE key = %s", voucher.key))
