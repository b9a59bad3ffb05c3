"""HTTP in, audit out, on real processes: what becomes of a stake when two clients play here."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import threading
from concurrent.futures import Future
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

import httpx
import pytest

from backgammon_client import Action, LogInAgain, NotFound, Room, State, Strategy, first_legal_play, net
from games.access import signatures
from ledger import book
from play import steady
from tests.flows.house import NAMES, PASSWORD, Guest, House, audited, doing, proved, resigning
from tests.rooms.servers import played
from tests.workers.conftest import ROOT
from wagering.audit.trace import as_text


def cube_is(value: int) -> Any:
    return lambda state: state["cube"]["value"] == value


def test_a_gammon_moves_9_02_and_10_00(house: House) -> None:
    """C-1, from registration to the wallet."""
    ann, bob = house.both()
    table = house.seats(ann, bob)
    assert (ann.dollars, bob.dollars) == ("85.00", "85.00")
    finals = house.play(ann, bob, table, first_legal_play, resigning("gammon"))
    assert [net(final) for final in finals] == ["9.02 USD", "-10.00 USD"]
    assert (ann.dollars, bob.dollars) == ("109.02", "90.00")
    assert ann.room.balance("USD") == "109.02"
    sheet = audited(table)
    assert [str(seat.net) for seat in sheet.seats] == ["9.02", "-10.00"]
    assert [game.ending for game in sheet.games] == ["resigned"]


def test_a_gammon_on_the_doubled_cube_costs_the_cap(house: House) -> None:
    """S-2: 5 x 2 x 2 is 20, capped to 15."""
    ann, bob = house.both()
    table = house.seats(ann, bob)
    finals = house.play(ann, bob, table, doing("double", when=cube_is(1)), resigning("gammon", when=cube_is(2)))
    assert [net(final) for final in finals] == ["13.53 USD", "-15.00 USD"]
    sheet = audited(table)
    assert [(game.win, game.cube, game.points) for game in sheet.games] == [("gammon", 2, 4)]
    assert (ann.dollars, bob.dollars) == ("113.53", "85.00")


def test_two_who_play_to_the_end_are_paid_what_the_board_says(house: House) -> None:
    """The longest way: no word of resigning, one of them without a stream."""
    ann, bob = house.both()
    bob.room.streams = False
    table = house.seats(ann, bob)
    finals = house.play(ann, bob, table, steady, steady)
    assert {final["status"] for final in finals} == {"over"}
    outcome = finals[0]["result"]["outcome"]  # type: ignore[index]
    sheet = audited(table)
    (game,) = sheet.games
    assert (game.winner, game.win, game.cube) == (outcome["winner"], outcome["win"], outcome["cube"])
    assert f"{sheet.seats[0].net} USD" == net(finals[0])
    assert ann.room.http.get(f"/v1/games/{table}/record", headers={"Accept": "text/plain"}).text.count("\n") > 10


def test_a_match_has_its_crawford_game(house: House) -> None:
    """C-2 and B-12: 2-0, the Crawford game without a cube to 2-1, then the cube is back."""
    ann, bob = house.both()
    table = house.seats(ann, bob, match_length=3, cap=None, stake={"amount": "10.00", "currency": "USD"})

    def one(state: State) -> Action:
        if state["score"] == [2, 0]:
            return resigning("single")(state)
        return resigning("match", when=cube_is(2))(state)

    def two(state: State) -> Action:
        if state["score"] == [0, 0]:
            return resigning("gammon")(state)
        return doing("double")(state)

    finals = house.play(ann, bob, table, one, two)
    assert [net(final) for final in finals] == ["-10.00 USD", "8.82 USD"]
    crawford = [state for state in ann.seen + bob.seen if state["crawford_game"]]
    assert crawford
    assert {tuple(state["score"]) for state in crawford} == {(2, 0)}
    assert not any("double" in state["actions"] for state in crawford)
    assert any("double" in state["actions"] for state in bob.seen if state["score"] == [2, 1])
    sheet = audited(table)
    assert [(game.winner, game.points) for game in sheet.games[:2]] == [(1, 2), (2, 1)]
    assert sheet.settlement.winner == 2


def test_a_beaver_refused_loses_the_doubled_value(house: House) -> None:
    """B-10."""
    ann, bob = house.both()
    table = house.seats(ann, bob, beavers=True)
    one = doing("double", when=cube_is(1), otherwise=doing("refuse_beaver"))
    finals = house.play(ann, bob, table, one, doing("beaver"))
    assert [net(final) for final in finals] == ["-10.00 USD", "9.02 USD"]
    assert [(game.points, game.winner) for game in audited(table).games] == [(2, 2)]


def test_a_beaver_accepted_turns_the_cube_to_four(house: House) -> None:
    ann, bob = house.both()
    table = house.seats(ann, bob, beavers=True, cap={"amount": "40.00", "currency": "USD"})
    one = doing("double", when=cube_is(1), otherwise=doing("accept_beaver"))
    finals = house.play(ann, bob, table, one, resigning("single", when=cube_is(4), otherwise=doing("beaver")))
    # 5 x 4 is 20, of which 4.9 % twice is 1.96.
    assert [net(final) for final in finals] == ["18.04 USD", "-20.00 USD"]
    assert {state["cube"]["owner"] for state in ann.seen if state["cube"]["value"] == 4} == {2}
    assert [(game.cube, game.points) for game in audited(table).games] == [(4, 4)]


def test_who_leaves_before_the_first_throw_costs_nobody_anything(house: House) -> None:
    ann, bob = house.both()
    table = house.seats(ann, bob)
    assert (ann.dollars, bob.dollars) == ("85.00", "85.00")
    bob.room.post(f"/v1/tables/{table}/leave", {})
    assert (ann.dollars, bob.dollars) == ("100.00", "100.00")
    assert ann.room.play(table, first_legal_play)["status"] == "voided"
    sheet = audited(table)
    assert sheet.settlement.winner is None
    assert [str(seat.net) for seat in sheet.seats] == ["0.00", "0.00"]


def test_a_table_that_nobody_joins_holds_nothing(house: House) -> None:
    ann = house.guest("ann")
    offer = ann.room.offer(
        room=house.room().slug,
        stake={"amount": "5.00", "currency": "USD"},
        cap={"amount": "100.00", "currency": "USD"},
        move_s=9,
    )
    assert ann.dollars == "100.00"
    assert ann.room.post(f"/v1/offers/{offer['id']}/withdraw", {})["state"] == "withdrawn"
    with pytest.raises(LookupError, match="withdrawn"):
        ann.room.wait_for_table(ann.room.json("GET", f"/v1/offers/{offer['id']}"))
    assert ann.dollars == "100.00"
    assert not [hold for hold in book.open_holds() if hold.owner == ann.player.pk]
    proved()


class Crash(Exception):
    """A client that dies in the middle of the game."""


def leaves(house: House, ann: Guest, bob: Guest, table: str, otherwise: Strategy) -> tuple[State, Future[State]]:
    """Ann's client dies on her third turn or so; how bob sees it, and bob, who plays on."""
    turns = iter(range(1000))

    def crashing(state: State) -> Action:
        if next(turns) == 4:
            raise Crash
        return first_legal_play(state)

    playing: Future[State] = house.later(bob.plays, table, otherwise)
    with pytest.raises(Crash):
        ann.room.play(table, crashing)
    ann.room.http.close()
    away: State = house.later(seen_away, bob).result(timeout=20)
    return away, playing


