"""The whole catalogue of misbehaviour, thousands of runs of it, each repeatable by its seed.

A run is a player with a few deposits through a provider in some mood: what is asked, paid, told, given back and looked
for comes in an order that the seed draws. Then the provider is calm for a while; after that every deposit is credited
as the provider's own record says, once or not at all, and what a bank took back is taken once: from the wallet, from
what is owed, or a difference. After each batch the whole book proves, P-4 to the cent.
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
from tests.cashier.adjustments.adjusted import operator
from tests.cashier.deposits.wishes import fresh, wished
from tests.cashier.disputes.charged import differences, everything_proves, owed
from tests.cashier.outside import Outside
from tests.factories import person, wallet
from wagering.cashier.adjustments import services as adjustments
from wagering.cashier.adjustments.models import Adjustment
from wagering.cashier.deposits import refunds, selectors, services
from wagering.cashier.deposits.models import CREDITED, Deposit, Refund
from wagering.cashier.deposits.refunds import RefundTooLarge
from wagering.cashier.deposits.services import NotToBeStarted
from wagering.cashier.disputes.models import Dispute
from wagering.cashier.providers.minor_units import from_minor
from wagering.cashier.providers.protocol import ProviderSilent, account_of
from wagering.cashier.sandbox.cards import CARDS
from wagering.cashier.sandbox.mischief import KINDS

RUNS = 125
BECOMES = {"opened": "open", "dropped": "won", "taken": "taken", "won": "won"}
"""What a dispute is to us, by what it is to the provider."""
AMOUNTS = {"USD": "20.00", "JPY": "500", "KWD": "1.234"}


class Run:
    """One player's, under one seed."""

    def __init__(self, world: Outside, seed: int, operators: tuple[User, User]) -> None:
        self.world, (self.operator, self.another), self.chance = world, operators, random.Random(seed)
        self.player: Player = person(funds=None)
        kinds = self.chance.sample(sorted(KINDS), self.chance.randint(1, 6))
        world.misbehaves(seed=seed, **{kind: self.chance.choice((20, 50, 90)) for kind in kinds})
        codes = self.chance.choices(sorted(AMOUNTS), k=self.chance.choice((1, 1, 1, 1, 2)))
        self.deposits = [wished(world, self.player, AMOUNTS[code], code) for code in codes]
        self.spent = dict.fromkeys(codes, Decimal(0))

    def goes_wrong(self) -> None:
        steps = [
            *(self.starts, self.pays, self.pays, self.is_told, self.is_told, self.waits),
            *(self.gives_back, self.takes, self.is_disputed, self.spends),
        ]
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
            self.world.is_paid(deposit, self.chance.choice(sorted(CARDS)))
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

    def is_disputed(self, deposit: Deposit) -> None:
        """The payer's bank asks, takes back, or gives back after all."""
        payment = self.payment(deposit)
        known = self.disputes_of(payment) if payment else []
        if known:
            self.world.controls(f"disputes/{known[0]['id']}/{self.chance.choice(('taken', 'won'))}")
        else:
            self.is_charged_back(deposit, taken=self.chance.randrange(2) == 0)

    def is_charged_back(self, deposit: Deposit, *, taken: bool = True) -> None:
        payment = self.payment(deposit)
        if payment and payment["status"] == "succeeded" and not self.disputes_of(payment):
            amount = payment["amount"] + self.chance.choice((0, 0, 37))
            self.world.controls("disputes", payment=payment["id"], amount=amount, taken=taken)

    def spends(self, deposit: Deposit) -> None:
        """What was paid in is somebody else's now, and the payer's bank takes it back."""
        code = deposit.currency
        if has := wallet(self.player, code):
            said = {"player": self.player, "direction": "debit", "amount": has, "currency": code}
            done = {"asked_by": self.operator, "confirmed_by": self.another, "done_at": self.world.at}
            about = {"refers_to": f"{deposit.pk} at {self.spent[code]}", "reason": "spent", "asked_at": self.world.at}
            book.post(adjustments.voucher(Adjustment.objects.create(**said, **done, **about)))
            self.spent[code] += has
            self.is_charged_back(deposit)

    def comes_to_rest(self) -> None:
        """The provider is itself again; what was lost is told once more or looked for."""
        self.world.misbehaves()
        for payment in filter(None, map(self.payment, self.deposits)):
            if payment["status"] == "processing":
                self.world.controls(f"payments/{payment['id']}", status="failed")
        for hours in (0, 1, 24):
            self.world.goes_by(hours=hours, seconds=1)
            self.world.delivers(shuffled=True)
        if self.is_unheard():  # nobody looks for that: its events are asked for again
            for event in self.world.record("event"):
                if not event["type"].startswith("payment"):
                    self.tells_again(event)
            self.world.delivers()

    def tells_again(self, event: dict[str, Any]) -> None:
        """Under a new id: the provider's support tells anew what went by unheard."""
        told = {"id": f"{event['id']}-again", "type": event["type"], "created": event["created"]}
        body = json.dumps({**told, "data": json.loads(event["data"])})
        self.world.house.record.insert("delivery", event=event["id"], body=body, due_ms=0)

    # --- what must be so

    def is_right(self) -> None:
        assert self.disputes_are_as_there()
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
            disputed = credited if self.disputes_there() else ()
            left = kept - self.spent[currency] - sum(map(self.taken_of, disputed), Decimal(0))
            assert wallet(self.player, currency) - owed(self.player, currency) == left

    def taken_of(self, deposit: Deposit) -> Decimal:
        """What a dispute took of the player, once: all that the deposit answers for."""
        taken = Decimal(0)
        for dispute in deposit.disputes.filter(state=Dispute.State.TAKEN):
            share = dispute.wallet + dispute.receivable
            assert (dispute.taken, share >= 0) == (dispute.amount, True)
            if not deposit.refunds.exists():
                assert share == min(dispute.amount, deposit.paid or 0)
            taken += share
        return taken

    def disputes_are_as_there(self) -> bool:
        there = {
            row["id"]: (BECOMES[row["status"]], from_minor(row["amount"], row["currency"]))
            for row in self.disputes_there()
        }
        if not there:
            return True
        here = Dispute.objects.filter(deposit__player=self.player).values_list("theirs", "state", "amount")
        return {name: (state, amount) for name, state, amount in here} == there

    def disputes_there(self) -> list[dict[str, Any]]:
        payments = filter(None, map(self.payment, self.deposits))
        return [row for payment in payments for row in self.disputes_of(payment)]

    def payment(self, deposit: Deposit) -> dict[str, Any] | None:
        return self.world.house.record.one("SELECT * FROM payment WHERE reference = ?", deposit.ours)

    def disputes_of(self, payment: dict[str, Any]) -> list[dict[str, Any]]:
        return self.world.house.record.all("SELECT * FROM dispute WHERE payment = ? ORDER BY id", payment["id"])

    def is_unheard(self) -> bool:
        """Whether there are disputes, or refunds that nobody of ours asked for, of which we know nothing."""
        payments = [row["id"] for deposit in self.deposits if (row := self.payment(deposit))]
        made = "SELECT id FROM refund WHERE payment = ? AND reference IS NULL"
        there = {row["id"] for payment in payments for row in self.world.house.record.all(made, payment)}
        if there - set(Refund.objects.filter(theirs__in=there).values_list("theirs", flat=True) if there else ()):
            return True
        return not self.disputes_are_as_there()


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("batch", range(16))
def test_every_deposit_is_credited_once_or_not_at_all(world: Outside, batch: int) -> None:
    operators = operator("one"), operator("another")
    for seed in range(batch * RUNS, (batch + 1) * RUNS):
        run = Run(world, seed, operators)
        run.goes_wrong()
        run.comes_to_rest()
        try:
            run.is_right()
        except AssertionError as wrong:
            raise AssertionError(f"seed {seed}: {wrong}") from wrong
        world.house.record.run("DELETE FROM delivery")
        world.house.record.run("DELETE FROM event")
    everything_proves()
    lost = Dispute.objects.filter(state=Dispute.State.TAKEN)
    assert lost.filter(wallet__gt=0) and lost.filter(difference__gt=0)
    for currency in AMOUNTS:
        credited = {
            row["id"]: row["amount"] - row["refunded"]
            for row in world.record("payment")
            if row["status"] == "succeeded" and row["currency"] == row["asked_currency"] == currency
        }
        taken = [row for row in world.record("dispute") if row["status"] == "taken" and row["payment"] in credited]
        there = sum(credited.values()) - sum(row["amount"] for row in taken)
        assert book.balance(chart.clearing(account_of("sandbox"), currency)) == signed(there, currency)
        beyond = lost.filter(currency=currency).values_list("difference", flat=True)
        assert differences(currency) == sum(beyond, Decimal(0))


def signed(units: int, currency: str) -> Decimal:
    return from_minor(abs(units), currency).copy_sign(units)


def test_a_mood_that_is_none_is_refused(world: Outside) -> None:
    for said in ({"often": {"sulk": 10}}, {"next": ["sulk"]}, {"often": {"lose": 101}}):
        with pytest.raises(AssertionError, match="mischief"):
            world.controls("mischief", **said)
