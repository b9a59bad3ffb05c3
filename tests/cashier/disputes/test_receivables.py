"""What players owe: nothing is staked, games settle, what comes in pays for it; and what operators give up of it."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.conf import settings as configured
from django.db import DatabaseError, transaction

from games.models import User
from ledger import book, chart
from tests.cashier.deposits.wishes import paid
from tests.cashier.disputes.charged import (
    NOTHING,
    charged_back,
    differences,
    everything_proves,
    given_back,
    loses_to,
    owed,
    sat_down,
    taken_back,
)
from tests.cashier.outside import Outside
from tests.factories import NOON, fund, person, wallet, won
from tests.protection.people import known, verdict, verified
from wagering.cashier.disputes import covers, receivables, selectors, tasks, write_offs
from wagering.cashier.disputes.covers import NotCovered
from wagering.cashier.disputes.models import Collection, Dispute, WriteOff
from wagering.cashier.disputes.write_offs import NotWrittenOff
from wagering.protection import gate
from wagering.protection.models import Identity
from wagering.protection.refusals import StillOwes
from wagering.settlement.services import settle

pytestmark = pytest.mark.django_db


def operator(name: str = "operator") -> User:
    return User.objects.get_or_create(username=name, is_staff=True)[0]


def who_owes(world: Outside, amount: str = "100.00") -> Dispute:
    """Ann's, who has lost it all to bob."""
    ann, bob = person("ann", funds=None), person("bob", funds="500.00")
    deposit = paid(world, ann, amount)
    loses_to(ann, bob, amount)
    taken_back(world, deposit, int(Decimal(amount) * 100))
    return Dispute.objects.get(deposit=deposit)


# --- staking, and open games ------------------------------------------------------------------------------------------


def test_who_owes_stakes_and_is_paid_nothing_under_another_account_of_theirs(world: Outside) -> None:
    ann, again, bob = who_owes(world).deposit.player, person("again", funds="300.00"), person("bob")
    verified(ann)
    known(again)
    gate.check_stake(player=again, exposure=Decimal(100), currency="USD", at=NOON)  # anybody can tell a name
    verdict(Identity.objects.get(person=again.pk))
    with pytest.raises(StillOwes):
        sat_down(again, bob, "10")
    with pytest.raises(StillOwes):
        gate.check_payout(player=again)
    assert gate.facts(player=again, at=NOON).owed == {"USD": Decimal("100.00")}
    fund(ann, "100.00")
    receivables.collect(player=ann.pk, currency="USD", at=NOON)
    sat_down(again, bob, "10")


def test_who_owes_stakes_nothing_until_it_is_even(world: Outside) -> None:
    ann, bob = who_owes(world).deposit.player, person("bob")
    fund(ann, "150.00")
    with pytest.raises(StillOwes):
        sat_down(ann, bob, "10")
    receivables.collect(player=ann.pk, currency="USD", at=NOON)
    assert (wallet(ann), owed(ann)) == (Decimal("50.00"), NOTHING)
    sat_down(ann, bob, "10")


def test_an_open_game_settles_and_its_winnings_pay_first(world: Outside) -> None:  # P-3
    ann, bob = person("ann", funds=None), person("bob", funds="200.00")
    deposit = paid(world, ann, "100.00")
    loses_to(ann, bob, "40")
    stake = sat_down(ann, bob, "60")
    taken_back(world, deposit, 10000)
    assert (wallet(ann), owed(ann)) == (NOTHING, Decimal("100.00"))
    settle(table=stake.table, outcome=won(1), at=NOON)
    won_back = wallet(ann)
    assert won_back > Decimal("110.00")
    receivables.collect(player=ann.pk, currency="USD", at=NOON)
    assert (wallet(ann), owed(ann)) == (won_back - 100, NOTHING)
    everything_proves()


