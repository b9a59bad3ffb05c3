"""What ``ledger_post`` refuses when the application's role says what no ``Voucher`` would, and what first."""

from collections.abc import Callable
from dataclasses import dataclass, field
from decimal import Decimal
from itertools import combinations
from typing import Any
from uuid import UUID, uuid4

import psycopg
import pytest
from django.db import connection, transaction

from ledger import book
from ledger.chart import HOUSE, AccountRef
from ledger.models import Account, Entry, Journal
from tests.ledger import raw
from tests.ledger.people import (
    ANN,
    ANNS_ESCROW,
    ANNS_WALLET,
    BOB,
    BOBS_WALLET,
    CLEARING,
    PROVIDER,
    deposited,
    hold,
    seated,
    stood_up,
)
from tests.ledger.proving import prove
from tests.ledger.raw import Item, Side, move

pytestmark = pytest.mark.django_db

FIVE = Decimal("5.00")


def refused(item: Item) -> tuple[str, list[str] | None]:
    """What becomes of ``item``: the same alone as between two others, which are right and must not notice."""
    with transaction.atomic():
        (alone,) = raw.call(item)
        _left_nothing(item, alone)
        transaction.set_rollback(True)
    before, answer, after = raw.call(
        Item(move(CLEARING, ANNS_WALLET, "5.00")), item, Item(move(ANNS_WALLET, CLEARING, "5.00"))
    )
    assert (before.outcome, after.outcome) == ("posted", "posted")
    _left_nothing(item, answer)
    prove()
    assert (alone.outcome, alone.refusal) == (answer.outcome, answer.refusal)
    return answer.outcome, answer.refusal


def _left_nothing(item: Item, answer: raw.Answer) -> None:
    if answer.outcome != "posted":
        assert (answer.posted, answer.balances) == (None, None)
        assert not Journal.objects.filter(key=item.key, fingerprint=item.fingerprint).exists()


def test_what_is_right_is_posted() -> None:
    assert refused(Item(move(CLEARING, ANNS_WALLET, "5.00"))) == ("posted", None)


@pytest.mark.parametrize(
    "amount",
    ["0", "-5", "0.001", "5.001", "5.000", "1e12", "NaN", "Infinity", "-Infinity", "1e-30", "1e30"],
)
def test_an_amount_is_invalid(amount: str) -> None:
    """Cases 42: PostgreSQL's ``x > 0`` alone takes NaN and Infinity."""
    outcome, why = refused(Item(move(CLEARING, ANNS_WALLET, amount)))
    assert outcome == "invalid_amount"
    assert why is not None
    assert why[:3] == ["clearing", str(PROVIDER), "USD"]
    assert Decimal(why[3]).compare_total(Decimal(amount)) == 0 or Decimal(why[3]) == Decimal(amount)


@pytest.mark.parametrize(
    ("currency", "amount", "outcome"),
    [
        ("JPY", "500", "posted"),
        ("JPY", "500.5", "invalid_amount"),
        ("JPY", "500.0", "invalid_amount"),
        ("KWD", "1.234", "posted"),
        ("KWD", "1.2345", "invalid_amount"),
        ("USD", "999999999999.99", "posted"),
        ("USD", "1000000000000.00", "invalid_amount"),
    ],
)
def test_an_amount_is_within_its_currencys_digits(currency: str, amount: str, outcome: str) -> None:
    """Cases 27."""
    lines = move(AccountRef("clearing", PROVIDER, currency), AccountRef("wallet", ANN, currency), amount)
    assert refused(Item(lines))[0] == outcome


@pytest.mark.parametrize("side", ["dr", "", "XX", None])
def test_a_side_is_dr_or_cr(side: str | None) -> None:
    lines = [Side(CLEARING, side, FIVE), Side(ANNS_WALLET, "CR", FIVE)]
    assert refused(Item(lines))[0] == "invalid_amount"


def test_an_amount_is_not_missing() -> None:
    assert refused(Item([Side(CLEARING, "DR", None), Side(ANNS_WALLET, "CR", None)]))[0] == "invalid_amount"


@pytest.mark.parametrize(
    "account",
    [
        ("jackpot", ANN, "USD"),
        ("wallet", ANN, "XXX"),
        ("wallet", ANN, "usd"),
        ("clearing", PROVIDER, "PLAY"),  # Z: play money has no provider
        ("bank_customers", HOUSE, "PLAY"),
        ("play_issued", HOUSE, "USD"),
        ("wallet", None, "USD"),
        (None, ANN, "USD"),
        ("wallet", ANN, None),
    ],
)
def test_an_account_is_unknown(account: tuple[Any, Any, Any]) -> None:
    accounts = Account.objects.count()
    outcome, why = refused(Item([Side(CLEARING, "DR", FIVE), Side(account, "CR", FIVE)]))
    assert (outcome, why) == ("unknown_account", [str(part) if part else None for part in account])
    assert Account.objects.count() == accounts + 2  # those of the two others


