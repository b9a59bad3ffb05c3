"""Bodies that lenient readers would read, each in its own way."""

from __future__ import annotations

from decimal import Decimal

import pytest
from django.test import Client

from wagering.config.http.reading import Unreadable, loads


@pytest.mark.parametrize(
    ("body", "why"),
    [
        (b"", "no JSON"),
        (b"{", "no JSON"),
        (b"{'a': 1}", "no JSON"),
        (b'{"a": 1,}', "no JSON"),
        (b'{"a": NaN}', "NaN"),
        (b'{"a": Infinity}', "Infinity"),
        (b'{"a": -Infinity}', "-Infinity"),
        (b'{"a": 1, "a": 2}', "'a' comes twice"),
        (b'{"a": {"b": 1, "b": 1}}', "'b' comes twice"),
        (b"[]", "no JSON object"),
        (b"[1, 2]", "no JSON object"),
        (b'"text"', "no JSON object"),
        (b"5", "no JSON object"),
        (b"null", "no JSON object"),
        (b"true", "no JSON object"),
        (b'{"a": "\\u0000"}', "no text can hold"),
        (b'{"\\u0000": 1}', "no text can hold"),
        (b'{"a": ["x", {"b": "y\\u0000"}]}', "no text can hold"),
        (b'{"a": "\\ud800"}', "no text can hold"),
        (b'{"a": "\\uDfff x"}', "no text can hold"),
        (b'{"a": "\x00"}', "no JSON"),
        (b'{"a": "\xff"}', "no UTF-8"),
        ("{}".encode("utf-16"), "no UTF-8"),
        (b"\xef\xbb\xbf{}", "no JSON"),
        (b'{"a": ' + b"1" * 5000 + b"}", "too many digits"),
        (b'{"a": ' + b"[" * 100_000 + b"]" * 100_000 + b"}", "nested too deep"),
    ],
)
def test_what_can_be_read_in_two_ways_is_not_read(body: bytes, why: str) -> None:
    with pytest.raises(Unreadable, match=why):
        loads(body)


def test_an_object_is_read_and_its_fractions_are_exact() -> None:
    assert loads(b'{"a": 0.1, "b": [1, "\\ud83c\\udfb2"], "c": {}}') == {"a": Decimal("0.1"), "b": [1, "🎲"], "c": {}}


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("body", "content_type", "status", "code"),
    [
        (b'{"a": NaN}', "application/json", 400, "unreadable"),
        (b"[]", "application/json", 400, "unreadable"),
        (b'{"tariff": "\\u0000"}', "application/json", 400, "unreadable"),
        (b"{}", "application/json", 422, "invalid"),
        (b"", "application/json", 422, "invalid"),
        (b"a=1", "application/x-www-form-urlencoded", 415, "not_json"),
        (b"<a/>", "text/xml", 415, "not_json"),
        (b"{}", "nonsense", 415, "not_json"),
    ],
)
def test_the_answer_says_so(body: bytes, content_type: str, status: int, code: str, client: Client) -> None:
    answer = client.post("/v1/quotes", body, content_type=content_type)
    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert answer["Content-Type"] == "application/problem+json"


@pytest.mark.django_db
@pytest.mark.parametrize("address", ["/v1/rooms?limit=%00", "/v1/rooms?x=a%00b", "/v1/%00", "/v1/rooms/%00/x"])
def test_an_address_with_a_nul_is_not_read_either(address: str, client: Client) -> None:
    answer = client.get(address)
    assert (answer.status_code, answer.json()["code"]) == (400, "unreadable")
