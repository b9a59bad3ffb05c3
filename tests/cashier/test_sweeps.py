"""The daily sweep: what was earned leaves the players' account once, and never more than that (P-4)."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from uuid import uuid4

import pytest
from django.db import DatabaseError, connection, transaction

from games.models import Room
from games.rules.endings import Win
from ledger import book, chart, postings
from tests.factories import RoomFactory, earned, seated, terms, won
from wagering.cashier.sweeps.models import CommissionSweep
from wagering.cashier.sweeps.proofs import commission_swept_was_earned
from wagering.cashier.sweeps.services import sweep
from wagering.settlement.models import Settlement
from wagering.settlement.services import settle

TODAY = datetime.now(UTC)
TOMORROW = TODAY + timedelta(days=1)


def gammon(room: Room) -> Settlement:
    """C-1: 0.98 of commission."""
    stake = seated(terms(), room=room)
    return settle(table=stake.table, outcome=won(1, Win.GAMMON), at=TODAY)


@pytest.mark.django_db
def test_a_day_is_swept_once() -> None:
    room = RoomFactory.create(charges="gammonempire")
    gammon(room)
    assert sweep(day=(TODAY - timedelta(days=1)).date(), at=TODAY) == []  # it was earned today
    (swept,) = sweep(day=TODAY.date(), at=TOMORROW)
    assert (swept.room, swept.currency, swept.amount) == (room, "USD", Decimal("0.98"))
    assert sweep(day=TODAY.date(), at=TOMORROW) == []
    assert earned(room) == 0
    assert book.balance(chart.house("bank_operating", "USD")) == Decimal("0.98")
    assert commission_swept_was_earned().fault is None


@pytest.mark.django_db
def test_a_settlement_that_was_reversed_is_made_up_for_before_more_is_swept() -> None:
    room = RoomFactory.create(charges="gammonempire")
    settled = gammon(room)
    sweep(day=TODAY.date(), at=TOMORROW)
    book.reverse(key=settled.key, reason="misread", at=TODAY)
    gammon(room)
    assert earned(room) == 0
    assert sweep(day=TOMORROW.date(), at=TOMORROW) == []
    gammon(room)
    (swept,) = sweep(day=TOMORROW.date(), at=TOMORROW)
    assert swept.amount == Decimal("0.98")
    assert commission_swept_was_earned().fault is None


@pytest.mark.django_db
def test_play_money_is_not_swept() -> None:
    room = RoomFactory.create(charges="gammonempire")
    stake = seated(terms(currency="PLAY"), room=room)
    settle(table=stake.table, outcome=won(1), at=TODAY)
    assert sweep(day=TODAY.date(), at=TOMORROW) == []


@pytest.mark.django_db(transaction=True)
def test_two_sweeps_at_once_sweep_once() -> None:
    room = RoomFactory.create(charges="gammonempire")
    gammon(room)

    def sweeps(_: int) -> int:
        try:
            return len(sweep(day=TODAY.date(), at=TOMORROW))
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as hands:
        assert sum(hands.map(sweeps, range(8))) == 1
    assert earned(room) == 0


@pytest.mark.django_db
def test_a_sweep_is_final() -> None:
    gammon(RoomFactory.create(charges="gammonempire"))
    sweep(day=TODAY.date(), at=TOMORROW)
    with pytest.raises(DatabaseError, match="commission_sweep_is_final"), transaction.atomic():
        CommissionSweep.objects.update(amount=Decimal(5))
    with pytest.raises(DatabaseError, match="commission_sweep_is_final"), transaction.atomic():
        CommissionSweep.objects.all().delete()


@pytest.mark.django_db
def test_what_was_swept_without_being_earned_is_found() -> None:
    room = RoomFactory.create(charges="gammonempire")
    gammon(room)
    stray = postings.commission_swept(sweep=uuid4(), room=room.pk, amount=Decimal("0.50"), currency="USD", at=TODAY)
    book.post(stray)
    assert "no sweep tells of it" in (commission_swept_was_earned().fault or "")
    made = CommissionSweep.objects.create(
        room=room, currency="USD", day=TODAY.date(), amount=Decimal("5.00"), swept_at=TODAY
    )
    over = postings.commission_swept(sweep=made.pk, room=room.pk, amount=Decimal("5.00"), currency="USD", at=TODAY)
    book.post(over)
    CommissionSweep.objects.bulk_create(
        [
            CommissionSweep(
                id=stray.key.partition(":")[2],
                room=room,
                currency="USD",
                day=TOMORROW.date(),
                amount=Decimal("0.50"),
                swept_at=TODAY,
            )
        ]
    )
    assert "took more than" in (commission_swept_was_earned().fault or "")
