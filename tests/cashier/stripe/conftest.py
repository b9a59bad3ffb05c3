"""localstripe as a process of its own, and Stripe as a whole before it."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from pytest_django import Settings

from tests.cashier.stripe.checkout import Front, served
from tests.cashier.stripe.there import KEY, SECRET, There
from tests.workers.conftest import happens
from wagering.cashier.providers import registry


@pytest.fixture(scope="session")
def localstripe(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Its address. It listens on a port that was free a moment ago."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    log: Path = tmp_path_factory.mktemp("localstripe") / "log"
    with log.open("wb") as output:
        process = subprocess.Popen(
            [sys.executable, "-m", "localstripe", "--from-scratch", "--port", str(port)],
            env={name: value for name, value in os.environ.items() if not name.lower().endswith("_proxy")},
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
        )
    url = f"http://127.0.0.1:{port}"

    def answers() -> bool:
        try:
            return httpx.get(url, trust_env=False).status_code == 401
        except httpx.HTTPError:
            return False

    try:
        assert happens(lambda: answers() or process.poll() is not None), log.read_text()
        assert process.poll() is None, log.read_text()
        yield url
    finally:
        process.terminate()
        process.wait(timeout=30)


@pytest.fixture
def stripe(localstripe: str, settings: Settings) -> Iterator[There]:
    """Stripe alone is worked with, and it knows nobody yet."""
    httpx.delete(f"{localstripe}/_config/data", trust_env=False)
    front = Front(localstripe, KEY)
    with served(front) as url:
        settings.PROVIDERS = ["stripe"]
        settings.STRIPE_SECRET_KEY, settings.STRIPE_WEBHOOK_SECRET = KEY, SECRET
        settings.STRIPE_RETURN_URL = "https://room.example/wallet"
        settings.STRIPE_CURRENCIES = ["USD", "EUR", "JPY", "KWD", "ISK"]
        settings.STRIPE_API_BASE = url
        registry._made.cache_clear()
        yield There(front)
    registry._made.cache_clear()
