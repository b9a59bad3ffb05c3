"""The outside world, for whoever asks for it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from pytest_django import Settings

from tests.cashier.outside import Outside, outside


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch, settings: Settings) -> Iterator[Outside]:
    settings.PROVIDERS = ["sandbox"]
    with outside(monkeypatch) as found:
        yield found
