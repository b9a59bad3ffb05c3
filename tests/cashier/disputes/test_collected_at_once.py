"""Who owes and wins is looked at as soon as the contest is paid, and not by the clock alone."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.db import transaction

from games.models import Player, Table
from tests.cashier.deposits.wishes import paid
from tests.cashier.disputes.charged import loses_to, sat_down, taken_back
from tests.cashier.outside import Outside
from tests.cashier.queue import Hints, listened_to
from tests.factories import NOON, person, won
from wagering.cashier.disputes import tasks
from wagering.settlement.services import settle

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def hints(monkeypatch: pytest.MonkeyPatch) -> Iterator[Hints]:
    with listened_to(monkeypatch) as found:
        yield found


def owes(world: Outside) -> tuple[Player, Player, Table]:
    """Ann, who has 60.00 at a table with bob."""
    ann, bob = person("ann", funds=None), person("bob", funds="200.00")
    deposit = paid(world, ann, "100.00")
    loses_to(ann, bob, "40")
    stake = sat_down(ann, bob, "60")
    taken_back(world, deposit, 10000)
    return ann, bob, stake.table


def test_who_owes_and_wins_is_collected_from_once_it_is_paid(world: Outside, hints: Hints) -> None:
    ann, _, table = owes(world)
    hints.forget()
    with transaction.atomic():
        settle(table=table, outcome=won(1), at=NOON)
        assert hints.of(tasks.collect) == []
    assert hints.of(tasks.collect) == [[str(ann.pk), "USD"]]


def test_what_is_paid_in_is_collected_at_once(world: Outside, hints: Hints) -> None:
    ann, bob, _ = owes(world)
    hints.forget()
    paid(world, bob, "10.00")
    paid(world, ann, "10.00", "EUR")
    assert hints.of(tasks.collect) == []
    paid(world, ann, "10.00")
    assert hints.of(tasks.collect) == [[str(ann.pk), "USD"]]
