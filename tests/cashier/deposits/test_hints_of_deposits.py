"""Nobody is sent to look at what was rolled back, and everybody at what was committed (case 13)."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

import pytest
from django.db import transaction
from django.test import Client

from games.models import User
from tests.cashier.deposits.test_deposits_admin import asked
from tests.cashier.deposits.test_webhooks import sent
from tests.cashier.deposits.wishes import fresh, paid
from tests.cashier.outside import Outside
from tests.cashier.queue import Hints, listened_to
from tests.factories import person, wallet
from wagering.cashier.deposits import tasks
from wagering.cashier.deposits.models import Deposit, InboxEvent, Refund

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def hints(monkeypatch: pytest.MonkeyPatch) -> Iterator[Hints]:
    with listened_to(monkeypatch) as found:
        yield found


def test_a_webhook_is_looked_at_once_it_is_kept(client: Client, world: Outside, hints: Hints) -> None:
    deposit = paid(world, person(funds=None))
    body = bytes(InboxEvent.objects.get().body).replace(b"evt_", b"evt_again_")
    hints.forget()
    with transaction.atomic():
        assert sent(client, body).status_code == 200
        transaction.set_rollback(True)
    assert hints.of(tasks.handle_event) == []
    assert sent(client, body).status_code == 200
    event = InboxEvent.objects.get(done_at=None)
    assert hints.of(tasks.handle_event) == [[str(event.pk)]]
    tasks.handle_event(str(event.pk))
    assert (fresh(deposit).state, wallet(deposit.player)) == (Deposit.State.SUCCEEDED, Decimal("20.00"))


def test_a_refund_is_sent_once_it_is_asked_for(client: Client, world: Outside, hints: Hints) -> None:
    client.force_login(User.objects.create_superuser(username="operator"))
    deposit = paid(world, person(funds=None))
    hints.forget()
    with transaction.atomic():
        assert asked(client, deposit, "5.00").status_code == 302
        transaction.set_rollback(True)
    assert hints.of(tasks.send_refund) == []
    assert (wallet(deposit.player), world.record("refund")) == (Decimal("20.00"), [])
    assert asked(client, deposit, "5.00").status_code == 302
    refund = Refund.objects.get()
    assert hints.of(tasks.send_refund) == [[str(refund.pk)]]
    tasks.send_refund(str(refund.pk))
    tasks.send_refund(str(refund.pk))
    assert [row["amount"] for row in world.record("refund")] == [500]
    assert wallet(deposit.player) == Decimal("15.00")
