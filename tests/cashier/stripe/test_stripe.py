"""Deposits, refunds and disputes through Stripe: our side as it is, the other by localstripe, with no call outside."""

from __future__ import annotations

import json
import subprocess
import sys
from datetime import timedelta
from decimal import Decimal

import httpx
import pytest
from django.utils import timezone
from pytest_django import Settings
from pytest_django.live_server_helper import LiveServer

from games.models import User
from ledger import book, chart
from tests.cashier.disputes.charged import everything_proves, owed
from tests.cashier.stripe.there import SECRET, There, disputed, signed, written
from tests.factories import person, wallet
from tests.workers.conftest import happens
from wagering.cashier.deposits import inbox, refunds, selectors, services
from wagering.cashier.deposits.models import Deposit, InboxEvent, Refund
from wagering.cashier.disputes.models import Dispute
from wagering.cashier.methods.models import Method
from wagering.cashier.providers import registry
from wagering.cashier.providers.protocol import NotGenuine, ProviderRefused, ProviderSilent, account_of
from wagering.cashier.providers.stripe import from_units, to_units

pytestmark = pytest.mark.django_db

State = Deposit.State


def fresh(deposit: Deposit) -> Deposit:
    return Deposit.objects.get(pk=deposit.pk)


def clearing(currency: str = "USD") -> Decimal:
    return book.balance(chart.clearing(account_of("stripe"), currency))


# --- payments in ------------------------------------------------------------------------------------------------------


def test_a_card_pays_on_checkouts_page_and_it_is_in_the_wallet_once(stripe: There) -> None:
    ann = person(funds=None)
    deposit = stripe.started(ann)
    assert deposit.pay_at.startswith(f"{stripe.front.url}/c/pay/cs_test_")
    intent = stripe.pays(deposit)
    for _ in range(2):
        stripe.tells("payment_intent.succeeded", intent)
    stripe.tells("payment_intent.succeeded", intent, event="evt_twice")
    stripe.tells("payment_intent.succeeded", intent, event="evt_twice")
    assert (fresh(deposit).state, fresh(deposit).theirs) == (State.SUCCEEDED, intent["id"])
    assert wallet(ann) == Decimal("20.00") == clearing()
    method = Method.objects.get(player=ann)
    assert (method.provider, method.brand, method.last4, method.can_receive) == ("stripe", "visa", "4242", False)
    everything_proves()


@pytest.mark.parametrize(
    ("amount", "currency", "units"), [("500", "JPY", 500), ("1.230", "KWD", 1230), ("700", "ISK", 70000)]
)
def test_amounts_are_in_stripes_own_units(stripe: There, amount: str, currency: str, units: int) -> None:  # case 27
    ann = person(funds=None)
    deposit = stripe.started(ann, amount, currency)
    intent = stripe.pays(deposit)
    assert intent["amount"] == units
    stripe.tells("payment_intent.succeeded", intent)
    assert str(wallet(ann, currency)) == amount
    everything_proves()


def test_what_stripe_cannot_charge_fails_before_it_is_asked(stripe: There) -> None:
    deposit = stripe.started(person(funds=None), "1.234", "KWD")
    assert (deposit.state, deposit.reason) == (State.FAILED, "amount_too_fine: Stripe charges no 1.234 KWD")
    assert stripe.front.asked == []


def test_units_there_and_back() -> None:
    for text, currency, units in (("1.00", "USD", 100), ("3", "JPY", 3), ("5", "UGX", 500), ("4.00", "MGA", 4)):
        assert to_units(Decimal(text), currency) == units
        assert str(from_units(units, currency)) == text
    with pytest.raises(ProviderRefused):
        to_units(Decimal("4.50"), "MGA")
    for wrong in (-1, True, "5", 1.0, None):
        with pytest.raises(ValueError, match="no whole number"):
            from_units(wrong, "USD")


