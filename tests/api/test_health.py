"""For whoever balances load, restarts and measures."""

from __future__ import annotations

import socket
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.test import Client

from wagering.config.brokers import EMBEDDED_BROKER, NO_BROKER
from wagering.config.http import health

pytestmark = pytest.mark.django_db


@pytest.fixture
def database_is_down(monkeypatch: pytest.MonkeyPatch) -> None:
    from django.db import OperationalError

    def cursor(*_: Any, **__: Any) -> Any:
        raise OperationalError("connection refused by 10.1.2.3")

    monkeypatch.setattr(connection, "cursor", cursor)


def test_alive_is_alive_whatever_the_database_does(client: Client, database_is_down: None) -> None:
    answer = client.get("/healthz")
    assert (answer.status_code, answer.content) == (200, b"ok\n")


@pytest.mark.parametrize(("url", "broker"), [(NO_BROKER, "none"), (EMBEDDED_BROKER, "embedded")])
def test_ready_with_everything(url: str, broker: str, client: Client, settings: Any) -> None:
    settings.CELERY_BROKER_URL = url
    answer = client.get("/readyz")
    assert (answer.status_code, answer.json()) == (200, {"database": "ok", "migrations": "ok", "broker": broker})


def test_not_ready_without_the_database(client: Client, database_is_down: None) -> None:
    answer = client.get("/readyz")
    assert answer.status_code == 503
    assert answer.json()["database"] == "does not answer"
    assert "10.1.2.3" not in str(answer.content)


@pytest.mark.django_db(transaction=True)
def test_not_ready_before_the_migrations(client: Client, owner_connection: Any) -> None:
    last = "SELECT max(id) FROM django_migrations WHERE app = 'config'"
    (row,) = owner_connection.execute(
        f"DELETE FROM django_migrations WHERE id = ({last}) RETURNING id, app, name, applied"
    )
    try:
        answer = client.get("/readyz")
        assert answer.status_code == 503
        assert answer.json()["migrations"].endswith(" not applied")
    finally:
        owner_connection.execute("INSERT INTO django_migrations (id, app, name, applied) VALUES (%s, %s, %s, %s)", row)


@pytest.mark.parametrize("form", ["redis://{host}:{port}/0", "redis+socket://{path}"])
def test_ready_while_the_broker_can_be_reached(form: str, client: Client, settings: Any, tmp_path: Path) -> None:
    path = str(tmp_path / "s")
    kind = socket.AF_UNIX if "{path}" in form else socket.AF_INET
    with socket.socket(kind) as broker:
        broker.bind(path if kind == socket.AF_UNIX else ("127.0.0.1", 0))
        broker.listen()
        host, port = ("", 0) if kind == socket.AF_UNIX else broker.getsockname()
        settings.CELERY_BROKER_URL = form.format(host=host, port=port, path=path)
        assert client.get("/readyz").json()["broker"] == "ok"
    answer = client.get("/readyz")
    assert (answer.status_code, answer.json()["broker"]) == (503, "cannot be reached")


def test_figures_are_for_this_machine(client: Client) -> None:
    client.get("/v1/rooms")
    answer = client.get("/metrics")
    assert answer.status_code == 200
    assert b"django_http_requests_total_by_view_transport_method_total" in answer.content


@pytest.mark.parametrize(
    "asked",
    [
        {"REMOTE_ADDR": "192.0.2.1"},
        {"REMOTE_ADDR": "127.0.0.1", "HTTP_X_FORWARDED_FOR": "192.0.2.1"},
        {"REMOTE_ADDR": "127.0.0.1", "HTTP_X_FORWARDED_FOR": "127.0.0.1"},
        {"REMOTE_ADDR": ""},
    ],
)
def test_figures_are_for_nobody_else(asked: dict[str, str], client: Client) -> None:
    assert client.get("/metrics", **asked).status_code == 404  # type: ignore[arg-type]


def test_figures_are_for_whom_the_operator_names(client: Client, settings: Any) -> None:
    settings.METRICS_ALLOW = ["192.0.2.0/28", "10.0.0.7"]
    assert client.get("/metrics", REMOTE_ADDR="192.0.2.1").status_code == 200
    assert client.get("/metrics", REMOTE_ADDR="10.0.0.7").status_code == 200
    assert client.get("/metrics", REMOTE_ADDR="192.0.2.99").status_code == 404


def test_the_wait_for_a_broker_is_short() -> None:
    assert health.BROKER_WAIT_S <= 5
