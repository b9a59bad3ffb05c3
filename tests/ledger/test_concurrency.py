"""What happens at the same time: real threads, each with a connection and transactions of its own."""

import random
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from decimal import Decimal
from typing import Any
from uuid import UUID, uuid4

import psycopg
import pytest
from django.db import connection, connections, transaction

from ledger import book, chart, seals
from ledger.book import InsufficientFunds, KeyReused, Receipt, Refused
from ledger.models import Balance, Journal, Sealed
from ledger.vouchers import Hold, Voucher, credit, debit
from tests.ledger import raw
from tests.ledger.people import (
    ANN,
    ANNS_ESCROW,
    ANNS_WALLET,
    BOB,
    BOBS_WALLET,
    CLEARING,
    COMMISSION,
    NOON,
    deposited,
    hold,
    seated,
    stood_up,
    taken,
    won,
)
from tests.ledger.proving import prove

pytestmark = pytest.mark.django_db(transaction=True)


def together(*calls: Callable[[], Any]) -> list[Any]:
    """What each of ``calls`` answers, or the refusal it raises, when all start at once."""
    start = threading.Barrier(len(calls))
    if not connection.in_atomic_block:
        connection.close()  # the pool has ten, and we have nothing to do meanwhile

    def run(call: Callable[[], Any]) -> Any:
        try:
            connection.ensure_connection()
            start.wait(20)
            return call()
        except Refused as refusal:
            return refusal
        finally:
            connections.close_all()

    with ThreadPoolExecutor(len(calls)) as pool:
        return [future.result(60) for future in [pool.submit(run, call) for call in calls]]


def posting(voucher: Voucher) -> Callable[[], Receipt]:
    return lambda: book.post(voucher)


def names(answers: Sequence[Any]) -> Counter[str]:
    return Counter(
        answer.code if isinstance(answer, Refused) else "replayed" if answer.replayed else "posted"
        for answer in answers
    )


# --- One wallet ---------------------------------------------------------------------------------------------------


def test_of_two_holds_on_one_balance_one_succeeds() -> None:
    """Cases 1."""
    book.post(deposited("10.00"))
    answers = together(*(posting(seated(hold("10.00"))) for _ in range(2)))
    assert names(answers) == {"posted": 1, "insufficient_funds": 1}
    assert book.balances([ANNS_WALLET, ANNS_ESCROW]) == {ANNS_WALLET: Decimal(0), ANNS_ESCROW: Decimal("10.00")}
    prove()


def test_of_twenty_holds_on_ten_ten_succeed(app_dsn: str) -> None:
    """Cases 1. Twenty connections, more than the service's pool has."""
    book.post(deposited("10.00"))
    start = threading.Barrier(20)

    def run(one: Hold) -> str:
        item = raw.Item(
            raw.move(ANNS_WALLET, ANNS_ESCROW, "1.00"), opens=[(one.id, one.owner, one.currency, one.amount)]
        )
        with psycopg.connect(app_dsn) as service:
            start.wait(20)
            return raw.call_on(service, item)[0].outcome

    with ThreadPoolExecutor(20) as pool:
        outcomes = Counter(pool.map(run, [hold("1.00") for _ in range(20)]))
    assert outcomes == {"posted": 10, "insufficient_funds": 10}
    assert book.balances([ANNS_WALLET, ANNS_ESCROW]) == {ANNS_WALLET: Decimal(0), ANNS_ESCROW: Decimal("10.00")}
    assert len(book.open_holds()) == 10
    prove()


def _answer(voucher: Voucher) -> Receipt | Refused:
    try:
        return book.post(voucher)
    except Refused as refusal:
        return refusal


def test_an_account_opens_once_when_many_name_it_first() -> None:
    players = [uuid4() for _ in range(3)]
    batches = [[deposited("1.00", player=player) for player in order] for order in (players, players[::-1]) * 4]
    answers = together(*(lambda batch=batch: book.post_many(batch) for batch in batches))
    assert names([answer for batch in answers for answer in batch]) == {"posted": 24}
    assert {book.balance(chart.wallet(player, "USD")) for player in players} == {Decimal("8.00")}
    prove()


# --- One key ------------------------------------------------------------------------------------------------------


def test_one_key_from_eight_threads_posts_once() -> None:
    voucher = deposited("10.00")
    answers = together(*[posting(voucher)] * 8)
    assert names(answers) == {"posted": 1, "replayed": 7}
    assert len({(answer.posted_at, answer.balances[ANNS_WALLET]) for answer in answers}) == 1
    assert book.balance(ANNS_WALLET) == Decimal("10.00")
    prove()


def test_two_workers_settle_one_game_once() -> None:
    """Cases 9."""
    book.post_many([deposited("20.00"), deposited("20.00", player=BOB)])
    ann, bob = hold("15.00"), hold("15.00", player=BOB)
    book.hold(seated(ann, bob))
    settle = won(ann, bob, lost="10.00", commission="0.98")
    other = won(bob, ann, lost="10.00", commission="0.98")
    answers = together(*[posting(settle)] * 4, *[posting(other)] * 4)
    assert names(answers) == {"posted": 1, "replayed": 3, "hold_closed": 4}
    assert book.balance(COMMISSION) == Decimal("0.98")
    prove()


