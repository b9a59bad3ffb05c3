"""The same over the wire: our server, the sandbox's and its courier, each at a port of its own."""

from __future__ import annotations

import contextlib
import random
import time
from collections.abc import Callable, Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import httpx
import pytest
from django.conf import settings as configured
from django.utils import timezone
from pytest_django import Settings
from pytest_django.live_server_helper import LiveServer

from games.models import Player
from ledger import book, chart
from tests.cashier.deposits.test_deposits import everything_proves
from tests.factories import person, wallet
from tests.live.following import token_of
from tests.workers.conftest import Run, happens, run  # noqa: F401 - a fixture
from wagering.cashier.deposits import inbox, selectors, services
from wagering.cashier.deposits.models import CREDITED, Deposit, InboxEvent
from wagering.cashier.providers import registry
from wagering.cashier.providers.protocol import ProviderSilent, account_of
from wagering.cashier.sandbox import server
from wagering.cashier.sandbox.house import House

pytestmark = pytest.mark.django_db(transaction=True)


class There:
    """A sandbox at a port, and a player's client of our server."""

    def __init__(self, house: House | None, address: str, ours: str) -> None:
        self.house, self.address = house, address
        self.ann: Player = person(funds=None)
        self.client = httpx.Client(
            base_url=ours, headers={"Authorization": f"Bearer {token_of(self.ann)}"}, trust_env=False, timeout=30
        )

    def pays_in(self, amount: str = "20.00", *, card: str = "4242424242424242") -> str:
        """From the wish to the provider's page and the payment there, as a reader with curl does it; the deposit."""
        asked = {"amount": {"amount": amount, "currency": "USD"}}
        key = {"Idempotency-Key": str(random.random())}
        made = self.client.post("/v1/deposits", json=asked, headers=key).json()
        begun: dict[str, Any] = {}
        while not begun.get("pay_at"):
            begun = self.client.post(f"/v1/deposits/{made['id']}/start").json()
        page = httpx.post(begun["pay_at"], data={"card": card}, trust_env=False)
        assert page.status_code == 200, page.text
        return str(made["id"])

    def controls(self, path: str, **said: Any) -> Any:
        answer = httpx.post(f"{self.address}/control/{path}", json=said, trust_env=False)
        assert answer.status_code < 300, answer.text
        return answer.json()

    def state(self, deposit: str) -> str:
        return str(self.client.get(f"/v1/deposits/{deposit}").json()["state"])


@pytest.fixture
def there(live_server: LiveServer, settings: Settings) -> Iterator[There]:
    settings.RATES = {}
    settings.PROVIDERS = ["sandbox"]
    house = server.open_house(path=":memory:", secret=configured.SANDBOX_SECRET)
    with server.serve(house, port=0, webhooks_to=f"{live_server.url}/v1/webhooks/sandbox") as port:
        settings.SANDBOX_URL = f"http://127.0.0.1:{port}"
        found = There(house, settings.SANDBOX_URL, live_server.url)
        yield found
        found.client.close()


def works_until(done: Callable[[], bool]) -> bool:
    """What a worker does all the time, until it is ``done``."""

    def looked() -> bool:
        for event in selectors.waiting_events().values_list("pk", flat=True):
            with contextlib.suppress(ProviderSilent):
                inbox.handle(event=event, at=timezone.now())
        return done()

    return happens(looked, within_s=60)


def test_a_deposit_by_a_real_webhook(there: There) -> None:
    deposit = there.pays_in()
    assert works_until(lambda: there.state(deposit) == "succeeded")
    assert wallet(there.ann) == Decimal("20.00")
    everything_proves()


