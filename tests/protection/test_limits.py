"""Limits at the gate: by the book, under the person's lock, set by the player and by an operator."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from threading import Barrier
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection, connections, transaction
from django.db.utils import IntegrityError
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis
from hypothesis import strategies as st

from games.models import Player, User
from games.rules.endings import Win
from ledger import book, postings
from tests.factories import PROVIDER, fund, person, won
from tests.protection.people import stake_of
from wagering.protection import gate
from wagering.protection.limits import selectors, services
from wagering.protection.limits.rules import Kind, Window
from wagering.protection.limits.selectors import Sort
from wagering.protection.models import Limit
from wagering.protection.refusals import LimitReached
from wagering.settlement import services as settlement
from wagering.stakes.services import stand_up

DAY = Sort(Kind.DEPOSIT, Window.DAY, "USD")
LOSS = Sort(Kind.LOSS, Window.DAY, "USD")
STAKE = Sort(Kind.STAKE, Window.DAY, "USD")
HOUR = timedelta(hours=1)


def now() -> datetime:
    return datetime.now(UTC)


def limited(player: Player, sort: Sort, amount: str | None, at: datetime | None = None) -> Limit:
    return services.set_limit(player=player, sort=sort, amount=amount and Decimal(amount), at=at or now())  # type: ignore[arg-type]


def deposits(player: Player, amount: str, *, pending: str = "0", at: datetime | None = None) -> None:
    gate.check_deposit(player=player, amount=Decimal(amount), currency="USD", pending=Decimal(pending), at=at or now())


def stakes(player: Player, exposure: str, at: datetime | None = None) -> None:
    gate.check_stake(player=player, exposure=Decimal(exposure), currency="USD", at=at or now())


def binding(player: Player, sort: Sort) -> Decimal | None:
    return selectors.lowest(selectors.said(player=player)).get(sort)


@pytest.mark.django_db
def test_a_deposit_is_refused_above_the_limit_with_the_instant_it_frees() -> None:
    ann = person(funds=None)
    limited(ann, DAY, "100")
    fund(ann, "60")
    (moved,) = book.movements(owner=ann.pk, currency="USD", kinds=["wallet"])
    deposits(ann, "40")
    with pytest.raises(LimitReached) as refused:
        deposits(ann, "40.01")
    told = refused.value
    assert (told.limit, told.window, told.left) == ("deposit", "24h", Decimal("40.00"))
    assert told.frees_at == moved.posted_at + timedelta(hours=24)
    with pytest.raises(LimitReached):
        deposits(ann, "40.01", at=told.frees_at - timedelta(microseconds=1))
    deposits(ann, "40.01", at=told.frees_at)


@pytest.mark.django_db
def test_deposits_under_way_count() -> None:
    ann = person(funds=None)
    limited(ann, DAY, "100")
    deposits(ann, "40", pending="60")
    with pytest.raises(LimitReached) as refused:
        deposits(ann, "41", pending="60")
    assert refused.value.frees_at is None


@pytest.mark.django_db
def test_what_was_recorded_since_the_request_began_counts() -> None:
    """A rival's deposit has a later time in the book than that at which this one was asked for."""
    ann = person(funds=None)
    limited(ann, DAY, "100")
    asked_at = now()
    fund(ann, "60")
    with pytest.raises(LimitReached):
        deposits(ann, "60", at=asked_at)


@pytest.mark.django_db
def test_limits_are_apart_by_currency() -> None:
    ann = person(funds=None)
    limited(ann, DAY, "100")
    fund(ann, "500", "EUR")
    deposits(ann, "100")


@pytest.mark.django_db
def test_a_win_is_no_deposit() -> None:
    ann = person(funds=None)
    limited(ann, DAY, "100")
    book.post(
        postings.manual_adjustment(
            adjustment=uuid4(), player=ann.pk, direction="credit", amount=Decimal(90), currency="USD",
            reason="a prize", operator=uuid4(), at=now(),
        )
    )  # fmt: skip
    deposits(ann, "100")


@pytest.mark.django_db
def test_losses_count_net_with_what_is_at_risk() -> None:
    stake = stake_of("5", cap="15")
    ann, bob = stake.table.seats
    limited(ann, LOSS, "40")
    stakes(ann, "25")  # 15 at risk
    with pytest.raises(LimitReached) as refused:
        stakes(ann, "25.01")
    assert refused.value.frees_at is None
    settlement.settle(table=stake.table, outcome=won(2, Win.GAMMON), at=now())  # ann loses 10
    stakes(ann, "30")
    with pytest.raises(LimitReached) as refused:
        stakes(ann, "30.01")
    assert refused.value.limit == "loss"
    assert refused.value.frees_at and refused.value.frees_at > now() + 23 * HOUR
    limited(bob, LOSS, "1")
    stakes(bob, "10.02")  # he has won 9.02
    with pytest.raises(LimitReached):
        stakes(bob, "10.03")


@pytest.mark.django_db
def test_a_settlement_that_is_undone_is_no_loss() -> None:
    stake = stake_of("5", cap="15")
    ann = stake.table.player_1
    limited(ann, LOSS, "40")
    settled = settlement.settle(table=stake.table, outcome=won(2, Win.GAMMON), at=now())
    book.reverse(key=settled.key, reason="a mistake", at=now())
    stakes(ann, "25")  # 15 at risk again, nothing lost
    with pytest.raises(LimitReached):
        stakes(ann, "25.01")


