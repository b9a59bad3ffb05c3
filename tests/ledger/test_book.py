"""The door of the book: what goes in, what is answered, what is refused. Each refusal stands beside its success."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from decimal import Decimal
from typing import Final
from uuid import uuid4

import pytest
from django.db import DatabaseError, connection, transaction

from ledger import book, chart, postings
from ledger.book import (
    HoldClosed,
    HoldExists,
    HoldsDiffer,
    InsufficientFunds,
    KeyReused,
    NotReversible,
    Receipt,
    Refused,
    StatementLine,
    UnknownHold,
    UnknownKey,
)
from ledger.models import Account, Balance, Entry, Journal
from ledger.vouchers import Hold, Voucher, credit, debit
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
    OPERATOR,
    PROVIDER,
    ROOM,
    deposited,
    hold,
    seated,
    stood_up,
    taken,
    won,
)
from tests.ledger.proving import prove

pytestmark = pytest.mark.django_db


def usd(amount: str) -> Decimal:
    return Decimal(amount).quantize(Decimal("0.01"))


def sit_down(ann: str = "15.00", bob: str = "15.00") -> tuple[Hold, Hold]:
    """Ann and bob have 100.00 each and sit down."""
    book.post(deposited("100.00"))
    book.post(deposited("100.00", player=BOB))
    holds = hold(ann), hold(bob, player=BOB)
    book.hold(seated(*holds))
    return holds


# --- post ---------------------------------------------------------------------------------------------------------


def test_a_deposit_is_in_the_book() -> None:
    voucher = deposited("100.00")
    receipt = book.post(voucher)
    assert (receipt.key, receipt.event, receipt.replayed) == (voucher.key, "deposit_confirmed", False)
    assert dict(receipt.balances) == {ANNS_WALLET: Decimal("100.00")}  # the receipt carries cold balances only
    assert book.balances([ANNS_WALLET, CLEARING]) == {ANNS_WALLET: usd("100"), CLEARING: usd("100")}
    prove()


def test_a_receipt_has_the_balances_just_after_its_voucher() -> None:
    book.post(deposited("100.00"))
    assert book.post(deposited("0.50")).balances[ANNS_WALLET] == usd("100.50")
    assert dict(book.post(taken("10")).balances)[ANNS_WALLET] == usd("90.50")


def test_the_same_again_returns_the_first_receipt() -> None:
    voucher = deposited("100.00")
    first = book.post(voucher)
    book.post(deposited("1.00"))
    again = book.post(replace(voucher, occurred_at=NOON + timedelta(days=2), detail={"attempt": 2}))
    assert again == replace(first, replayed=True)
    assert book.balance(ANNS_WALLET) == usd("101")
    assert Journal.objects.count() == 2


def test_a_key_is_not_used_for_something_else() -> None:
    """Cases 6."""
    deposit = uuid4()
    book.post(deposited("5.00", deposit=deposit))
    for other in (deposited("50.00", deposit=deposit), deposited("5.00", deposit=deposit, player=BOB)):
        with pytest.raises(KeyReused, match="is in the book for another deposit_confirmed") as refused:
            book.post(other)
        assert (refused.value.code, refused.value.key) == ("key_reused", other.key)
    assert book.balances([ANNS_WALLET, BOBS_WALLET]) == {ANNS_WALLET: usd("5"), BOBS_WALLET: usd("0")}
    assert Journal.objects.count() == 1


def test_a_wallet_is_emptied_but_not_overdrawn() -> None:
    book.post(deposited("10.00"))
    with pytest.raises(InsufficientFunds) as refused:
        book.post(taken("10.01"))
    assert refused.value.code == "insufficient_funds"
    assert (refused.value.account, refused.value.balance, refused.value.needed) == (
        ANNS_WALLET,
        Decimal("10.00"),
        Decimal("10.01"),
    )
    assert book.balance(ANNS_WALLET) == usd("10")
    book.post(taken("10.00"))
    assert book.balance(ANNS_WALLET) == usd("0")
    prove()


def test_an_account_of_the_house_may_fall_below_zero() -> None:
    book.post(deposited("10.00"))
    book.post(taken("10.00"))
    assert book.balance(chart.house("bank_customers", "USD")) == usd("-10")


def test_a_refused_voucher_leaves_nothing_and_its_key_may_be_tried_again() -> None:
    payment = taken("10.00")
    with pytest.raises(InsufficientFunds):
        book.post(payment)
    assert [rows.objects.count() for rows in (Journal, Entry)] == [0, 0]
    book.post(deposited("10.00"))
    assert book.post(payment).replayed is False
    assert book.post(payment).replayed is True


def test_a_refused_key_may_be_used_for_something_else() -> None:
    adjustment = uuid4()
    with pytest.raises(InsufficientFunds):
        book.post(taken("10.00", adjustment=adjustment))
    book.post(deposited("5.00"))
    book.post(taken("5.00", adjustment=adjustment))
    assert book.balance(ANNS_WALLET) == usd("0")


def test_zones_and_currencies_keep_apart() -> None:
    book.post(deposited("5.00"))
    book.post(deposited("500", currency="JPY"))
    book.post(deposited("1.234", currency="KWD"))
    book.post(postings.play_money_issued(issue=uuid4(), player=ANN, amount=Decimal(1000), at=NOON))
    assert {unit: str(book.balance(chart.wallet(ANN, unit))) for unit in ("USD", "JPY", "KWD", "PLAY", "EUR")} == {
        "USD": "5.00",
        "JPY": "500",
        "KWD": "1.234",
        "PLAY": "1000.00",
        "EUR": "0.00",
    }
    with pytest.raises(InsufficientFunds):
        book.post(taken("5.01"))
    prove()


def test_a_voucher_in_two_currencies_stands_or_falls_as_one() -> None:
    euros = deposited("5.00", currency="EUR").lines
    dollars = [debit(ANNS_WALLET, Decimal(5)), credit(BOBS_WALLET, Decimal(5))]
    both = Voucher(event="exchanged", key="exchanged:1", occurred_at=NOON, lines=[*euros, *dollars])
    with pytest.raises(InsufficientFunds):
        book.post(both)
    assert book.balance(chart.wallet(ANN, "EUR")) == 0
    book.post(deposited("5.00"))
    assert set(book.post(both).balances) == {chart.wallet(ANN, "EUR"), ANNS_WALLET, BOBS_WALLET}
    prove()


def test_the_largest_amount_goes_in_and_adds_up() -> None:
    most = Decimal("999999999999.99")
    for _ in range(3):
        book.post(deposited(str(most)))
    assert book.balance(ANNS_WALLET) == 3 * most
    prove()


def test_detail_is_kept_as_it_was_said() -> None:
    book.post(deposited("1.00"))
    book.post(taken("1.00"))
    (line,) = book.statement(ANNS_WALLET, after=1).lines
    assert line.detail == {"reason": "a refund that went to the wrong player", "operator": str(OPERATOR)}


# --- Transactions -------------------------------------------------------------------------------------------------


@pytest.mark.django_db(transaction=True)
def test_it_posts_in_autocommit() -> None:
    assert connection.get_autocommit()
    book.post(deposited("5.00"))
    with pytest.raises(InsufficientFunds):
        book.post(taken("6.00"))
    connection.close()
    assert book.balance(ANNS_WALLET) == usd("5")
    prove()


@pytest.mark.django_db(transaction=True)
def test_what_is_rolled_back_was_never_posted() -> None:
    voucher = deposited("5.00")

    def fail() -> None:
        with transaction.atomic():
            book.post(voucher)
            assert book.balance(ANNS_WALLET) == usd("5")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert book.balance(ANNS_WALLET) == 0
    assert [rows.objects.count() for rows in (Journal, Account)] == [0, 0]
    assert book.post(voucher).replayed is False


def test_a_refusal_does_not_break_the_transaction_it_comes_in() -> None:
    with transaction.atomic():
        with pytest.raises(InsufficientFunds):
            book.post(taken("6.00"))
        book.post(deposited("5.00"))
    assert book.balance(ANNS_WALLET) == usd("5")


def test_a_savepoint_takes_back_what_was_posted_in_it() -> None:
    voucher = deposited("5.00")
    book.post(deposited("1.00"))
    with transaction.atomic():
        book.post(voucher)
        transaction.set_rollback(True)
    assert book.balance(ANNS_WALLET) == usd("1")
    assert book.post(voucher).balances[ANNS_WALLET] == usd("6")
    prove()


def test_a_broken_transaction_posts_nothing() -> None:
    with transaction.atomic():
        transaction.set_rollback(True)
        with pytest.raises(transaction.TransactionManagementError):
            book.post(deposited("5.00"))


@pytest.mark.django_db(transaction=True)
def test_it_posts_in_read_committed_only() -> None:
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        with pytest.raises(DatabaseError, match="runs in READ COMMITTED only"), transaction.atomic():
            book.post(deposited("5.00"))
    book.post(deposited("5.00"))


# --- Holds --------------------------------------------------------------------------------------------------------


def test_s_4_sitting_down_holds_from_both() -> None:
    sit_down("15.00", "20.00")
    assert book.balances([ANNS_WALLET, ANNS_ESCROW, BOBS_WALLET, BOBS_ESCROW]) == {
        ANNS_WALLET: usd("85"),
        ANNS_ESCROW: usd("15"),
        BOBS_WALLET: usd("80"),
        BOBS_ESCROW: usd("20"),
    }
    prove()


def test_s_4_sitting_down_holds_from_both_or_neither() -> None:
    book.post(deposited("15.00"))
    book.post(deposited("14.99", player=BOB))
    both = seated(hold("15.00"), hold("15.00", player=BOB))
    with pytest.raises(InsufficientFunds) as refused:
        book.hold(both)
    assert refused.value.account == BOBS_WALLET
    assert book.balances([ANNS_WALLET, ANNS_ESCROW]) == {ANNS_WALLET: usd("15"), ANNS_ESCROW: usd("0")}
    assert book.open_holds() == []
    book.post(deposited("0.01", player=BOB))
    book.hold(both)
    assert len(book.open_holds()) == 2


def test_pending_holds_count() -> None:
    """Cases 31: 50.00, six holds of 10.00: the sixth is refused."""
    book.post(deposited("50.00"))
    for _ in range(5):
        book.hold(seated(hold("10.00")))
    with pytest.raises(InsufficientFunds):
        book.hold(seated(hold("10.00")))
    assert book.balances([ANNS_WALLET, ANNS_ESCROW]) == {ANNS_WALLET: usd("0"), ANNS_ESCROW: usd("50")}


def test_a_retried_hold_is_the_same_hold() -> None:
    """Cases 5."""
    book.post(deposited("50.00"))
    stake, one = uuid4(), hold("10.00")
    first = book.hold(seated(one, stake=stake))
    assert book.hold(seated(one, stake=stake)) == replace(first, replayed=True)
    with pytest.raises(KeyReused):
        book.hold(seated(hold("10.00"), stake=stake))  # a new hold id is another content
    assert book.open_holds() == [one]


def test_an_id_holds_once() -> None:
    book.post(deposited("50.00"))
    one = hold("10.00")
    book.hold(seated(one))
    with pytest.raises(HoldExists, match=f"hold {one.id} exists already"):
        book.hold(seated(one))
    book.release(stood_up(one))
    with pytest.raises(HoldExists):
        book.hold(seated(one))
    book.hold(seated(hold("10.00")))


def test_c_1_a_capture_pays_out_what_was_held() -> None:
    ann, bob = sit_down("30.00", "30.00")
    receipt = book.capture(won(ann, bob, lost="10.00", commission="0.98"))
    assert dict(receipt.balances) == {
        ANNS_WALLET: usd("109.02"),
        ANNS_ESCROW: usd("0"),
        BOBS_WALLET: usd("90"),
        BOBS_ESCROW: usd("0"),
    }
    assert book.balance(COMMISSION) == usd("0.98")
    assert book.open_holds() == []
    prove()


def test_a_second_capture_is_refused() -> None:
    """Cases 2 and 9: asked again it answers the same, asked otherwise it is refused."""
    ann, bob = sit_down()
    settle = won(ann, bob, lost="10.00", commission="0.98")
    first = book.capture(settle)
    assert book.capture(settle) == replace(first, replayed=True)
    with pytest.raises(HoldClosed, match=r"is closed already \(CAPTURED\)"):
        book.capture(won(ann, bob, lost="10.00", commission="0.98"))
    with pytest.raises(HoldClosed):
        book.capture(won(bob, ann, lost="10.00", commission="0.98"))
    assert book.balances([ANNS_WALLET, COMMISSION]) == {ANNS_WALLET: usd("109.02"), COMMISSION: usd("0.98")}


def test_a_capture_of_less_gives_the_rest_back_once() -> None:
    """Cases 2: 10.00, hold 2.20, settle using 0.55, settle again after a crash: 9.45 both times."""
    book.post(deposited("10.00"))
    one = hold("2.20")
    book.hold(seated(one))
    settle = postings.single_settled(
        stake=uuid4(),
        seats=[postings.Seat(ANN, one.id, Decimal("2.20"), Decimal("1.65"))],
        room=ROOM,
        commission=Decimal("0.55"),
        currency="USD",
        at=NOON,
    )
    for _ in range(2):
        book.capture(settle)
        assert book.balance(ANNS_WALLET) == usd("9.45")


def test_what_was_given_back_is_not_paid_out() -> None:
    """Cases 32: void, then settle: refused; void again: the first answer."""
    ann, bob = sit_down()
    void = postings.stake_voided(stake=uuid4(), holds=[ann, bob], at=NOON)
    first = book.release(void)
    with pytest.raises(HoldClosed, match=r"is closed already \(RELEASED\)"):
        book.capture(won(ann, bob, lost="10.00", commission="0.98"))
    assert book.release(void) == replace(first, replayed=True)
    with pytest.raises(HoldClosed):
        book.release(stood_up(ann, bob))
    assert book.balances([ANNS_WALLET, BOBS_WALLET, COMMISSION]) == {
        ANNS_WALLET: usd("100"),
        BOBS_WALLET: usd("100"),
        COMMISSION: usd("0"),
    }


def test_nothing_is_paid_out_without_a_live_hold() -> None:
    """Cases 20: a payout that was rejected and given back is not sent by trying again."""
    book.post(deposited("50.00"))
    one = hold("50.00")
    ask = seated(one, stake=uuid4())
    book.hold(ask)
    book.release(stood_up(one))
    assert book.hold(ask).replayed is True  # the retry of the request moves nothing
    pay = Voucher(
        event="paid",
        key="paid:1",
        occurred_at=NOON,
        lines=[debit(ANNS_ESCROW, Decimal(50)), credit(CLEARING, Decimal(50))],
        captures=[one.id],
    )
    with pytest.raises(HoldClosed):
        book.capture(pay)
    anew = hold("50.00")
    book.hold(seated(anew))
    book.capture(replace(pay, captures=[anew.id]))
    assert book.balances([ANNS_WALLET, CLEARING]) == {ANNS_WALLET: usd("0"), CLEARING: usd("0")}


def test_an_unknown_hold_is_refused() -> None:
    ann, bob = sit_down()
    stranger = hold("15.00")
    with pytest.raises(UnknownHold, match=f"hold {stranger.id} was never opened"):
        book.capture(won(stranger, bob, lost="10.00", commission="0.98"))
    with pytest.raises(UnknownHold):
        book.release(stood_up(stranger))
    book.capture(won(ann, bob, lost="10.00", commission="0.98"))


@pytest.mark.parametrize("amount", ["14.99", "15.01", "30.00"])
def test_s_5_a_hold_is_closed_for_exactly_what_it_holds(amount: str) -> None:
    ann, bob = sit_down()
    with pytest.raises(HoldsDiffer, match=rf"escrow would move by -{amount}, its holds by -15\.00"):
        book.release(stood_up(hold(amount, hold_id=ann.id)))
    with pytest.raises(HoldsDiffer):
        book.capture(won(hold(amount, hold_id=ann.id), bob, lost="10.00", commission="0.98"))
    book.release(stood_up(ann))


def test_a_hold_pays_out_its_owners_escrow_only() -> None:
    ann, _ = sit_down()
    with pytest.raises(HoldsDiffer):
        book.release(stood_up(hold("15.00", player=BOB, hold_id=ann.id)))


def test_escrow_moves_by_holds_only() -> None:
    sit_down()
    bare = Voucher(
        event="taken", key="taken:1", occurred_at=NOON,
        lines=[debit(ANNS_ESCROW, Decimal(15)), credit(ANNS_WALLET, Decimal(15))],
    )  # fmt: skip
    with pytest.raises(HoldsDiffer, match=r"escrow would move by -15\.00, its holds by 0"):
        book.post(bare)
    with pytest.raises(HoldsDiffer):
        book.post(replace(bare, lines=[debit(ANNS_WALLET, Decimal(15)), credit(ANNS_ESCROW, Decimal(15))]))
    prove()


def test_two_holds_of_one_player_close_together() -> None:
    book.post(deposited("50.00"))
    one, two = hold("10.00"), hold("5.00")
    book.hold(seated(one, two))
    assert book.balance(ANNS_ESCROW) == usd("15")
    book.release(stood_up(two, one))
    assert book.balance(ANNS_WALLET) == usd("50")
    prove()


ASIDE: Final = hold("5.00")


@pytest.mark.parametrize(
    ("door", "voucher"),
    [
        (book.hold, deposited("5.00")),
        (book.hold, stood_up(ASIDE)),
        (book.capture, deposited("5.00")),
        (book.capture, seated(ASIDE)),
        (book.capture, stood_up(ASIDE)),
        (book.release, deposited("5.00")),
        (book.release, seated(ASIDE)),
        (book.release, won(ASIDE, hold("5.00", player=BOB), lost="5", commission="0")),
    ],
)
def test_a_door_takes_its_own_vouchers_only(door: Callable[[Voucher], Receipt], voucher: Voucher) -> None:
    with pytest.raises(AssertionError):
        door(voucher)
    assert Journal.objects.count() == 0


# --- reverse ------------------------------------------------------------------------------------------------------


def test_a_deposit_is_reversed_once() -> None:
    """Cases 26: a second refund of the same is the first one's answer, and money is not there twice."""
    voucher = deposited("10.00")
    book.post(voucher)
    first = book.reverse(key=voucher.key, reason="the wrong player", at=NOON)
    assert first.event == "reversal"
    assert book.reverse(key=voucher.key, reason="again", at=NOON) == replace(first, replayed=True)
    assert book.balances([ANNS_WALLET, CLEARING]) == {ANNS_WALLET: usd("0"), CLEARING: usd("0")}
    with pytest.raises(InsufficientFunds):
        book.post(taken("10.00"))  # another way to refund the same money
    assert book.post(voucher).replayed is True  # and its own key does not bring it back
    assert book.balance(ANNS_WALLET) == 0
    prove()


