"""The whole catalogue of misbehaviour, thousands of runs of it, each repeatable by its seed.

A run is a player with a few deposits through a provider in some mood: what is asked, paid, told, given back and looked
for comes in an order that the seed draws. Then the provider is calm for a while; after that every deposit is credited
as the provider's own record says, once or not at all. After each batch the whole book proves, P-4 to the cent.
"""

from __future__ import annotations

import contextlib
import json
import random
from decimal import Decimal
from typing import Any

import pytest

from games.models import Player, User
from ledger import book, chart, money
from ledger.proofs import customer_money_apart
from tests.cashier.deposits.test_deposits import everything_proves
from tests.cashier.deposits.wishes import fresh, wished
from tests.cashier.outside import Outside
from tests.factories import person, wallet
from wagering.cashier.deposits import refunds, selectors, services
from wagering.cashier.deposits.models import CREDITED, Deposit, Refund
from wagering.cashier.deposits.refunds import RefundTooLarge
from wagering.cashier.deposits.services import NotToBeStarted
from wagering.cashier.providers.minor_units import from_minor
from wagering.cashier.providers.protocol import ProviderSilent, account_of
from wagering.cashier.sandbox.cards import CARDS
from wagering.cashier.sandbox.mischief import KINDS

RUNS = 125
UNDISPUTED = sorted(number for number, card in CARDS.items() if card.disputed is None)
AMOUNTS = {"USD": "20.00", "JPY": "500", "KWD": "1.234"}