def test_one_key_with_two_contents_posts_one_of_them() -> None:
    """Cases 6, while the first is in flight."""
    deposit = uuid4()
    five, fifty = (deposited(amount, deposit=deposit) for amount in ("5.00", "50.00"))
    answers = together(*[posting(five)] * 4, *[posting(fifty)] * 4)
    assert names(answers) == {"posted": 1, "replayed": 3, "key_reused": 4}
    assert book.balance(ANNS_WALLET) in (Decimal("5.00"), Decimal("50.00"))
    assert Journal.objects.count() == 1


def test_one_refused_key_from_eight_threads_leaves_nothing() -> None:
    voucher = taken("10.00")
    assert names(together(*[posting(voucher)] * 8)) == {"insufficient_funds": 8}
    book.post(deposited("10.00"))
    assert names(together(*[posting(voucher)] * 8)) == {"posted": 1, "replayed": 7}
    prove()


def test_keys_of_many_batches_post_once() -> None:
    batch = [deposited("1.00") for _ in range(50)]
    answers = together(*(lambda order=order: book.post_many(order) for order in (batch, batch[::-1]) * 3))
    assert names([answer for each in answers for answer in each]) == {"posted": 50, "replayed": 250}
    assert book.balance(ANNS_WALLET) == Decimal("50.00")
    prove()


def test_keys_are_written_in_one_order() -> None:
    """Two batches name the same keys, one the other way round, and both come to one that we hold."""
    book.post(deposited("1.00"))
    low, middle, high = (deposited("1.00", deposit=UUID(int=number)) for number in (1, 2, 3))
    batches = [[low, middle, high], [high, middle, low]]
    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            book.post(middle)
            answers = pool.submit(together, *(lambda batch=batch: book.post_many(batch) for batch in batches))
            _wait_for_a_lock()
            time.sleep(0.2)  # the other one waits for the first, or for us
            transaction.set_rollback(True)
        assert names([answer for each in answers.result(20) for answer in each]) == {"posted": 3, "replayed": 3}
    assert book.balance(ANNS_WALLET) == Decimal("4.00")


def _in_flight(first: Voucher, *, second: Voucher, commit: bool) -> Any:
    """``second`` comes while ``first`` is posted and not yet committed; what it answers once that is decided."""
    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            book.post(first)
            answer: Future[list[Any]] = pool.submit(together, posting(second))
            _wait_for_a_lock()
            assert not answer.done()
            transaction.set_rollback(not commit)
        return answer.result(20)[0]


def _wait_for_a_lock() -> None:
    """Until someone waits for us."""
    for _ in range(400):
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT count(*) FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid))"
            )
            if cursor.fetchone()[0]:
                return
        time.sleep(0.01)
    raise AssertionError("nobody waits")


def test_a_retry_waits_for_what_becomes_of_the_first() -> None:
    voucher = deposited("5.00")
    assert _in_flight(voucher, second=voucher, commit=False).replayed is False
    other = deposited("5.00")
    assert _in_flight(other, second=other, commit=True).replayed is True
    assert book.balance(ANNS_WALLET) == Decimal("10.00")


def test_a_clash_waits_for_what_becomes_of_the_first() -> None:
    deposit = uuid4()
    five, fifty = (deposited(amount, deposit=deposit) for amount in ("5.00", "50.00"))
    assert isinstance(_in_flight(fifty, second=five, commit=False), Receipt)
    assert isinstance(_in_flight(five, second=fifty, commit=True), KeyReused)
    assert book.balance(ANNS_WALLET) == Decimal("5.00")


def test_money_that_may_yet_be_taken_is_waited_for() -> None:
    book.post(deposited("10.00"))
    assert isinstance(_in_flight(taken("10.00"), second=taken("1.00"), commit=False), Receipt)
    assert isinstance(_in_flight(taken("9.00"), second=taken("1.00"), commit=True), InsufficientFunds)
    assert book.balance(ANNS_WALLET) == 0


def test_a_hot_account_is_not_waited_for() -> None:
    """But for the one moment in which it is opened."""
    book.post(deposited("1.00", player=uuid4()))
    with transaction.atomic(), ThreadPoolExecutor(1) as pool:
        book.post(deposited("5.00"))
        (answer,) = pool.submit(together, posting(deposited("5.00", player=BOB))).result(20)
        assert answer.replayed is False
    assert book.balance(CLEARING) == Decimal("11.00")


# --- Locks --------------------------------------------------------------------------------------------------------


def _given(two: Sequence[UUID], cents: int) -> Voucher:
    giver, taker = two
    amount = Decimal(cents).scaleb(-2)
    return Voucher(
        event="given",
        key=f"given:{uuid4()}",
        occurred_at=NOON,
        lines=[debit(chart.wallet(giver, "USD"), amount), credit(chart.wallet(taker, "USD"), amount)],
    )


