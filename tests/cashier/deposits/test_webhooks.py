"""The door for providers: what is genuine is kept once and acknowledged, whatever becomes of it later."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

import psycopg
import pytest
from django.conf import settings
from django.db import connection
from django.test import Client

from tests.cashier.deposits.wishes import fresh, started
from tests.cashier.outside import Outside
from tests.factories import person, wallet
from wagering.cashier.deposits import inbox, selectors
from wagering.cashier.deposits.models import Deposit, InboxEvent
from wagering.cashier.sandbox import webhooks
from wagering.rest.retries import TryAgain

FIVE_MINUTES = timedelta(minutes=5)
BODY = json.dumps({"id": "evt_1", "type": "weather.changed", "created": 1, "data": {}}).encode()


def sent(
    client: Client, body: bytes = BODY, *, age: timedelta = timedelta(), secret: str = "", to: str = "sandbox"
) -> Any:
    """What our door answers to a body that was signed ``age`` ago."""
    at = int((datetime.now(UTC) - age).timestamp())
    signed = webhooks.signature(body, secret=secret or settings.SANDBOX_SECRET, at=at)
    path = f"/v1/webhooks/{to}"
    return client.post(path, body, content_type="application/json", headers={"Sandbox-Signature": signed})


@pytest.mark.django_db
@pytest.mark.parametrize("age", [timedelta(), timedelta(minutes=4, seconds=50), -timedelta(minutes=4, seconds=50)])
def test_what_is_genuine_is_kept_and_acknowledged(client: Client, world: Outside, age: timedelta) -> None:
    answer = sent(client, age=age)
    assert (answer.status_code, answer.json()) == (200, {"received": True})
    event = InboxEvent.objects.get()
    assert (event.provider, event.event_id, bytes(event.body)) == ("sandbox", "evt_1", BODY)


@pytest.mark.django_db
@pytest.mark.parametrize(
    "wrong",
    [
        {"age": FIVE_MINUTES + timedelta(seconds=10)},
        {"age": -FIVE_MINUTES - timedelta(seconds=10)},
        {"secret": "not the secret"},
    ],
)
def test_what_is_not_genuine_is_refused_and_not_kept(client: Client, world: Outside, wrong: Any) -> None:
    answer = sent(client, **wrong)
    assert (answer.status_code, answer.json()["code"]) == (400, "not_genuine")
    assert not InboxEvent.objects.exists()


@pytest.mark.django_db
@pytest.mark.parametrize("header", ["", "t=1", "t=1,v1=00", "t=1,v1=" + "0" * 64, "v1=" + "0" * 64])
def test_a_signature_that_is_none_is_refused(client: Client, world: Outside, header: str) -> None:
    headers = {"Sandbox-Signature": header} if header else {}
    answer = client.post("/v1/webhooks/sandbox", BODY, content_type="application/json", headers=headers)
    assert (answer.status_code, answer.json()["code"]) == (400, "not_genuine")


@pytest.mark.django_db
@pytest.mark.parametrize(
    "body",
    [b"\xff", b"[]", b"7", b"{}", b'{"id": "evt_1", "type": "payment.succeeded", "created": 1, "data": {}}',
     b'{"id": "evt_1", "type": "weather.changed", "created": 1e30, "data": {}}'],
)  # fmt: skip
def test_what_is_genuine_and_cannot_be_read_is_refused(client: Client, world: Outside, body: bytes) -> None:
    answer = sent(client, body)
    assert (answer.status_code, answer.json()["code"]) == (400, "unreadable_event")
    assert not InboxEvent.objects.exists()


@pytest.mark.django_db
def test_the_raw_bytes_are_what_is_signed(client: Client, world: Outside) -> None:
    spaced = BODY.replace(b",", b" ,  ")
    assert sent(client, spaced).status_code == 200
    signed = webhooks.signature(spaced, secret=settings.SANDBOX_SECRET, at=int(datetime.now(UTC).timestamp()))
    headers = {"Sandbox-Signature": signed}
    answer = client.post("/v1/webhooks/sandbox", BODY, content_type="application/json", headers=headers)
    assert answer.status_code == 400


@pytest.mark.django_db
def test_an_event_is_kept_once_however_often_it_comes(client: Client, world: Outside) -> None:
    def counted(what: str) -> Any:
        return inbox.EVENTS.labels("sandbox", what)._value.get()

    before = {what: counted(what) for what in ("unknown", "repeated")}
    assert {sent(client).status_code for _ in range(3)} == {200}
    assert InboxEvent.objects.count() == 1
    assert counted("unknown") == before["unknown"] + 1
    assert counted("repeated") == before["repeated"] + 2


@pytest.mark.django_db
def test_a_provider_that_we_do_not_work_with_is_not_found(client: Client, world: Outside) -> None:
    for unknown in ("stripe", "nobody"):
        assert sent(client, to=unknown).json()["code"] == "unknown_provider"


@pytest.mark.django_db(transaction=True)
def test_what_failed_half_way_was_not_done_and_is_done_the_next_time(  # case 15
    world: Outside, app_dsn: str
) -> None:
    ann = person(funds=None)
    deposit = started(world, ann)
    world.is_paid(deposit)
    with connection.cursor() as cursor:
        cursor.execute("SET lock_timeout = '50ms'")
    with psycopg.connect(app_dsn) as rival, rival.transaction():
        rival.execute("SELECT FROM deposits_deposit FOR UPDATE")
        with pytest.raises(TryAgain):
            world.delivers()
    event = selectors.waiting_events().get()
    world.controls("replay")
    world.delivers()
    event.refresh_from_db()
    assert event.outcome == "deposit credited"
    assert wallet(ann) == Decimal("20.00")
    inbox.handle(event=event.pk, at=world.at)
    assert fresh(deposit).state == Deposit.State.SUCCEEDED
    assert wallet(ann) == Decimal("20.00")
    with connection.cursor() as cursor:
        cursor.execute("RESET lock_timeout")