class Run:
    """One player's, under one seed."""

    def __init__(self, world: Outside, seed: int, operator: User) -> None:
        self.world, self.operator, self.chance = world, operator, random.Random(seed)
        self.player: Player = person(funds=None)
        kinds = self.chance.sample(sorted(KINDS), self.chance.randint(1, 6))
        world.misbehaves(seed=seed, **{kind: self.chance.choice((20, 50, 90)) for kind in kinds})
        codes = self.chance.choices(sorted(AMOUNTS), k=self.chance.choice((1, 1, 1, 1, 2)))
        self.deposits = [wished(world, self.player, AMOUNTS[code], code) for code in codes]

    def goes_wrong(self) -> None:
        steps = [self.starts, self.pays, self.pays, self.is_told, self.is_told, self.waits, self.gives_back, self.takes]
        for _ in range(self.chance.randint(3, 7)):
            self.chance.choice(steps)(self.chance.choice(self.deposits))

    def starts(self, deposit: Deposit) -> None:
        with contextlib.suppress(ProviderSilent, NotToBeStarted):
            services.start(deposit=deposit.pk, at=self.world.at)

    def pays(self, deposit: Deposit) -> None:
        """If the provider knows of it; who pays may have seen the page of a start whose answer we never got."""
        payment = self.payment(deposit)
        if payment is None:
            self.starts(deposit)
            payment = self.payment(deposit)
        if payment and payment["status"] == "open":
            self.world.is_paid(deposit, self.chance.choice(UNDISPUTED))
        elif payment and payment["status"] == "processing":
            self.world.controls(f"payments/{payment['id']}", status=self.chance.choice(("succeeded", "failed")))

    def is_told(self, deposit: Deposit) -> None:
        if self.chance.randrange(4) == 0:
            self.world.controls("replay")
        self.world.delivers(shuffled=True)

    def waits(self, deposit: Deposit) -> None:
        self.world.goes_by(seconds=self.chance.choice((1, 61, 1000)))
        self.world.works()

    def gives_back(self, deposit: Deposit) -> None:
        found = fresh(deposit)
        if found.paid:
            unit = money.currency(found.paid_currency).minor_unit
            amount = self.chance.choice((found.paid, unit))
            said: dict[str, Any] = {"reason": "a run", "by": self.operator, "at": self.world.at}
            with contextlib.suppress(RefundTooLarge, refunds.NothingToRefund, book.InsufficientFunds):
                refunds.ask(deposit=found.pk, amount=amount, **said)

    def takes(self, deposit: Deposit) -> None:
        """Somebody at the provider gives back."""
        payment = self.payment(deposit)
        if payment and payment["status"] == "succeeded" and self.chance.randrange(3) == 0:
            left = payment["amount"] - payment["refunded"]
            if left and not fresh(deposit).refunds.filter(state=Refund.State.REQUESTED).exists():
                asked = {"payment": payment["id"], "amount": self.chance.choice((left, 1))}
                self.world.asks_there("refunds", **asked)

    def comes_to_rest(self) -> None:
        """The provider is itself again; what was lost is told once more or looked for."""
        self.world.misbehaves()
        for payment in filter(None, map(self.payment, self.deposits)):
            if payment["status"] == "processing":
                self.world.controls(f"payments/{payment['id']}", status="failed")
        for hours in (0, 1, 24):
            self.world.goes_by(hours=hours, seconds=1)
            self.world.delivers(shuffled=True)
            self.world.works()
        lost = [row for row in self.refunds_there() if not row["reference"]]
        if lost:  # nobody looks for refunds that only the provider knows of: their events are asked for again
            for event in self.world.record("event"):
                self.tells_again(event)
            self.world.delivers()

    def tells_again(self, event: dict[str, Any]) -> None:
        """Under a new id: the provider's support tells anew what went by unheard."""
        told = {"id": f"{event['id']}-again", "type": event["type"], "created": event["created"]}
        body = json.dumps({**told, "data": json.loads(event["data"])})
        self.world.house.record.insert("delivery", event=event["id"], body=body, due_ms=0)

    # --- what must be so

    def is_right(self) -> None:
        for deposit in map(fresh, self.deposits):
            payment = self.payment(deposit)
            succeeded = payment is not None and payment["status"] == "succeeded"
            same = succeeded and payment is not None and payment["currency"] == deposit.currency
            assert (deposit.state in CREDITED) == same, (deposit, payment)
            journal = book.find(f"deposit_confirmed:{deposit.pk}")
            assert (journal is not None) == same
            if succeeded:
                assert payment
                assert deposit.paid == from_minor(payment["amount"], payment["currency"])
                assert selectors.refunded(deposit) == from_minor(payment["refunded"], payment["currency"])
        for currency in {deposit.currency for deposit in self.deposits}:
            credited = Deposit.objects.filter(player=self.player, state__in=CREDITED, currency=currency)
            kept = sum((one.paid - selectors.refunded(one) for one in credited if one.paid), Decimal(0))
            assert wallet(self.player, currency) == kept
            assert not book.balance(chart.players("receivable", self.player.pk, currency))

    def payment(self, deposit: Deposit) -> dict[str, Any] | None:
        return self.world.house.record.one("SELECT * FROM payment WHERE reference = ?", deposit.ours)

    def refunds_there(self) -> list[dict[str, Any]]:
        ids = {row["id"] for deposit in self.deposits if (row := self.payment(deposit))}
        return [row for row in self.world.record("refund") if row["payment"] in ids]


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("batch", range(16))
def test_every_deposit_is_credited_once_or_not_at_all(world: Outside, batch: int) -> None:
    operator = User.objects.create(username="operator", is_staff=True)
    for seed in range(batch * RUNS, (batch + 1) * RUNS):
        run = Run(world, seed, operator)
        run.goes_wrong()
        run.comes_to_rest()
        try:
            run.is_right()
        except AssertionError as wrong:
            raise AssertionError(f"seed {seed}: {wrong}") from wrong
        world.house.record.run("DELETE FROM delivery")
        world.house.record.run("DELETE FROM event")
    everything_proves()
    assert customer_money_apart().holds
    for currency in AMOUNTS:
        kept = sum(
            from_minor(row["amount"] - row["refunded"], currency)
            for row in world.record("payment")
            if row["status"] == "succeeded" and row["currency"] == row["asked_currency"] == currency
        )
        assert book.balance(chart.clearing(account_of("sandbox"), currency)) == kept


def test_a_mood_that_is_none_is_refused(world: Outside) -> None:
    for said in ({"often": {"sulk": 10}}, {"next": ["sulk"]}, {"often": {"lose": 101}}):
        with pytest.raises(AssertionError, match="mischief"):
            world.controls("mischief", **said)