@pytest.mark.django_db
def test_stakes_count_unless_they_came_back() -> None:
    stake = stake_of("5", cap="15")
    ann = stake.table.player_1
    limited(ann, STAKE, "40")
    stakes(ann, "25")
    with pytest.raises(LimitReached) as refused:
        stakes(ann, "26")
    assert refused.value.limit == "stake"
    assert refused.value.frees_at and now() + 23 * HOUR < refused.value.frees_at <= now() + 24 * HOUR
    stand_up(table=stake.table, at=now())
    stakes(ann, "40")


@pytest.mark.django_db
def test_a_stake_that_was_won_counts_all_the_same() -> None:
    stake = stake_of("5", cap="15")
    ann = stake.table.player_1
    limited(ann, STAKE, "40")
    settlement.settle(table=stake.table, outcome=won(1), at=now())
    with pytest.raises(LimitReached):
        stakes(ann, "26")


@pytest.mark.django_db
def test_a_decrease_holds_at_once_and_an_increase_after_a_day_and_a_second_word() -> None:
    ann, at = person(funds=None), now()
    limited(ann, DAY, "100", at)
    limited(ann, DAY, "50", at)
    assert binding(ann, DAY) == 50
    pending = limited(ann, DAY, "200", at)
    assert binding(ann, DAY) == 50
    assert [each.pending for each in selectors.said(player=ann)] == [pending]
    with pytest.raises(services.ConfirmedTooEarly) as early:
        services.confirm(player=ann, sort=DAY, at=at + 24 * HOUR - timedelta(microseconds=1))
    assert early.value.retry_at == at + 24 * HOUR
    assert binding(ann, DAY) == 50
    services.confirm(player=ann, sort=DAY, at=at + 24 * HOUR)
    assert binding(ann, DAY) == 200
    with pytest.raises(services.NothingPending):
        services.confirm(player=ann, sort=DAY, at=at + 25 * HOUR)


@pytest.mark.django_db
def test_without_the_second_word_nothing_changes_however_long() -> None:
    ann, at = person(funds=None), now()
    limited(ann, DAY, "50", at)
    limited(ann, DAY, None, at)
    with pytest.raises(LimitReached):
        deposits(ann, "51", at=at + 1000 * HOUR)
    services.confirm(player=ann, sort=DAY, at=at + 1000 * HOUR)
    deposits(ann, "51", at=at + 1000 * HOUR)
    assert selectors.said(player=ann) == []


@pytest.mark.django_db
def test_a_later_word_withdraws_the_increase_that_waits() -> None:
    ann, at = person(funds=None), now()
    limited(ann, DAY, "50", at)
    limited(ann, DAY, "500", at)
    limited(ann, DAY, "40", at + HOUR)
    with pytest.raises(services.NothingPending):
        services.confirm(player=ann, sort=DAY, at=at + 30 * HOUR)
    assert binding(ann, DAY) == 40


@pytest.mark.django_db
def test_the_lowest_binds_whoever_set_it() -> None:
    ann, at = person(funds=None), now()
    operator = User.objects.create(username="operator", is_staff=True)
    asked: dict[str, Any] = {"player": ann, "sort": DAY, "by": operator, "reason": "spends fast", "at": at}
    services.set_by_operator(amount=Decimal(30), **asked)
    limited(ann, DAY, "100", at)
    assert binding(ann, DAY) == 30
    services.set_by_operator(amount=Decimal(300), **asked)
    assert binding(ann, DAY) == 100
    limited(ann, DAY, "20", at)
    services.set_by_operator(amount=None, **asked)
    assert binding(ann, DAY) == 20


@pytest.mark.django_db
def test_a_word_stays_as_it_was_said() -> None:
    ann = person(funds=None)
    said = limited(ann, DAY, "100")
    for change in ({"amount": Decimal(1000)}, {"confirmed_at": now() + HOUR}, {"kind": "loss"}):
        with pytest.raises(IntegrityError, match="is_final"), transaction.atomic():
            Limit.objects.filter(pk=said.pk).update(**change)
    with pytest.raises(IntegrityError, match="is_final"), transaction.atomic():
        Limit.objects.filter(pk=said.pk).delete()


def deposit(player: Player, amount: Decimal, together: Barrier) -> bool:
    """Asked for and credited in one transaction, as a door would with one that is under way."""
    try:
        together.wait(10)
        with transaction.atomic():
            gate.check_deposit(player=player, amount=amount, currency="USD", pending=Decimal(0), at=now())
            book.post(
                postings.deposit_confirmed(
                    deposit=uuid4(), player=player.pk, provider=PROVIDER, amount=amount, currency="USD", at=now()
                )
            )
        return True
    except LimitReached:
        return False
    finally:
        connections.close_all()


@pytest.mark.django_db(transaction=True)
@hypothesis(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(asked=st.lists(st.integers(1, 60), min_size=2, max_size=5), limit=st.integers(20, 120))
def test_deposits_at_once_never_pass_a_limit_together(asked: list[int], limit: int) -> None:
    ann = person(funds=None)
    limited(ann, DAY, str(limit))
    together = Barrier(len(asked))
    with ThreadPoolExecutor(len(asked)) as pool:
        done = list(pool.map(lambda cents: deposit(ann, Decimal(cents), together), asked))
    credited = sum(amount for amount, let in zip(asked, done, strict=True) if let)
    assert credited <= limit
    # Nobody was refused for whom there was room: whoever is refused now would still be.
    assert all(credited + amount > limit for amount, let in zip(asked, done, strict=True) if not let)
    assert book.owned(owner=ann.pk, kinds=["wallet"]) == (
        {} if not credited else {next(iter(book.owned(owner=ann.pk, kinds=["wallet"]))): Decimal(credited)}
    )
    connection.close()