def test_both_directions_at_once_never_deadlock() -> None:
    """A to B beside B to A, single and in batches, over several accounts; lock order is by account, whoever gives."""
    players = [ANN, BOB, *(uuid4() for _ in range(3))]
    book.post_many([deposited("100.00", player=player) for player in players])

    def work(seed: int) -> list[Receipt | Refused]:
        chance = random.Random(seed)
        answers: list[Receipt | Refused] = []
        for _ in range(15):
            size = chance.choice((1, 1, 2, 10))
            batch = [_given(chance.sample(players, 2), chance.randint(1, 5000)) for _ in range(size)]
            answers += [_answer(batch[0])] if size == 1 else book.post_many(batch)
        return answers

    answers = [answer for mine in together(*(lambda seed=seed: work(seed) for seed in range(8))) for answer in mine]
    assert set(names(answers)) <= {"posted", "insufficient_funds"}
    assert sum(book.balances([chart.wallet(player, "USD") for player in players]).values()) == Decimal("500.00")
    prove()


def test_holds_open_and_close_from_all_sides_and_never_deadlock() -> None:
    players = [ANN, BOB, uuid4()]
    book.post_many([deposited("100.00", player=player) for player in players])
    standing = [hold("1.00", player=player) for player in players * 4]
    book.post_many([seated(one) for one in standing])

    def work(seed: int) -> list[Receipt | Refused]:
        chance = random.Random(seed)
        mine = chance.sample(standing, len(standing))
        closing = [stood_up(*mine[place : place + 2]) for place in range(0, len(mine), 2)]
        opening = [seated(*(hold("0.50", player=player) for player in chance.sample(players, 2))) for _ in closing]
        mixed = [voucher for pair in zip(closing, opening, strict=True) for voucher in pair]
        return book.post_many(mixed[:6]) + [_answer(voucher) for voucher in mixed[6:]]

    answers = [answer for mine in together(*(lambda seed=seed: work(seed) for seed in range(6))) for answer in mine]
    assert set(names(answers)) <= {"posted", "hold_closed"}
    prove()


# --- Hot accounts, roll-ups and seals -----------------------------------------------------------------------------


def test_nothing_is_lost_beside_roll_ups_and_seals() -> None:
    """Five writers on one hot account, single and in batches; two roll up, two seal, one reads."""
    writers, done = 5, threading.Event()
    left = threading.Semaphore(0)

    def write(seed: int) -> int:
        chance = random.Random(seed)
        try:
            cents = 0
            for _ in range(20):
                amounts = [chance.randint(1, 999) for _ in range(chance.choice((1, 1, 5)))]
                player = chance.choice((ANN, BOB))
                book.post_many([deposited(f"{a // 100}.{a % 100:02}", player=player) for a in amounts])
                cents += sum(amounts)
            return cents
        finally:
            left.release()

    def until_done(step: Callable[[], object]) -> int:
        steps = 0
        while not done.is_set():
            step()
            steps += 1
        return steps

    def watch() -> int:
        for _ in range(writers):
            while not left.acquire(timeout=0.01):
                # Wallets and what the provider owes, at one moment: always the same.
                now = book.balances([CLEARING, ANNS_WALLET, BOBS_WALLET])
                assert now[CLEARING] == now[ANNS_WALLET] + now[BOBS_WALLET]
        done.set()
        return 0

    answers = together(
        *(lambda seed=seed: write(seed) for seed in range(writers)),
        *[lambda: until_done(book.roll_up)] * 2,
        *[lambda: until_done(lambda: seals.seal(at_most=7))] * 2,
        watch,
    )
    wanted = Decimal(sum(answers[:writers])).scaleb(-2)
    assert book.balance(CLEARING) == wanted
    book.roll_up()
    while seals.seal():
        pass
    assert Journal.objects.count() == Sealed.objects.count()
    assert {balance.amount for balance in Balance.objects.filter(hot=True)} == {wanted}
    assert book.balance(CLEARING) == wanted
    end = seals.checkpoint()
    assert end is not None
    assert end.number == Journal.objects.count()
    assert seals.verify(against=end).fault is None
    prove()


def test_one_chain_is_sealed_however_many_seal() -> None:
    """Cases 45: fifty journals, eight at the seal; one chain, and it verifies from the rows."""
    book.post_many([deposited("0.01") for _ in range(50)])
    together(*[lambda: [seals.seal(at_most=3) for _ in range(4)]] * 8)
    found = seals.verify()
    assert (found.count, found.fault) == (50, None)


def test_a_journal_that_commits_late_is_sealed_in_its_place() -> None:
    book.post(deposited("0.01", player=uuid4()))
    before = seals.seal()
    late = deposited("1.00")
    with transaction.atomic(), ThreadPoolExecutor(1) as pool:
        book.post(late)
        pool.submit(
            together, posting(deposited("2.00", player=BOB)), posting(deposited("3.00", player=uuid4()))
        ).result(20)
        assert pool.submit(together, seals.seal).result(20) == [None]
    after = seals.seal()
    assert after is not None
    assert after.number == 4
    assert seals.verify(against=before).fault is None
    assert seals.verify(against=after).fault is None
    prove()
