"""The sandbox without a socket: the same house, the same signed bodies, as cheap as a call."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import urlencode

import httpx
import pytest
from django.conf import settings
from django.db.models import QuerySet, Value

from wagering.cashier.deposits import inbox, refunds, selectors, services
from wagering.cashier.deposits.models import Deposit, Refund
from wagering.cashier.providers import registry
from wagering.cashier.providers.protocol import NotGenuine, ProviderSilent
from wagering.cashier.sandbox import server, webhooks
from wagering.cashier.sandbox.house import Answer, Asked, House, TimedOut
from wagering.cashier.sandbox.mischief import Mischief

BEGAN = datetime(2026, 11, 30, 10, tzinfo=UTC)


class Outside:
    """A house in memory, whose clock is ours; its provider is reached without a network."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.at = BEGAN
        house.clock_ms = lambda: int(self.at.timestamp() * 1000)
        self.asked: list[tuple[str, str, dict[str, Any]]] = []

    # --- the provider's side

    def answers(self, request: httpx.Request) -> httpx.Response:
        asked = Asked(
            method=request.method,
            path=request.url.path,
            query=dict(request.url.params),
            headers={name.lower(): value for name, value in request.headers.items()},
            body=request.content,
        )
        self.asked.append((asked.method, asked.path, asked.json()))
        try:
            told = server.answer(self.house, asked)
        except TimedOut:
            raise httpx.ReadTimeout("nobody", request=request) from None
        return httpx.Response(told.status, content=told.body, headers={"Content-Type": told.kind})

    def misbehaves(self, *once: str, seed: int = 0, **often: int) -> None:
        self.house.mischief = Mischief(seed, often, list(once))

    def controls(self, path: str, **said: Any) -> Any:
        """What a person at the provider does."""
        answer = self.asks_there(path, **said)
        assert answer.status_code < 300, answer.content
        return answer.json()

    def asks_there(self, path: str, **said: Any) -> httpx.Response:
        """As ``controls``, of what may be refused."""
        return self.answers(httpx.Request("POST", f"http://sandbox/control/{path}", json=said))

    def is_paid(self, deposit: Deposit, card: str = "4242424242424242") -> Answer:
        """The player pays on the provider's page."""
        found = self.house.record.one("SELECT id FROM payment WHERE reference = ?", deposit.ours)
        assert found
        body = urlencode({"card": card}).encode()
        told = server.answer(self.house, Asked("POST", f"/pay/{found['id']}", body=body))
        assert told.status == 200, told.body
        return told

    def record(self, table: str) -> list[dict[str, Any]]:
        return self.house.record.all(f"SELECT * FROM {table} ORDER BY 1")

    # --- ours

    def goes_by(self, **time: int) -> None:
        self.at += timedelta(**time)

    def delivers(self, *, shuffled: bool = False) -> int:
        """All that is in line comes to our door, and is done as far as the provider answers."""
        sent = webhooks.deliver(self.house, self._door, shuffled=shuffled, even_if_not_due=True)
        self.works()
        return sent

    def _door(self, body: bytes, headers: Mapping[str, str]) -> bool:
        try:
            inbox.receive(provider="sandbox", body=body, headers=headers, at=self.at)
        except NotGenuine:
            return False
        return True

    def works(self) -> None:
        """What the workers would do now."""
        for event in selectors.waiting_events().values_list("pk", flat=True):
            self._tried(inbox.handle, event=event, at=self.at)
        for job, row in _due(Deposit, "deposit", self.at).union(_due(Refund, "refund", self.at)).order_by("job"):
            self._tried(services.look if job == "deposit" else refunds.send, **{job: row}, at=self.at)

    @staticmethod
    def _tried(do: Any, **arguments: Any) -> None:
        with suppress(ProviderSilent):
            do(**arguments)


def _due(model: type[Deposit] | type[Refund], job: str, at: datetime) -> QuerySet[Any, Any]:
    """Of both in one query: it is asked for very often."""
    found = model._default_manager.filter(look_at__lte=at).annotate(job=Value(job))
    return found.order_by().values_list("job", "pk")


@contextmanager
def outside(monkeypatch: pytest.MonkeyPatch) -> Iterator[Outside]:
    """The world beyond the provider's address, for as long as it lasts."""
    house = server.open_house(path=":memory:", secret=settings.SANDBOX_SECRET)
    world = Outside(house)
    with httpx.Client(transport=httpx.MockTransport(world.answers)) as http:
        monkeypatch.setattr(registry.provider("sandbox"), "http", http)
        yield world
    house.record.close()
