"""A deposit from the wish to the wallet, through a provider that behaves or does not."""

from __future__ import annotations

from decimal import Decimal

import pytest
from django.db import IntegrityError, connection, transaction

from ledger import book, chart
from tests.cashier.deposits.wishes import fresh, paid, started, wished
from tests.cashier.outside import Outside
from tests.factories import person, wallet
from tests.ledger.proving import prove
from tests.protection.people import operator
from wagering.cashier.deposits import proofs, selectors, services
from wagering.cashier.deposits.models import Deposit, InboxEvent
from wagering.cashier.deposits.services import NotToBeStarted
from wagering.cashier.methods.models import Method
from wagering.cashier.providers import registry
from wagering.cashier.providers.protocol import Payment, ProviderSilent, Told, account_of
from wagering.privacy.erasure import erase
from wagering.protection.exclusion import services as exclusion
from wagering.protection.limits import services as limits
from wagering.protection.limits.rules import Kind, Window
from wagering.protection.limits.selectors import Sort
from wagering.protection.refusals import Excluded, LimitReached

pytestmark = pytest.mark.django_db

State = Deposit.State


def clearing(currency: str = "USD") -> Decimal:
    return book.balance(chart.clearing(account_of("sandbox"), currency))


def everything_proves() -> None:
    prove()
    for proof in (proofs.deposits_are_posted(), proofs.refunds_are_posted()):
        assert proof.holds, proof


def test_what_is_paid_is_in_the_wallet_once(world: Outside) -> None:
    ann = person(funds=None)
    deposit = started(world, ann)
    assert deposit.state == State.PROCESSING
    assert wallet(ann) == 0
    world.is_paid(deposit)
    world.delivers()
    world.controls("replay")
    world.delivers()
    deposit = fresh(deposit)
    assert deposit.state == State.SUCCEEDED
    assert deposit.paid == Decimal("20.00")
    assert wallet(ann) == Decimal("20.00") == clearing()
    method = Method.objects.get(player=ann)
    assert (method.brand, method.last4, method.can_receive) == ("visa", "4242", True)
    assert deposit.method == method
    everything_proves()


def test_what_is_processing_is_not_to_be_spent(world: Outside) -> None:  # case 28
    ann = person(funds=None)
    deposit = paid(world, ann, card="4000000000003220")
    assert deposit.state == State.PROCESSING
    assert wallet(ann) == 0
    assert selectors.pending_sum(ann, "USD") == Decimal("20.00")
    world.controls(f"payments/{deposit.theirs}", status="succeeded")
    world.delivers()
    assert fresh(deposit).state == State.SUCCEEDED
    assert wallet(ann) == Decimal("20.00")
    assert selectors.pending_sum(ann, "USD") == 0


def test_a_declined_card_credits_nothing(world: Outside) -> None:
    ann = person(funds=None)
    deposit = paid(world, ann, card="4000000000000002")
    assert (deposit.state, deposit.reason) == (State.FAILED, "card declined")
    assert wallet(ann) == 0
    with pytest.raises(NotToBeStarted):
        services.start(deposit=deposit.pk, at=world.at)


def test_an_event_that_never_comes_is_found_and_one_that_comes_later_changes_nothing(world: Outside) -> None:  # case 18
    ann = person(funds=None)
    deposit = started(world, ann)
    world.misbehaves("lose")
    world.is_paid(deposit)
    assert world.delivers() == 0
    world.goes_by(seconds=59)
    world.works()
    assert fresh(deposit).state == State.PROCESSING
    world.goes_by(seconds=1)
    world.works()
    assert fresh(deposit).state == State.SUCCEEDED
    world.goes_by(days=2)
    event = world.record("event")[0]
    world.house.record.insert(
        "delivery",
        event=event["id"],
        body=f'{{"id":"{event["id"]}","type":"payment.succeeded","created":{event["created"]},"data":{event["data"]}}}',
        due_ms=0,
    )
    assert world.delivers() == 1
    assert InboxEvent.objects.get().outcome == "was known"
    assert wallet(ann) == Decimal("20.00")


