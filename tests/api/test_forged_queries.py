"""Cursors and other parameters that nobody was given, at every list there is: refused, or answered, and never a 5xx."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlencode

import pytest
from pytest_django import Settings

from tests.access.callers import client_of
from tests.api.test_fuzz import at_a_table
from tests.api.test_schema import ALL

POSITIONS = (
    "0001-01-01T00:00:00+23:59",
    "9999-12-31T23:59:59-23:59",
    "294277-01-01",
    "infinity",
    "now",
    "1E+999999",
    "-1E+131073",
    "1E-20000",
    "NaN",
    "Infinity",
    "9" * 400,
    "-1",
    "1_0",
    "\u0661",
    "\ud7ff",
    "' or 1=1--",
    "00000000-0000-0000-0000-000000000000",
    "",
)
"""Where a page might begin, if it were a value of the column."""

NUMBERS = ("99999999999999999999", "1e5", "sNaN", "-0", "1.0", " 5")
VALUES = (*POSITIONS, *NUMBERS, "0001-01-01", "9999-12-31", "[]", "%", "é" * 300)

MEANS = {
    "zone": "amateurs",
    "currency": "USD",
    "tariff": "gammonempire",
    "kind": "single",
    "stake": "5",
    "win": "single",
}
"""Other parameters of a query that has to be understood before it gets as far."""


def queried(operation: dict[str, Any]) -> list[dict[str, Any]]:
    return [told for told in operation.get("parameters", ()) if told["in"] == "query"]


def forged(name: str) -> Iterator[str]:
    if name == "cursor":
        for position in POSITIONS:
            for form in ({"p": position}, {"p": position, "r": "1"}):
                yield b64encode(urlencode(form).encode()).decode()
        for text in (b"o=99999999999999999999&p=1", b"o=-1", b"r=1&p=%00", b"p=%ff", b"\xff"):
            yield b64encode(text).decode()
    yield from VALUES


ASKED = [name for name, operation in ALL.items() if name.startswith("GET ") and queried(operation)]


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("name", ASKED)
def test_what_is_forged_is_refused(name: str, settings: Settings) -> None:
    settings.RATES = {}
    ann, theirs = at_a_table()
    client, path = client_of(ann), name.removeprefix("GET ").format_map(theirs)
    parameters = queried(ALL[name])
    usual = {told["name"]: MEANS[told["name"]] for told in parameters if told.get("required")}
    assert client.get(path, usual).status_code == 200
    for told in parameters:
        for value in forged(told["name"]):
            answer = client.get(path, {**usual, told["name"]: value})
            assert answer.status_code in (200, 400, 404, 409, 422), (told["name"], value, answer.content)
