"""The page's client plays and is paid: every request and every line of code on it is run, in the order of the page."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from hashlib import sha256
from typing import Any
from uuid import uuid4

import pytest
from django.conf import settings
from django.test import Client
from django.utils import timezone

from backgammon_client import first_legal_play
from games.models import Player
from games.rules.dice import Seeds, throw
from games.rules.ids import read_position_id
from tests.access.callers import client_of
from tests.cashier.banking import reached
from tests.cashier.outside import Outside, outside
from tests.cashier.payouts.wishes import operator, works
from tests.factories import PlayerFactory, RoomFactory, fund
from wagering.cashier.deposits.models import Deposit
from wagering.protection.identity import services as identity
from wagering.protection.models import Identity

PAGE = (settings.BASE_DIR / "wagering" / "config" / "http" / "api.md").read_text(encoding="utf-8")
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LEFT_OUT = "…"


def blocks() -> Iterator[tuple[str, str]]:
    yield from BLOCK.findall(PAGE)


class Other:
    """Bob, who takes what ann offers and plays the first play he sees."""

    def __init__(self) -> None:
        self.player: Player = PlayerFactory.create(name="bob")
        fund(self.player, "20.00", "EUR")
        self.client = client_of(self.player)
        self.seed = "62" * 32

    def posts(self, path: str, body: dict[str, Any]) -> Any:
        answer = self.client.post(path, body, format="json", headers={"Idempotency-Key": uuid4().hex})
        assert answer.status_code == 200, answer.content
        return answer.json()

    def does_his_part(self, known: dict[str, Any]) -> None:
        for offer, table in (("offer", "table"), ("second_offer", "second_table")):
            if table in known:
                self.plays(f"/v1/tables/{known[table]}", the_seed_is_told=known.get("seed_is_told", False))
            elif offer in known and known.setdefault("taken", known[offer]) != table:
                known["taken"] = table
                self.posts(f"/v1/offers/{known[offer]}/accept", {})

    def plays(self, path: str, *, the_seed_is_told: bool) -> None:
        while True:
            state = self.client.get(path).json()
            match state["actions"]:
                case ["seed_hash"]:
                    self.posts(f"{path}/seeds", {"hash": sha256(bytes.fromhex(self.seed)).hexdigest()})
                case ["seed"] if the_seed_is_told:
                    self.posts(f"{path}/seeds", {"seed": self.seed})
                case _ if state["to_act"] == 2:
                    self.posts(f"{path}/actions", {"version": state["version"], **first_legal_play(state)})
                case _:
                    return


class Reader:
    """Ann, whose client does what the page says and nothing else."""

    def __init__(self, provider: Outside) -> None:
        self.http, self.provider = Client(), provider
        self.known: dict[str, Any] = {}
        self.code: dict[str, Any] = {}
        self.other = Other()

    def asks(self, block: str) -> None:
        """One request of the page; the answer has what the page shows of it."""
        request, answer = block.strip().split("\n\n")
        line, _, body = request.partition("\n")
        method, path = line.split()
        if path.endswith("/actions") and (kind := re.search(r'"kind": "(\w+)"', body)):
            self.waits_until_she_may(self.filled(path).removesuffix("/actions"), kind[1])
        status, _, shown = answer.partition(" ")
        if '"verified"' in shown:
            self.waits_for_the_operator()
        if '"paid"' in shown:
            works(self.provider)
        headers = {"Idempotency-Key": uuid4().hex} if "token" in self.known and method == "POST" else {}
        if "token" in self.known:
            headers["Authorization"] = f"Bearer {self.known['token']}"
        send: Callable[..., Any] = getattr(self.http, method.lower())
        sent = (self.filled(body),) if body else ()
        done = send(self.filled(path), *sent, content_type="application/json", headers=headers)
        assert done.status_code == int(status), done.content
        self.finds(json.loads(as_json(shown)), done.json())
        self.provider.at = timezone.now()
        if path == "/v1/payouts":
            works(self.provider)  # before anybody knows who she is
        self.known["seed_is_told"] = self.known.get("seed_is_told") or '"seed"' in body
        self.other.does_his_part(self.known)

    def filled(self, text: str) -> str:
        return re.sub(r"\{(\w+)\}", lambda name: str(self.known[name[1]]), text)

    def finds(self, shown: Any, told: Any) -> None:
        if shown == LEFT_OUT:
            return
        if isinstance(shown, dict):
            for name, value in shown.items():
                self.finds(value, told[name])
        elif isinstance(shown, list):
            assert len(shown) == len(told)
            for one, other in zip(shown, told, strict=True):
                self.finds(one, other)
        elif isinstance(shown, str) and (name := re.fullmatch(r"\{(\w+)\}", shown)):
            assert self.known.setdefault(name[1], told) == told
        else:
            assert shown == told

    def runs(self, block: str) -> None:
        exec(block, self.code)
        self.known |= {name: self.code[name] for name in ("seed", "hash") if name in self.code}

    def pays(self, block: str) -> None:
        """On the provider's page, which then tells us."""
        card = re.fullmatch(r"curl --data card=(\d+) \{pay_at\}\n", block)
        assert card, block
        payment = self.known["pay_at"].removeprefix(f"{self.provider.house.url}/pay/")
        found = self.provider.house.record.one("SELECT reference FROM payment WHERE id = ?", payment)
        assert found
        self.provider.is_paid(Deposit.objects.get(ours=found["reference"]), card[1])
        self.provider.delivers()

    def waits_for_the_operator(self) -> None:
        for told in Identity.objects.filter(state=Identity.State.PENDING):
            identity.judge(
                identity=told, verified=True, reason="passport", documents="file 7", by=operator(), at=self.provider.at
            )

    def state(self, table: str) -> Any:
        headers = {"Authorization": f"Bearer {self.known['token']}"}
        return self.http.get(table, headers=headers).json()

    def waits_until_she_may(self, table: str, kind: str) -> None:
        """What the page has not come to is done by the first legal play, and the seed given as before."""
        while kind not in (state := self.state(table))["actions"]:
            match state["actions"]:
                case ["seed_hash" | "seed" as part]:
                    what, body = "seeds", {part.removeprefix("seed_"): self.known[part.removeprefix("seed_")]}
                case _:
                    what, body = "actions", {"version": state["version"], **first_legal_play(state)}
            headers = {"Authorization": f"Bearer {self.known['token']}", "Idempotency-Key": uuid4().hex}
            done = self.http.post(f"{table}/{what}", body, content_type="application/json", headers=headers)
            assert done.status_code == 200, done.content
            self.other.does_his_part(self.known)
        self.known["version"] = state["version"]
        if state["plays"]:
            self.draws(state)
            self.known["play"] = state["plays"][0]["play"]

    def draws(self, state: Any) -> None:
        """What the page's functions say of a state is so."""
        points, beside = self.code["points"](state), self.code["beside"](state)
        assert sum(max(0, n) for n in points) + beside["bar"][0] + beside["off"][0] == 15
        assert (
            sum(point * max(0, n) for point, n in enumerate(points, start=1)) + 25 * beside["bar"][0]
            == beside["pips"][0]
        )
        picked = self.code["from_where"](state)
        assert {choice["play"] for choices in picked.values() for choice in choices} == {
            choice["play"] for choice in state["plays"]
        }
        assert all(place == "bar" or points[int(place) - 1] > 0 for place in picked)
        for choice in state["plays"]:
            mine, theirs = self.code["position"](choice["position_id"])
            after = read_position_id(choice["position_id"]).swapped()
            assert mine == [max(0, n) for n in after.points[1:]]
            assert theirs[24] == after.opponent_bar