def test_what_comes_in_pays_as_far_as_it_goes(world: Outside) -> None:
    ann = who_owes(world).deposit.player
    assert receivables.collect(player=ann.pk, currency="USD", at=NOON) is None
    for amount, left in (("30.00", "70.00"), ("70.00", "0.00")):
        paid(world, ann, amount)
        tasks.collect(str(ann.pk), "USD")
        assert (wallet(ann), owed(ann)) == (NOTHING, Decimal(left))
        everything_proves()
    paid(world, ann, "5.00")
    assert receivables.collect(player=ann.pk, currency="USD", at=NOON) is None
    assert wallet(ann) == Decimal("5.00")
    assert [each.amount for each in Collection.objects.order_by("amount")] == [Decimal("30.00"), Decimal("70.00")]


def test_who_owes_and_has_something_again_is_found(world: Outside) -> None:
    ann = who_owes(world).deposit.player
    assert (selectors.owing(), selectors.collectable()) == ([(ann.pk, "USD")], [])
    fund(ann, "30.00", "EUR")
    assert selectors.collectable() == []
    fund(ann, "30.00")
    assert selectors.collectable() == [(ann.pk, "USD")]


# --- whose winnings they were -----------------------------------------------------------------------------------------


def test_a_winner_is_shown_with_the_contest_and_what_was_won(world: Outside) -> None:  # case 24
    ann, bob = person("ann", funds=None), person("bob")
    loses_to(person("ann"), bob, "5")  # of another's money
    deposit = paid(world, ann, "100.00")
    settled = loses_to(ann, bob)
    assert selectors.money_moved_on(bob) == []
    dispute = taken_back(world, deposit, 10000)
    (moved,) = selectors.money_moved_on(bob)
    assert (moved.loser, moved.contest, moved.amount, moved.currency) == (
        ann.pk,
        settled.stake.table_id,
        Decimal("100.00"),
        "USD",
    )
    assert moved.dispute == Dispute.objects.get().pk
    assert selectors.money_moved_on(ann) == []
    given_back(world, dispute)
    assert selectors.money_moved_on(bob) == []


def test_a_debt_that_was_paid_holds_nobody_up(world: Outside) -> None:
    ann, bob = person("ann", funds=None), person("bob")
    deposit = paid(world, ann, "100.00")
    loses_to(ann, bob)
    taken_back(world, deposit, 10000)
    fund(ann, "100.00")
    receivables.collect(player=ann.pk, currency="USD", at=NOON)
    assert selectors.money_moved_on(bob) == []


# --- written off ------------------------------------------------------------------------------------------------------


def written_off(dispute: Dispute, amount: str, *, reason: str = "cannot pay", by: str = "operator") -> WriteOff:
    return write_offs.ask(
        player=dispute.deposit.player,
        dispute=dispute,
        currency=dispute.currency,
        amount=Decimal(amount),
        reason=reason,
        by=operator(by),
        at=NOON,
    )


def test_a_small_debt_is_given_up_by_one_operator(world: Outside) -> None:
    dispute = who_owes(world)
    written_off(dispute, "50.00")
    assert owed(dispute.deposit.player) == Decimal("50.00")
    assert book.balance(chart.house("adjustments", "USD")) == Decimal("50.00")
    everything_proves()


def test_a_larger_one_by_two(world: Outside) -> None:
    dispute = who_owes(world)
    assert configured.WRITE_OFF_ALONE["USD"] < 51
    asked = written_off(dispute, "51.00")
    assert owed(dispute.deposit.player) == Decimal("100.00")
    with pytest.raises(NotWrittenOff, match="the operator who asked"):
        write_offs.approve(write_off=asked.pk, by=operator(), at=NOON)
    for _ in range(2):
        write_offs.approve(write_off=asked.pk, by=operator("another"), at=NOON)
    assert owed(dispute.deposit.player) == Decimal("49.00")
    everything_proves()


def test_a_large_debt_is_not_given_up_in_slices(world: Outside) -> None:
    dispute = who_owes(world)
    ann = dispute.deposit.player
    written_off(dispute, "30.00")
    asked = written_off(dispute, "30.00", by="another")
    assert (asked.done_at, owed(ann)) == (None, Decimal("70.00"))
    written_off(dispute, "20.00")
    assert owed(ann) == Decimal("50.00")
    about: dict[str, Any] = {"player": ann, "dispute": dispute, "currency": "USD", "reason": "x", "by": operator()}
    write_offs.ask(**about, amount=Decimal("30.00"), at=NOON + timedelta(days=30))
    assert owed(ann) == Decimal("20.00")