@pytest.mark.parametrize(
    ("lines", "why"),
    [
        ([Side(CLEARING, "DR", FIVE)], ["USD", "5.00"]),
        ([Side(ANNS_WALLET, "CR", FIVE)], ["USD", "-5.00"]),
        ([Side(CLEARING, "DR", FIVE), Side(ANNS_WALLET, "CR", Decimal("4.99"))], ["USD", "0.01"]),
        ([Side(CLEARING, "DR", FIVE), Side(ANNS_WALLET, "DR", FIVE)], ["USD", "10.00"]),
        # Five dollars for five units of play money, and five euros: in sum nothing is missing.
        ([Side(ANNS_WALLET, "DR", FIVE), Side(("wallet", BOB, "PLAY"), "CR", FIVE)], None),
        ([Side(("wallet", BOB, "EUR"), "DR", FIVE), Side(ANNS_WALLET, "CR", FIVE)], None),
    ],
)
def test_lines_are_unbalanced(lines: list[Side], why: list[str] | None) -> None:
    outcome, said = refused(Item(lines))
    assert outcome == "unbalanced"
    assert why is None or said == why


def test_a_voucher_without_lines_is_unbalanced() -> None:
    assert refused(Item([]))[0] == "unbalanced"


def test_two_currencies_that_balance_each_are_posted() -> None:
    euros = move(AccountRef("clearing", PROVIDER, "EUR"), AccountRef("wallet", ANN, "EUR"), "3.00")
    assert refused(Item([*move(CLEARING, ANNS_WALLET, "5.00"), *euros]))[0] == "posted"


def test_an_account_is_named_once_in_a_voucher() -> None:
    """A Voucher merges its lines. Each of these alone would have enough to take from."""
    book.post(deposited("10.00"))
    lines = [*move(ANNS_WALLET, BOBS_WALLET, "6.00"), *move(ANNS_WALLET, CLEARING, "6.00")]
    with (
        pytest.raises(psycopg.errors.InvalidParameterValue, match="stands twice in one voucher"),
        transaction.atomic(),
    ):
        raw.call(Item(lines))
    assert book.balance(ANNS_WALLET) == Decimal("10.00")
    prove()


@pytest.mark.parametrize("places", [[2, 2, 1, 1], [1, 1, 3, 3], [0, 0, 1, 1], [1, 2, 1, 2]])
def test_lines_come_in_the_order_of_their_vouchers(places: list[int]) -> None:
    items = [Item(move(CLEARING, ANNS_WALLET, "5.00")) for _ in range(2)]
    with (
        pytest.raises(psycopg.errors.InvalidParameterValue, match="in the order of the vouchers"),
        transaction.atomic(),
    ):
        raw.call(*items, line_places=places)
    assert book.balance(ANNS_WALLET) == 0


def test_play_money_and_real_money_do_not_meet_in_one_voucher() -> None:
    """Z: not even where both balance."""
    play = move(AccountRef("play_issued", HOUSE, "PLAY"), AccountRef("wallet", ANN, "PLAY"), "5.00")
    real = move(CLEARING, ANNS_WALLET, "5.00")
    assert refused(Item([*play, *real]))[0] == "zones_mixed"
    assert refused(Item(play))[0] == refused(Item(real))[0] == "posted"


# --- Holds --------------------------------------------------------------------------------------------------------


def test_a_hold_is_not_closed_twice_in_one_voucher() -> None:
    one = hold("5.00")
    book.post(deposited("10.00"))
    book.hold(seated(hold("5.00"), one))
    assert refused(Item(move(ANNS_ESCROW, ANNS_WALLET, "10.00"), closes=[one.id, one.id]))[0] == "hold_closed"
    assert refused(Item(move(ANNS_ESCROW, ANNS_WALLET, "5.00"), closes=[one.id]))[0] == "posted"


def test_a_hold_is_not_opened_twice_in_one_voucher() -> None:
    book.post(deposited("10.00"))
    one = (uuid4(), ANN, "USD", FIVE)
    assert refused(Item(move(ANNS_WALLET, ANNS_ESCROW, "10.00"), opens=[one, one]))[0] == "hold_exists"
    assert refused(Item(move(ANNS_WALLET, ANNS_ESCROW, "5.00"), opens=[one]))[0] == "posted"


