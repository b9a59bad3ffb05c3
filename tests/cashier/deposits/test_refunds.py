"""Giving back: by an operator, by the provider, before the payment was known, and never more than was paid."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from uuid import uuid4

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from games.models import User
from ledger import book, chart, money, postings
from tests.cashier.deposits.test_deposits import clearing, everything_proves
from tests.cashier.deposits.wishes import fresh, paid, started
from tests.cashier.outside import Outside
from tests.factories import NOON, person, wallet
from wagering.cashier.deposits import refunds, selectors, tasks
from wagering.cashier.deposits.models import Deposit, InboxEvent, Refund
from wagering.cashier.deposits.refunds import NothingToRefund, ReasonMissing, RefundTooLarge
from wagering.cashier.providers.protocol import Payment, ProviderSilent, Refunded
from wagering.notices.models import Notice

pytestmark = pytest.mark.django_db

State = Deposit.State


def given_back(world: Outside, deposit: Deposit, amount: str) -> Refund:
    operator, _ = User.objects.get_or_create(username="operator", is_staff=True)
    return refunds.ask(deposit=deposit.pk, amount=Decimal(amount), reason="a double charge", by=operator, at=world.at)


def sent(world: Outside, refund: Refund) -> Refund:
    refunds.send(refund=refund.pk, at=world.at)
    refund.refresh_from_db()
    return refund


def owed(deposit: Deposit) -> Decimal:
    return book.balance(chart.players("receivable", deposit.player_id, deposit.currency))


def test_a_refund_and_its_webhook_are_one_refund(world: Outside) -> None:  # case 16
    deposit = paid(world, person(funds=None))
    refund = sent(world, given_back(world, deposit, "5.00"))
    world.delivers()
    world.controls("replay")
    world.delivers()
    assert Refund.objects.get() == refund
    assert refund.state == Refund.State.SUCCEEDED
    assert wallet(deposit.player) == Decimal("15.00") == clearing()
    assert fresh(deposit).state == State.SUCCEEDED
    assert [row["amount"] for row in world.record("refund")] == [500]
    assert [*Notice.objects.order_by("kind").values_list("kind", flat=True)] == [
        "deposit_refunded",
        "deposit_succeeded",
    ]
    everything_proves()


def test_a_refund_of_another_amount_is_an_operators(world: Outside) -> None:
    deposit = paid(world, person(funds=None))
    refund = given_back(world, deposit, "5.00")
    said = Refunded(refund.ours, "re_1", deposit.theirs, Decimal("0.50"), "USD", Payment.SUCCEEDED)
    assert refunds.told(refunded=said, provider="sandbox", at=world.at)
    refund.refresh_from_db()
    assert (refund.state, refund.differs) == (Refund.State.REQUESTED, "0.50 USD")
    assert [*selectors.refunds_late(at=world.at)] == [refund]
    assert refunds.told(refunded=replace(said, amount=Decimal("5.00")), provider="sandbox", at=world.at)
    refund.refresh_from_db()
    assert (refund.state, refund.differs) == (Refund.State.SUCCEEDED, "")
    assert not selectors.refunds_late(at=world.at)


def test_the_webhook_may_come_before_the_answer(world: Outside) -> None:  # case 16
    deposit = paid(world, person(funds=None))
    refund = given_back(world, deposit, "5.00")
    world.misbehaves("time_out_after")
    with pytest.raises(ProviderSilent):
        refunds.send(refund=refund.pk, at=world.at)
    world.delivers()
    refund.refresh_from_db()
    assert refund.state == Refund.State.SUCCEEDED
    assert wallet(deposit.player) == Decimal("15.00")
    world.goes_by(days=1)
    world.works()
    assert len(world.record("refund")) == 1


def test_no_more_goes_back_than_was_paid(world: Outside) -> None:  # case 26
    deposit = paid(world, person(), "10.00")
    sent(world, given_back(world, deposit, "10.00"))
    assert fresh(deposit).state == State.REFUNDED
    with pytest.raises(RefundTooLarge, match=r"10.00 USD is more than the 0.00 USD"):
        given_back(world, deposit, "10.00")
    again = {"id": uuid4(), "ours": "another", "amount": Decimal("0.01"), "currency": "USD", "reason": "by hand"}
    with pytest.raises(IntegrityError, match="refunds_are_at_most_what_was_paid"), transaction.atomic():
        Refund.objects.create(deposit=deposit, asked_at=NOON, **again)
    assert wallet(deposit.player) == Decimal("100.00")
    everything_proves()


def test_what_is_on_its_way_back_can_be_staked_by_nobody(world: Outside) -> None:
    deposit = paid(world, person(funds=None))
    given_back(world, deposit, "15.00")
    assert wallet(deposit.player) == Decimal("5.00")
    with pytest.raises(RefundTooLarge):
        given_back(world, deposit, "5.01")


def test_what_the_wallet_has_not_is_not_given_back(world: Outside) -> None:
    deposit = paid(world, person(funds=None))
    spent(deposit, "12.00")
    with pytest.raises(book.InsufficientFunds), transaction.atomic():
        given_back(world, deposit, "20.00")
    assert not Refund.objects.exists()
    given_back(world, deposit, "8.00")
    assert wallet(deposit.player) == 0


def spent(deposit: Deposit, amount: str) -> None:
    book.post(
        postings.payout_held(
            attempt=uuid4(), player=deposit.player_id, amount=Decimal(amount), currency=deposit.currency, at=NOON
        )
    )


def test_what_the_provider_refuses_comes_back(world: Outside) -> None:
    deposit = paid(world, person(funds=None), card="4000000000000416")
    refund = given_back(world, deposit, "20.00")
    assert fresh(deposit).state == State.REFUNDED
    refund = sent(world, refund)
    assert (refund.state, refund.failed_because) == (
        Refund.State.FAILED,
        "refund_refused: the card's bank takes no refunds",
    )
    assert fresh(deposit).state == State.SUCCEEDED
    assert wallet(deposit.player) == Decimal("20.00")
    everything_proves()
    given_back(world, deposit, "20.00")


@pytest.mark.parametrize("wrong", ["time_out_before", "time_out_after", "fail_before", "fail_after"])
def test_a_silent_provider_is_asked_for_the_same_refund_again(world: Outside, wrong: str) -> None:
    deposit = paid(world, person(funds=None))
    refund = given_back(world, deposit, "5.00")
    world.misbehaves(wrong)
    with pytest.raises(ProviderSilent):
        refunds.send(refund=refund.pk, at=world.at)
    refunds.send(refund=refund.pk, at=world.at)  # it is not time yet
    assert len([said for _, path, said in world.asked if path == "/v1/refunds"]) == 1
    world.goes_by(minutes=1)
    world.works()
    refund.refresh_from_db()
    assert refund.state == Refund.State.SUCCEEDED
    assert len(world.record("refund")) == 1
    assert wallet(deposit.player) == Decimal("15.00")


def test_a_refund_made_at_the_provider_is_taken_from_the_wallet(world: Outside) -> None:
    deposit = paid(world, person(funds=None))
    world.controls("refunds", payment=deposit.theirs, amount=500)
    world.delivers()
    world.controls("replay")
    world.delivers()
    refund = Refund.objects.get()
    assert (refund.amount, refund.owed, refund.asked_by) == (Decimal("5.00"), 0, None)
    assert wallet(deposit.player) == Decimal("15.00") == clearing()
    everything_proves()


def test_what_it_took_beyond_the_wallet_is_owed(world: Outside) -> None:
    deposit = paid(world, person(funds=None))
    spent(deposit, "12.00")
    world.controls("refunds", payment=deposit.theirs, amount=2000)
    world.delivers()
    assert fresh(deposit).state == State.REFUNDED
    assert (wallet(deposit.player), owed(deposit), clearing()) == (Decimal(0), Decimal("12.00"), Decimal(0))
    assert [*selectors.refunds_charged_back()] == [Refund.objects.get()]
    everything_proves()


def test_a_refund_that_nobody_told_of_is_found(world: Outside) -> None:
    """Of a deposit, of one that could not be credited, and of one that is not known to be paid."""
    deposit, held = paid(world, person(funds=None)), paid(world, person(funds=None), card="4000000000000036")
    world.misbehaves(lose=100)
    late = started(world, person(funds=None))
    world.is_paid(late)
    for payment in world.record("payment"):
        world.controls("refunds", payment=payment["id"], amount=500)
    for _ in range(2):
        world.goes_by(minutes=10)
        refunds.look(provider="sandbox", at=world.at)
    world.works()
    refunds.look(provider="sandbox", at=world.at)
    assert {(each.amount, each.owed, each.asked_by) for each in Refund.objects.all()} == {(Decimal("5.00"), 0, None)}
    assert Refund.objects.count() == 3
    assert wallet(deposit.player) == wallet(late.player) == Decimal("15.00")
    assert selectors.refunded(fresh(held)) == Decimal("5.00")
    assert clearing() == Decimal("30.00")
    everything_proves()
    world.controls("replay")
    world.delivers()
    assert Refund.objects.count() == 3


def test_a_refund_of_ours_whose_answer_was_lost_is_found(world: Outside) -> None:
    deposit = paid(world, person(funds=None))
    refund = given_back(world, deposit, "5.00")
    world.misbehaves("time_out_after", "lose")
    with pytest.raises(ProviderSilent):
        refunds.send(refund=refund.pk, at=world.at)
    refunds.look(provider="sandbox", at=world.at)
    refund.refresh_from_db()
    assert (refund.state, Refund.objects.count()) == (Refund.State.SUCCEEDED, 1)
    assert wallet(deposit.player) == Decimal("15.00")


def test_a_provider_that_is_silent_about_refunds_is_asked_again(world: Outside) -> None:
    world.at = timezone.now()
    deposit = paid(world, person(funds=None))
    world.misbehaves("lose", "time_out_before")
    world.controls("refunds", payment=deposit.theirs, amount=500)
    tasks.look_for_refunds_made_there()
    assert wallet(deposit.player) == Decimal("20.00")
    tasks.look_for_refunds_made_there()
    assert wallet(deposit.player) == Decimal("15.00")


def test_a_refund_may_come_before_its_payment(world: Outside) -> None:
    deposit = started(world, person(funds=None))
    world.misbehaves("delay")
    world.is_paid(deposit)
    (payment,) = world.record("payment")
    world.controls("refunds", payment=payment["id"], amount=2000)
    first, _ = world.record("delivery")
    world.house.record.run("UPDATE delivery SET state = 'later' WHERE number = ?", first["number"])
    assert world.delivers() == 1
    assert InboxEvent.objects.get().kind == "refund.succeeded"
    assert fresh(deposit).state == State.REFUNDED
    world.house.record.run("UPDATE delivery SET state = 'waiting' WHERE number = ?", first["number"])
    assert world.delivers() == 1
    assert fresh(deposit).state == State.REFUNDED
    assert wallet(deposit.player) == clearing() == 0
    everything_proves()


def test_a_refund_that_came_first_waits_for_a_provider_that_is_silent(world: Outside) -> None:  # case 15
    deposit = started(world, person(funds=None))
    world.misbehaves("lose", "time_out_before")
    world.is_paid(deposit)
    (payment,) = world.record("payment")
    world.controls("refunds", payment=payment["id"], amount=2000)
    world.delivers()
    event = InboxEvent.objects.get()
    assert event.done_at is None
    world.works()
    event.refresh_from_db()
    assert event.outcome == "refund made at the provider"
    assert wallet(deposit.player) == 0


def test_a_refund_of_nothing_of_ours_is_let_go_after_a_while(world: Outside) -> None:
    deposit = paid(world, person(funds=None))
    world.house.record.run("UPDATE payment SET id = 'pay_elsewhere'")
    world.controls("refunds", payment="pay_elsewhere", amount=500)
    world.delivers()
    event = InboxEvent.objects.get(kind="refund.succeeded")
    assert event.done_at is None
    world.goes_by(hours=1)
    world.works()
    event.refresh_from_db()
    assert event.outcome == "about nothing of ours"
    assert wallet(deposit.player) == Decimal("20.00")


def test_what_came_in_another_currency_is_given_back_without_the_book(world: Outside) -> None:
    deposit = paid(world, person(funds=None), card="4000000000000036")
    sent(world, given_back(world, deposit, "20.00"))
    deposit = fresh(deposit)
    assert deposit.state == State.FAILED
    assert deposit.reason == "20.00 EUR was paid, not 20.00 USD; given back"
    assert not [*book.keys_of(["deposit_confirmed", "deposit_refunded"])]
    everything_proves()


def test_what_was_not_paid_is_not_given_back(world: Outside) -> None:
    deposit = started(world, person())
    with pytest.raises(NothingToRefund):
        given_back(world, deposit, "20.00")


def test_a_refund_has_an_amount_and_a_reason(world: Outside) -> None:
    deposit = paid(world, person())
    for amount in ("0", "-1", "0.001", "NaN"):
        with pytest.raises(money.InvalidAmount):
            given_back(world, deposit, amount)
    with pytest.raises(ReasonMissing):
        refunds.ask(deposit=deposit.pk, amount=Decimal(1), reason=" ", by=User(), at=world.at)


def test_by_method_it_is_known_what_came_in_net(world: Outside) -> None:
    ann = person(funds=None)
    one = paid(world, ann, "20.00")
    paid(world, ann, "30.00")
    other = paid(world, ann, "7.00", card="5555555555554444")
    given_back(world, one, "5.00")
    assert selectors.net_by_method(ann) == {
        (one.method_id, "USD"): Decimal("45.00"),
        (other.method_id, "USD"): Decimal("7.00"),
    }