def test_an_event_of_an_unknown_kind_is_kept_and_the_payment_is_found(world: Outside) -> None:  # case 19
    ann = person(funds=None)
    deposit = started(world, ann)
    world.misbehaves("rename")
    world.is_paid(deposit)
    world.delivers()
    event = InboxEvent.objects.get()
    assert (event.kind, event.outcome, event.tells) == ("payment.succeeded.v2", "unknown kind", None)
    assert wallet(ann) == 0
    world.goes_by(minutes=1)
    world.works()
    assert wallet(ann) == Decimal("20.00")


def test_what_waits_for_hours_is_told_to_the_operator(world: Outside) -> None:  # case 19
    deposit = paid(world, person(funds=None), card="4000000000003220")
    assert not selectors.exceptions(at=world.at).exists()
    world.goes_by(hours=5)
    assert [*selectors.exceptions(at=world.at)] == [deposit]


def test_a_lie_about_the_amount_is_not_believed(world: Outside) -> None:
    ann = person(funds=None)
    deposit = started(world, ann)
    world.misbehaves("lie")
    world.is_paid(deposit)
    world.delivers()
    tells = InboxEvent.objects.get().tells
    assert tells and tells["amount"] == "140.01"
    assert wallet(ann) == Decimal("20.00")


@pytest.mark.parametrize(("card", "credited"), [("4000000000000051", "10.00"), ("4000000000000127", "40.00")])
def test_what_was_really_paid_is_credited_and_said(world: Outside, card: str, credited: str) -> None:
    ann = person(funds=None)
    deposit = paid(world, ann, card=card)
    assert wallet(ann) == Decimal(credited)
    assert deposit.reason == f"{credited} USD was paid, not 20.00 USD"
    assert [*selectors.exceptions(at=world.at)] == [deposit]
    everything_proves()


def test_another_currency_waits_for_an_operator(world: Outside) -> None:
    ann = person(funds=None)
    deposit = paid(world, ann, card="4000000000000036")
    assert deposit.state == State.PROCESSING
    assert deposit.is_held
    assert wallet(ann) == wallet(ann, "EUR") == 0
    assert [*selectors.exceptions(at=world.at)] == [deposit]
    everything_proves()


@pytest.mark.parametrize("wrong", ["time_out_before", "time_out_after", "fail_before", "fail_after"])
def test_a_provider_that_is_silent_at_the_start_is_asked_for_the_same_again(world: Outside, wrong: str) -> None:
    ann = person(funds=None)
    deposit = wished(world, ann)
    world.misbehaves(wrong)
    with pytest.raises(ProviderSilent):
        services.start(deposit=deposit.pk, at=world.at)
    begun = services.start(deposit=deposit.pk, at=world.at)
    again = services.start(deposit=deposit.pk, at=world.at)
    assert begun.pay_at == again.pay_at
    assert [row["reference"] for row in world.record("payment")] == [deposit.ours]
    assert {said["reference"] for method, path, said in world.asked} == {deposit.ours}
    world.is_paid(deposit)
    world.delivers()
    assert wallet(ann) == Decimal("20.00")


def test_what_never_was_started_fails_by_itself(world: Outside) -> None:
    never = wished(world, person(funds=None))
    silent = wished(world, person("bob", funds=None))
    world.misbehaves("time_out_before")
    with pytest.raises(ProviderSilent):
        services.start(deposit=silent.pk, at=world.at)
    world.goes_by(hours=1)
    world.works()
    assert fresh(silent).state == State.PROCESSING
    world.goes_by(hours=23)
    world.works()
    assert fresh(never).reason == "never started"
    for deposit in (never, silent):
        with pytest.raises(NotToBeStarted):
            services.start(deposit=deposit.pk, at=world.at)
    world.goes_by(hours=1)
    world.works()
    assert fresh(silent).reason == "the provider never heard of it"
    assert selectors.pending_sum(never.player, "USD") == 0


