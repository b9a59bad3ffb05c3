"""At a table, through HTTP: who may do what, and what it moves (S-5, B-10, B-12, A-8; cases 48 to 50)."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from pytest_django import Settings
from rest_framework.test import APIClient

from games.access.models import PlayerToken
from games.live import selectors as lives
from games.live.models import Live
from games.live.rules import snapshot
from games.rules.dice_json import read_transcript
from games.rules.ids import read_position_id
from games.rules.replay import replay_text
from tests.access.callers import client_of
from tests.factories import PlayerFactory, earned, escrow, terms
from tests.play.at_table import AtTable, assert_proven, sat_down
from wagering.play.tables import selectors
from wagering.settlement.models import Settlement
from wagering.stakes.models import Stake

pytestmark = pytest.mark.django_db


def plays_on(game: AtTable, *, most: int = 400) -> Any:
    """Both sides play the first legal play until the contest is over; the last answer."""
    for _ in range(most):
        state = game.state(game.side)
        kind = "play" if "play" in state["actions"] else "roll" if "roll" in state["actions"] else "take"
        what = {"play": state["plays"][0]["play"]} if kind == "play" else {}
        state = game.done(kind, **what)
        if state["result"]:
            return state
    raise AssertionError("nobody wins")


class TestASingleGame:
    def test_it_is_played_to_its_end_and_paid_with_the_last_play(self) -> None:
        game = sat_down(terms("5", cap="15"))
        assert game.state()["stakes"] == {
            "room": game.table.room.slug,
            "stake": {"amount": "5.00", "currency": "USD"},
            "cap": {"amount": "15.00", "currency": "USD"},
            "held": {"amount": "15.00", "currency": "USD"},
            "tariff": "gammonempire",
            "tariff_version": 1,
            "abandonment": "split",
        }
        game.plays()
        doubler = game.side
        assert game.done("double")["phase"] == "doubled"
        assert game.does("roll", side=doubler).json()["code"] == "answer_first"
        game.done("take")
        state = plays_on(game)
        settled = Settlement.objects.get(stake=game.stake)
        told = state["settlement"]
        assert told["status"] == "settled"
        assert told["winner"] == settled.winner == state["result"]["winner"]
        assert told["lost"] == {"amount": str(settled.lost), "currency": "USD"}
        assert settled.lost == min(5 * 2 * {"single": 1, "gammon": 2, "backgammon": 3}[settled.win], 15)
        assert told["charge"]["trace"]
        assert [side["net"]["amount"] for side in told["sides"]] == list(game.nets())
        assert told["sides"][0]["rating_after"] != "1500.00"
        assert game.state(1)["settlement"] == game.state(2)["settlement"] == told
        assert_proven()

    def test_a_gammon_for_five_brings_9_02_and_costs_10(self) -> None:
        game = sat_down()
        loser = game.side
        game.done("resign", concession="gammon")
        state = game.done("accept_resignation")
        nets = dict(zip((1, 2), game.nets(), strict=True))
        assert (nets[3 - loser], nets[loser]) == ("9.02", "-10.00")
        assert state["settlement"]["commission"] == {"amount": "0.98", "currency": "USD"}
        assert str(earned(game.table.room)) == "0.98"
        assert_proven()

    def test_a_capped_gammon_costs_the_cap(self) -> None:
        game = sat_down(terms("5", cap="15"), charges="sgames")
        game.plays()
        game.done("double")
        taker = game.side
        game.done("take")
        game.done("roll")
        game.done("resign", concession="gammon")
        game.done("accept_resignation")
        nets = dict(zip((1, 2), game.nets(), strict=True))
        assert (nets[taker], nets[3 - taker]) == ("13.50", "-15.00")  # S-3, C-10

    def test_the_same_action_twice_is_done_once(self) -> None:
        game = sat_down()
        side, play = game.side, game.state(game.side)["plays"][0]["play"]
        version = game.state()["version"]
        asked = {"kind": "play", "play": play, "version": version}
        first = game.posts(side, "actions", asked, key="k")
        again = game.posts(side, "actions", asked, key="k")
        other = game.posts(side, "actions", asked, key="l")
        assert again["Idempotent-Replayed"] == "true"
        assert first.json() == again.json()
        assert other.status_code == 200
        assert other.json()["version"] == version + 1
        late = game.posts(side, "actions", {"kind": "roll", "version": version}, key="m")
        assert (late.status_code, late.json()["code"]) == (409, "stale_version")
        assert late.json()["state"]["version"] == version + 1
        missing = game.clients[0].post(f"/v1/tables/{game.table.pk}/actions", asked)
        assert (missing.status_code, missing.json()["code"]) == (400, "idempotency_key_missing")

    def test_a_double_after_the_roll_is_refused(self) -> None:
        game = sat_down()
        game.plays()
        game.done("roll")
        if game.stand.game.dice:
            assert game.does("double").json()["code"] == "double_after_roll"

    def test_a_key_that_no_action_has_is_refused(self) -> None:
        game = sat_down()
        answer = game.does("take", default=True)
        assert (answer.status_code, answer.json()["code"]) == (422, "invalid")
        assert [(fault["pointer"], fault["code"]) for fault in answer.json()["errors"]] == [("/default", "unknown")]


class TestBeavers:
    @pytest.mark.parametrize(("answer", "cube"), [("accept_beaver", 4), ("refuse_beaver", None)])
    def test_a_beaver_is_accepted_or_refused(self, answer: str, cube: int | None) -> None:
        game = sat_down(beavers=True)
        game.plays()
        doubler = game.side
        game.done("double")
        game.done("beaver")
        state = game.done(answer)
        if cube:
            assert state["cube"]["value"] == cube
            assert state["cube"]["owner"] == 3 - doubler
        else:
            nets = dict(zip((1, 2), game.nets(), strict=True))
            assert (nets[3 - doubler], nets[doubler]) == ("9.02", "-10.00")


class TestAMatch:
    def test_the_crawford_game_has_no_cube_and_the_stake_is_paid_at_the_end(self) -> None:
        game = sat_down(terms("10", match_length=3))
        leader: int | None = None
        while game.stand.series.score not in ((2, 0), (0, 2)):
            loser = game.side
            if leader is not None and loser == leader:
                game.plays()
                while game.side == leader:
                    game.done("roll")
                continue
            leader = 3 - loser
            game.done("resign", concession="gammon")
            game.done("accept_resignation")
        state = game.state()
        assert state["crawford_game"]
        assert state["settlement"] is None
        game.plays()
        assert game.does("double").json()["code"] == "no_cube_in_crawford_game"
        loser = game.side
        game.done("resign", concession="match")
        if game.stand.status == "playing":
            game.done("accept_resignation")
        nets = dict(zip((1, 2), game.nets(), strict=True))
        assert (nets[3 - loser], nets[loser]) == ("8.82", "-10.00")  # C-2
        assert_proven()


class TestBeforeTheFirstThrow:
    def test_whoever_leaves_gets_both_stakes_back(self) -> None:
        game = sat_down(seeded=False)
        key = uuid4().hex
        state = game.posts(2, "leave", key=key).json()
        assert state["status"] == "voided"
        assert state["settlement"]["status"] == "void"
        assert game.nets() == ("0.00", "0.00")
        assert game.posts(1, "leave").json()["settlement"]["status"] == "void"
        assert_proven()

    def test_after_it_nobody_leaves_so(self) -> None:
        game = sat_down()
        answer = game.posts(1, "leave")
        assert (answer.status_code, answer.json()["code"]) == (409, "already_thrown")
        assert Stake.objects.get(pk=game.stake.pk).state == Stake.State.HELD

    def test_without_seeds_it_is_void(self) -> None:
        game = sat_down(seeded=False)
        game.wait(minutes=2, seconds=2)
        game.sweeps()
        assert game.state()["settlement"]["status"] == "void"
        assert [str(escrow(player)) for player in game.table.seats] == ["0.00", "0.00"]


class TestWhoMayAsk:
    @pytest.mark.parametrize("what", ["", "/actions", "/seeds", "/heartbeat", "/leave"])
    def test_anothers_table_is_not_found(self, what: str) -> None:
        game = sat_down()
        stranger = client_of(PlayerFactory.create(name="cleo"))
        body = {"hash": "ab" * 32} if what == "/seeds" else {"version": 1, "kind": "roll"}
        path, headers = f"/v1/tables/{game.table.pk}{what}", {"Idempotency-Key": "k"}
        answer = stranger.post(path, body, headers=headers) if what else stranger.get(path)
        assert (answer.status_code, answer.json()["code"]) == (404, "not_found")

    @pytest.mark.parametrize("what", ["dice", "record"])
    def test_anothers_dice_and_record_are_not_found(self, what: str) -> None:
        game = sat_down()
        stranger = client_of(PlayerFactory.create(name="cleo"))
        assert stranger.get(f"/v1/games/{game.table.pk}/{what}").status_code == 404
        assert APIClient().get(f"/v1/games/{game.table.pk}/{what}").status_code == 401

    def test_a_token_that_is_revoked_in_the_game_does_nothing_more(self) -> None:
        game = sat_down()
        side = game.side
        PlayerToken.objects.filter(user=game.table.seats[side - 1].user).delete()
        answer = game.does("play", side=side, play="13/7")
        assert (answer.status_code, answer.json()["code"]) == (401, "token_refused")


class TestWhatIsTold:
    def test_the_same_state_is_not_sent_again(self) -> None:
        game = sat_down()
        client, path = game.clients[0], f"/v1/tables/{game.table.pk}"
        first = client.get(path)
        again = client.get(path, headers={"If-None-Match": first["ETag"]})
        assert (again.status_code, again.content) == (304, b"")
        assert game.clients[1].get(path, headers={"If-None-Match": first["ETag"]}).status_code == 200
        game.done("resign", concession="single")
        assert client.get(path, headers={"If-None-Match": first["ETag"]}).status_code == 200

    def test_the_record_has_position_ids_if_asked_and_replays(self) -> None:
        game = sat_down()
        game.plays()
        path = f"/v1/games/{game.table.pk}/record"
        plain = game.clients[0].get(path)
        assert plain["Content-Type"] == "text/plain; charset=utf-8"
        told = game.clients[0].get(path, {"positions": "1"}).content.decode()
        assert told.startswith(plain.content.decode().rstrip("\n"))
        ids = [line.split()[-1] for line in told.splitlines() if line.startswith("; 1 ")]
        assert len(ids) == 2
        assert read_position_id(ids[-1]) == game.stand.game.position
        assert replay_text(told)[0].games

    def test_a_record_that_one_has_is_not_replayed_again(self, monkeypatch: pytest.MonkeyPatch) -> None:
        game = sat_down()
        client, path = game.clients[0], f"/v1/games/{game.table.pk}/record"
        first, ids = client.get(path), client.get(path, {"positions": "1"})
        assert first["ETag"] != ids["ETag"]
        game.plays()
        told = client.get(path, headers={"If-None-Match": first["ETag"]})
        assert told.status_code == 200
        monkeypatch.setattr(selectors, "record_of", None)
        again = client.get(path, headers={"If-None-Match": told["ETag"]})
        assert (again.status_code, again.content, again["ETag"]) == (304, b"", told["ETag"])

    def test_records_are_asked_for_less_often_than_the_rest(self, settings: Settings) -> None:
        settings.RATES = {**settings.RATES, "records": (1, 60)}
        game = sat_down()
        path = f"/v1/games/{game.table.pk}"
        assert game.clients[0].get(f"{path}/record").status_code == 200
        assert game.clients[0].get(f"{path}/record").status_code == 429
        assert game.clients[0].get(f"{path}/dice").status_code == 200

    def test_the_dice_are_a_transcript(self) -> None:
        game = sat_down()
        found = game.clients[0].get(f"/v1/games/{game.table.pk}/dice")
        assert read_transcript(found.content).events


@pytest.mark.django_db(transaction=True)
def test_two_who_end_it_at_once_are_paid_once() -> None:
    game = sat_down()
    side = game.side
    game.done("resign", concession="gammon")
    version = Live.objects.get(pk=game.table.pk).version

    def accept(number: int) -> int:
        asked = {"kind": "accept_resignation", "version": version}
        path, headers = f"/v1/tables/{game.table.pk}/actions", {"Idempotency-Key": f"k{number}"}
        try:
            return int(game.clients[2 - side].post(path, asked, headers=headers).status_code)
        finally:
            connection.close()

    with game.clock(), ThreadPoolExecutor(4) as threads:
        assert list(threads.map(accept, range(4))) == [200] * 4
    assert Settlement.objects.filter(stake=game.stake).count() == 1
    assert sorted(game.nets()) == ["-10.00", "9.02"]
    assert snapshot.to_json(lives.stand(table=game.table.pk))["status"] == "over"
    assert_proven()
