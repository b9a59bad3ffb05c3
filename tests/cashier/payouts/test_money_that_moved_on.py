"""A deposit is charged back after its money was lost to somebody, who asks for it (case 24)."""

from __future__ import annotations

from decimal import Decimal

import pytest

from ledger import proofs
from tests.cashier.deposits.wishes import fresh as fresh_deposit
from tests.cashier.deposits.wishes import paid
from tests.cashier.disputes.charged import loses_to, owed, sat_down, taken_back
from tests.cashier.outside import Outside
from tests.cashier.payouts.test_reviews import approves, kept_by
from tests.cashier.payouts.wishes import account, asked, fresh, operator, pending, verified, works
from tests.factories import fund, person, wallet
from wagering.cashier.deposits.models import Deposit
from wagering.cashier.disputes import receivables
from wagering.cashier.payouts.models import Payout
from wagering.protection.refusals import StillOwes

pytestmark = pytest.mark.django_db
State = Payout.State


def everything_proves() -> None:
    assert [(proof.name, proof.fault) for proof in proofs.run() if not proof.holds] == []


def test_who_lost_it_owes_and_who_won_it_waits_for_an_operator(bank: Outside) -> None:
    ann, bob = person("ann", funds=None), person("bob")
    deposit = paid(bank, ann, "100.00")
    loses_to(ann, bob, "100")
    taken_back(bank, deposit, 10000)
    assert fresh_deposit(deposit).state == Deposit.State.DISPUTED
    assert (wallet(ann), owed(ann)) == (Decimal(0), Decimal("100.00"))
    everything_proves()

    verified(bob, bank, "Bob Miller")
    method = account(bank, bob, holder="Bob Miller")
    first, second = (asked(bank, bob, method, amount, "USD") for amount in ("30.00", "40.00"))
    works(bank)
    assert [fresh(each).state for each in (first, second)] == [State.REVIEW, State.REVIEW]
    assert "chargebacks" in kept_by(first)
    assert pending(bob, "USD") == Decimal("70.00")
    assert bank.record("transfer") == []
    approves(first, operator(), bank.at, says=False)
    assert (fresh(first).state, pending(bob, "USD")) == (State.REFUSED, Decimal("40.00"))

    fund(ann, "10.00")
    with pytest.raises(StillOwes):
        sat_down(ann, bob, "5")
    receivables.collect(player=ann.pk, currency="USD", at=bank.at)
    assert (wallet(ann), owed(ann)) == (Decimal(0), Decimal("90.00"))
    approves(second, operator(), bank.at)
    works(bank)
    assert (fresh(second).state, pending(bob, "USD")) == (State.PAID, Decimal(0))
    everything_proves()
