"""Stakes, chargebacks and collections at once: no wallet below zero, nothing taken twice, and in the end all even."""

from __future__ import annotations

import random
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from decimal import Decimal
from uuid import UUID

import pytest
from django.db import connection

from games.models import Player, Table
from ledger import book
from tests.cashier.adjustments.adjusted import operator
from tests.cashier.deposits.wishes import paid
from tests.cashier.disputes.charged import everything_proves, loses_to, owed, taken_back
from tests.cashier.outside import BEGAN, Outside
from tests.factories import RoomFactory, TableFactory, fund, person, terms, wallet, won
from wagering.cashier.adjustments import services as adjustments
from wagering.cashier.adjustments.models import Adjustment
from wagering.cashier.deposits.models import Deposit
from wagering.cashier.disputes import receivables, services
from wagering.cashier.disputes.models import Collection, Dispute
from wagering.cashier.providers.protocol import Disputed
from wagering.protection.refusals import StillOwes
from wagering.rest.retries import outermost
from wagering.settlement.services import settle
from wagering.stakes.services import sit_down

pytestmark = pytest.mark.django_db(transaction=True)


def at_once(*jobs: Callable[[], object]) -> None:
    """All of them, each on a thread and a connection of its own; one that fails fails the test."""

    def alone(job: Callable[[], object]) -> None:
        try:
            job()
        finally:
            connection.close()

    with ThreadPoolExecutor(len(jobs)) as hands:
        for done in [hands.submit(alone, job) for job in jobs]:
            done.result()


def disputed(deposit: Deposit, name: str, amount: str, *, is_won: bool = False) -> Callable[[], object]:
    told = Disputed(name, deposit.theirs, Decimal(amount), "USD", won=is_won)
    return lambda: outermost(services.settle_told)(deposit=deposit.pk, told=told, at=BEGAN)


def collected(player: Player) -> Callable[[], object]:
    return lambda: outermost(receivables.collect)(player=player.pk, currency="USD", at=BEGAN)


@pytest.mark.parametrize("seed", range(4))
def test_stakes_chargebacks_and_collections(world: Outside, seed: int) -> None:
    chance = random.Random(seed)
    ann, bob = person("ann", funds=None), person("bob", funds="1000.00")
    deposit = paid(world, ann, "100.00")
    room = RoomFactory.create(charges="gammonempire")
    tables = [TableFactory.create(players=(ann, bob), room=room) for _ in range(6)]
    held: list[UUID] = []

    def stakes(table: Table) -> Callable[[], object]:
        def sits() -> None:
            with suppress(StillOwes, book.InsufficientFunds):
                stake = outermost(sit_down)(table=table, terms=terms("25", cap="25"), at=BEGAN)
                held.append(stake.table_id)

        return sits

    jobs = [stakes(table) for table in tables]
    jobs += [disputed(deposit, "dis_1", "60.00"), disputed(deposit, "dis_1", "60.00")]
    jobs += [disputed(deposit, "dis_2", "40.37"), collected(ann), collected(ann)]
    chance.shuffle(jobs)
    at_once(*jobs)
    assert Dispute.objects.count() == 2
    assert wallet(ann) - owed(ann) == -25 * len(held)
    everything_proves()
    for table in tables:  # what was begun is settled all the same
        if table.pk in held:
            settle(table=table, outcome=won(1), at=BEGAN)
    at_once(*[collected(ann) for _ in range(4)])
    assert owed(ann) == 0 or wallet(ann) == 0
    everything_proves()


def test_many_collections_at_once_take_it_once(world: Outside) -> None:
    ann, bob = person("ann", funds=None), person("bob")
    deposit = paid(world, ann, "100.00")
    loses_to(ann, bob)
    taken_back(world, deposit, 10000)
    fund(ann, "130.00")
    at_once(*[collected(ann) for _ in range(8)])
    assert [made.amount for made in Collection.objects.all()] == [Decimal("100.00")]
    assert (wallet(ann), owed(ann)) == (Decimal("30.00"), Decimal("0.00"))
    everything_proves()


@pytest.mark.parametrize("seed", range(3))
def test_lost_won_and_collected_at_once(world: Outside, seed: int) -> None:
    ann, bob = person("ann", funds=None), person("bob")
    deposit = paid(world, ann, "100.00")
    loses_to(ann, bob, "70")
    jobs = [disputed(deposit, "dis", "100.00"), disputed(deposit, "dis", "100.00", is_won=True), collected(ann)] * 3
    jobs += [lambda: fund(ann, "20.00")] * 2
    random.Random(seed).shuffle(jobs)
    at_once(*jobs)
    at_once(collected(ann))
    assert Dispute.objects.get().state == Dispute.State.WON
    assert (wallet(ann), owed(ann)) == (Decimal("70.00"), Decimal("0.00"))
    everything_proves()


def test_what_was_quicker_leaves_the_rest_to_be_owed(world: Outside, monkeypatch: pytest.MonkeyPatch) -> None:
    """The wallet is read, then somebody who takes no lock of the person's spends it: the book tells what is left."""
    ann = person(funds=None)
    deposit = paid(world, ann, "100.00")
    said = {"player": ann, "direction": "debit", "amount": Decimal(80), "currency": "USD", "asked_at": BEGAN}
    done = {"asked_by": operator("one"), "confirmed_by": operator("another"), "done_at": BEGAN}
    spent = adjustments.voucher(Adjustment.objects.create(**said, **done, refers_to="ticket 7", reason="spent"))
    read = book.balance

    def read_and_spent(account: object) -> Decimal:
        found = read(account)  # type: ignore[arg-type]
        monkeypatch.setattr(book, "balance", read)
        at_once(lambda: book.post(spent))
        return found

    monkeypatch.setattr(book, "balance", read_and_spent)
    disputed(deposit, "dis", "100.00")()
    dispute = Dispute.objects.get()
    assert (dispute.wallet, dispute.receivable) == (Decimal("20.00"), Decimal("80.00"))
    everything_proves()
