from __future__ import annotations

import pytest
from pytest_django import Settings

from tests.cashier.banking import reached
from tests.cashier.outside import Outside


@pytest.fixture
def bank(world: Outside, monkeypatch: pytest.MonkeyPatch, settings: Settings) -> Outside:
    """The world, and the bank in it."""
    reached(world, monkeypatch, settings)
    settings.RATES = {}
    return world
