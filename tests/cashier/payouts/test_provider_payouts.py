"""Payouts back to a card, through a provider: asked for once under the attempt's reference, and looked up."""

from __future__ import annotations

from decimal import Decimal

import pytest

from games.models import Player
from ledger import book, chart
from tests.cashier.deposits.wishes import paid
from tests.cashier.outside import Outside
from tests.cashier.payouts.wishes import (
    NOTHING,
    account,
    asked,
    everything_proves,
    fresh,
    operator,
    pending,
    suspense,
    verified,
    won,
    works,
)
from tests.factories import person, wallet
from wagering.cashier.methods.models import Method
from wagering.cashier.payouts import facts, outcomes, sending, services
from wagering.cashier.payouts.models import Attempt, Payout
from wagering.cashier.payouts.services import CannotReceive
from wagering.cashier.providers.protocol import account_of

pytestmark = pytest.mark.django_db
State = Payout.State


def by_card(bank: Outside, card: str = "4242424242424242") -> tuple[Player, Method]:
    """Who paid 20.00 in by card, and had that in the wallet already: an operator agrees to what was not played."""
    ann = person(funds=None)
    verified(ann, bank)
    paid(bank, ann, "20.00", card=card)
    return ann, Method.objects.get(player=ann)


def agreed(bank: Outside, payout: Payout) -> Payout:
    """Screened, and approved by an operator, since nothing was played."""
    found = services.screen(payout=payout.pk, at=bank.at)
    assert [each["rule"] for each in found.findings if each["verdict"] != "ok"] == ["played"]
    services.decide(payout=payout.pk, approves=True, reason="known to us", by=operator(), at=bank.at)
    return fresh(payout)


def test_a_payout_to_a_card_is_paid_once(bank: Outside) -> None:
    ann, card = by_card(bank)
    payout = agreed(bank, asked(bank, ann, card, "20.00", "USD"))
    works(bank)
    bank.delivers()
    bank.controls("replay")
    bank.delivers()
    assert (fresh(payout).state, wallet(ann), pending(ann, "USD")) == (State.PAID, NOTHING, NOTHING)
    assert [(row["reference"], row["amount"]) for row in bank.record("payout")] == [(Attempt.objects.get().ours, 2000)]
    assert book.balance(chart.clearing(account_of("sandbox"), "USD")) == 0
    everything_proves()


def test_a_provider_that_does_not_answer_is_looked_up_and_not_asked_again(bank: Outside) -> None:  # case 21
    ann, card = by_card(bank)
    payout = agreed(bank, asked(bank, ann, card, "20.00", "USD"))
    bank.misbehaves("time_out_after")
    works(bank, times=1)
    assert (fresh(payout).state, pending(ann, "USD")) == (State.UNKNOWN, Decimal("20.00"))
    works(bank)
    assert fresh(payout).state == State.UNKNOWN
    bank.goes_by(minutes=1)
    works(bank)
    assert fresh(payout).state == State.PAID
    posted = [path for method, path, _ in bank.asked if (method, path) == ("POST", "/v1/payouts")]
    assert len(posted) == len(bank.record("payout")) == 1
    everything_proves()


def test_what_the_provider_never_heard_of_is_tried_under_another_number(bank: Outside) -> None:
    ann, card = by_card(bank)
    payout = agreed(bank, asked(bank, ann, card, "20.00", "USD"))
    bank.misbehaves("time_out_before")
    works(bank, times=1)
    bank.goes_by(minutes=5)
    works(bank)
    assert (fresh(payout).state, bank.record("payout")) == (State.UNKNOWN, [])
    bank.goes_by(hours=1)
    works(bank)
    assert fresh(payout).state == State.PAID
    first, second = Attempt.objects.order_by("number")
    assert [row["reference"] for row in bank.record("payout")] == [second.ours]
    assert first.released_at is not None
    everything_proves()


