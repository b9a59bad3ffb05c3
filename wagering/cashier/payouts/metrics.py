"""How long the oldest payout waits, state by state, asked when /metrics is."""

from __future__ import annotations

from collections.abc import Iterator

from django.db import DatabaseError
from django.utils import timezone
from prometheus_client import REGISTRY
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from wagering.cashier.payouts.models import OPEN


class Waiting(Collector):
    """Seconds since the oldest open payout in each state was asked for; 0 where none waits."""

    def describe(self) -> Iterator[GaugeMetricFamily]:
        yield self._family()

    def collect(self) -> Iterator[GaugeMetricFamily]:
        from wagering.cashier.payouts import selectors

        found, now = self._family(), timezone.now()
        try:
            since = selectors.oldest_waiting()
        except DatabaseError:
            return  # /healthz says that the database is away
        for state in OPEN:
            waits = int((now - since[state]).total_seconds()) if state in since else 0
            found.add_metric([state.value], waits)
        yield found

    @staticmethod
    def _family() -> GaugeMetricFamily:
        return GaugeMetricFamily("payouts_oldest_waiting_seconds", "Of open payouts, by state", labels=["state"])


def register() -> None:
    REGISTRY.register(Waiting())
