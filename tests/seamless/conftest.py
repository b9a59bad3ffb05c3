"""Everything proves after each test."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.seamless.callers import Aggregator, aggregator, assert_proven


@pytest.fixture
def server(db: None) -> Aggregator:
    return aggregator()


@pytest.fixture(autouse=True)
def _proven(request: pytest.FixtureRequest, settings: Any) -> Iterator[None]:
    settings.RATES = {}
    yield
    if "server" in request.fixturenames:
        assert_proven()
