"""Money's whole way on real processes: in by a signed webhook, over a table, out by a job and the bank's own file."""

from __future__ import annotations

import re
from decimal import Decimal

import httpx
import pytest
from pytest_django import Settings

from tests.factories import RoomFactory, wallet
from tests.flows.house import House, proved
from wagering.cashier.bank import schema
from wagering.cashier.deposits.models import Deposit
from wagering.cashier.payouts import batches
from wagering.cashier.payouts.models import Attempt, Payout
from wagering.config.demo_cashier import journey

pytestmark = pytest.mark.django_db(transaction=True)


def test_money_goes_the_whole_way(house: House, settings: Settings) -> None:
    """S-2 and C-10: a gammon at stake 5 is 10.00; 5 % of it from each is 1.00. All of P-1, P-2 and P-4."""
    settings.SECRET_KEY = house.environment["SECRET_KEY"]  # what the house has sealed is read here
    told = list(journey(address=house.address, room=RoomFactory.create(charges="sgames").slug, at=house.now))
    assert "ann has 29.00 EUR, bob 10.00 EUR" in told[2], told
    assert all(deposit.state == Deposit.State.SUCCEEDED for deposit in Deposit.objects.all())
    payout = Payout.objects.get()
    assert (payout.state, payout.amount) == (Payout.State.PAID, Decimal("29.00"))
    assert wallet(payout.player, "EUR") == 0
    attempt = Attempt.objects.get()
    assert attempt.batch is not None
    schema.check(batches.render(attempt.batch))
    sandbox = re.search(r"the sandbox +(http://127\.0\.0\.1:\d+)", house.log())
    assert sandbox
    record = httpx.get(f"{sandbox[1]}/control/record").json()
    (paid,) = record["transfer"]
    assert (paid["reference"], paid["amount"], paid["currency"]) == (attempt.ours, "29.00", "EUR")
    proved()