def test_a_card_that_is_declined_may_be_followed_by_another(stripe: There) -> None:
    ann = person(funds=None)
    deposit = stripe.started(ann)
    declined = stripe.pays(deposit, "4000000000000341")
    stripe.tells("payment_intent.payment_failed", declined)
    assert (fresh(deposit).state, wallet(ann)) == (State.PROCESSING, Decimal(0))
    assert selectors.pending_sum(ann, "USD") == Decimal("20.00")


def test_what_never_came_is_found_by_our_reference(stripe: There) -> None:  # case 18
    ann = person(funds=None)
    deposit = stripe.started(ann)
    intent = stripe.pays(deposit)
    stripe.goes_by(minutes=2)
    stripe.works()
    assert (fresh(deposit).state, wallet(ann)) == (State.SUCCEEDED, Decimal("20.00"))
    stripe.goes_by(days=2)
    assert stripe.tells("payment_intent.succeeded", intent).outcome == "was known"
    assert wallet(ann) == Decimal("20.00")


def test_what_was_never_paid_fails_after_a_day(stripe: There) -> None:
    deposit = stripe.started(person(funds=None))
    stripe.goes_by(hours=25)
    stripe.works()
    assert fresh(deposit).state == State.FAILED


def test_another_payment_with_our_name_credits_nobody(stripe: There) -> None:
    """What an event says is looked up by Stripe's name of it, which has to have ours."""
    ann, bob = person("ann", funds=None), person("bob", funds=None)
    one, other = stripe.started(ann), stripe.started(bob)
    intent = stripe.pays(one)
    stripe.tells("payment_intent.succeeded", {**intent, "metadata": {"ours": other.ours}})
    assert (wallet(ann), wallet(bob)) == (Decimal(0), Decimal(0))


@pytest.mark.parametrize("wrong", ["before", "after", "status 500", "status 429", "status 401"])
def test_a_silent_stripe_is_asked_for_the_same_session_again(stripe: There, wrong: str) -> None:
    ann = person(funds=None)
    deposit = stripe.wished(ann)
    stripe.front.broken = [wrong]
    with pytest.raises(ProviderSilent):
        services.start(deposit=deposit.pk, at=stripe.at)
    assert services.start(deposit=deposit.pk, at=stripe.at).pay_at
    assert len(stripe.front.sessions) == len(stripe.front.answered) == 1
    stripe.front.broken = ["before"]
    stripe.tells("payment_intent.succeeded", stripe.pays(deposit))
    stripe.works()
    assert wallet(ann) == Decimal("20.00")


def test_a_key_in_use_for_something_else_says_nothing(stripe: There) -> None:
    deposit = stripe.started(person(funds=None))
    with pytest.raises(ProviderSilent, match="IdempotencyError"):
        registry.provider("stripe").start(
            ours=deposit.ours,
            amount=Decimal("21.00"),
            currency="USD",
            player=deposit.player_id,
            return_url="",
            description="Deposit of 21.00 USD",
        )


def test_what_stripe_refuses_ends_the_deposit(stripe: There) -> None:
    deposit = services.start(deposit=stripe.wished(person(funds=None), return_url="gopher://x").pk, at=stripe.at)
    assert (deposit.state, deposit.reason) == (State.FAILED, "url_invalid: Not a valid URL")


# --- refunds ----------------------------------------------------------------------------------------------------------


def given_back(stripe: There, deposit: Deposit, amount: str) -> Refund:
    operator, _ = User.objects.get_or_create(username="operator", is_staff=True)
    return refunds.ask(deposit=deposit.pk, amount=Decimal(amount), reason="a double charge", by=operator, at=stripe.at)


@pytest.mark.parametrize("wrong", ["", "before", "after"])
def test_a_refund_and_its_webhook_are_one_refund(stripe: There, wrong: str) -> None:  # case 16
    deposit = stripe.paid(person(funds=None))
    refund = given_back(stripe, deposit, "5.00")
    stripe.front.broken = ["", wrong] if wrong else []  # the second request is the one that asks for it
    stripe.works()
    stripe.front.answered.clear()  # Stripe forgets keys after a day
    stripe.goes_by(days=2)
    stripe.works()
    (made,) = stripe.front.all("refunds")
    assert (made["amount"], made["metadata"]) == (500, {"ours": refund.ours})
    for kind in ("refund.created", "refund.updated"):
        stripe.tells(kind, made)
    assert Refund.objects.get().state == Refund.State.SUCCEEDED
    assert wallet(deposit.player) == Decimal("15.00") == clearing()
    everything_proves()


