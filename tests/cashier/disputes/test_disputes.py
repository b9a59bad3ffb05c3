"""What a bank takes back, and what it gives back after all (P-3): from the wallet, from what is owed, never twice."""

from __future__ import annotations

from decimal import Decimal
from uuid import uuid4

import pytest
from django.db import DatabaseError, transaction

from ledger import book, postings
from tests.cashier.deposits.test_refunds import given_back as refund_asked
from tests.cashier.deposits.test_refunds import sent
from tests.cashier.deposits.wishes import fresh, paid, started
from tests.cashier.disputes.charged import (
    NOTHING,
    charged_back,
    clearing,
    differences,
    everything_proves,
    given_back,
    loses_to,
    opened,
    owed,
    taken_back,
)
from tests.cashier.outside import Outside
from tests.factories import NOON, PROVIDER, person, wallet
from wagering.cashier.deposits import selectors as deposits
from wagering.cashier.deposits.models import Deposit, InboxEvent, Refund
from wagering.cashier.deposits.refunds import NothingToRefund
from wagering.cashier.disputes import proofs, selectors
from wagering.cashier.disputes.models import Dispute
from wagering.notices.models import Notice

pytestmark = pytest.mark.django_db

State = Deposit.State


def parts(dispute: Dispute) -> tuple[str, str, str]:
    return str(dispute.wallet), str(dispute.receivable), str(dispute.difference)


def test_what_the_wallet_has_pays_for_it(world: Outside) -> None:
    ann = person(funds=None)
    dispute = charged_back(world, ann)
    assert parts(dispute) == ("100.00", "0.00", "0.00")
    assert (wallet(ann), owed(ann), clearing()) == (NOTHING, NOTHING, NOTHING)
    assert fresh(dispute.deposit).state == State.DISPUTED
    assert InboxEvent.objects.get(kind="dispute.taken").outcome == "charged back"
    everything_proves()


def test_what_the_wallet_lacks_is_owed(world: Outside) -> None:  # case 24
    ann, bob = person("ann", funds=None), person("bob")
    deposit = paid(world, ann, "100.00")
    loses_to(ann, bob)
    taken_back(world, deposit, 10000)
    assert parts(Dispute.objects.get()) == ("0.00", "100.00", "0.00")
    assert (wallet(ann), owed(ann), clearing()) == (NOTHING, Decimal("100.00"), NOTHING)
    assert wallet(bob) > Decimal("190.00")
    everything_proves()


def test_a_dispute_of_more_than_was_paid_is_a_difference(world: Outside) -> None:
    ann = person(funds=None)
    dispute = charged_back(world, ann, card="4000000000000267")
    assert (dispute.amount, parts(dispute)) == (Decimal("100.37"), ("100.00", "0.00", "0.37"))
    assert (wallet(ann), owed(ann), differences(), clearing()) == (NOTHING, NOTHING, Decimal("0.37"), Decimal("-0.37"))
    everything_proves()


@pytest.mark.parametrize(("currency", "amount", "minor"), [("JPY", "500", 500), ("KWD", "1.234", 1234)])
def test_minor_units_are_those_of_the_currency(world: Outside, currency: str, amount: str, minor: int) -> None:
    ann = person(funds=None)
    deposit = paid(world, ann, amount, currency)  # case 27
    taken_back(world, deposit, minor)
    assert str(Dispute.objects.get().wallet) == amount
    assert (wallet(ann, currency), clearing(currency)) == (NOTHING, NOTHING)
    everything_proves()


def test_it_is_taken_once_however_often_it_is_told(world: Outside) -> None:
    ann = person(funds=None)
    charged_back(world, ann)
    paid(world, ann, "30.00")
    for _ in range(3):
        world.controls("replay")
        world.delivers()
    assert Dispute.objects.count() == 1
    assert wallet(ann) == Decimal("30.00")
    everything_proves()


def test_the_same_dispute_in_an_event_of_another_name_is_known(world: Outside) -> None:
    ann = person(funds=None)
    deposit = paid(world, ann, "100.00")
    paid(world, ann, "100.00")
    taken_back(world, deposit, 10000)
    world.house.record.run("UPDATE delivery SET body = replace(body, 'evt_', 'evt_again_'), state = 'waiting'")
    world.delivers()
    assert [*InboxEvent.objects.filter(kind="dispute.taken").values_list("outcome", flat=True).order_by("outcome")] == [
        "charged back",
        "was known",
    ]
    assert wallet(ann) == Decimal("100.00")
    everything_proves()