def is_out_at(state: State) -> datetime:
    """When ann's five minutes are over."""
    ends_at: str = state["presence"][0]["ends_at"]
    return datetime.fromisoformat(ends_at)


def test_who_comes_back_in_the_last_moment_finds_everything_as_it_was(house: House) -> None:
    """A-1: the other is shown the five minutes; then the game goes on, with a new process of the same player."""
    ann, bob = house.both()
    table = house.seats(ann, bob)
    back = threading.Event()
    away, playing = leaves(house, ann, bob, table, resigning("single", when=lambda _: back.is_set()))
    assert away["presence"][0]["absence_left_ms"] > 290_000

    house.puts_its_clocks(is_out_at(away) - timedelta(seconds=5))
    token = ann.room.http.headers["Authorization"].removeprefix("Bearer ")
    again = Room(house.address, token=token, secret=ann.room.secret)
    stood = again.state(table)
    assert stood["status"] == "playing"
    assert stood["presence"][0]["absence_left_ms"] < 10_000
    assert [stood[part] for part in UNTOUCHED] == [away[part] for part in UNTOUCHED]  # type: ignore[literal-required]
    back.set()
    final = again.play(table, first_legal_play)
    assert net(final) == "4.51 USD"
    assert playing.result(timeout=60)["status"] == "over"
    audited(table)


UNTOUCHED = ("board", "dice", "cube", "to_act", "version")


