"""A statement says of each entry what it is because of, by the id under which the player knows it."""

from __future__ import annotations

from typing import Any

import pytest

from games.models import Player
from tests.access.callers import client_of
from tests.cashier.adjustments.adjusted import adjusted
from tests.cashier.banking import comes_in, reached, reads
from tests.cashier.deposits.test_refunds import given_back as refund_asked
from tests.cashier.deposits.test_refunds import sent
from tests.cashier.deposits.wishes import paid
from tests.cashier.disputes.charged import given_back, taken_back
from tests.cashier.outside import Outside
from tests.cashier.payouts.wishes import COMES_BACK, account, asked, operator, verified, works
from tests.factories import person
from wagering.cashier.bank import entries, references
from wagering.cashier.bank.models import BankEntry
from wagering.cashier.deposits.models import Refund
from wagering.cashier.disputes.models import Dispute
from wagering.cashier.payouts.models import Payout

pytestmark = pytest.mark.django_db


@pytest.fixture
def bank(world: Outside, monkeypatch: pytest.MonkeyPatch, settings: Any) -> Outside:
    reached(world, monkeypatch, settings)
    settings.RATES = {}
    return world


def told(player: Player, currency: str) -> list[tuple[str, str, str]]:
    """Of each entry event and cause."""
    found = client_of(player).get(f"/v1/wallet/statement?currency={currency}").json()["results"]
    return [(entry["event"], *((entry["cause"] or {"kind": "", "id": ""}).values())) for entry in found]


def test_of_what_came_by_card_and_went_back(world: Outside) -> None:
    ann = person(funds=None)
    deposit = paid(world, ann, "100.00", card="4000000000000416")  # takes no refunds
    failed = sent(world, refund_asked(world, deposit, "5.00"))
    given_back(world, taken_back(world, deposit, 4000))
    spent = adjusted(ann, "-90.00")
    world.house.record.run("UPDATE instrument SET refunds = 1")
    world.controls("refunds", payment=deposit.theirs, amount=5000)
    world.delivers()
    owed_for, dispute = Refund.objects.get(owed__gt=0), Dispute.objects.get()
    assert told(ann, "USD") == [
        ("deposit_confirmed", "deposit", str(deposit.pk)),
        ("deposit_refunded", "refund", str(failed.pk)),
        ("reversal", "refund", str(failed.pk)),
        ("deposit_charged_back", "dispute", str(dispute.pk)),
        ("chargeback_won", "dispute", str(dispute.pk)),
        ("manual_adjustment", "adjustment", str(spent.pk)),
        ("deposit_charged_back", "refund", str(owed_for.pk)),
    ]


def test_of_what_came_by_transfer_and_was_paid_out(bank: Outside) -> None:
    ann = person(funds=None)
    verified(ann, bank)
    comes_in(bank, "25.00", references.of(player=ann, currency="EUR", at=bank.at), name="Ann Miller")
    comes_in(bank, "7.00", "for chips")
    reads(bank)
    entry = BankEntry.objects.get(state=BankEntry.State.SUSPENSE)
    entries.clear(entry=entry.pk, player=ann, reason="the receipt", by=operator(), at=bank.at)
    payout = asked(bank, ann, account(bank, ann, COMES_BACK), "20.00")
    Payout.objects.filter(pk=payout.pk).update(state="approved", approved_at=bank.at, needs=0)
    works(bank)
    assert told(ann, "EUR") == [
        ("transfer_received", "transfer", str(BankEntry.objects.get(state=BankEntry.State.RECEIVED).pk)),
        ("transfer_assigned", "transfer", str(entry.pk)),
        ("payout_held", "payout", str(payout.pk)),
        ("suspense_credited", "payout", str(payout.pk)),
    ]