def test_two_disputes_of_one_deposit_take_it_once_from_the_player(world: Outside) -> None:
    ann = person(funds=None)
    deposit = paid(world, ann, "100.00")
    paid(world, ann, "50.00")
    first = taken_back(world, deposit, 6000)
    taken_back(world, deposit, 6000)
    assert sorted(map(parts, Dispute.objects.all())) == [("40.00", "0.00", "20.00"), ("60.00", "0.00", "0.00")]
    assert (wallet(ann), differences()) == (Decimal("50.00"), Decimal("20.00"))
    given_back(world, first)
    assert fresh(deposit).state == State.DISPUTED
    assert wallet(ann) == Decimal("110.00")
    everything_proves()


# --- with refunds -----------------------------------------------------------------------------------------------------


def test_after_a_refund_only_the_rest_is_the_players(world: Outside) -> None:
    ann = person(funds=None)
    deposit = paid(world, ann, "100.00")
    sent(world, refund_asked(world, deposit, "40.00"))
    taken_back(world, deposit, 10000)
    assert parts(Dispute.objects.get()) == ("60.00", "0.00", "40.00")
    assert (wallet(ann), owed(ann), differences()) == (NOTHING, NOTHING, Decimal("40.00"))
    everything_proves()


def test_a_refund_that_is_refused_since_it_is_disputed_comes_back_to_pay_for_it(world: Outside) -> None:
    ann = person(funds=None)
    deposit = paid(world, ann, "100.00", card="4000000000000416")  # takes no refunds
    refund = refund_asked(world, deposit, "40.00")
    taken_back(world, deposit, 10000)
    assert parts(Dispute.objects.get()) == ("60.00", "40.00", "0.00")
    assert sent(world, refund).state == Refund.State.FAILED
    assert (wallet(ann), owed(ann)) == (Decimal("40.00"), Decimal("40.00"))
    everything_proves()


def test_what_was_taken_back_is_not_given_back_too(world: Outside) -> None:
    ann = person(funds=None)
    dispute = charged_back(world, ann)
    paid(world, ann, "100.00")
    with pytest.raises(NothingToRefund, match="it is disputed"):
        refund_asked(world, dispute.deposit, "100.00")
    assert (dispute.deposit.method_id, "USD") not in deposits.net_by_method(ann)
    given_back(world, dispute.theirs)
    assert fresh(dispute.deposit).state == State.SUCCEEDED
    refund_asked(world, dispute.deposit, "100.00")
    assert fresh(dispute.deposit).state == State.REFUNDED


def test_a_refund_made_at_the_provider_of_what_is_disputed_is_the_players_too(world: Outside) -> None:
    ann = person(funds=None)
    deposit = paid(world, ann, "100.00")
    paid(world, ann, "70.00")
    taken_back(world, deposit, 5000)
    world.controls("refunds", payment=deposit.theirs, amount=5000)
    world.delivers()
    assert (wallet(ann), fresh(deposit).state) == (Decimal("70.00"), State.DISPUTED)
    everything_proves()


# --- in any order -----------------------------------------------------------------------------------------------------


def test_a_dispute_may_come_before_its_payment(world: Outside) -> None:
    ann = person(funds=None)
    deposit = started(world, ann, "100.00")
    world.misbehaves("lose")
    world.is_paid(deposit, "4000000000000259")
    world.delivers()
    assert parts(Dispute.objects.get()) == ("100.00", "0.00", "0.00")
    assert (fresh(deposit).state, wallet(ann), clearing()) == (State.DISPUTED, NOTHING, NOTHING)
    everything_proves()


def test_it_waits_for_a_provider_that_is_silent_and_as_long_as_it_takes(world: Outside) -> None:  # case 15
    ann = person(funds=None)
    deposit = started(world, ann, "100.00")
    world.is_paid(deposit, "4000000000003220")  # is processing
    world.delivers()
    (payment,) = world.record("payment")
    world.controls("disputes", payment=payment["id"], amount=10000)
    world.misbehaves("time_out_before")
    world.delivers()
    world.goes_by(days=2)
    world.works()
    assert InboxEvent.objects.get(kind="dispute.taken").done_at is None
    world.misbehaves("lose")
    world.controls(f"payments/{payment['id']}", status="succeeded")
    world.works()
    assert (fresh(deposit).state, wallet(ann)) == (State.DISPUTED, NOTHING)
    assert Dispute.objects.get().taken == Decimal("100.00")
    everything_proves()