def test_nobody_gives_up_their_own_debt(world: Outside) -> None:
    dispute = who_owes(world)
    by = User.objects.get(player=dispute.deposit.player)
    by.is_staff = True
    by.save()
    asked = written_off(dispute, "60.00")
    with pytest.raises(NotWrittenOff, match="not their own"):
        written_off(dispute, "5.00", by=by.username)
    with pytest.raises(NotWrittenOff, match="not their own"):
        write_offs.approve(write_off=asked.pk, by=by, at=NOON)
    assert owed(dispute.deposit.player) == Decimal("100.00")


@pytest.mark.parametrize(
    ("amount", "reason", "rule"),
    [("100.01", "x", "more than the 100.00 USD"), ("0", "x", "nothing to give up"), ("5.00", " ", "reason")],
)
def test_what_is_not_owed_or_has_no_reason_is_not_given_up(world: Outside, amount: str, reason: str, rule: str) -> None:
    with pytest.raises(NotWrittenOff, match=rule):
        written_off(who_owes(world), amount, reason=reason)
    assert not WriteOff.objects.exists()


def test_what_was_paid_meanwhile_is_not_given_up_by_the_second(world: Outside) -> None:
    dispute = who_owes(world)
    asked = written_off(dispute, "80.00")
    fund(dispute.deposit.player, "30.00")
    receivables.collect(player=dispute.deposit.player_id, currency="USD", at=NOON)
    with pytest.raises(NotWrittenOff, match=r"more than the 70.00 USD"):
        write_offs.approve(write_off=asked.pk, by=operator("another"), at=NOON)


def test_of_a_dispute_that_is_won_the_operator_has_back_what_it_gave_up(world: Outside) -> None:
    dispute = who_owes(world)
    ann = dispute.deposit.player
    fund(ann, "30.00")
    receivables.collect(player=ann.pk, currency="USD", at=NOON)
    written_off(dispute, "45.00")
    given_back(world, dispute.theirs)
    assert (wallet(ann), owed(ann)) == (Decimal("30.00"), NOTHING)
    assert book.balance(chart.house("adjustments", "USD")) == 0
    everything_proves()


def test_it_is_said_for_which_dispute_it_is_owed(world: Outside) -> None:
    dispute = who_owes(world)
    ann = dispute.deposit.player
    with pytest.raises(NotWrittenOff, match="which of the player's disputes"):
        write_offs.ask(player=ann, currency="USD", amount=Decimal(5), reason="x", by=operator(), at=NOON)
    with pytest.raises(NotWrittenOff, match="another player's"):
        write_offs.ask(
            player=person("bob"), dispute=dispute, currency="USD", amount=Decimal(5), reason="x", by=operator(), at=NOON
        )


def test_what_was_given_up_and_collected_is_final(world: Outside) -> None:
    dispute = who_owes(world)
    given_up = written_off(dispute, "5.00")
    fund(dispute.deposit.player, "5.00")
    receivables.collect(player=dispute.deposit.player_id, currency="USD", at=NOON)
    with pytest.raises(DatabaseError, match="write_off_is_final"), transaction.atomic():
        WriteOff.objects.filter(pk=given_up.pk).update(amount=Decimal(6))
    with pytest.raises(DatabaseError, match="receivable_row_is_final"), transaction.atomic():
        Collection.objects.update(amount=Decimal(6))


# --- differences ------------------------------------------------------------------------------------------------------


def covered(amount: str, reason: str = "an exchange rate") -> None:
    covers.cover(currency="USD", amount=Decimal(amount), reason=reason, by=operator(), at=NOON)


def test_differences_are_covered_by_the_operator(world: Outside) -> None:  # 100.37 on 100.00
    charged_back(world, person(funds=None), card="4000000000000267")
    for amount, reason in (("0.38", "x"), ("0", "x"), ("0.37", " ")):
        with pytest.raises(NotCovered):
            covered(amount, reason)
    covered("0.37")
    assert differences() == 0
    assert book.balance(chart.house("bank_customers", "USD")) == Decimal("0.37")
    everything_proves()
    with pytest.raises(NotCovered):
        covered("0.01")
