"""What an operation does not know is refused by name, wherever it is and whoever wrote the view."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client
from rest_framework.exceptions import ValidationError

from tests.api.test_schema import ALL, METHODS, examples, schema
from wagering.config.http.known import parameters_of, refuse_members
from wagering.config.urls import v1
from wagering.seamless.api import Word


def operations() -> Iterator[tuple[str, type[Any], str]]:
    for pattern in v1:
        view = getattr(pattern.callback, "cls", None)
        for method in sorted(METHODS):
            if view is not None and hasattr(view, method) and parameters_of(view, method.upper()) is not None:
                yield f"{method.upper()} {_as_described(str(pattern.pattern))}", view, method.upper()


def _as_described(route: str) -> str:
    parts = [f"{{{part[1:-1].split(':')[-1]}}}" if part.startswith("<") else part for part in route.split("/")]
    return "/v1/" + "/".join(parts)


def _body(name: str) -> dict[str, Any]:
    told: dict[str, Any] = ALL[name].get("requestBody", {}).get("content", {}).get("application/json", {})
    return told


FOUND = {name: (view, method) for name, view, method in operations()}
BODIES = {name: found for name, found in FOUND.items() if "$ref" in _body(name).get("schema", {})}
"""Those that are ours: what a payment provider sends is as it likes."""


def test_all_that_is_described_is_looked_at() -> None:
    assert FOUND.keys() == ALL.keys()


@pytest.mark.parametrize("name", FOUND)
def test_the_parameters_known_are_those_described(name: str) -> None:
    described = {each["name"] for each in ALL[name].get("parameters", []) if each["in"] == "query"}
    view, method = FOUND[name]
    assert set(parameters_of(view, method) or ()) == described  # type: ignore[arg-type]  # a class is hashable


@pytest.mark.parametrize("name", BODIES)
def test_a_member_that_is_not_described_is_refused(name: str) -> None:
    view, method = BODIES[name]
    for body in examples(_body(name)):
        refuse_members(body, view=view, method=method)
        if issubclass(view, Word):
            refuse_members({**body, "movs": 3}, view=view, method=method)
            continue
        with pytest.raises(ValidationError) as refused:
            refuse_members({**body, "movs": 3}, view=view, method=method)
        assert list(refused.value.get_full_details()) == ["movs"]


def test_the_description_says_so() -> None:
    for name in BODIES:
        component = _body(name)["schema"]["$ref"].rsplit("/", 1)[-1]
        told = schema()["components"]["schemas"][component].get("additionalProperties", True)
        assert told is issubclass(BODIES[name][0], Word), name


@pytest.mark.django_db
def test_a_client_is_told_which(client: Client) -> None:
    body = {"tariff": "gammonempire", "match_length": 0, "amount": {"amount": "5.00", "currency": "USD"}, "movs": 3}
    answer = client.post("/v1/quotes", body, content_type="application/json")
    assert (answer.status_code, answer.json()["code"]) == (422, "invalid")
    (fault,) = answer.json()["errors"]
    assert (fault["pointer"], fault["code"]) == ("/movs", "unknown")
    assert "movs" in answer.json()["detail"]


@pytest.mark.django_db
def test_a_client_is_told_which_parameter(client: Client) -> None:
    answer = client.get("/v1/rooms?limt=3")
    assert (answer.status_code, answer.json()["code"]) == (422, "invalid")
    (fault,) = answer.json()["errors"]
    assert (fault["parameter"], fault["code"]) == ("limt", "unknown")
    assert "cursor, limit" in fault["detail"]
    assert client.get("/v1/rooms?limit=3").status_code == 200
    assert client.get("/v1/docs?script=", headers={"Accept": "*/*"}).status_code == 200