def test_money_that_has_gone_on_is_not_reversed() -> None:
    voucher = deposited("10.00")
    book.post(voucher)
    book.post(taken("0.01"))
    with pytest.raises(InsufficientFunds):
        book.reverse(key=voucher.key, reason="the wrong player", at=NOON)
    book.post(deposited("0.01"))
    book.reverse(key=voucher.key, reason="the wrong player", at=NOON)
    assert book.balance(ANNS_WALLET) == 0


def test_an_unknown_key_is_not_reversed() -> None:
    with pytest.raises(UnknownKey) as refused:
        book.reverse(key="deposit_confirmed:nobody", reason="a guess", at=NOON)
    assert refused.value.code == "unknown_key"


def test_a_reversal_is_not_reversed() -> None:
    voucher = deposited("10.00")
    book.post(voucher)
    undone = book.reverse(key=voucher.key, reason="the wrong player", at=NOON)
    with pytest.raises(NotReversible):
        book.reverse(key=undone.key, reason="the right one after all", at=NOON)


def test_a_key_of_a_reversal_taken_for_something_else_is_a_refusal() -> None:
    """Cases 7: two reversals by one key are a conflict with a name, no crash."""
    one, two = deposited("10.00"), deposited("20.00")
    book.post(one)
    book.post(two)
    undone = book.reverse(key=one.key, reason="because", at=NOON)
    with pytest.raises(KeyReused):
        book.post(replace(taken("20.00"), key=undone.key))
    book.reverse(key=two.key, reason="because", at=NOON)
    assert book.balance(ANNS_WALLET) == 0


