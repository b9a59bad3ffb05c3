"""What a browser, or a cache on the way, is told."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from django.test import Client

from tests.access.callers import client_of
from tests.factories import PlayerFactory

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("path", ["me", "wallet", "tokens", "nothing", "ratings?zone=x"])
def test_what_is_a_player_s_is_kept_nowhere(path: str) -> None:
    answer = client_of(PlayerFactory.create()).get(f"/v1/{path}")
    assert answer["Cache-Control"] == "no-store"
    assert answer["X-Content-Type-Options"] == "nosniff"


def test_what_is_everybody_s_may_be_kept(client: Client) -> None:
    assert client.get("/v1/schema")["Cache-Control"] == "no-cache"


@pytest.mark.parametrize("path", ["/admin/login/", "/v1/docs", "/v1/me"])
def test_a_page_asks_nobody_but_this_server(path: str, client: Client) -> None:
    policy = client.get(path, headers={"Accept": "*/*"})["Content-Security-Policy"]
    assert "http" not in policy
    assert "frame-ancestors 'none'" in policy
    assert ("'unsafe-eval'" in policy) == (path != "/v1/docs")


def test_with_a_database_of_its_own_it_is_asked_by_https_for_good() -> None:
    asks = "from wagering.config import settings; print(getattr(settings, 'SECURE_HSTS_SECONDS', 0))"
    named = {"DATABASE_URL": "postgresql://app:x@localhost/backgammon", "SECRET_KEY": "x"}
    for environment, seconds in ((named, "31536000"), ({}, "0"), ({**named, "DEBUG": "1"}, "0")):
        clean = {
            name: value for name, value in os.environ.items() if name not in ("DATABASE_URL", "DATABASE_OWNER_URL")
        }
        told = subprocess.run(
            [sys.executable, "-c", asks], env={**clean, **environment}, capture_output=True, text=True, check=True
        )
        assert told.stdout.strip() == seconds
