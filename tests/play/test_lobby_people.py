"""Players, what they have played, how strong they are, and what they say of themselves (B-18)."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

import pytest
from django.core.cache import cache
from django.test import Client

from games.models import Game, Room, Table
from games.rules.endings import Win
from tests.factories import rated, won
from tests.play.lobbying import MATCH, PLAY, SINGLE, Guest, emerald, refused
from wagering.settlement.services import settle, void
from wagering.stakes.models import Stake

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _counted_anew(settings: Any) -> None:
    settings.RATES = {}
    cache.clear()


def meet(room: Room, one: Guest, two: Guest, terms: dict[str, Any] | None = None) -> Table:
    return Table.objects.get(pk=two.accepts(one.offered(terms, room=room)).json()["table"])


def finish(table: Table, winner: Any, win: Win = Win.SINGLE) -> None:
    """One game was played at ``table``, and the contest is paid by it."""
    outcome = won(winner, win)
    Game.objects.create(
        table=table,
        number=1,
        winner=winner,
        win=win.value,
        cube=1,
        points=outcome.points,
        ending=outcome.ending.value,
        plays=40,
    )
    settle(table=table, outcome=outcome, at=datetime.now(UTC))


def test_a_player_is_seen_by_everybody(client: Client) -> None:
    room, ann, bob = emerald(), Guest("ann"), Guest("bob")
    finish(meet(room, ann, bob), 1, Win.GAMMON)
    finish(meet(room, bob, ann), 1)
    void(table=meet(room, ann, bob), at=datetime.now(UTC))
    finish(meet(room, ann, bob, PLAY), 2, Win.BACKGAMMON)
    answer = client.get(f"/v1/players/{ann.player.pk}")
    assert answer.status_code == 200, answer.content
    told = answer.json()
    assert (told["name"], told["biography"]) == ("ann", "")
    real, play = told["zones"]
    assert (real["zone"], real["contests"], real["contests_won"], real["contests_lost"]) == ("professionals", 3, 1, 1)
    assert (real["games"], real["games_won"], real["gammons_won"], real["gammons_lost"]) == (2, 1, 1, 0)
    assert (play["zone"], play["contests_lost"], play["backgammons_lost"]) == ("amateurs", 1, 1)
    assert real["experience"] == 2
    assert real["rating"] != "1500.00"
    assert set(told) == {"id", "name", "biography", "zones"}
    assert client.get(f"/v1/players/{uuid4()}").status_code == 404


def test_a_players_contests_say_nothing_of_money(client: Client) -> None:
    room, ann, bob = emerald(), Guest("ann"), Guest("bob")
    finish(meet(room, ann, bob), 1)
    lost = meet(room, bob, ann, MATCH)
    finish(lost, 1)
    void(table=meet(room, ann, bob), at=datetime.now(UTC))
    meet(room, ann, bob)
    answer = client.get(f"/v1/players/{ann.player.pk}/games")
    assert answer.status_code == 200, answer.content
    assert [contest["result"] for contest in answer.json()["results"]] == [None, "void", "lost", "won"]
    match = answer.json()["results"][2]
    assert (match["table"], match["opponent"]["name"], match["match_length"]) == (str(lost.pk), "bob", 3)
    assert match["games"] == 1
    assert "USD" not in answer.content.decode()
    assert client.get(f"/v1/players/{uuid4()}/games").status_code == 404


def test_pages_about_people_cost_few_queries(client: Client, django_assert_max_num_queries: Any) -> None:
    room, ann = emerald(), Guest("ann", funds="1000")
    for number in range(6):
        finish(meet(room, ann, Guest(f"guest {number}")), 1)
    with django_assert_max_num_queries(4):
        client.get(f"/v1/players/{ann.player.pk}")
    with django_assert_max_num_queries(3):
        assert len(client.get(f"/v1/players/{ann.player.pk}/games").json()["results"]) == 6
    with django_assert_max_num_queries(1):
        assert len(client.get("/v1/ratings", {"zone": "professionals"}).json()["results"]) == 7
    with django_assert_max_num_queries(2):
        assert len(client.get(f"/v1/ratings/{ann.player.pk}/history", {"zone": "professionals"}).json()["results"]) == 6
    with django_assert_max_num_queries(4):
        assert len(ann.gets("tables").json()["results"]) == 6


# --- one's own tables -------------------------------------------------------------------------------------------------


def test_a_player_finds_the_way_back_to_the_table() -> None:
    room, ann, bob = emerald(), Guest("ann"), Guest("bob")
    over, here = meet(room, ann, bob), meet(room, bob, ann)
    finish(over, 1, Win.GAMMON)
    (told,) = ann.gets("tables", state="open").json()["results"]
    assert (told["table"], told["side"], told["status"], told["net"]) == (str(here.pk), 2, "seeds", None)
    assert told["hold"] == {"amount": "15.00", "currency": "USD"}
    assert told["due_at"] is not None


def test_a_table_that_is_over_tells_what_it_brought() -> None:
    """C-1: stake 5, a gammon: +9.02 and -10.00."""
    room, ann, bob = emerald(), Guest("ann"), Guest("bob")
    table = meet(room, ann, bob)
    finish(table, 1, Win.GAMMON)
    (hers,) = ann.gets("tables", state="over").json()["results"]
    (his,) = bob.gets("tables", state="over").json()["results"]
    assert (hers["result"], hers["net"]) == ("won", {"amount": "9.02", "currency": "USD"})
    assert (his["result"], his["net"]) == ("lost", {"amount": "-10.00", "currency": "USD"})
    assert Guest("cleo").gets("tables").json()["results"] == []
    refused(ann.gets("tables", state="lost"), 422, "invalid")


# --- ratings ----------------------------------------------------------------------------------------------------------


def test_the_ladder_and_its_history(client: Client) -> None:
    room, ann, bob, cleo = emerald(), Guest("ann"), Guest("bob"), Guest("cleo")
    rated(cleo.player, "1700.005", experience=500)
    finish(meet(room, ann, bob), 2)
    answer = client.get("/v1/ratings", {"zone": "professionals"})
    assert answer.status_code == 200, answer.content
    assert [row["player"]["name"] for row in answer.json()["results"]] == ["cleo", "bob", "ann"]
    assert [row["rating"] for row in answer.json()["results"]] == ["1700.00", "1510.00", "1490.00"]
    page = client.get("/v1/ratings", {"zone": "professionals", "limit": "2"}).json()
    assert [row["player"]["name"] for row in client.get(page["next"]).json()["results"]] == ["ann"]
    assert client.get("/v1/ratings", {"zone": "amateurs"}).json()["results"] == []
    (change,) = client.get(f"/v1/ratings/{ann.player.pk}/history", {"zone": "professionals"}).json()["results"]
    assert (change["won"], change["before"], change["after"], change["length"]) == (False, "1500.00", "1490.00", 1)
    assert client.get(f"/v1/ratings/{uuid4()}/history", {"zone": "professionals"}).status_code == 404
    refused(client.get("/v1/ratings"), 422, "invalid")


# --- the server -------------------------------------------------------------------------------------------------------


def test_the_server_tells_how_much_is_played(client: Client) -> None:
    room, ann, bob = emerald(), Guest("ann"), Guest("bob")
    finish(meet(room, ann, bob), 1, Win.GAMMON)
    meet(room, ann, bob)
    ann.offered(SINGLE, room=room)
    told = client.get("/v1/statistics").json()
    assert (told["players"], told["offers_now"]) == (2, 1)
    assert told["zones"][0] == {
        "zone": "professionals",
        "contests": 1,
        "contests_of_a_day": 1,
        "games": 1,
        "gammons": 1,
        "backgammons": 0,
    }
    assert Stake.objects.count() == 2


# --- a biography ------------------------------------------------------------------------------------------------------


def patch(guest: Guest, text: Any, tag: str | None) -> Any:
    headers = {} if tag is None else {"If-Match": tag}
    return guest.client.patch("/v1/me/profile", {"biography": text}, format="json", headers=headers)


def test_a_player_writes_a_biography_from_the_present_one(client: Client) -> None:
    ann = Guest("ann")
    read = ann.gets("me/profile")
    assert read.json() == {"biography": ""}
    refused(patch(ann, "Plays fast.", None), 428, "if_match_missing")
    written = patch(ann, "  Plays fast.\r\nAnd <b>well</b>. ", read["ETag"])
    assert written.status_code == 200, written.content
    assert written.json() == {"biography": "Plays fast.\nAnd <b>well</b>."}
    refused(patch(ann, "Another.", read["ETag"]), 412, "version_passed")
    assert patch(ann, "", written["ETag"]).json() == {"biography": ""}
    patch(ann, "Plays on.", "*")
    assert client.get(f"/v1/players/{ann.player.pk}").json()["biography"] == "Plays on."


@pytest.mark.parametrize("text", ["x" * 281, "\u202eright to left", "bell \u0007"])
def test_a_biography_that_is_long_or_hides_something_is_refused(text: str) -> None:
    ann = Guest("ann")
    problem = refused(patch(ann, text, "*"), 422, "biography_refused")
    assert problem["errors"][0]["pointer"] == "/biography"
    assert ann.gets("me/profile").json() == {"biography": ""}