def as_json(shown: str) -> str:
    return re.sub(r",?\s*…\s*(?=[}])", "", shown.replace("[…]", f'"{LEFT_OUT}"'))


@pytest.mark.django_db(transaction=True)
def test_the_page_alone_plays_a_game(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.RATES, settings.PROVIDERS = {}, ["sandbox"]
    RoomFactory.create(slug="emerald", charges="gammonempire")
    RoomFactory.create(slug="sapphire", charges="sgames")
    with outside(monkeypatch) as provider:
        reached(provider, monkeypatch, settings)
        reads_it_all(Reader(provider))


def reads_it_all(reader: Reader) -> None:
    for language, block in blocks():
        {"http": reader.asks, "python": reader.runs, "sh": reader.pays}[language](block)
    state = reader.state(f"/v1/tables/{reader.known['table']}")
    assert state["status"] == "over"
    proves(reader, state["dice_proof"])


def proves(reader: Reader, kept: dict[str, Any]) -> None:
    """What the page says of the dice is so: true ones are proved, and none that differ in anything."""
    headers = {"Authorization": f"Bearer {reader.known['token']}"}
    transcript = reader.http.get(f"/v1/games/{reader.known['table']}/dice", headers=headers).json()
    proved, commitment, hashes = reader.code["proved"], kept["commitment"], kept["hashes"]
    assert proved(transcript, commitment, hashes)
    assert not proved(transcript, hashes[0], hashes)
    assert not proved(transcript, commitment, hashes[::-1])
    throws = [event for event in transcript["events"] if event["event"] == "throw"]
    assert throws
    for each in throws:
        before = dict(each)
        each["dice"] = [each["dice"][0], each["dice"][1] % 6 + 1]
        assert not proved(transcript, commitment, hashes)
        each.update(before, counter=before["counter"] + 1)
        assert not proved(transcript, commitment, hashes)
        each.update(before)
    assert proved(transcript, commitment, hashes)


def test_the_pages_dice_are_the_servers() -> None:
    """Also where a byte is dropped."""
    code: dict[str, Any] = {}
    for language, block in blocks():
        if language == "python" and ("import" in block or "def dice" in block):
            exec(block, code)
    seeds = Seeds(server=b"s" * 32, clients=(b"1" * 32, b"2" * 32))
    for counter in range(2000):
        assert tuple(code["dice"](b"s" * 32, b"1" * 32, b"2" * 32, counter)) == throw(seeds, counter=counter)


def test_the_pages_clock_counts_down_as_the_servers_does() -> None:
    code: dict[str, Any] = {}
    for language, block in blocks():
        if language == "python" and "def clock" in block:
            exec(block, code)
    running = {"running": True, "move_ms": 15000, "reserve_ms": 120000}
    state = {"clocks": [running, {**running, "running": False}]}
    clock = code["clock"]
    assert clock(state, 1, 4.5) == (10500, 120000)
    assert clock(state, 1, 20) == (0, 115000)
    assert clock(state, 1, 999) == (0, 0)
    assert clock(state, 2, 20) == (15000, 120000)
