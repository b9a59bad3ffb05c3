"""What a chargeback left keeps payouts: who owes is paid nothing, and incoming winnings pay the debt first (P-3)."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from decimal import Decimal

import pytest

from games.models import Player
from tests.access.callers import client_of
from tests.cashier.deposits.wishes import paid
from tests.cashier.disputes.charged import NOTHING, charged_back, given_back, loses_to, opened, owed, taken_back
from tests.cashier.outside import Outside
from tests.cashier.payouts.test_payouts_api import asks
from tests.cashier.payouts.test_reviews import kept_by
from tests.cashier.payouts.wishes import (
    CLOSED,
    IBAN,
    WAITS,
    account,
    asked,
    everything_proves,
    fresh,
    operator,
    pending,
    verified,
    winner,
    works,
)
from tests.factories import fund, person, wallet
from wagering.cashier.deposits.models import Deposit
from wagering.cashier.disputes import receivables
from wagering.cashier.payouts import batches, services, standing
from wagering.cashier.payouts.models import Batch, Payout
from wagering.notices.models import Notice
from wagering.protection.refusals import StillOwes
from wagering.surveillance.models import Alert

pytestmark = pytest.mark.django_db
State = Payout.State


def debtor(bank: Outside, amount: str = "100.00") -> Player:
    """Who has lost a deposit to bob, owes it since, and nothing else speaks against."""
    ann = person("ann", funds=None)
    verified(ann, bank)
    deposit = paid(bank, ann, amount)
    loses_to(ann, person("bob"), amount)
    taken_back(bank, deposit, int(Decimal(amount) * 100))
    return ann


def test_winnings_pay_the_debt_before_they_can_be_asked_for(bank: Outside) -> None:
    ann = debtor(bank)
    fund(ann, "150.00")
    method = account(bank, ann)
    with pytest.raises(StillOwes, match=r"100\.00 USD"):
        asked(bank, ann, method, "150.00", "USD")
    receivables.collect(player=ann.pk, currency="USD", at=bank.at)
    asked(bank, ann, method, "50.00", "USD")
    assert (wallet(ann), owed(ann)) == (NOTHING, NOTHING)
    everything_proves()


def test_a_debt_keeps_payouts_of_every_currency(bank: Outside) -> None:
    ann = debtor(bank)
    fund(ann, "50.00", "EUR")
    answer = asks(client_of(ann), str(account(bank, ann).pk))
    assert (answer.status_code, answer.json()["code"]) == (409, "still_owes")
    assert "100.00 USD" in answer.json()["detail"]
    assert wallet(ann, "EUR") == Decimal("50.00")


def test_what_failed_is_not_tried_again_while_the_player_owes(bank: Outside) -> None:
    ann = winner(bank)
    payout = asked(bank, ann, account(bank, ann, CLOSED))
    works(bank)
    assert fresh(payout).state == State.FAILED
    deposit = paid(bank, ann, "100.00")
    loses_to(ann, person("bob"), "100")
    taken_back(bank, deposit, 10000)
    with pytest.raises(StillOwes):
        services.again(payout=payout.pk, by=operator(), at=bank.at)
    fund(ann, "100.00")
    receivables.collect(player=ann.pk, currency="USD", at=bank.at)
    services.again(payout=payout.pk, by=operator(), at=bank.at)
    assert fresh(payout).state == State.HELD


def test_a_dispute_that_the_wallet_covered_or_that_is_only_opened_keeps_a_payout(bank: Outside) -> None:
    ann, bob = winner(bank), winner(bank, name="Bob Miller")
    charged_back(bank, ann, "20.00")
    name = opened(bank, paid(bank, bob, "20.00"), 2000)
    covered = asked(bank, ann, account(bank, ann))
    asked_about = asked(bank, bob, account(bank, bob, WAITS, "Bob Miller"))
    works(bank)
    for payout, says in ((covered, "20.00 USD taken"), (asked_about, "20.00 USD open")):
        assert (fresh(payout).state, kept_by(payout)) == (State.REVIEW, ["disputes"])
        assert says in str(fresh(payout).findings)
    services.decide(payout=asked_about.pk, approves=False, reason="asked about", by=operator(), at=bank.at)
    given_back(bank, name)
    again = asked(bank, bob, asked_about.method)
    works(bank)
    assert fresh(again).state == State.SUBMITTED


def test_a_debt_that_came_after_the_wish_is_an_operators(bank: Outside) -> None:
    ann = winner(bank)
    deposit = paid(bank, ann, "100.00")
    loses_to(ann, person("bob"), "100")
    payout = asked(bank, ann, account(bank, ann))
    taken_back(bank, deposit, 10000)
    works(bank)
    assert (fresh(payout).state, kept_by(payout)[0]) == (State.REVIEW, "debt")
    assert "owes 100.00 USD" in str(fresh(payout).findings)


def test_a_debt_that_came_after_the_approval_keeps_the_payout_until_an_operator_knows(bank: Outside) -> None:
    ann, bob = winner(bank, "100.00", "USD"), person("bob")
    eve = winner(bank, "100.00", "USD", name="Eve Miller")
    deposit = paid(bank, ann, "100.00", card="5555555555554444")
    loses_to(ann, bob, "100")
    loses_to(bob, ann, "100")
    payout = asked(bank, ann, account(bank, ann), "100.00", "USD")
    clean = asked(bank, eve, account(bank, eve, WAITS, "Eve Miller"), "50.00", "USD")
    for each in (payout, clean):
        assert services.screen(payout=each.pk, at=bank.at).state == State.APPROVED
    bank.goes_by(hours=1)
    taken_back(bank, deposit, 10000)
    bank.goes_by(days=1)
    works(bank)
    kept = fresh(payout)
    assert (kept.state, kept.approved_at, kept.needs, kept_by(payout)) == (State.REVIEW, None, 1, ["debt", "disputes"])
    assert (pending(ann, "USD"), fresh(clean).state) == (kept.amount, State.SUBMITTED)
    assert Notice.objects.filter(player=ann, kind="payout_in_review").count() == 1
    bank.goes_by(hours=1)
    services.decide(payout=payout.pk, approves=True, reason="is paid by hand", by=operator(), at=bank.at)
    bank.goes_by(days=1)
    works(bank)
    assert fresh(payout).state == State.PAID
    everything_proves()


def test_a_batch_that_lay_here_is_not_handed_in_if_something_came_up(bank: Outside) -> None:
    ann, eve = winner(bank), winner(bank, name="Eve Miller")
    payout, clean = asked(bank, ann, account(bank, ann)), asked(bank, eve, account(bank, eve, WAITS, "Eve Miller"))
    for each in (payout, clean):
        services.screen(payout=each.pk, at=bank.at)
    batch = batches.make(currency="EUR", at=bank.at)
    assert batch and batch.count == 2
    bank.goes_by(hours=1)
    opened(bank, paid(bank, ann, "20.00"), 2000)
    assert batches.submit(batch=batch.pk, at=bank.at) is None
    batch.refresh_from_db()
    assert (batch.state, bank.record("transfer")) == (Batch.State.LOST, [])
    works(bank)
    assert (fresh(payout).state, kept_by(payout)) == (State.REVIEW, ["disputes"])
    assert (fresh(clean).state, clean.attempts.count()) == (State.SUBMITTED, 2)
    everything_proves()


def test_a_dispute_or_an_alert_that_came_after_the_approval_keeps_what_goes_to_a_card(bank: Outside) -> None:
    ann, bob = person("ann", funds=None), person("bob", funds=None)
    for player in (ann, bob):
        verified(player, bank)
        fund(player, "40.00")
        paid(bank, player, "40.00")
    loses_to(ann, bob, "40")
    loses_to(bob, ann, "40")
    first, second = (asked(bank, each, each.payment_methods.get(), "20.00", "USD") for each in (ann, bob))
    for each in (first, second):
        assert services.screen(payout=each.pk, at=bank.at).state == State.APPROVED
    bank.goes_by(hours=1)
    opened(bank, Deposit.objects.get(player=ann), 4000)
    given = {"loser": ann, "winner": bob, "currency": "USD", "score": 100, "opened_at": bank.at}
    Alert.objects.create(kind="chip_dumping", evidence={}, **given)
    works(bank)
    for payout, rules in ((first, {"disputes", "alerts"}), (second, {"alerts"})):
        assert fresh(payout).state == State.REVIEW
        assert rules <= set(kept_by(payout))
    assert not bank.record("payout")


def test_a_batch_looks_again_at_all_its_payouts_at_once(
    bank: Outside, django_assert_max_num_queries: Callable[[int], AbstractContextManager[object]]
) -> None:
    for name, iban in {"Ann": IBAN, "Bob": CLOSED, "Eve": WAITS}.items():
        player = winner(bank, name=f"{name} Miller")
        payout = asked(bank, player, account(bank, player, holder=f"{name} Miller", iban=iban))
        services.screen(payout=payout.pk, at=bank.at)
    players = set(Payout.objects.values_list("player", flat=True))
    with django_assert_max_num_queries(4):
        assert len(standing.of(players)) == 3