def test_a_worker_that_dies_after_its_claim_has_asked_nobody_twice(bank: Outside) -> None:  # case 12
    ann, card = by_card(bank)
    payout = agreed(bank, asked(bank, ann, card, "20.00", "USD"))
    attempt = Attempt.objects.get()
    assert sending._claim(attempt.pk, bank.at)
    sending.send(attempt=attempt.pk, at=bank.at)
    assert (fresh(payout).state, bank.record("payout")) == (State.SUBMITTED, [])


@pytest.mark.parametrize(
    ("card", "state", "kept"),
    [("4000000000000341", State.FAILED, "20.00"), ("4000000000000358", State.RETURNED, "20.00")],
)
def test_what_fails_or_comes_back_is_in_the_wallet_again(bank: Outside, card: str, state: State, kept: str) -> None:
    ann, method = by_card(bank, card)
    payout = agreed(bank, asked(bank, ann, method, "20.00", "USD"))
    works(bank)
    bank.delivers()
    assert (fresh(payout).state, wallet(ann), pending(ann, "USD"), suspense("USD")) == (
        state,
        Decimal(kept),
        NOTHING,
        NOTHING,
    )
    everything_proves()


def test_a_return_that_nobody_tells_of_is_found(bank: Outside) -> None:
    ann, card = by_card(bank)
    payout = agreed(bank, asked(bank, ann, card, "20.00", "USD"))
    works(bank)
    bank.misbehaves("lose")
    bank.controls(f"payouts/{Attempt.objects.get().ours}", status="returned")
    bank.goes_by(days=1)
    works(bank)
    assert (fresh(payout).state, wallet(ann)) == (State.RETURNED, Decimal("20.00"))
    everything_proves()


def test_a_card_that_cannot_receive_is_refused_at_once(bank: Outside) -> None:
    ann, method = by_card(bank, "5555555555554444")
    with pytest.raises(CannotReceive):
        asked(bank, ann, method, "20.00", "USD")


def test_what_came_by_card_goes_back_there_first(bank: Outside) -> None:
    ann, card = by_card(bank)
    won(ann, "30.00", "USD")
    elsewhere = asked(bank, ann, account(bank, ann), "30.00", "USD")
    services.screen(payout=elsewhere.pk, at=bank.at)
    assert fresh(elsewhere).state == State.REFUSED
    assert fresh(elsewhere).reason == "20.00 USD came from visa …4242 and goes back there first"
    back = agreed(bank, asked(bank, ann, card, "20.00", "USD"))
    works(bank)
    assert fresh(back).state == State.PAID
    after = agreed(bank, asked(bank, ann, account(bank, ann), "30.00", "USD"))
    works(bank)
    assert fresh(after).state == State.PAID
    everything_proves()


def test_what_may_be_taken_back_has_not_gone_back_to_the_card(bank: Outside) -> None:
    ann, card = by_card(bank)
    won(ann, "50.00", "USD")
    back = asked(bank, ann, card, "20.00", "USD")
    services.screen(payout=back.pk, at=bank.at)
    more = asked(bank, ann, card, "20.00", "USD")
    elsewhere = asked(bank, ann, account(bank, ann), "30.00", "USD")
    services.screen(payout=elsewhere.pk, at=bank.at)
    assert (fresh(back).state, fresh(elsewhere).state) == (State.REVIEW, State.REFUSED)
    assert "20.00 USD came from visa …4242" in fresh(elsewhere).reason
    assert facts.of(more, at=bank.at).to_source == 0  # to the card no more is asked than came from it
    services.cancel(payout=back.pk, at=bank.at)
    everything_proves()


def test_a_return_is_credited_once(bank: Outside) -> None:
    ann, method = by_card(bank, "4000000000000358")
    agreed(bank, asked(bank, ann, method, "20.00", "USD"))
    works(bank)
    outcomes.credit(attempt=Attempt.objects.get().pk, at=bank.at)
    assert wallet(ann) == Decimal("20.00")