def test_who_is_away_for_five_minutes_has_left_and_the_game_is_split(house: House) -> None:
    """A-1 to A-7: nobody asks; the sweep ends it, an engine values it, and the sheet shows how."""
    ann, bob = house.both()
    table = house.seats(ann, bob)
    away, playing = leaves(house, ann, bob, table, first_legal_play)
    house.puts_its_clocks(is_out_at(away) + timedelta(seconds=2))
    final = playing.result(timeout=60)
    assert (final["status"], (final["result"] or {})["absent"]) == ("abandoned", [1])
    assert (final["settlement"] or {})["status"] == "settled"
    sheet = audited(table)
    text = as_text(sheet)
    assert "left before its end and split by what it was worth" in text
    assert f"abandoned by {ann.player.name}: XGID=" in text
    assert "A-3" in text
    assert sum(seat.net for seat in sheet.seats) == -sheet.commission


def seen_away(bob: Guest) -> State:
    """The first state in which the other side is away."""
    for _ in range(300):
        for state in list(bob.seen):
            if not state["presence"][0]["present"]:
                return state
        threading.Event().wait(0.05)
    raise TimeoutError("bob was never told that ann is away")


def another_client(house: House, guest: Guest) -> Room:
    """Of the same player, logged in by itself; the player's seeds are the same."""
    client = Room(house.address, secret=guest.room.secret, poll_s=0.2)
    client.log_in(guest.player.name, PASSWORD)
    return client


def test_two_tabs_of_one_player_never_play_twice(house: House) -> None:
    """Each thinks that it plays: of the same action one is the other's again, and what is late is told so."""
    ann, bob = house.both()
    table = house.seats(ann, bob)
    tab = house.later(another_client(house, ann).play, table, first_legal_play)
    finals = house.play(
        ann, bob, table, first_legal_play, resigning("gammon", when=lambda state: state["version"] > 24)
    )
    assert [net(final) for final in (finals[0], tab.result(timeout=30))] == ["9.02 USD", "9.02 USD"]
    assert ann.dollars == "109.02"
    audited(table)


def test_a_stolen_token_that_is_revoked_plays_no_more(house: House) -> None:
    ann, bob = house.both()
    table = house.seats(ann, bob)
    thief = house.later(ann.room.play, table, first_legal_play)
    mine = another_client(house, ann)
    (stolen,) = (token for token in mine.json("GET", "/v1/tokens")["results"] if not token["is_current"])
    mine.json("DELETE", f"/v1/tokens/{stolen['id']}")
    with pytest.raises(LogInAgain):
        thief.result(timeout=30)
    playing = house.later(bob.plays, table, resigning("single"))
    assert net(mine.play(table, first_legal_play)) == "4.51 USD"
    assert playing.result(timeout=30)["status"] == "over"
    with pytest.raises(NotFound):
        house.guest("cleo").room.state(table)
    audited(table)


class Lossy(httpx.HTTPTransport):
    """Loses the answer to every third request that plays, after the server has done it."""

    lost = 0

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        answer = super().handle_request(request)
        if "Idempotency-Key" in request.headers and answer.status_code < 300:
            self.lost += 1
            if self.lost % 3 == 0:
                answer.close()
                raise httpx.ReadError("lost on the way", request=request)
        return answer


def test_answers_that_are_lost_are_asked_for_again_and_nothing_is_done_twice(house: House) -> None:
    lossy = Lossy()
    http = httpx.Client(base_url=house.address, transport=lossy, timeout=20)
    ann, bob = house.guest("ann", http=http), house.guest("bob")
    table = house.seats(ann, bob)
    finals = house.play(ann, bob, table, first_legal_play, resigning("backgammon", when=lambda s: s["version"] > 24))
    assert lossy.lost >= 6
    assert [net(final) for final in finals] == ["13.53 USD", "-15.00 USD"]
    audited(table)


def test_who_lets_the_time_run_out_loses_without_being_asked(house: House) -> None:
    """B-15: nobody claims; the worker's sweep ends the game."""
    ann, bob = house.both()
    table = house.seats(ann, bob, move_s=1, reserve_s=1)

    over = threading.Event()

    def asleep(state: State) -> Action:
        over.wait(60)
        return first_legal_play(state)

    sleeping = house.later(ann.plays, table, asleep)
    final = bob.plays(table, first_legal_play)
    over.set()
    assert sleeping.result(timeout=20)["status"] == "over"
    result = final["result"] or {}
    assert (result["winner"], result["outcome"]["ending"]) == (2, "timed_out")
    assert net(final) == "4.51 USD"
    assert [game.ending for game in audited(table).games] == ["timed_out"]