def test_what_opened_holds_is_not_reversed() -> None:
    """Whoever keeps the table would not know; standing up gives the money back, and says so there."""
    book.post(deposited("50.00"))
    one = hold("10.00")
    down = seated(one)
    book.hold(down)
    with pytest.raises(NotReversible, match="release its holds instead: stand up or void"):
        book.reverse(key=down.key, reason="the room was closed", at=NOON)
    assert book.balances([ANNS_WALLET, ANNS_ESCROW]) == {ANNS_WALLET: usd("40"), ANNS_ESCROW: usd("10")}
    assert book.open_holds() == [one]
    up = stood_up(one)
    book.release(up)
    with pytest.raises(NotReversible, match="it opened holds"):
        book.reverse(key=down.key, reason="the room was closed", at=NOON)
    book.reverse(key=up.key, reason="they play after all", at=NOON)
    assert book.open_holds() == [replace(one, id=book.reopened(one.id))]
    prove()


def test_a_settlement_reversed_waits_in_escrow_under_new_holds() -> None:
    ann, bob = sit_down()
    settle = won(ann, bob, lost="10.00", commission="0.98")
    book.capture(settle)
    book.reverse(key=settle.key, reason="the record was misread", at=NOON)
    assert book.balances([ANNS_WALLET, ANNS_ESCROW, BOBS_WALLET, BOBS_ESCROW, COMMISSION]) == {
        ANNS_WALLET: usd("85"),
        ANNS_ESCROW: usd("15"),
        BOBS_WALLET: usd("85"),
        BOBS_ESCROW: usd("15"),
        COMMISSION: usd("0"),
    }
    anew = [replace(one, id=book.reopened(one.id)) for one in (ann, bob)]
    assert book.open_holds() == sorted(anew, key=lambda one: one.id)
    prove()
    book.capture(won(anew[1], anew[0], lost="10.00", commission="0.98"))
    assert book.balances([ANNS_WALLET, BOBS_WALLET]) == {ANNS_WALLET: usd("90"), BOBS_WALLET: usd("109.02")}
    prove()