def test_a_hold_is_not_opened_and_closed_in_one_voucher() -> None:
    book.post(deposited("10.00"))
    one = (uuid4(), ANN, "USD", FIVE)
    lines = [*move(ANNS_WALLET, CLEARING, "5.00")]
    assert refused(Item(lines, opens=[one], closes=[one[0]]))[0] == "unknown_hold"


@pytest.mark.parametrize("amount", ["5.01", "4.99", "10.00"])
def test_a_hold_differs_from_its_escrow_line(amount: str) -> None:
    book.post(deposited("10.00"))
    one = (uuid4(), ANN, "USD", Decimal(amount))
    assert refused(Item(move(ANNS_WALLET, ANNS_ESCROW, "5.00"), opens=[one]))[0] == "holds_differ"


def test_a_hold_without_its_escrow_line_differs() -> None:
    book.post(deposited("10.00"))
    assert refused(Item(move(ANNS_WALLET, CLEARING, "5.00"), opens=[(uuid4(), ANN, "USD", FIVE)]))[0] == "holds_differ"
    assert (
        refused(Item(move(ANNS_WALLET, ANNS_ESCROW, "5.00"), opens=[(uuid4(), BOB, "USD", FIVE)]))[0] == "holds_differ"
    )


@pytest.mark.parametrize("amounts", [("4.999", "0.001"), ("10.00", "-5.00"), ("5.00", "0"), ("NaN",), ("Infinity",)])
def test_the_amount_of_a_hold_is_invalid(amounts: tuple[str, ...]) -> None:
    """Though their sum may be what the escrow line says."""
    book.post(deposited("10.00"))
    opens = [(uuid4(), ANN, "USD", Decimal(amount)) for amount in amounts]
    assert refused(Item(move(ANNS_WALLET, ANNS_ESCROW, "5.00"), opens=opens))[0] == "invalid_amount"
    assert book.open_holds() == []


# --- Precedence ---------------------------------------------------------------------------------------------------


@dataclass
class Wrong:
    """A voucher to be, and what stands in the book for it to clash with."""

    key: str = field(default_factory=lambda: f"raw:{uuid4()}")
    lines: list[Side] = field(default_factory=lambda: move(CLEARING, ANNS_WALLET, "1.00"))
    opens: list[tuple[UUID, UUID, str, Decimal]] = field(default_factory=list)
    closes: list[UUID] = field(default_factory=list)


def _key_reused(wrong: Wrong) -> None:
    wrong.key = f"deposit_confirmed:{ANN}"
    book.post(deposited("100.00", deposit=ANN))


def _invalid_amount(wrong: Wrong) -> None:
    wrong.lines += move(AccountRef("wallet", BOB, "EUR"), AccountRef("clearing", PROVIDER, "EUR"), "NaN")


def _unknown_account(wrong: Wrong) -> None:
    wrong.lines += [Side(("jackpot", ANN, "USD"), "DR", FIVE), Side(("jackpot", BOB, "USD"), "CR", FIVE)]


def _unbalanced(wrong: Wrong) -> None:
    wrong.lines += [Side(AccountRef("clearing", PROVIDER, "JPY"), "DR", Decimal(7))]


def _zones_mixed(wrong: Wrong) -> None:
    wrong.lines += move(AccountRef("play_issued", HOUSE, "PLAY"), AccountRef("wallet", ANN, "PLAY"), "5.00")


def _unknown_hold(wrong: Wrong) -> None:
    wrong.closes.append(uuid4())


def _hold_closed(wrong: Wrong) -> None:
    closed = hold("2.00", player=UUID(int=7))
    book.post(deposited("2.00", player=closed.owner))
    book.hold(seated(closed))
    book.release(stood_up(closed))
    wrong.closes.append(closed.id)


def _hold_exists(wrong: Wrong) -> None:
    standing = hold("3.00", player=UUID(int=8))
    book.post(deposited("3.00", player=standing.owner))
    book.hold(seated(standing))
    wrong.opens.append((standing.id, standing.owner, "USD", standing.amount))


def _holds_differ(wrong: Wrong) -> None:
    wrong.lines += [Side(AccountRef("escrow", ANN, "USD"), "CR", FIVE), Side(CLEARING, "DR", FIVE)]


def _insufficient_funds(wrong: Wrong) -> None:
    wrong.lines += move(BOBS_WALLET, AccountRef("bank_customers", HOUSE, "USD"), "0.01")


IN_ORDER = (
    _key_reused,
    _invalid_amount,
    _unknown_account,
    _unbalanced,
    _zones_mixed,
    _unknown_hold,
    _hold_closed,
    _hold_exists,
    _holds_differ,
    _insufficient_funds,
)
PAIRS = list(combinations(IN_ORDER, 2))


