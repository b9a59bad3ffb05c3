"""Lists by cursor."""

from __future__ import annotations

from base64 import b64encode
from typing import Any

import pytest
from django.test import Client

from games.models import Room
from tests.factories import RoomFactory

pytestmark = [pytest.mark.django_db, pytest.mark.urls("tests.api.addresses")]


@pytest.fixture(autouse=True)
def seven() -> list[Room]:
    return [RoomFactory.create(slug=f"room-{letter}") for letter in "abcdefg"]


def pages(client: Client, start: str) -> list[list[str]]:
    found = []
    address: str | None = start
    while address:
        page: dict[str, Any] = client.get(address).json()
        found.append([room["slug"] for room in page["results"]])
        address = page["next"]
    return found


def test_pages_follow_each_other_to_the_last(client: Client) -> None:
    assert pages(client, "/v1/rooms?limit=3") == [
        ["room-a", "room-b", "room-c"],
        ["room-d", "room-e", "room-f"],
        ["room-g"],
    ]


def test_what_is_added_before_the_page_moves_nothing(client: Client) -> None:
    first = client.get("/v1/rooms?limit=3").json()
    RoomFactory.create(slug="room-aa")
    second = client.get(first["next"]).json()
    assert [room["slug"] for room in second["results"]] == ["room-d", "room-e", "room-f"]
    assert client.get(second["previous"]).json()["results"][-1]["slug"] == "room-c"


@pytest.mark.parametrize("limit", ["0", "201", "-1", "1.0", "", "x", "1e1", "٣", "9" * 400])
def test_a_length_that_is_none_is_refused(limit: str, client: Client) -> None:
    answer = client.get("/v1/rooms", {"limit": limit})
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid_limit")
    assert answer.json()["errors"][0]["parameter"] == "limit"


@pytest.mark.parametrize(
    "cursor", ["x", "é", b64encode(b"p=%00").decode(), b64encode(b"o=-1").decode(), b64encode(b"o=x").decode()]
)
def test_a_cursor_that_no_page_gave_is_refused(cursor: str, client: Client) -> None:
    answer = client.get("/v1/rooms", {"cursor": cursor})
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid_cursor"), answer.content


@pytest.mark.parametrize(
    "cursor", ["", "====", b64encode(b"o=99999999999999").decode(), b64encode(b"p=zzz&r=1").decode()]
)
def test_a_cursor_from_elsewhere_breaks_nothing(cursor: str, client: Client) -> None:
    assert client.get("/v1/rooms", {"cursor": cursor}).status_code == 200