# --- Reading ------------------------------------------------------------------------------------------------------


def test_balances_answers_for_every_account_asked_for() -> None:
    book.post(deposited("5.00"))
    asked = [BOBS_WALLET, ANNS_WALLET, CLEARING, ANNS_WALLET, chart.wallet(ANN, "JPY")]
    assert {str(account): str(amount) for account, amount in book.balances(asked).items()} == {
        str(BOBS_WALLET): "0.00",
        str(ANNS_WALLET): "5.00",
        str(CLEARING): "5.00",
        str(chart.wallet(ANN, "JPY")): "0",
    }
    assert book.balances([]) == {}


def test_owned_is_what_somebody_has_ever_had() -> None:
    book.post(deposited("50.00"))
    book.post(deposited("9.00", player=BOB))
    book.post(postings.play_money_issued(issue=uuid4(), player=ANN, amount=Decimal("7.00"), at=NOON))
    book.post(seated(hold("20.00")))
    assert book.owned(owner=ANN, kinds=("wallet", "escrow")) == {
        ANNS_ESCROW: usd("20.00"),
        chart.wallet(ANN, "PLAY"): Decimal("7.00"),
        ANNS_WALLET: usd("30.00"),
    }
    assert book.owned(owner=BOB, kinds=("escrow",)) == {}
    assert book.owned(owner=PROVIDER, kinds=("clearing",)) == {}  # hot: what it holds is a sum


