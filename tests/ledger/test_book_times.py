"""Two clocks: when the book recorded an event, and when it happened in the world."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Final

import psycopg
import pytest
from django.db import connection, transaction

from ledger import book, chart, seals
from ledger.chart import AccountRef
from tests.ledger.people import (
    ANN,
    ANNS_WALLET,
    BOB,
    BOBS_WALLET,
    CLEARING,
    COMMISSION,
    NOON,
    deposited,
    hold,
    seated,
    taken,
    won,
)
from tests.ledger.proving import prove

pytestmark = pytest.mark.django_db

MOMENT: Final = timedelta(microseconds=1)
AMOUNTS: Final = ("5.00", "0.01", "2.50", "7.00", "1.00", "3.33")


def recorded(*amounts: str) -> list[tuple[datetime, Decimal]]:
    """Deposits, each with its time in the book and what the wallet and the provider's account hold after it."""
    standing = book.balance(ANNS_WALLET)
    found = []
    for amount in amounts:
        standing += Decimal(amount)
        found.append((book.post(deposited(amount)).posted_at, standing))
    return found


def check(history: list[tuple[datetime, Decimal]]) -> None:
    for account in (ANNS_WALLET, CLEARING):
        before = Decimal(0)
        for at, after in history:
            assert book.balance_at(account, at - MOMENT) == before
            assert book.balance_at(account, at) == after
            before = after
        assert book.balance_at(account, history[-1][0] + timedelta(days=999)) == before


def test_a_past_balance_by_the_books_clock() -> None:
    """Cold and hot, to the microsecond, that instant included."""
    history = recorded(*AMOUNTS)
    assert len({at for at, _ in history}) == len(AMOUNTS)
    check(history)


def test_a_past_balance_is_the_same_after_roll_ups_and_seals() -> None:
    history = recorded(*AMOUNTS[:2])
    book.roll_up()
    check(history)
    assert seals.seal()
    check(history)
    history += recorded(*AMOUNTS[2:4])
    check(history)
    assert seals.seal(at_most=1)
    check(history)
    assert seals.seal()
    book.roll_up()
    history += recorded(*AMOUNTS[4:])
    check(history)
    prove()


def test_a_past_balance_is_the_same_when_journals_are_sealed_one_by_one() -> None:
    history = recorded(*AMOUNTS)
    while seals.seal(at_most=1):
        check(history)
    prove()


def test_a_batch_is_recorded_at_one_instant() -> None:
    first, second = book.post_many([deposited("1.00"), deposited("2.00")])
    assert isinstance(first, book.Receipt)
    assert isinstance(second, book.Receipt)
    assert first.posted_at == second.posted_at
    for account in (ANNS_WALLET, CLEARING):
        assert book.balance_at(account, first.posted_at - MOMENT) == 0
        assert book.balance_at(account, first.posted_at) == Decimal("3.00")


def test_the_worlds_clock_says_when_it_happened() -> None:
    """Recorded in another order than it happened."""
    book.post(deposited("5.00", at=NOON))
    book.post(deposited("1.00", at=NOON - timedelta(days=1)))
    book.post(deposited("3.00", at=NOON + timedelta(days=1)))
    book.post(taken("0.50", at=NOON))
    for account, taken_out in ((ANNS_WALLET, "0.50"), (CLEARING, "0")):
        wanted = {
            NOON - timedelta(days=1) - MOMENT: "0",
            NOON - timedelta(days=1): "1.00",
            NOON - MOMENT: "1.00",
            NOON: str(6 - Decimal(taken_out)),
            NOON + timedelta(days=1): str(9 - Decimal(taken_out)),
        }
        assert {at: book.balance_at(account, at, clock="world") for at in wanted} == {
            at: Decimal(amount) for at, amount in wanted.items()
        }
        assert book.balance_at(account, NOON) == 0  # by the book's clock nothing was recorded then