def test_dozens_of_deposits_through_a_provider_in_a_bad_mood(there: There) -> None:
    often = {"lose": 10, "duplicate": 30, "reorder": 30, "lie": 30, "rename": 10, "chatter": 20, "garble": 20}
    often |= {"time_out_before": 5, "time_out_after": 10, "fail_before": 5, "fail_after": 10}
    there.controls("mischief", seed=7, often=often)
    cards = ["4242424242424242", "4000000000000002", "4000000000000051", "4000000000000036"]
    for number in range(36):
        there.pays_in(card=cards[number % 4])
    there.controls("mischief")
    assert there.house
    record = there.house.record
    works_until(lambda: record.one("SELECT 1 FROM delivery WHERE state = 'waiting'") is None)
    later = timezone.now() + services.STARTED_WITHIN / 12
    for lost in Deposit.objects.filter(look_at__lte=later).values_list("pk", flat=True):
        services.look(deposit=lost, at=later)
    assert Deposit.objects.filter(state__in=CREDITED).count() == 18
    assert wallet(there.ann) == book.balance(chart.clearing(account_of("sandbox"), "USD")) == Decimal("270.00")
    assert InboxEvent.objects.filter(outcome="unknown kind").exists()
    everything_proves()


def test_the_page_shows_what_is_to_be_paid_and_takes_only_its_cards(there: There) -> None:
    made = there.client.post(
        "/v1/deposits", json={"amount": {"amount": "500", "currency": "JPY"}}, headers={"Idempotency-Key": "one"}
    ).json()
    pay_at = there.client.post(f"/v1/deposits/{made['id']}/start").json()["pay_at"]
    page = httpx.get(pay_at, trust_env=False)
    assert page.headers["Content-Type"].startswith("text/html")
    assert "Pay 500 JPY" in page.text
    assert httpx.post(pay_at, data={"card": "4111111111111111"}, trust_env=False).status_code == 422
    assert httpx.post(pay_at, data={"card": "4242 4242 4242 4242"}, trust_env=False).status_code == 200
    assert httpx.post(pay_at, data={"card": "4242424242424242"}, trust_env=False).status_code == 409
    assert "This payment is succeeded" in httpx.get(pay_at, trust_env=False).text


def test_nobody_asks_the_provider_without_its_secret(there: There) -> None:
    for headers in ({}, {"Authorization": "Bearer another"}):
        answer = httpx.get(f"{there.address}/v1/payments?reference=x", headers=headers, trust_env=False)
        assert answer.status_code == 401
    assert httpx.get(f"{there.address}/nowhere", trust_env=False).status_code == 404


def test_the_command_serves_it_and_its_record_outlives_it(
    live_server: LiveServer,
    run: Run,  # noqa: F811
    child_environment: dict[str, str],
    settings: Settings,
    tmp_path: Path,
) -> None:
    settings.RATES, settings.PROVIDERS = {}, ["sandbox"]
    told = f"{live_server.url}/v1/webhooks/sandbox"
    environment = {**child_environment, "SANDBOX_SECRET": configured.SANDBOX_SECRET}

    def begins() -> tuple[Any, str]:
        sandbox = run(
            *("manage.py", "sandbox", "--port", "0", "--webhooks", told, "--file", str(tmp_path / "record")),
            environment=environment,
        )
        assert sandbox.says(f" tells {told}"), sandbox.output
        return sandbox, sandbox.output.split()[0]

    sandbox, settings.SANDBOX_URL = begins()
    there = There(None, settings.SANDBOX_URL, live_server.url)
    there.controls("mischief", next=["lose"])
    lost = there.pays_in()
    sandbox.kill()
    with pytest.raises(ProviderSilent):
        registry.provider("sandbox").look_up(ours=Deposit.objects.get().ours)
    sandbox, settings.SANDBOX_URL = begins()
    services.look(deposit=Deposit.objects.get().pk, at=timezone.now() + services.STARTED_WITHIN)
    assert there.state(lost) == "succeeded"
    began = time.monotonic()
    sandbox.process.terminate()
    assert sandbox.process.wait(timeout=30) == 0
    assert time.monotonic() - began < 20
