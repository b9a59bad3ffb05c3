"""The reference client by itself: its dice witness, what it makes of refusals, how it reads a position."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest

import backgammon_client as client
from backgammon_client import (
    DiceAreWrong,
    Late,
    LogInAgain,
    NotFound,
    NotNow,
    Problem,
    Replaced,
    Room,
    TooPoor,
    Witness,
    Wrong,
)
from games.live.sse import BadLastEventId
from games.rules.board import OPENING
from games.rules.ids import write_position_id
from games.rules.plays import legal_plays
from play import Screen, checkers
from tests.rooms.servers import SEEDS, played
from tests.workers.conftest import ROOT
from wagering.config.errors import ANSWERS
from wagering.play.tables.examples import PRICING, STATE

SERVER, (ONE, TWO) = SEEDS.server, SEEDS.clients


def events(transcript: dict[str, Any], kind: str) -> list[dict[str, Any]]:
    return [event for event in transcript["events"] if event["event"] == kind]


def test_good_dice_are_proved() -> None:
    _, transcript = played()
    Witness(ONE).check(transcript)
    for throw in events(transcript, "throw"):
        assert client.dice_of(SERVER, ONE, TWO, throw["counter"]) == throw["dice"]


def other_dice(transcript: dict[str, Any]) -> None:
    events(transcript, "throw")[3]["dice"] = [6, 6]


def a_throw_left_out(transcript: dict[str, Any]) -> None:
    transcript["events"].remove(events(transcript, "throw")[3])


def another_server_seed(transcript: dict[str, Any]) -> None:
    events(transcript, "server_seed")[0]["seed"] = "00" * 32


def another_seed_of_mine(transcript: dict[str, Any]) -> None:
    events(transcript, "client_seed")[0]["seed"] = "00" * 32


def no_server_seed(transcript: dict[str, Any]) -> None:
    transcript["events"].remove(events(transcript, "server_seed")[0])


@pytest.mark.parametrize(
    "change", [other_dice, a_throw_left_out, another_server_seed, another_seed_of_mine, no_server_seed]
)
def test_whatever_is_changed_in_the_dice_is_found(change: Callable[[dict[str, Any]], None]) -> None:
    transcript = copy.deepcopy(played()[1])
    change(transcript)
    with pytest.raises(DiceAreWrong):
        Witness(ONE).check(transcript)


def test_dice_of_seeds_that_are_not_ones_own_are_found() -> None:
    with pytest.raises(DiceAreWrong, match="this player's seed"):
        Witness(b"c" * 32).check(played()[1])


def test_what_was_told_otherwise_before_is_found() -> None:
    transcript = played()[1]
    promised = Witness(ONE)
    promised.promised["commitment"] = "00" * 32
    thrown = Witness(ONE)
    thrown.thrown[0] = [1, 1]
    for witness in promised, thrown:
        with pytest.raises(DiceAreWrong):
            witness.check(transcript)


@pytest.mark.parametrize(
    ("status", "code", "kind"),
    [
        (401, "token_refused", LogInAgain),
        (404, "not_found", NotFound),
        (422, "invalid", Wrong),
        (409, "insufficient_funds", TooPoor),
        (409, "stale_version", Late),
        (409, "idempotency_key_in_flight", NotNow),
        (503, "busy", NotNow),
        (403, "not_allowed", Problem),
    ],
)
def test_a_refusal_is_of_its_kind(status: int, code: str, kind: type[Problem]) -> None:
    answer = httpx.Response(status, json={"code": code, "detail": "because"}, headers={"Retry-After": "3"})
    problem = Problem.of(answer)
    assert type(problem) is kind
    assert (problem.code, problem.detail, problem.retry_after_s) == (code, "because", 3)
    assert Problem.of(httpx.Response(502, text="<html>")).code == "http_502"


def test_every_code_that_it_knows_is_one_of_the_services() -> None:
    source = Path(client.__file__).read_text(encoding="utf-8")
    lines = [line for line in source.splitlines() if ", of=(" in line or ".code " in line]
    named = {code for line in lines for code in re.findall(r'"(\w+)"', line)}
    assert named >= {"insufficient_funds", "stale_version", "time_is_up", "bad_last_event_id"}
    assert named <= {answer.code for answer in ANSWERS.values()}


def test_an_event_id_that_the_server_does_not_know_is_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("backgammon_client.time.sleep", lambda _: None)
    asked: list[str | None] = []

    def answers(request: httpx.Request) -> httpx.Response:
        asked.append(request.headers.get("Last-Event-ID"))
        if len(asked) == 2:
            return httpx.Response(400, json={"code": ANSWERS[BadLastEventId].code})
        said = f'id: {len(asked)}\nevent: state\ndata: {{"status": "{"over" if len(asked) == 3 else "playing"}"}}\n\n'
        return httpx.Response(200, text=said, headers={"Content-Type": "text/event-stream"})

    http = httpx.Client(base_url="http://room", transport=httpx.MockTransport(answers))
    assert [state["status"] for state in Room("", http=http).follow("4711")] == ["playing", "over"]
    assert asked == [None, "1", None]


def test_what_got_no_answer_is_sent_again_with_its_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("backgammon_client.time.sleep", lambda _: None)
    keys: list[str | None] = []

    def answers(request: httpx.Request) -> httpx.Response:
        keys.append(request.headers.get("Idempotency-Key"))
        if len(keys) == 1:
            raise httpx.ReadTimeout("nobody", request=request)
        return httpx.Response(503 if len(keys) == 2 else 200, json={"code": "busy"})

    http = httpx.Client(base_url="http://room", transport=httpx.MockTransport(answers))
    Room("", http=http).accept("4711")
    assert len(keys) == 3
    assert len(set(keys)) == 1
    keys.clear()
    with pytest.raises(httpx.ReadTimeout):  # nobody knows whether it was done, and it would be done twice
        Room("", http=http).register("ann", "five-checkers-home")


def test_a_stream_that_is_replaced_stops_and_does_not_come_again() -> None:
    asked: list[str] = []

    def answers(request: httpx.Request) -> httpx.Response:
        asked.append(request.url.path)
        said = 'event: end\ndata: {"reason": "replaced"}\n\n'
        return httpx.Response(200, text=said, headers={"Content-Type": "text/event-stream"})

    http = httpx.Client(base_url="http://room", transport=httpx.MockTransport(answers))
    with pytest.raises(Replaced):
        list(Room("", http=http).follow("4711"))
    assert asked == ["/v1/games/4711/stream"]


def test_a_game_that_is_priced_is_waited_for_and_played_in_by_nobody() -> None:
    """The clock is up and an analysis says what that costs: the client acts again when the next game has begun."""
    table = PRICING["table"]
    follows = [PRICING, {**STATE, "version": 63, "sequence": 77}, {**PRICING, "sequence": 80, "status": "voided"}]
    acted: list[Any] = []

    def answers(request: httpx.Request) -> httpx.Response:
        if request.method == "POST":
            acted.append(json.loads(request.content))
            return httpx.Response(200, json=follows[1])
        if not request.url.path.endswith("/stream"):
            return httpx.Response(200, json=follows[-1])
        said = "".join(f"id: {state['sequence']}\nevent: state\ndata: {json.dumps(state)}\n\n" for state in follows)
        return httpx.Response(200, text=said, headers={"Content-Type": "text/event-stream"})

    http = httpx.Client(base_url="http://room", transport=httpx.MockTransport(answers))
    shown: list[str] = []
    screen = Screen(quiet=False, write=shown.append)
    end = Room("", http=http).play(table, lambda state: {"kind": "play", "play": state["plays"][0]["play"]}, see=screen)
    assert [each["version"] for each in acted] == [63]
    assert (end["status"], shown[0].splitlines()[-3].split()[-1]) == ("voided", "pricing")


def test_a_position_is_read_as_it_was_written() -> None:
    for play in legal_plays(OPENING, (6, 4)):
        mine, theirs = checkers(write_position_id(play.position.swapped()))
        assert mine == [max(0, n) for n in play.position.points[1:]]
        assert theirs[:24] == [max(0, -n) for n in reversed(play.position.points[1:25])]
        assert theirs[24] == play.position.opponent_bar


def test_the_strategy_of_the_readme_plays_what_is_legal() -> None:
    text = (ROOT / "clients" / "python" / "README.md").read_text(encoding="utf-8")
    (code,) = re.findall(r"^```python\n(.*?)^room = ", text, re.MULTILINE | re.DOTALL)
    known: dict[str, Any] = {}
    exec(code, known)
    plays = [
        {"play": str(play), "position_id": write_position_id(play.position.swapped())}
        for play in legal_plays(OPENING, (3, 1))
    ]
    assert known["bold"]({"actions": ["play", "resign"], "plays": plays}) == {"kind": "play", "play": "8/5 6/5"}
    assert known["bold"]({"actions": ["roll", "double"], "plays": []}) == {"kind": "double"}
    assert known["bold"]({"actions": ["take", "pass"], "plays": []}) == {"kind": "take"}