def test_a_deposit_that_was_begun_late_is_pending_while_its_page_takes_money(
    world: Outside, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As at a provider that knows nothing of a payment before it is paid."""
    provider = registry.provider("sandbox")
    asks = provider.look_up

    def knows_what_was_paid(*, ours: str, theirs: str = "") -> Told | None:
        told = asks(ours=ours, theirs=theirs)
        return told if told and told.state == Payment.SUCCEEDED else None

    monkeypatch.setattr(provider, "look_up", knows_what_was_paid)
    ann = person(funds=None)
    sort = Sort(Kind.DEPOSIT, Window.DAY, "USD")
    limits.set_limit(player=ann, sort=sort, amount=Decimal(100), at=world.at)
    late = wished(world, ann, "100.00")
    world.goes_by(hours=23, minutes=50)
    services.start(deposit=late.pk, at=world.at)
    world.goes_by(hours=24)
    world.works()
    assert fresh(late).state == State.PROCESSING
    with pytest.raises(LimitReached):
        wished(world, ann, "100.00")
    world.goes_by(hours=2)
    world.works()
    assert fresh(late).state == State.FAILED
    wished(world, ann, "100.00")


def test_who_is_excluded_meanwhile_is_not_sent_to_the_page_again(world: Outside) -> None:
    ann = person(funds=None)
    deposit = started(world, ann)
    exclusion.take_time_out(player=ann, hours=1, at=world.at)
    with pytest.raises(Excluded):
        services.start(deposit=deposit.pk, at=world.at)


def test_what_is_paid_for_somebody_erased_waits_for_an_operator(world: Outside) -> None:
    ann = person(funds=None)
    deposit = paid(world, ann, card="4000000000000002")
    erase(player=ann, by=operator(), reason="asked for it", at=world.at, forced=True)
    world.controls(f"payments/{deposit.theirs}", status="succeeded")
    world.delivers()
    held = fresh(deposit)
    assert (held.is_held, held.paid) == (True, Decimal("20.00"))
    assert wallet(ann) == 0
    assert "erased" in held.reason
    assert Method.objects.filter(player=ann).count() == Method.objects.filter(blocked_at__isnull=False).count()
    assert held in selectors.exceptions(at=world.at)


def test_a_success_counts_after_a_failure_too(world: Outside) -> None:
    ann = person(funds=None)
    deposit = paid(world, ann, card="4000000000000002")
    world.controls(f"payments/{deposit.theirs}", status="succeeded")
    world.delivers()
    assert fresh(deposit).state == State.SUCCEEDED
    assert wallet(ann) == Decimal("20.00")


@pytest.mark.parametrize(("amount", "currency", "minor"), [("500", "JPY", 500), ("1.234", "KWD", 1234)])
def test_a_provider_is_told_minor_units(world: Outside, amount: str, currency: str, minor: int) -> None:  # case 27
    ann = person(funds=None)
    deposit = paid(world, ann, amount, currency)
    assert world.asked[0][2]["amount"] == minor
    assert deposit.paid == wallet(ann, currency) == Decimal(amount)
    everything_proves()


def test_what_was_asked_and_paid_stays(world: Outside) -> None:
    deposit = paid(world, person(funds=None))
    for change in ({"amount": Decimal(21)}, {"paid": Decimal(21)}, {"state": "created"}, {"state": "failed"}):
        with pytest.raises(IntegrityError, match="deposit_is_"), transaction.atomic():
            Deposit.objects.filter(pk=deposit.pk).update(**change)
    with pytest.raises(IntegrityError, match="deposit_is_final"), transaction.atomic():
        Deposit.objects.filter(pk=deposit.pk).delete()
    with pytest.raises(IntegrityError, match="event_is_final"), transaction.atomic():
        InboxEvent.objects.update(outcome="")


@pytest.mark.parametrize("amount", ["NaN", "0", "-1", "1000000000000"])
def test_the_database_takes_no_amount_that_is_none(world: Outside, amount: str) -> None:  # case 42
    wished(world, person(funds=None))
    with connection.cursor() as cursor, pytest.raises(IntegrityError, match="deposit_amount_is_an_amount"):
        cursor.execute(
            """
            INSERT INTO deposits_deposit SELECT (jsonb_populate_record(d, jsonb_build_object(
                'id', gen_random_uuid(), 'ours', 'another', 'amount', %s))).* FROM deposits_deposit d
            """,
            [amount],
        )
