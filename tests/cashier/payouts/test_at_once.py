"""Two tasks at once, for real: threads on their own connections, and each thing is done by one of them."""

from __future__ import annotations

import threading
from collections.abc import Callable
from decimal import Decimal
from functools import partial
from typing import Any

import pytest
from django.db import connections

from ledger.book import InsufficientFunds
from tests.cashier.deposits.wishes import paid
from tests.cashier.outside import Outside
from tests.cashier.payouts.test_debts import debtor
from tests.cashier.payouts.wishes import (
    account,
    asked,
    everything_proves,
    fresh,
    operator,
    tried,
    verified,
    winner,
    works,
)
from tests.factories import fund, person, wallet
from wagering.cashier.disputes import receivables
from wagering.cashier.disputes.models import Collection
from wagering.cashier.methods.models import Method
from wagering.cashier.payouts import batches, outcomes, sending, services
from wagering.cashier.payouts.models import Attempt, Batch, Decision, Payout
from wagering.cashier.payouts.services import DecidedAlready, NothingToDecide, NotToBeCancelled
from wagering.protection.refusals import StillOwes
from wagering.rest.retries import outermost

pytestmark = pytest.mark.django_db(transaction=True)
State = Payout.State


def at_once(*work: Callable[[], Any]) -> list[Any]:
    """What each came to, all begun together."""
    ready, told = threading.Barrier(len(work)), []

    def runs(do: Callable[[], Any]) -> None:
        ready.wait()
        try:
            told.append(do())
        except Exception as refusal:
            told.append(refusal)
        finally:
            connections.close_all()

    threads = [threading.Thread(target=runs, args=(do,)) for do in work]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return told


def test_money_is_held_once_however_many_ask_at_once(bank: Outside) -> None:  # case 1
    ann = winner(bank, "48.00")
    method = account(bank, ann)
    told = at_once(*[lambda: outermost(asked)(bank, ann, method) for _ in range(6)])
    assert sum(isinstance(each, Payout) for each in told) == 1
    assert wallet(ann, "EUR") == 0
    everything_proves()


def test_winnings_of_who_owes_are_collected_and_never_held_whole(bank: Outside) -> None:  # P-3
    ann = debtor(bank)
    fund(ann, "130.00")
    method = account(bank, ann)

    def wishes(amount: str) -> Callable[[], Any]:
        return lambda: outermost(asked)(bank, ann, method, amount, "USD")

    def collects() -> None:
        outermost(receivables.collect)(player=ann.pk, currency="USD", at=bank.at)

    told = at_once(*[wishes("130.00"), wishes("20.00"), collects] * 2)
    assert {type(each) for each in told} <= {StillOwes, InsufficientFunds, Payout, type(None)}
    assert [made.amount for made in Collection.objects.all()] == [Decimal("100.00")]
    assert all(payout.amount == 20 for payout in Payout.objects.all())
    assert wallet(ann) == 30 - 20 * Payout.objects.count()
    everything_proves()


def test_a_payout_to_a_card_is_asked_for_by_one_of_two_workers(bank: Outside) -> None:  # case 12
    ann = person(funds=None)
    verified(ann, bank)
    paid(bank, ann, "20.00")
    payout = asked(bank, ann, Method.objects.get(player=ann), "20.00", "USD")
    services.screen(payout=payout.pk, at=bank.at)
    services.decide(payout=payout.pk, approves=True, reason="fine", by=operator(), at=bank.at)
    attempt = Attempt.objects.get().pk
    at_once(*[lambda: sending.send(attempt=attempt, at=bank.at) for _ in range(4)])
    assert len([path for method, path, _ in bank.asked if (method, path) == ("POST", "/v1/payouts")]) == 1
    assert fresh(payout).state == State.PAID
    everything_proves()


def test_batches_made_and_sent_at_once_pay_each_once(bank: Outside) -> None:
    payouts = []
    for number in range(6):
        ann = winner(bank, "20.00", name=f"Ann Miller{'abcdef'[number]}")
        payouts.append(asked(bank, ann, account(bank, ann, holder=f"Ann Miller{'abcdef'[number]}"), "20.00"))
    for payout in payouts:
        Payout.objects.filter(pk=payout.pk).update(state=State.APPROVED, approved_at=bank.at, needs=0)
    at_once(*[lambda: outermost(batches.make)(currency="EUR", at=bank.at) for _ in range(4)])
    assert Batch.objects.count() == 1
    batch = Batch.objects.get().pk
    at_once(*[lambda: batches.submit(batch=batch, at=bank.at) for _ in range(4)])
    assert len([path for method, path, _ in bank.asked if (method, path) == ("POST", "/bank/orders")]) == 1
    at_once(*[lambda: works(bank) for _ in range(3)])
    works(bank)
    assert {fresh(payout).state for payout in payouts} == {State.PAID}
    assert sorted(row["status"] for row in bank.record("transfer")) == ["paid"] * 6
    everything_proves()


def test_a_payout_is_taken_back_or_approved_and_never_both(bank: Outside) -> None:
    for _ in range(5):
        ann = winner(bank, "48.00")
        payout = asked(bank, ann, account(bank, ann)).pk
        cancel, screen = outermost(services.cancel), outermost(services.screen)
        told = at_once(*[partial(do, payout=payout, at=bank.at) for do in (cancel, screen)])
        found = Payout.objects.get(pk=payout)
        if found.state == State.CANCELLED:
            assert wallet(ann, "EUR") == 48
        else:
            assert any(isinstance(each, NotToBeCancelled) for each in told)
    everything_proves()


def test_one_verdict_is_done_once(bank: Outside) -> None:
    ann = winner(bank)
    payout = asked(bank, ann, account(bank, ann))
    services.screen(payout=payout.pk, at=bank.at)
    attempt = Attempt.objects.get().pk
    Attempt.objects.update(verdict="refused", reason="AC04")
    at_once(*[lambda: outermost(outcomes.settle)(attempt=attempt, at=bank.at) for _ in range(4)])
    assert (fresh(payout).state, wallet(ann, "EUR")) == (State.FAILED, Decimal(100))
    at_once(*[lambda: outermost(services.again)(payout=payout.pk, by=operator(), at=bank.at) for _ in range(3)])
    assert Attempt.objects.count() == 2
    everything_proves()


def test_two_operators_at_once_are_one_word_each(bank: Outside) -> None:
    ann, by, other = winner(bank, "9000.00"), operator(), operator()
    payout = asked(bank, ann, account(bank, ann), "5000.00").pk
    services.screen(payout=payout, at=bank.at)

    def says(who: Any, approves: bool = True) -> Callable[[], Any]:
        said = {"payout": payout, "approves": approves, "reason": "looked at", "by": who, "at": bank.at}
        return lambda: outermost(services.decide)(**said)

    told = at_once(says(by), says(by), says(other))
    assert sum(isinstance(each, DecidedAlready | NothingToDecide) for each in told) == 1
    assert Decision.objects.count() == 2
    assert Payout.objects.get(pk=payout).state == State.APPROVED
    tried(works, world=bank)
    everything_proves()
