"""Everything proves after each test."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.rooms.servers import Server, server
from tests.seamless.callers import assert_proven


@pytest.fixture
def emerald(db: None) -> Server:
    return server()


@pytest.fixture(autouse=True)
def _proven(request: pytest.FixtureRequest, settings: Any) -> Iterator[None]:
    settings.RATES = {}
    yield
    if "emerald" in request.fixturenames:
        assert_proven()
