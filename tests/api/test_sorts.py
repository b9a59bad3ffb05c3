"""A number is a number, true is true and a text is a text, in every body there is."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import pytest
from django.test import Client
from rest_framework import serializers
from rest_framework.exceptions import ValidationError

from tests.api.test_unknown import BODIES
from wagering.config.http.known import _asked, refuse_members

NUMBERS: tuple[Any, ...] = ("15", "\u0661\u0665", Decimal("1.0"), Decimal("1E2"), True, " 1", "", [], {})
LENIENT: dict[type, tuple[Any, ...]] = {
    serializers.BooleanField: ("yes", "true", "t", 1, 0, "on", Decimal("1.0"), "", []),
    serializers.IntegerField: NUMBERS,
    serializers.DecimalField: ("\u0661.5", "1_0", " 1", "1e2", "NaN", True, "", []),
    serializers.CharField: (5, True, Decimal("1.5")),
    serializers.UUIDField: (5, True),
}


Path = tuple[str | int, ...]


def leaves(asked: Any, *path: str | int) -> Iterator[tuple[Path, Any]]:
    if isinstance(asked, serializers.Serializer):
        for name, field in asked.fields.items():
            if not field.read_only:
                yield from leaves(field, *path, name)
    elif isinstance(asked, serializers.ListSerializer | serializers.ListField):
        yield from leaves(asked.child, *path, 0)
    else:
        yield path, asked


def at(path: Path, value: Any) -> Any:
    for step in reversed(path):
        value = [value] if step == 0 else {step: value}
    return value


VIEWS: dict[str, tuple[Any, str]] = dict(BODIES)

CASES = [
    (name, path, value)
    for name, (view, method) in VIEWS.items()
    for path, field in leaves(_asked(view, method))
    for sort, values in LENIENT.items()
    if isinstance(field, sort)
    for value in values
]


def test_there_is_something_to_look_at() -> None:
    assert {path[-1] for _, path, _ in CASES} >= {"move_s", "jacoby", "version", "penalty", "round_closed", "label"}


@pytest.mark.parametrize("name", BODIES)
def test_no_body_is_read_leniently(name: str) -> None:
    view, method = BODIES[name]
    for path, value in [(path, value) for of, path, value in CASES if of == name]:
        refused = False
        try:
            refuse_members(at(path, value), view=view, method=method)
        except ValidationError:
            refused = True
        assert refused, (path, value)


@pytest.mark.django_db
def test_a_client_is_told_where(client: Client) -> None:
    body = {"tariff": "gammonempire", "match_length": "\u0665", "amount": {"amount": "5.00", "currency": "USD"}}
    answer = client.post("/v1/quotes", body, content_type="application/json")
    assert (answer.status_code, answer.json()["code"]) == (422, "invalid")
    (fault,) = answer.json()["errors"]
    assert fault == {"pointer": "/match_length", "code": "invalid", "detail": "is no whole number, written as one"}