def test_a_hot_balance_is_the_same_before_and_after_the_roll_up() -> None:
    for amount in ("5.00", "0.01", "7.00"):
        book.post(deposited(amount))
    assert book.balance(CLEARING) == usd("12.01")
    assert Balance.objects.get(account_id=Account.objects.get(code="clearing").id).amount == 0
    assert book.roll_up() == 3
    assert book.balance(CLEARING) == usd("12.01")
    assert book.roll_up() == 0
    book.post(deposited("1.00"))
    assert book.balance(CLEARING) == usd("13.01")
    prove()


def test_a_statement_opens_moves_and_closes() -> None:
    for amount in ("10.00", "5.00", "2.50"):
        book.post(deposited(amount))
    book.post(taken("4.00"))
    whole = book.statement(ANNS_WALLET)
    assert (whole.opening, whole.closing, whole.cursor) == (usd("0"), usd("13.50"), None)
    assert [(line.version, line.side, str(line.amount), str(line.balance_after)) for line in whole.lines] == [
        (1, "CR", "10.00", "10.00"),
        (2, "CR", "5.00", "15.00"),
        (3, "CR", "2.50", "17.50"),
        (4, "DR", "4.00", "13.50"),
    ]
    assert {line.occurred_at for line in whole.lines} == {NOON}
    assert [line.event for line in whole.lines] == ["deposit_confirmed"] * 3 + ["manual_adjustment"]