def test_a_past_balance_of_an_account_that_grows_on_debit() -> None:
    book.post(deposited("5.00"))
    at = book.post(taken("2.00")).posted_at
    assert {
        code: book.balance_at(chart.house(code, "USD"), at)
        for code in ("bank_operating", "bank_customers", "adjustments")
    } == {"bank_operating": Decimal("2.00"), "bank_customers": Decimal("-2.00"), "adjustments": Decimal("-2.00")}


@pytest.mark.parametrize("clock", ["book", "world"])
@pytest.mark.parametrize("account", [BOBS_WALLET, COMMISSION, chart.wallet(ANN, "JPY")], ids=str)
def test_an_account_that_was_never_used_held_nothing(account: AccountRef, clock: str) -> None:
    assert str(book.balance_at(account, NOON, clock=clock)) == ("0" if account.currency == "JPY" else "0.00")  # type: ignore[arg-type]


def test_an_account_opened_by_a_refusal_held_nothing() -> None:
    with pytest.raises(book.InsufficientFunds):
        book.post(taken("1.00"))
    assert book.balance_at(ANNS_WALLET, NOON) == 0
    prove()


def test_a_hold_moves_two_balances_at_one_instant() -> None:
    book.post(deposited("10.00"))
    book.post(deposited("10.00", player=BOB))
    ann, bob = hold("10.00"), hold("10.00", player=BOB)
    down = book.hold(seated(ann, bob)).posted_at
    paid = book.capture(won(ann, bob, lost="5.00", commission="0.49")).posted_at
    history = {
        at: [str(book.balance_at(account, at)) for account in (ANNS_WALLET, chart.escrow(ANN, "USD"), COMMISSION)]
        for at in (down - MOMENT, down, paid - MOMENT, paid)
    }
    assert list(history.values()) == [
        ["10.00", "0.00", "0.00"],
        ["0.00", "10.00", "0.00"],
        ["0.00", "10.00", "0.00"],
        ["14.51", "0.00", "0.49"],
    ]


@pytest.mark.parametrize("entries", [1, 2, 3, 7, 8, 9, 64])
def test_the_search_finds_every_version(entries: int) -> None:
    history = recorded(*["0.01"] * entries)
    assert [book.balance_at(ANNS_WALLET, at) for at, _ in history] == [after for _, after in history]
    assert book.balance_at(ANNS_WALLET, history[0][0] - MOMENT) == 0


@pytest.mark.django_db(transaction=True)
def test_the_book_never_runs_backwards_though_the_clock_does(superuser_connection: psycopg.Connection) -> None:
    """Ann's wallet was touched in what is now the future: the clock was set back."""
    book.post(deposited("5.00"))
    ahead = book.post(deposited("5.00")).posted_at + timedelta(hours=1)
    with superuser_connection.transaction():
        superuser_connection.execute("SET LOCAL session_replication_role = replica")
        superuser_connection.execute(
            "UPDATE ledger_journal SET posted_at = %s WHERE id = (SELECT max(id) FROM ledger_journal)", [ahead]
        )
        superuser_connection.execute("UPDATE ledger_balance SET posted_at = %s WHERE posted_at IS NOT NULL", [ahead])
    moved = Decimal("1.00")
    later = book.post(deposited(str(moved))).posted_at
    assert later >= ahead
    with transaction.atomic():
        assert book.post(taken("2.00")).posted_at >= later
    elsewhere = book.post(deposited("1.00", player=BOB)).posted_at
    assert elsewhere < ahead  # an account that was not ahead keeps the clock's time
    assert book.balance_at(ANNS_WALLET, ahead - MOMENT) == Decimal("5.00")
    assert book.balance_at(ANNS_WALLET, later) == Decimal("9.00")
    assert book.balance_at(CLEARING, elsewhere) == Decimal("6.00")  # a hot account goes by the journals' own times
    prove()


def test_a_receipt_is_read_whatever_the_servers_style_of_dates() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL datestyle = 'German'")
        cursor.execute("SET LOCAL timezone = 'Asia/Tokyo'")
    first = book.post(deposited("5.00"))
    assert first.posted_at.utcoffset() == timedelta(0)
    assert abs(first.posted_at - datetime.now(UTC)) < timedelta(hours=1)