def test_the_machine_plays_for_nothing_and_can_be_beaten(house: House) -> None:
    """B-17: as anyone does, by the worker."""
    ann = house.guest("ann", dollars="0.00")
    room = house.room()
    for _ in range(100):  # luck alone wins one of a few; nobody loses a hundred
        begun = ann.room.against_machine(room=room.slug, strength="novice")
        final = ann.plays(begun["table"], steady)
        assert final["status"] == "over"
        assert final["settlement"] is None
        if final["result"]["winner"] == 1:  # type: ignore[index]
            break
    else:
        pytest.fail("the novice won every game")
    assert {wallet["held"]["amount"] for wallet in ann.room.json("GET", "/v1/wallet")["wallets"]} == {"0.00"}
    proved()


def test_two_terminals_from_registering_to_the_wallet(house: House) -> None:
    """clients/python/README.md's walk, in play money: the client is given it, and the house charges as ever."""
    slug = house.room().slug
    common = ("--server", house.address, "--room", slug, "--stake", "5.00", "--cap", "15.00")
    names = [f"{name}-{next(NAMES)}x" for name in ("ann", "bob")]
    ann, bob = (
        subprocess.Popen(
            [sys.executable, "clients/python/play.py", *common, "--name", name, *how],
            cwd=ROOT,
            env={**house.environment, "BACKGAMMON_PASSWORD": PASSWORD},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        for name, how in zip(names, (("--open",), ("--join", "--resign", "gammon")), strict=True)
    )
    anns, bobs = (terminal.communicate(timeout=60)[0] for terminal in (ann, bob))
    assert (ann.returncode, bob.returncode) == (0, 0), anns + bobs
    assert anns.endswith("wallet 1000.00 -> 1009.02 PLAY, of this table 9.02 PLAY\n")
    assert bobs.endswith("wallet 1000.00 -> 990.00 PLAY, of this table -10.00 PLAY\n")
    for said in anns, bobs:
        assert f"O {names[1] if said is anns else names[0]}" in said
        assert "the dice are proved" in said
        assert "pips 167" in said
        assert "clock" in said
    table = re.search(r"^table (\S+)$", anns, re.MULTILINE)
    assert table
    assert [str(seat.net) for seat in audited(table[1]).seats] == ["9.02", "-10.00"]


def test_a_game_that_a_rooms_own_server_posts_is_paid(house: House) -> None:
    """Let in by both, opened, replayed with its dice and settled by a key that the operator has made."""
    ann, bob = house.both()
    room = house.room()
    server = RoomsServer(house, room.slug)
    for guest in (ann, bob):
        guest.room.json("POST", "/v1/seamless/sessions", {"room": room.slug, "currency": "USD"})
    opened = server.posts(
        "",
        reference="4711",
        players=[str(ann.player.pk), str(bob.player.pk)],
        match_length=0,
        stake={"amount": "5.00", "currency": "USD"},
        cap={"amount": "15.00", "currency": "USD"},
    )
    assert (ann.dollars, bob.dollars) == ("85.00", "85.00")
    record, dice = played()
    record = record.replace("ann", str(ann.player.pk)).replace("bob", str(bob.player.pk))
    told = server.posts(f"/{opened['id']}/result", record=record, dice=dice)
    assert told["state"] == "settled"
    sheet = audited(opened["id"])
    assert [str(seat.net) for seat in sheet.seats] == [side["net"]["amount"] for side in told["settlement"]["sides"]]
    assert ann.dollars in {"104.51", "95.00"}


class RoomsServer:
    """Signs each request with the room's key."""

    def __init__(self, house: House, slug: str) -> None:
        words = ("room_key", "--room", slug, "--scopes", "tables", "results", "--json")
        self.key = json.loads(house.manage(*words))
        self.house, self.path = house, f"/v1/rooms/{slug}/tables"
        self.http = httpx.Client(base_url=house.address, timeout=20)

    def posts(self, where: str, **body: Any) -> Any:
        sent, errand = json.dumps(body).encode(), uuid4().hex
        signed = signatures.header(
            key=UUID(self.key["key"]),
            secret=self.key["secret"],
            method="POST",
            path=self.path + where,
            body=sent,
            at=self.house.now(),
            nonce=uuid4().hex,
            errand=errand,
        )
        headers = {"Authorization": signed, "Idempotency-Key": errand, "Content-Type": "application/json"}
        answer = self.http.post(self.path + where, content=sent, headers=headers)
        assert answer.status_code < 300, answer.text
        return answer.json()