def test_what_was_never_paid_is_an_operators(world: Outside) -> None:
    deposit = paid(world, person(funds=None), card="4000000000000002")
    taken_back(world, deposit, 2000)
    assert InboxEvent.objects.get(kind="dispute.taken").outcome == "dispute of what was never paid: for an operator"
    assert not Dispute.objects.exists()


def test_what_could_not_be_credited_and_is_taken_back_needs_not_be_given_back(world: Outside) -> None:
    deposit = paid(world, person(funds=None), "100.00", card="4000000000000036")  # pays in another currency
    assert deposit.paid_currency == "EUR"
    dispute = taken_back(world, deposit, 10000)
    assert (fresh(deposit).state, Dispute.objects.get().taken) == (State.FAILED, NOTHING)
    assert fresh(deposit).reason.endswith("; charged back")
    with pytest.raises(NothingToRefund):
        refund_asked(world, deposit, "100.00")
    given_back(world, dispute)
    assert fresh(deposit).is_held
    everything_proves()


def test_a_dispute_in_another_currency_is_an_operators(world: Outside) -> None:
    ann = person(funds=None)
    deposit = paid(world, ann, "100.00")
    world.house.record.run("UPDATE payment SET currency = 'EUR'")
    taken_back(world, deposit, 9000)
    assert InboxEvent.objects.get(kind="dispute.taken").outcome == "dispute in another currency: for an operator"
    assert (wallet(ann), fresh(deposit).state) == (Decimal("100.00"), State.SUCCEEDED)


def test_a_dispute_of_nothing_of_ours_is_let_go_after_a_while(world: Outside) -> None:
    deposit = paid(world, person(funds=None))
    world.house.record.run("UPDATE payment SET id = 'pay_elsewhere'")
    world.controls("disputes", payment="pay_elsewhere", amount=500)
    world.delivers()
    world.goes_by(hours=1)
    world.works()
    assert InboxEvent.objects.get(kind="dispute.taken").outcome == "about nothing of ours"
    assert wallet(deposit.player) == Decimal("20.00")


# --- only opened ------------------------------------------------------------------------------------------------------


def test_what_is_only_opened_moves_nothing_and_is_taken_later(world: Outside) -> None:
    ann = person(funds=None)
    deposit = paid(world, ann, "100.00")
    name = opened(world, deposit, 9000)
    assert InboxEvent.objects.get(kind="dispute.opened").outcome == "dispute opened"
    assert (Dispute.objects.get().state, wallet(ann), fresh(deposit).state) == ("open", Decimal("100.00"), "succeeded")
    world.controls(f"disputes/{name}/taken")
    world.delivers()
    world.controls("replay")
    world.delivers()
    assert (Dispute.objects.get().state, parts(Dispute.objects.get())) == ("taken", ("90.00", "0.00", "0.00"))
    assert (wallet(ann), fresh(deposit).state) == (Decimal("10.00"), State.DISPUTED)
    everything_proves()
    given_back(world, name)
    assert (wallet(ann), fresh(deposit).state) == (Decimal("100.00"), State.SUCCEEDED)
    everything_proves()


def test_what_was_opened_and_is_dropped_stands_no_more(world: Outside) -> None:
    ann = person(funds=None)
    name = opened(world, paid(world, ann, "100.00"), 10000)
    assert selectors.standing(ann) == [Dispute.objects.get()]
    given_back(world, name)
    assert InboxEvent.objects.get(kind="dispute.dropped").outcome == "dispute dropped"
    assert (selectors.standing(ann), wallet(ann)) == ([], Decimal("100.00"))