@pytest.mark.parametrize("make", IN_ORDER, ids=lambda make: make.__name__[1:])
def test_a_refusal_has_its_name(make: Callable[[Wrong], None]) -> None:
    wrong = Wrong()
    make(wrong)
    assert refused(Item(wrong.lines, wrong.opens, wrong.closes, wrong.key))[0] == make.__name__[1:]


@pytest.mark.parametrize("swapped", [False, True], ids=["in_order", "swapped"])
@pytest.mark.parametrize(
    ("first", "second"),
    PAIRS,
    ids=[f"{first.__name__[1:]}-{second.__name__[1:]}" for first, second in PAIRS],
)
def test_of_two_faults_the_first_in_order_is_told(
    first: Callable[[Wrong], None], second: Callable[[Wrong], None], swapped: bool
) -> None:
    """However the two stand in the voucher."""
    wrong = Wrong()
    for make in (second, first) if swapped else (first, second):
        make(wrong)
    assert refused(Item(wrong.lines, wrong.opens, wrong.closes, wrong.key))[0] == first.__name__[1:]


# --- The call itself ----------------------------------------------------------------------------------------------


def test_a_call_takes_a_thousand_vouchers_and_not_one_more() -> None:
    items = [Item(move(CLEARING, ANNS_WALLET, "0.01")) for _ in range(1001)]
    with pytest.raises(psycopg.errors.InvalidParameterValue, match="1001 vouchers in one call"), transaction.atomic():
        raw.call(*items)
    assert {answer.outcome for answer in raw.call(*items[:1000])} == {"posted"}
    assert book.balance(ANNS_WALLET) == Decimal("10.00")
    prove()


def test_a_key_does_not_stand_twice_in_one_call() -> None:
    one, other = (Item(move(CLEARING, ANNS_WALLET, amount), key="raw:1") for amount in ("1.00", "2.00"))
    with pytest.raises(psycopg.errors.InvalidParameterValue, match="raw:1 stands twice"), transaction.atomic():
        raw.call(one, other)
    assert [Entry.objects.count(), Journal.objects.count()] == [0, 0]


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("level", ["REPEATABLE READ", "SERIALIZABLE"])
def test_a_call_is_in_read_committed_only(level: str, app_dsn: str) -> None:
    item = Item(move(CLEARING, ANNS_WALLET, "5.00"))
    with psycopg.connect(app_dsn) as service:
        service.execute(f"SET TRANSACTION ISOLATION LEVEL {level}")
        with pytest.raises(psycopg.errors.ActiveSqlTransaction, match="READ COMMITTED only"):
            raw.call_on(service, item)
        service.rollback()
        assert raw.call_on(service, item)[0].outcome == "posted"


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("call", ["ledger_seal(10)", "ledger_roll_up()"])
@pytest.mark.parametrize("level", ["REPEATABLE READ", "SERIALIZABLE"])
def test_what_reads_how_far_the_book_is_complete_is_in_read_committed_only(level: str, call: str, app_dsn: str) -> None:
    """An older snapshot would not see what committed while it waited, and pass it by for good."""
    with psycopg.connect(app_dsn) as service:
        service.execute(f"SET TRANSACTION ISOLATION LEVEL {level}")
        with pytest.raises(psycopg.errors.ActiveSqlTransaction, match="READ COMMITTED only"):
            service.execute(f"SELECT {call}")


@pytest.mark.django_db(transaction=True)
def test_ids_that_a_session_keeps_in_store_are_refused(owner_dsn: str, app_dsn: str) -> None:
    with psycopg.connect(owner_dsn, autocommit=True) as owner, psycopg.connect(app_dsn) as service:
        owner.execute("ALTER SEQUENCE ledger_journal_id_seq CACHE 20")
        try:
            with pytest.raises(psycopg.errors.ObjectNotInPrerequisiteState, match="cache"):
                service.execute("SELECT ledger_seal(10)")
        finally:
            service.rollback()
            owner.execute("ALTER SEQUENCE ledger_journal_id_seq CACHE 1")


@pytest.mark.parametrize(
    "change",
    [
        "SET work_mem = '64kB'",
        "SET search_path = pg_temp, public",
        "SET lc_monetary = 'C'",
        "SET timezone = 'Asia/Tokyo'",
    ],
)
def test_the_callers_settings_change_nothing(change: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(change)
    assert refused(Item(move(CLEARING, ANNS_WALLET, "5.00"))) == ("posted", None)
    with connection.cursor() as cursor:
        cursor.execute("RESET ALL")


def test_an_empty_call_answers_nothing() -> None:
    assert raw.call() == []