def test_a_refund_made_in_the_dashboard_is_taken_from_the_wallet(stripe: There) -> None:
    deposit = stripe.paid(person(funds=None))
    made = stripe.front._does("POST", "/v1/refunds", json={"payment_intent": deposit.theirs, "amount": 2000})
    stripe.tells("refund.created", made)
    stripe.tells("refund.updated", made)
    assert (fresh(deposit).state, wallet(deposit.player), clearing()) == (State.REFUNDED, Decimal(0), Decimal(0))
    everything_proves()


def test_a_refund_that_nobody_told_of_is_found(stripe: There) -> None:
    deposit, other = stripe.paid(person(funds=None)), stripe.paid(person(funds=None))
    for payment in (deposit, other):
        stripe.front._does("POST", "/v1/refunds", json={"payment_intent": payment.theirs, "amount": 500})
    for _ in range(2):
        refunds.look(provider="stripe", at=stripe.at)
    assert (wallet(deposit.player), wallet(other.player), clearing()) == (Decimal(15), Decimal(15), Decimal(30))
    assert Refund.objects.count() == 2
    refunds.look(provider="stripe", at=stripe.at + timedelta(days=30))
    stripe.front.broken = ["before"]
    with pytest.raises(ProviderSilent):
        refunds.look(provider="stripe", at=stripe.at)
    everything_proves()


# --- disputes ---------------------------------------------------------------------------------------------------------


def test_a_dispute_that_moves_money_is_a_chargeback(stripe: There) -> None:  # case 24, 100.37 on 100.00
    ann = person(funds=None)
    deposit = stripe.paid(ann, "100.00")
    told = disputed(deposit, 10037)
    assert stripe.tells("charge.dispute.created", told).outcome == "dispute opened"
    assert stripe.tells("charge.dispute.updated", told).outcome == "unknown kind"  # case 19
    assert wallet(ann) == Decimal("100.00")
    stripe.tells("charge.dispute.funds_withdrawn", told)
    stripe.tells("charge.dispute.funds_withdrawn", told)
    dispute = Dispute.objects.get()
    assert (dispute.wallet, dispute.difference) == (Decimal("100.00"), Decimal("0.37"))
    assert (fresh(deposit).state, wallet(ann), owed(ann)) == (State.DISPUTED, Decimal(0), Decimal(0))
    stripe.tells("charge.dispute.closed", {**told, "status": "won"})
    assert wallet(ann) == Decimal(0)
    stripe.tells("charge.dispute.funds_reinstated", told)
    assert (fresh(deposit).state, wallet(ann), clearing()) == (State.SUCCEEDED, Decimal("100.00"), Decimal("100.00"))
    everything_proves()


@pytest.mark.parametrize(("status", "state"), [("warning_closed", "won"), ("lost", "open")])
def test_a_dispute_that_is_closed_without_money_stands_no_more_unless_it_was_lost(
    stripe: There, status: str, state: str
) -> None:
    told = disputed(stripe.paid(person(funds=None), "100.00"), 10000)
    stripe.tells("charge.dispute.created", told)
    stripe.tells("charge.dispute.closed", {**told, "status": status})
    assert Dispute.objects.get().state == state
    everything_proves()


def test_a_dispute_before_the_payment_is_known_waits_for_it(stripe: There) -> None:
    ann = person(funds=None)
    deposit = stripe.started(ann)
    intent = stripe.pays(deposit)
    event = stripe.tells("charge.dispute.funds_withdrawn", {**disputed(deposit, 2000), "payment_intent": intent["id"]})
    assert event.done_at is None
    stripe.tells("payment_intent.succeeded", intent)
    stripe.works()
    assert (fresh(deposit).state, wallet(ann)) == (State.DISPUTED, Decimal(0))
    everything_proves()


