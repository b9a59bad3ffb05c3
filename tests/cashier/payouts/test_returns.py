"""A payout comes back only if the bank says so; what a payer writes on a transfer makes it none."""

from __future__ import annotations

from decimal import Decimal

import pytest

from tests.cashier.banking import comes_in
from tests.cashier.deposits.wishes import paid
from tests.cashier.outside import Outside
from tests.cashier.payouts.wishes import (
    COMES_BACK,
    account,
    asked,
    everything_proves,
    fresh,
    operator,
    suspense,
    verified,
    winner,
    works,
)
from tests.factories import NOON, person, wallet
from wagering.cashier.bank import entries, references
from wagering.cashier.bank.models import BankEntry
from wagering.cashier.causes import causes
from wagering.cashier.methods.models import Method
from wagering.cashier.payouts import facts, services
from wagering.cashier.payouts.models import Payout
from wagering.protection import aml
from wagering.protection.exclusion import services as exclusion
from wagering.rest.causes import Cause

pytestmark = pytest.mark.django_db
State = Payout.State


def test_what_a_payer_calls_by_a_payouts_reference_is_a_transfer_like_any_other(bank: Outside) -> None:
    ann = winner(bank)
    payout = asked(bank, ann, account(bank, ann))
    works(bank)
    exclusion.exclude(player=ann, months=None, at=bank.at)
    written = references.of(player=ann, currency="EUR", at=bank.at)
    comes_in(bank, "48.00", written, end_to_end=payout.attempts.get().ours, name="Ann Miller")
    works(bank)
    assert (fresh(payout).state, wallet(ann, "EUR"), suspense()) == (State.PAID, Decimal("52.00"), Decimal("48.00"))
    assert "excluded" in BankEntry.objects.get(is_credit=True).note
    everything_proves()


def test_a_cent_is_no_payout_that_came_back_whatever_the_bank_says(bank: Outside) -> None:
    ann = winner(bank)
    payout = asked(bank, ann, account(bank, ann))
    works(bank)
    for amount in ("0.01", "23.99", "24.00"):
        comes_in(bank, amount, "", end_to_end=payout.attempts.get().ours, returned="AC01")
        works(bank)
    assert (fresh(payout).state, wallet(ann, "EUR"), suspense()) == (State.RETURNED, Decimal(76), Decimal(24))
    everything_proves()


def test_what_came_back_and_an_operator_gives_to_its_player_is_no_deposit(bank: Outside) -> None:
    ann = winner(bank)
    payout = asked(bank, ann, account(bank, ann))
    works(bank)
    exclusion.exclude(player=ann, months=None, at=bank.at)
    comes_in(bank, "20.00", "", end_to_end=payout.attempts.get().ours, returned="AC01")
    works(bank)
    entry = BankEntry.objects.get(state="suspense")
    entries.clear(entry=entry.pk, player=ann, reason="less a fee", by=operator(), at=bank.at)
    assert wallet(ann, "EUR") == Decimal(72)
    assert aml.sums(players=[ann.pk], currency="EUR", since=NOON - aml.PERIOD).deposits == 0
    assert causes(keys=[f"suspense_credited:{entry.pk}"]).popitem()[1] == Cause("transfer", entry.pk)
    everything_proves()


def test_what_was_paid_to_a_card_neither_leaves_by_the_bank_nor_comes_back_by_it(bank: Outside) -> None:
    ann = person(funds=None)
    verified(ann, bank)
    paid(bank, ann, "20.00", "EUR")
    payout = asked(bank, ann, Method.objects.get(provider="sandbox"), "20.00")
    services.screen(payout=payout.pk, at=bank.at)
    services.decide(payout=payout.pk, approves=True, reason="hers", by=operator(), at=bank.at)
    works(bank)
    ours = payout.attempts.get().ours
    comes_in(bank, "20.00", "", end_to_end=ours, returned="AC01")
    comes_in(bank, "20.00", "", end_to_end=ours, side="DBIT")
    works(bank)
    assert (fresh(payout).state, suspense()) == (State.PAID, Decimal("20.00"))
    assert BankEntry.objects.filter(state="unexplained").count() == 1
    everything_proves()


def test_what_came_back_was_asked_for_too(bank: Outside) -> None:
    ann = winner(bank)
    asked(bank, ann, account(bank, ann, COMES_BACK))
    works(bank)
    assert facts.of(asked(bank, ann, account(bank, ann)), at=bank.at).asked_within_a_day == 2