@pytest.mark.parametrize("account", [ANNS_WALLET, CLEARING], ids=["cold", "hot"])
@pytest.mark.parametrize("limit", [1, 2, 3, 4, 5, 100])
def test_pages_of_a_statement_join(account: chart.AccountRef, limit: int) -> None:
    for cents in range(1, 6):
        book.post(deposited(f"0.0{cents}"))
    book.roll_up()
    whole = book.statement(account)
    lines: list[StatementLine] = []
    cursor, closing = 0, usd("0")
    while True:
        page = book.statement(account, after=cursor, limit=limit)
        assert page.opening == closing
        assert len(page.lines) <= limit
        lines += page.lines
        closing = page.closing
        if page.cursor is None:
            break
        cursor = page.cursor
    assert lines == list(whole.lines)
    assert closing == whole.closing == book.balance(account) == usd("0.15")


def test_a_statement_beyond_the_end_is_empty() -> None:
    book.post(deposited("5.00"))
    page = book.statement(ANNS_WALLET, after=1)
    assert (page.opening, page.lines, page.closing, page.cursor) == (usd("5"), (), usd("5"), None)


def test_an_account_that_was_never_used_has_an_empty_statement() -> None:
    page = book.statement(chart.wallet(BOB, "JPY"))
    assert (str(page.opening), page.lines, str(page.closing), page.cursor) == ("0", (), "0", None)


