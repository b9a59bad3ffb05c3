"""The head of a stream, and all of it where there is no event loop: refusals, what was missed, how the table stands."""

import json
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.utils import timezone
from rest_framework.test import APIClient

from games.live import sse, stream
from tests.access.callers import client_of, room_client
from tests.factories import PlayerFactory, TableFactory
from tests.live.tables import Parlour, parlour

pytestmark = pytest.mark.django_db


def follow(client: Client, table: Any, **headers: str) -> Any:
    return client.get(f"/v1/games/{table}/stream", headers=headers)


def events(answer: Any) -> list[tuple[str, int | None, Any]]:
    """Name, id and data of each."""
    assert answer.status_code == 200, answer.content
    found = []
    for block in b"".join(answer.streaming_content).decode().split("\n\n"):
        said = dict(line.split(": ", 1) for line in block.splitlines())
        if "event" in said:
            number = int(said["id"]) if "id" in said else None
            found.append((said["event"], number, json.loads(said["data"])))
    return found


def seated(table: Parlour, side: int = 1) -> APIClient:
    return client_of(table.table.seats[side - 1])


def test_nobody_follows_a_table_but_its_players() -> None:
    table = parlour()
    assert follow(seated(table), table.pk).status_code == 200
    for stranger in (client_of(PlayerFactory.create()), seated(parlour())):
        refused = follow(stranger, table.pk)
        assert (refused.status_code, refused.json()["code"]) == (404, "not_found")
        assert str(table.pk) not in refused.json()["detail"]
    assert follow(seated(table), uuid4()).status_code == 404
    assert follow(Client(), table.pk).status_code == 401
    assert follow(room_client(table.table.room), table.pk).status_code == 403


def test_a_table_that_is_not_played_here_has_no_stream() -> None:
    table = TableFactory.create()
    refused = follow(client_of(table.player_1), table.pk)
    assert (refused.status_code, refused.json()["code"]) == (404, "not_found")


def test_a_stream_is_not_asked_for_by_head() -> None:
    table = parlour()
    assert seated(table).head(f"/v1/games/{table.pk}/stream").status_code == 405


@pytest.mark.parametrize("accepted", ["text/event-stream", "*/*", "application/json"])
def test_whatever_is_accepted_events_are_given_and_problems_are_json(accepted: str) -> None:
    table = parlour()
    assert follow(seated(table), table.pk, accept=accepted)["Content-Type"] == "text/event-stream; charset=utf-8"
    refused = follow(seated(table), uuid4(), accept=accepted)
    assert refused["Content-Type"] == "application/problem+json"
    assert refused.json()["status"] == 404


def test_nothing_on_the_way_may_keep_or_hold_back_a_stream() -> None:
    table = parlour()
    answer = follow(seated(table), table.pk, accept_encoding="gzip", x_request_id="stream-of-ann")
    assert answer["Cache-Control"] == "no-store"
    assert answer["X-Accel-Buffering"] == "no"
    assert answer["X-Request-ID"] == "stream-of-ann"
    assert "Content-Encoding" not in answer
    assert "Content-Length" not in answer


@pytest.mark.parametrize(
    "forged", ["-1", "+1", "1.5", "1e3", "one", "٣", "2147483648", "9" * 5000, "1; DROP TABLE live_action", "0x10"]
)
def test_a_forged_last_event_id_is_refused_by_name(forged: str) -> None:
    table = parlour()
    refused = follow(seated(table), table.pk, last_event_id=forged)
    assert refused.status_code == 400
    problem = refused.json()
    assert problem["code"] == "bad_last_event_id"
    assert problem["errors"][0]["parameter"] == "Last-Event-ID"
    assert forged not in problem["detail"] or len(forged) < 3


def test_without_an_event_loop_a_stream_is_the_table_as_it_stands() -> None:
    table = parlour(at=timezone.now())
    (told,) = events(follow(seated(table, 2), table.pk))
    name, number, state = told
    assert (name, number) == ("state", table.live.sequence)
    assert {**state, "now": None, "clocks": None} == {**table.state(2), "now": None, "clocks": None}


def test_what_was_missed_comes_first_and_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stream, "MISSED_MOST", 3)
    table = parlour()
    last = table.live.sequence
    told = events(follow(seated(table), table.pk, last_event_id="2"))
    assert [name for name, _, _ in told] == ["actions"] * -(-(last - 2) // 3) + ["state"]
    missed = [action for _, _, data in told[:-1] for action in data["actions"]]
    assert [action["sequence"] for action in missed] == list(range(3, last + 1))
    assert missed == table.state(1)["last"][-len(missed) :]
    # Each event's id is that of its last action, so that a cut between two of them loses nothing.
    assert all(number == data["actions"][-1]["sequence"] for _, number, data in told[:-1])


def test_whoever_has_seen_everything_is_told_how_it_stands() -> None:
    table = parlour()
    last = table.live.sequence
    for seen in (last, last + 1, sse.ID_MAX):
        ((name, number, _),) = events(follow(seated(table), table.pk, last_event_id=str(seen)))
        assert (name, number) == ("state", last)


def test_a_contest_that_is_over_says_that_nothing_comes_any_more() -> None:
    table = parlour()
    table.does("resign", concession="backgammon")  # the most there is, so nobody is asked
    told = events(follow(seated(table), table.pk))
    assert [(name, number) for name, number, _ in told] == [("state", table.live.sequence), ("end", None)]
    assert told[0][2]["status"] == "over"
    assert told[1][2] == {"reason": "over"}
