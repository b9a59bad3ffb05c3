"""Jobs in any order, a bank and a provider in any mood, workers that die between claim and record: each is paid once.

Each run is repeatable by its seed. Afterwards the outside is itself again, and the clocks run on until nothing waits.
"""

from __future__ import annotations

import contextlib
import random
from decimal import Decimal
from typing import Any

import pytest

from games.models import Player
from tests.cashier.banking import reads
from tests.cashier.deposits.wishes import paid
from tests.cashier.outside import Outside
from tests.cashier.payouts.wishes import (
    CLOSED,
    COMES_BACK,
    IBAN,
    account,
    asked,
    everything_proves,
    operator,
    tried,
    verified,
    won,
    works,
)
from tests.factories import person, wallet
from wagering.cashier.bank import connection
from wagering.cashier.bank.models import BankEntry
from wagering.cashier.methods.models import Method
from wagering.cashier.payouts import batches, outcomes, selectors, sending, services
from wagering.cashier.payouts.models import OPEN, Attempt, Batch, Payout
from wagering.cashier.sandbox.mischief import BANK, REQUESTS

pytestmark = pytest.mark.django_db
State = Payout.State
PAID_AT_THE_BANK = ("paid", "returned")
RUNS = 10


class Run:
    """A few players with a few payouts, under one seed."""

    def __init__(self, bank: Outside, seed: int) -> None:
        self.bank, self.chance = bank, random.Random(seed)
        self.by = operator()
        self.payouts: list[Payout] = []
        for _ in range(2):
            ann = person(funds=None)
            won(ann, "60.00")
            verified(ann, bank)
            for iban in self.chance.sample((IBAN, CLOSED, COMES_BACK, "GB29NWBK60161331926819"), 2):
                self.payouts.append(asked(bank, ann, account(bank, ann, iban), "20.00"))
        bob = person(funds=None)
        verified(bob, bank)
        paid(bank, bob, "20.00", card=self.chance.choice(("4242424242424242", "4000000000000341", "4000000000000358")))
        self.payouts.append(asked(bank, bob, Method.objects.get(player=bob), "20.00", "USD"))
        kinds = self.chance.sample(sorted(BANK | REQUESTS), 3)
        bank.misbehaves(seed=seed, **{kind: self.chance.choice((20, 50)) for kind in kinds})

    def goes_wrong(self) -> None:
        steps = [
            self.screens,
            self.agrees,
            self.batches,
            self.submits,
            self.sends,
            self.reads,
            self.settles,
            self.waits,
        ]
        for _ in range(self.chance.randint(10, 30)):
            self.chance.choice([*steps, self.dies, self.cancels])()

    def any_of(self, rows: Any) -> Any:
        found = list(rows)
        return self.chance.choice(found) if found else None

    def screens(self) -> None:
        services.screen(payout=self.chance.choice(self.payouts).pk, at=self.bank.at)

    def agrees(self) -> None:
        with contextlib.suppress(services.NotDecided):
            chosen = self.chance.choice(self.payouts).pk
            services.decide(payout=chosen, approves=True, reason="fine", by=self.by, at=self.bank.at)

    def cancels(self) -> None:
        if self.chance.randrange(3) == 0:
            with contextlib.suppress(services.NotToBeCancelled):
                services.cancel(payout=self.chance.choice(self.payouts).pk, at=self.bank.at)

    def batches(self) -> None:
        batches.make(currency="EUR", at=self.bank.at)

    def submits(self) -> None:
        if batch := self.any_of(Batch.objects.order_by("made_at")):
            tried(self.chance.choice((batches.submit, batches.look)), batch=batch.pk, at=self.bank.at)

    def sends(self) -> None:
        if attempt := self.any_of(Attempt.objects.exclude(rail="bank").order_by("held_at")):
            tried(self.chance.choice((sending.send, sending.look)), attempt=attempt.pk, at=self.bank.at)
        self.bank.delivers(shuffled=True)

    def dies(self) -> None:
        """A worker that is killed once it has claimed, before it asks or after."""
        batch = self.any_of(Batch.objects.filter(state=Batch.State.MADE))
        claimed = batches._claim(batch.pk, self.bank.at) if batch else None
        if claimed and self.chance.randrange(2):
            file = batches.render(claimed)
            tried(connection.bank().submit, message=claimed.message, file=file)
        attempt = self.any_of(selectors.to_send())
        if attempt:
            sending._claim(attempt.pk, self.bank.at)

    def reads(self) -> None:
        reads(self.bank)

    def settles(self) -> None:
        for attempt in selectors.to_settle().values_list("pk", flat=True):
            outcomes.settle(attempt=attempt, at=self.bank.at)

    def waits(self) -> None:
        self.bank.goes_by(minutes=self.chance.choice((1, 3, 30)))

    def comes_to_rest(self) -> None:
        self.bank.misbehaves()
        for _ in range(4):
            self.bank.goes_by(hours=1, seconds=1)
            works(self.bank, times=2)
            self.agree_to_all()
            self.bank.delivers()
        works(self.bank)

    def agree_to_all(self) -> None:
        for payout in Payout.objects.filter(state=State.REVIEW):
            with contextlib.suppress(services.NotDecided):
                services.decide(payout=payout.pk, approves=True, reason="fine", by=operator(), at=self.bank.at)

    # --- what must be so

    def is_right(self) -> None:
        assert not Payout.objects.filter(state__in=OPEN).exists(), list(Payout.objects.filter(state__in=OPEN))
        there: dict[str, int] = {}
        for row in self.bank.record("transfer"):
            there[row["reference"]] = there.get(row["reference"], 0) + (row["status"] in PAID_AT_THE_BANK)
        for row in self.bank.record("payout"):
            there[row["reference"]] = there.get(row["reference"], 0) + (row["status"] in PAID_AT_THE_BANK)
        for payout in self.payouts:
            attempts = list(Attempt.objects.filter(payout=payout))
            left = sum(there.get(attempt.ours, 0) for attempt in attempts)
            found = Payout.objects.get(pk=payout.pk)
            assert left == (found.state in (State.PAID, State.RETURNED)), (found, left)
            for attempt in attempts:
                assert there.get(attempt.ours, 0) == (attempt.paid_at is not None), attempt
        for player in Player.objects.filter(payouts__in=self.payouts).distinct():
            currency = Payout.objects.filter(player=player).values_list("currency", flat=True)[0]
            out = Payout.objects.filter(player=player, state=State.PAID).values_list("amount", flat=True)
            had = Decimal("20.00") if currency == "USD" else Decimal("60.00")
            assert wallet(player, currency) == had - sum(out)
        assert not BankEntry.objects.exclude(state__in=("payout", "return")).exists()


@pytest.mark.parametrize("batch", range(RUNS // 5))
def test_each_payout_is_paid_once_and_every_hold_is_closed(bank: Outside, batch: int) -> None:
    for seed in range(batch * 5, batch * 5 + 5):
        run = Run(bank, seed)
        run.goes_wrong()
        run.comes_to_rest()
        try:
            run.is_right()
        except AssertionError as wrong:
            raise AssertionError(f"seed {seed}: {wrong}") from wrong
    everything_proves()