def test_a_journal_is_found_by_its_key() -> None:
    voucher = deposited("5.00")
    assert book.find(voucher.key) is None
    receipt = book.post(voucher)
    found = book.find(voucher.key)
    assert found is not None
    assert (found.event, found.occurred_at, found.posted_at) == ("deposit_confirmed", NOON, receipt.posted_at)
    assert set(found.lines) == set(voucher.lines)
    assert found.reversed is False
    book.reverse(key=voucher.key, reason="because", at=NOON)
    undone = book.find(voucher.key)
    assert undone is not None
    assert undone.reversed is True


def test_a_reversals_key_alone_reverses_nothing() -> None:
    """Something else under the key that the reversal would have: the money has not gone back."""
    voucher = deposited("5.00")
    book.post(voucher)
    book.post(replace(deposited("1.00"), key=f"reverse:{Journal.objects.get(key=voucher.key).pk}"))
    found = book.find(voucher.key)
    assert found is not None
    assert found.reversed is False
    with pytest.raises(KeyReused):
        book.reverse(key=voucher.key, reason="because", at=NOON)


def test_the_trial_balance_sums_each_kind_and_currency() -> None:
    ann, bob = sit_down()
    book.capture(won(ann, bob, lost="10.00", commission="0.98"))
    book.post(deposited("500", currency="JPY"))
    lines = {
        (line.currency, line.kind): (str(line.debits), str(line.credits), str(line.balance))
        for line in book.trial_balance()
    }
    assert lines == {
        ("JPY", "clearing"): ("500", "0", "500"),
        ("JPY", "wallet"): ("0", "500", "500"),
        ("USD", "clearing"): ("200.00", "0.00", "200.00"),
        ("USD", "commission"): ("0.00", "0.98", "0.98"),
        ("USD", "escrow"): ("30.00", "30.00", "0.00"),
        ("USD", "wallet"): ("30.00", "229.02", "199.02"),
    }


@pytest.mark.parametrize(
    ("refusal", "code"),
    [
        (Refused, "refused"),
        (InsufficientFunds, "insufficient_funds"),
        (KeyReused, "key_reused"),
        (UnknownHold, "unknown_hold"),
        (HoldClosed, "hold_closed"),
        (HoldExists, "hold_exists"),
        (HoldsDiffer, "holds_differ"),
        (UnknownKey, "unknown_key"),
        (NotReversible, "not_reversible"),
    ],
)
def test_a_refusal_is_named(refusal: type[Refused], code: str) -> None:
    assert issubclass(refusal, Refused)
    assert refusal.code == code


def test_the_provider_owes_what_was_paid_in() -> None:
    book.post(deposited("5.00"))
    book.post(deposited("5.00", player=BOB))
    assert book.balance(chart.clearing(PROVIDER, "USD")) == usd("10")