def test_opened_after_it_was_taken_or_dropped_it_is_known(world: Outside) -> None:
    ann = person(funds=None)
    taken, dropped = paid(world, ann, "100.00"), paid(world, ann, "50.00")
    names = [
        world.controls("disputes", payment=each.theirs, amount=5000, taken=False)["id"] for each in (taken, dropped)
    ]
    world.house.record.run("UPDATE delivery SET state = 'later' WHERE body LIKE '%dispute.opened%'")
    world.controls(f"disputes/{names[0]}/taken")
    given_back(world, names[1])
    world.house.record.run("UPDATE delivery SET state = 'waiting' WHERE state = 'later'")
    world.delivers()
    assert {*Dispute.objects.values_list("theirs", "state")} == {(names[0], "taken"), (names[1], "won")}
    assert wallet(ann) == Decimal("100.00")
    everything_proves()


# --- won --------------------------------------------------------------------------------------------------------------


def test_won_it_is_all_as_it_was(world: Outside) -> None:
    ann = person(funds=None)
    dispute = charged_back(world, ann, card="4000000000000267")
    for _ in range(2):
        given_back(world, dispute.theirs)
    assert (wallet(ann), owed(ann), differences(), clearing()) == (
        Decimal("100.00"),
        NOTHING,
        NOTHING,
        Decimal("100.00"),
    )
    assert fresh(dispute.deposit).state == State.SUCCEEDED
    everything_proves()


def test_won_it_pays_first_what_is_still_owed(world: Outside) -> None:
    ann, bob = person("ann", funds=None), person("bob")
    deposit = paid(world, ann, "100.00")
    loses_to(ann, bob, "70")
    dispute = taken_back(world, deposit, 10000)
    assert (wallet(ann), owed(ann)) == (NOTHING, Decimal("70.00"))
    given_back(world, dispute)
    assert (wallet(ann), owed(ann), clearing()) == (Decimal("30.00"), NOTHING, Decimal("100.00"))
    everything_proves()


def test_won_before_it_was_known_to_be_lost_it_moved_nothing(world: Outside) -> None:
    ann = person(funds=None)
    deposit = paid(world, ann, "100.00")
    dispute = world.controls("disputes", payment=deposit.theirs, amount=10000)
    lost = world.record("delivery")[-1]["number"]
    world.house.record.run("UPDATE delivery SET state = 'later' WHERE number = ?", lost)
    given_back(world, dispute["id"])
    world.house.record.run("UPDATE delivery SET state = 'waiting' WHERE number = ?", lost)
    world.delivers()
    assert (wallet(ann), fresh(deposit).state) == (Decimal("100.00"), State.SUCCEEDED)
    assert Dispute.objects.get().state == Dispute.State.WON
    everything_proves()


def test_the_player_is_told_of_both(world: Outside) -> None:
    ann, bob = person("ann", funds=None), person("bob")
    deposit = paid(world, ann, "100.00")
    loses_to(ann, bob, "70")
    dispute = taken_back(world, deposit, 10037)
    given_back(world, dispute)
    about = {"dispute": str(Dispute.objects.get().pk), "amount": "100.00", "currency": "USD"}
    told = {notice.kind: notice.data for notice in Notice.objects.filter(player=ann, kind__contains="charge")}
    assert told == {"deposit_charged_back": {**about, "owed": "70.00"}, "chargeback_won": about}


# --- final, and proved ------------------------------------------------------------------------------------------------


def test_a_dispute_is_final(world: Outside) -> None:
    dispute = charged_back(world, person(funds=None))
    changes = ({"amount": 5}, {"wallet": 0, "receivable": 100}, {"state": "won"}, {"state": "open", "opened_at": NOON})
    for change in changes:
        with pytest.raises(DatabaseError), transaction.atomic():
            Dispute.objects.filter(pk=dispute.pk).update(**change)
    with pytest.raises(DatabaseError, match="dispute_is_final"), transaction.atomic():
        Dispute.objects.all().delete()


def test_what_the_book_moved_without_a_dispute_is_found(world: Outside) -> None:
    ann = person(funds=None)
    charged_back(world, ann)
    stray = postings.deposit_charged_back(
        dispute=uuid4(),
        player=ann.pk,
        provider=PROVIDER,
        wallet=Decimal(0),
        receivable=Decimal(5),
        difference=Decimal(0),
        currency="USD",
        at=NOON,
    )
    book.post(stray)
    assert f"{stray.key}, no row tells of it" in (proofs.disputes_are_posted().fault or "")
    assert "owes 5.00 USD by the book, 0.00 by the rows" in (proofs.receivables_are_told().fault or "")