# --- out, which it does not offer -------------------------------------------------------------------------------------


def test_no_card_can_receive(stripe: There) -> None:
    provider = registry.provider("stripe")
    with pytest.raises(ProviderRefused, match="Connect"):
        provider.pay_out(ours="x", token="y", amount=Decimal(1), currency="USD")
    assert provider.look_up_payout(ours="x") is None


# --- webhooks ---------------------------------------------------------------------------------------------------------


def test_a_webhook_is_genuine_by_its_signature_and_for_five_minutes(stripe: There) -> None:
    body = written("weather.changed", {}, at=stripe.at)
    good = signed(body, at=stripe.at)

    def come(body: bytes, headers: dict[str, str], later: timedelta = timedelta()) -> None:
        inbox.receive(provider="stripe", body=body, headers=headers, at=stripe.at.replace(microsecond=0) + later)

    old = signed(body, at=stripe.at - timedelta(days=1))["Stripe-Signature"].removeprefix("t=")
    now = int(stripe.at.timestamp())
    wrong = {
        "missing": {},
        "malformed": {"Stripe-Signature": "t=now"},
        "by another": signed(body, at=stripe.at, secret="whsec_other"),
        "old, with a new time beside it": {"Stripe-Signature": f"t=+{old},t={now}"},
        "old, with a new time before it": {"Stripe-Signature": f"t={now},t={old}"},
    }
    for name, headers in wrong.items():
        with pytest.raises(NotGenuine):
            come(body, headers)
        assert not InboxEvent.objects.exists(), name
    for changed in (body.replace(b"weather", b"whether"), body + b" ", b"\xff" + body):
        with pytest.raises(NotGenuine):
            come(changed, good)
    for off in (timedelta(seconds=301), timedelta(seconds=-301)):
        with pytest.raises(NotGenuine, match="5 minutes"):
            come(body, good, off)
    come(body, good, timedelta(seconds=300))
    assert InboxEvent.objects.get().outcome == "unknown kind"


@pytest.mark.django_db(transaction=True)
def test_localstripes_own_webhook_comes_over_the_wire(
    stripe: There, live_server: LiveServer, settings: Settings
) -> None:
    settings.RATES = {}
    said = {"url": f"{live_server.url}/v1/webhooks/stripe", "secret": SECRET, "events": ["payment_intent.succeeded"]}
    httpx.post(f"{stripe.front.behind.base_url}/_config/webhooks/ours", json=said, trust_env=False)
    ann = person(funds=None)
    deposit = stripe.started(ann)
    stripe.pays(deposit)
    assert happens(InboxEvent.objects.exists, within_s=30)
    event = InboxEvent.objects.get()
    assert json.loads(bytes(event.body))["type"] == event.kind == "payment_intent.succeeded"
    inbox.handle(event=event.pk, at=timezone.now())
    assert (fresh(deposit).state, wallet(ann)) == (State.SUCCEEDED, Decimal("20.00"))
    everything_proves()


# --- settings ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("missing", ["STRIPE_SECRET_KEY", "STRIPE_WEBHOOK_SECRET", "STRIPE_RETURN_URL"])
def test_stripe_is_worked_with_only_where_all_of_it_is_named(missing: str, child_environment: dict[str, str]) -> None:
    said = {"STRIPE_SECRET_KEY": "sk", "STRIPE_WEBHOOK_SECRET": "whsec", "STRIPE_RETURN_URL": "https://room.example"}
    del said[missing]
    environment = {**child_environment, "PROVIDERS": "sandbox,stripe", **said}
    done = subprocess.run(
        [sys.executable, "manage.py", "check"], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode != 0
    assert "PROVIDERS=stripe needs STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET, STRIPE_RETURN_URL" in done.stderr
