"""Payouts to bank accounts, from the wish to the statement: once, whatever the bank does."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime, time
from decimal import Decimal

import pytest
from django.db import IntegrityError, connection, transaction
from pytest_django import Settings

from ledger import book, chart, money
from tests.cashier.banking import reads
from tests.cashier.outside import Outside
from tests.cashier.payouts.wishes import (
    CLOSED,
    COMES_BACK,
    NOTHING,
    WAITS,
    account,
    asked,
    everything_proves,
    fresh,
    operator,
    pending,
    suspense,
    verified,
    winner,
    won,
    works,
)
from tests.factories import person, wallet
from wagering.cashier.bank import schema
from wagering.cashier.bank.models import BankEntry
from wagering.cashier.payouts import batches, proofs, services, switch
from wagering.cashier.payouts.models import Attempt, Batch, Payout
from wagering.cashier.payouts.services import NotToBeCancelled
from wagering.notices.models import Notice
from wagering.protection.exclusion import services as exclusion
from wagering.protection.refusals import PayoutStands
from wagering.vault import services as vault

pytestmark = pytest.mark.django_db
State = Payout.State


def kinds() -> list[str]:
    return sorted(Notice.objects.values_list("kind", flat=True))


def test_a_payout_is_held_approved_batched_and_paid(bank: Outside) -> None:
    ann = winner(bank)
    payout = asked(bank, ann, account(bank, ann))
    assert (payout.state, wallet(ann, "EUR"), pending(ann)) == (State.HELD, Decimal("52.00"), Decimal("48.00"))
    everything_proves()
    works(bank)
    payout = fresh(payout)
    assert (payout.state, wallet(ann, "EUR"), pending(ann)) == (State.PAID, Decimal("52.00"), Decimal("0.00"))
    (transfer,) = bank.record("transfer")
    assert (transfer["iban"], transfer["name"], transfer["amount"]) == ("NL91ABNA0417164300", "Ann Miller", "48.00")
    assert transfer["reference"] == Attempt.objects.get().ours
    batch = Batch.objects.get()
    assert (batch.state, batch.count, batch.control_sum) == (Batch.State.SUBMITTED, 1, Decimal("48.00"))
    file = batches.render(batch)
    schema.check(file)
    assert hashlib.sha256(file).hexdigest() == batch.sha256
    assert kinds() == ["payout_approved", "payout_paid"]
    everything_proves()


def test_a_batch_that_cannot_be_written_for_want_of_the_key_is_no_proof(bank: Outside, settings: Settings) -> None:
    ann = winner(bank)
    asked(bank, ann, account(bank, ann))
    works(bank)
    settings.SECRET_KEY = "another secret, and long enough"
    proof = proofs.batches_write_again()
    assert not proof.holds
    assert "SECRET_KEY" in str(proof)


def test_no_name_and_no_number_stands_in_a_row(bank: Outside) -> None:
    ann = winner(bank)
    method = account(bank, ann)
    works(bank)
    kept = str({**vars(method)}) + str(list(Payout.objects.values())) + str(list(Attempt.objects.values()))
    assert "NL91ABNA0417164300" not in kept
    assert "Miller" not in kept
    assert method.last4 == "4300"


def test_who_is_excluded_is_paid_all_the_same(bank: Outside) -> None:
    ann = winner(bank)
    method = account(bank, ann)
    exclusion.exclude(player=ann, months=6, at=bank.at)
    payout = asked(bank, ann, method)
    works(bank)
    assert fresh(payout).state == State.PAID


def test_a_transfer_that_the_bank_refuses_is_in_the_wallet_again(bank: Outside) -> None:  # case 20
    ann = winner(bank, "48.00")
    payout = asked(bank, ann, account(bank, ann, CLOSED))
    works(bank)
    assert (fresh(payout).state, wallet(ann, "EUR")) == (State.FAILED, Decimal("48.00"))
    works(bank)
    assert [row["status"] for row in bank.record("transfer")] == ["refused"]  # nothing is sent without a hold
    services.again(payout=payout.pk, by=operator(), at=bank.at)
    assert (fresh(payout).state, wallet(ann, "EUR"), pending(ann)) == (State.HELD, NOTHING, Decimal("48.00"))
    first, second = Attempt.objects.order_by("number")
    assert (first.number, second.number) == (1, 2)
    assert first.ours != second.ours
    works(bank)
    assert fresh(payout).state == State.FAILED
    assert len(bank.record("transfer")) == 2
    with pytest.raises(book.InsufficientFunds):
        asked(bank, ann, account(bank, ann), "48.01")
    everything_proves()


def test_what_comes_back_goes_to_suspense_and_then_to_the_wallet_with_a_notice(bank: Outside) -> None:
    ann = winner(bank)
    payout = asked(bank, ann, account(bank, ann, COMES_BACK))
    works(bank)
    assert (fresh(payout).state, fresh(payout).reason) == (State.RETURNED, "AC01")
    assert (wallet(ann, "EUR"), pending(ann), suspense()) == (Decimal("100.00"), NOTHING, NOTHING)
    assert kinds() == ["payout_approved", "payout_paid", "payout_returned"]
    everything_proves()


def test_a_bank_that_takes_a_batch_and_does_not_say_so_is_asked_and_never_sent_to_again(bank: Outside) -> None:  # 21
    ann = winner(bank)
    payout = asked(bank, ann, account(bank, ann, WAITS))
    services.screen(payout=payout.pk, at=bank.at)
    batch = batches.make(currency="EUR", at=bank.at)
    assert batch
    bank.misbehaves("time_out_after", lose_status=100)
    batches.submit(batch=batch.pk, at=bank.at)
    assert (fresh(payout).state, pending(ann)) == (State.UNKNOWN, Decimal("48.00"))
    bank.goes_by(minutes=2)
    works(bank)
    assert fresh(payout).state == State.SUBMITTED
    bank.controls(f"bank/transfers/{Attempt.objects.get().ours}", status="paid")
    works(bank)
    assert fresh(payout).state == State.PAID
    handed_in = [path for method, path, _ in bank.asked if (method, path) == ("POST", "/bank/orders")]
    assert len(bank.record("bank_order")) == len(handed_in) == 1
    everything_proves()


def test_a_batch_that_never_arrived_is_tried_anew_under_another_number(bank: Outside) -> None:
    ann = winner(bank)
    payout = asked(bank, ann, account(bank, ann))
    bank.misbehaves("time_out_before")
    works(bank, times=1)
    assert (fresh(payout).state, bank.record("bank_order")) == (State.UNKNOWN, [])
    bank.goes_by(minutes=59)
    works(bank)
    assert (fresh(payout).state, bank.record("bank_order")) == (State.UNKNOWN, [])
    bank.goes_by(minutes=1)
    works(bank)
    assert fresh(payout).state == State.PAID
    first, second = Attempt.objects.order_by("number")
    assert (first.reason, first.released_at is not None) == ("never heard of", True)
    assert [row["reference"] for row in bank.record("transfer")] == [second.ours]
    assert Batch.objects.filter(state=Batch.State.LOST).count() == 1
    everything_proves()


def test_a_worker_that_dies_after_its_claim_has_sent_nothing_twice(bank: Outside) -> None:
    ann = winner(bank)
    payout = asked(bank, ann, account(bank, ann))
    services.screen(payout=payout.pk, at=bank.at)
    batch = batches.make(currency="EUR", at=bank.at)
    assert batch
    assert batches._claim(batch.pk, bank.at)  # and then it was killed
    assert batches.submit(batch=batch.pk, at=bank.at) is None
    bank.goes_by(minutes=2)
    works(bank)
    assert fresh(payout).state == State.UNKNOWN
    bank.goes_by(hours=1)
    works(bank)
    assert fresh(payout).state == State.PAID
    assert len(bank.record("transfer")) == 1


def test_a_second_debit_of_one_payout_is_an_operators(bank: Outside) -> None:
    ann = winner(bank)
    payout = asked(bank, ann, account(bank, ann))
    works(bank)
    ours = Attempt.objects.get().ours
    bank.controls("bank/bookings", amount="48.00", side="DBIT", end_to_end=ours)
    bank.controls("bank/bookings", amount="50.00", side="CRDT", end_to_end=ours, text="more than was paid")
    works(bank)
    assert fresh(payout).state == State.PAID
    assert suspense() == Decimal("50.00")
    assert sorted(BankEntry.objects.values_list("state", flat=True)) == ["payout", "suspense", "unexplained"]
    everything_proves()


def test_batches_go_out_at_the_cut_off(bank: Outside, settings: Settings) -> None:
    settings.BANK_CUT_OFF = time(15)
    bank.at = datetime(2026, 12, 4, 13, 59, tzinfo=UTC)  # a Friday, 14:59 in Berlin
    ann = winner(bank)
    payout = asked(bank, ann, account(bank, ann))
    works(bank)
    assert fresh(payout).state == State.APPROVED
    bank.at = datetime(2026, 12, 4, 14, tzinfo=UTC)
    late = asked(bank, ann, account(bank, ann), "10.00")
    bank.goes_by(seconds=1)
    works(bank)
    assert (fresh(payout).state, fresh(late).state) == (State.PAID, State.APPROVED)
    bank.at = datetime(2026, 12, 7, 13, 59, tzinfo=UTC)
    works(bank)
    assert fresh(late).state == State.APPROVED
    bank.goes_by(minutes=1)
    works(bank)
    assert fresh(late).state == State.PAID
    assert [str(batch.day) for batch in Batch.objects.order_by("day")] == ["2026-12-04", "2026-12-07"]


def test_a_switch_stops_all_that_pays_and_holds_what_is_asked(bank: Outside) -> None:
    ann, by = winner(bank), operator()
    first = asked(bank, ann, account(bank, ann), "10.00")
    services.screen(payout=first.pk, at=bank.at)
    batch = batches.make(currency="EUR", at=bank.at)
    assert batch
    second = asked(bank, ann, account(bank, ann), "11.00")
    services.screen(payout=second.pk, at=bank.at)
    switch.turn(stopped=True, reason="the bank warns of fraud", by=by, at=bank.at)
    third = asked(bank, ann, account(bank, ann), "12.00")
    works(bank)
    states = [fresh(each).state for each in (first, second, third)]
    assert states == [State.BATCHED, State.APPROVED, State.HELD]
    assert pending(ann) == Decimal("33.00")
    Payout.objects.filter(pk=third.pk).update(state=State.REVIEW, screened_at=bank.at)
    with pytest.raises(switch.PayoutsStopped):
        services.decide(payout=third.pk, approves=True, reason="fine", by=by, at=bank.at)
    services.decide(payout=third.pk, approves=False, reason="not now", by=by, at=bank.at)
    switch.turn(stopped=False, reason="it was an error", by=by, at=bank.at)
    works(bank)
    assert [fresh(each).state for each in (first, second, third)] == [State.PAID, State.PAID, State.REFUSED]
    everything_proves()


def test_a_player_takes_a_payout_back_until_it_is_approved(bank: Outside) -> None:
    ann = winner(bank)
    payout = asked(bank, ann, account(bank, ann))
    services.cancel(payout=payout.pk, at=bank.at)
    assert services.cancel(payout=payout.pk, at=bank.at).state == State.CANCELLED
    assert wallet(ann, "EUR") == Decimal("100.00")
    other = asked(bank, ann, account(bank, ann))
    works(bank, times=1)
    with pytest.raises(NotToBeCancelled):
        services.cancel(payout=other.pk, at=bank.at)
    everything_proves()


def test_where_payouts_are_not_taken_back_only_failure_gives_the_money_back(bank: Outside) -> None:  # case 29
    ann = person(funds=None)
    won(ann, "100.00")
    verified(ann, bank, country="GB")
    payout = asked(bank, ann, account(bank, ann, CLOSED))
    with pytest.raises(PayoutStands):
        services.cancel(payout=payout.pk, at=bank.at)
    assert pending(ann) == Decimal("48.00")
    works(bank)
    assert (fresh(payout).state, wallet(ann, "EUR")) == (State.FAILED, Decimal("100.00"))


def test_an_order_that_paid_somebody_who_is_erased_is_passed_over_by_its_proof(bank: Outside) -> None:
    ann = winner(bank)
    asked(bank, ann, account(bank, ann))
    works(bank)
    vault.destroy(player=ann, at=bank.at)
    everything_proves()


def test_what_was_held_and_sent_stays(bank: Outside) -> None:
    ann = winner(bank)
    asked(bank, ann, account(bank, ann))
    works(bank)
    for model, change, name in (
        (Payout, {"amount": Decimal(1)}, "payout_is_final"),
        (Payout, {"state": State.APPROVED}, "payout_is_final|payout_is_in_a_state"),
        (Attempt, {"ours": "other"}, "attempt_is_final"),
        (Attempt, {"paid_at": None}, "attempt_is_final"),
        (Batch, {"sha256": "0" * 64}, "batch_is_final"),
        (Batch, {"state": "made", "claimed_at": None}, "batch_is_final"),
    ):
        with pytest.raises(IntegrityError, match=name), transaction.atomic():
            model.objects.update(**change)
    with connection.cursor() as cursor, pytest.raises(IntegrityError, match="attempt_is_final"):
        cursor.execute("DELETE FROM payouts_attempt")


def test_play_money_and_nothing_are_not_paid_out(bank: Outside) -> None:
    ann = winner(bank)
    method = account(bank, ann)
    with pytest.raises(services.CurrencyNotPaidOut):
        services.ask(player=ann, method=method.pk, amount=Decimal("5.00"), currency="PLAY", at=bank.at)
    with pytest.raises(money.InvalidAmount):
        asked(bank, ann, method, "0.00")
    reads(bank)
    assert book.balance(chart.players("payouts_pending", ann.pk, "EUR")) == 0
