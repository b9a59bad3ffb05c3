"""A player's client of a backgammon room: signs in, sits down, plays by a strategy, comes back after a cut.

One file to copy. It needs Python 3.11 and httpx, and nothing else of the project.

    room = Room("http://127.0.0.1:8000")
    room.register("ann", "five-checkers-home")
    room.log_in("ann", "five-checkers-home")
    stake, cap = {"amount": "5.00", "currency": "PLAY"}, {"amount": "15.00", "currency": "PLAY"}
    offer = room.offer(room="emerald", stake=stake, cap=cap, move_s=30, reserve_s=300)
    final = room.play(room.wait_for_table(offer), first_legal_play)
    print(net(final))

A **strategy** is a function of the state, called when it is this player's turn to act; it returns the action. The
server offers what is legal in ``actions``, ``plays`` and ``resignations``, so a strategy chooses and knows no rule.
Money is text, and stays text here: nothing is computed with it.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import random
import secrets
import time
import uuid
from collections.abc import Callable, Iterator
from typing import Any, ClassVar, TypedDict, cast

import httpx

Json = dict[str, Any]
Action = dict[str, str]


class State(TypedDict):
    """The state document as far as clients here read it; there is more in it."""

    table: str
    version: int  # an action names it
    sequence: int  # of events: what the stream and the ETag count
    sides: list[Json]
    status: str  # seeds, playing, pricing (a game was lost on time, wait), over, abandoned, voided
    viewer: int  # this player's side
    score: list[int]
    crawford_game: bool
    to_act: int | None
    board: Json  # points: above zero are side 1's checkers; bar, off, pips: of side 1, of side 2
    cube: Json
    dice: list[int] | None
    offer: Json | None
    actions: list[str]
    resignations: list[str]
    plays: list[dict[str, str]]
    clocks: list[Json]
    presence: list[Json]
    dice_proof: Json
    result: Json | None
    last: list[Json]
    settlement: Json | None


Strategy = Callable[[State], Action]
FINAL = {"over", "abandoned", "voided"}


def first_legal_play(state: State) -> Action:
    """Plays what comes first, never doubles, takes everything, lets nobody resign for less than all there is."""
    if "play" in state["actions"]:
        return {"kind": "play", "play": state["plays"][0]["play"]}
    answers = ("roll", "take", "accept_beaver", "accept_resignation")
    return {"kind": next(kind for kind in answers if kind in state["actions"])}


def net(final: State) -> str | None:
    """What the contest did to this player's wallet, as text like "9.02 USD" or "-10.00 USD"; None if nothing (yet)."""
    sides = (final.get("settlement") or {}).get("sides", [])
    money = next((side["net"] for side in sides if side["side"] == final["viewer"]), None)
    return f"{money['amount']} {money['currency']}" if money else None


class Problem(Exception):
    """An answer with status 4xx or 5xx (RFC 9457). Look at ``code``; ``body`` has what else was told."""

    kinds: ClassVar[dict[int | str, type[Problem]]] = {}

    def __init_subclass__(cls, *, of: tuple[int | str, ...]) -> None:
        Problem.kinds.update(dict.fromkeys(of, cls))

    def __init__(self, status: int, body: Json, retry_after_s: float | None) -> None:
        self.status, self.body, self.retry_after_s = status, body, retry_after_s
        self.code, self.detail = str(body.get("code", f"http_{status}")), str(body.get("detail", ""))
        super().__init__(f"{self.status} {self.code}: {self.detail}")

    @staticmethod
    def of(answer: httpx.Response) -> Problem:
        """The problem that an answer tells, by its code or else its status; a proxy's page tells none."""
        try:
            body = dict(answer.json())
        except (TypeError, ValueError):
            body = {}
        waits = answer.headers.get("Retry-After", "")
        kind = Problem.kinds.get(body.get("code", ""), Problem.kinds.get(answer.status_code, Problem))
        return kind(answer.status_code, body, float(waits) if waits.isdigit() else None)


class LogInAgain(Problem, of=(401,)):
    """The token is none, has expired, or was revoked."""


class NotFound(Problem, of=(404,)):
    """It is not there, or not yours."""


class Wrong(Problem, of=(400, 422)):
    """What was sent cannot be read, or is wrong: ``errors`` of the body point at the fields."""


class Refused(Problem, of=(409,)):
    """It may be right at another moment, or from another player."""


class TooPoor(Refused, of=("insufficient_funds",)):
    """The wallet holds less than the seat asks for; ``balance`` of the body says how much, if it is yours."""


class Late(Refused, of=("stale_version",)):
    """The table has moved on. ``state`` of the body is how it stands now."""


class NotNow(Problem, of=(429, 502, 503, 504, "idempotency_key_in_flight")):
    """Ask again in ``retry_after_s``; done here some times before it is raised."""


class Room:
    """One player's way to a server. Who keeps ``secret``, which makes the seeds of the dice, can go on after a crash
    before the first throw. With ``streams`` off, or where they fail, tables are asked for again and again."""

    def __init__(
        self,
        server: str,
        *,
        token: str = "",
        secret: bytes = b"",
        streams: bool = True,
        tries: int = 8,
        poll_s: float = 1.0,
        http: httpx.Client | None = None,
    ) -> None:
        self.http = http or httpx.Client(base_url=server, timeout=httpx.Timeout(10, read=30))
        if token:
            self.http.headers["Authorization"] = f"Bearer {token}"
        self.secret = secret or secrets.token_bytes(32)
        self.streams, self.tries, self.poll_s = streams, tries, poll_s
        self._witnesses: dict[str, Witness] = {}

    def json(self, method: str, path: str, body: Json | None = None, *, once: bool = False) -> Json:
        """What one request is answered. It is repeated while no answer comes or the server is busy; ``once`` gives it
        an Idempotency-Key, the same each time, so that it is done once. Raises Problem, or httpx's own."""
        headers = {"Idempotency-Key": str(uuid.uuid4())} if once else {}
        for left in reversed(range(self.tries)):
            wait = min(4.0, 0.25 * 2 ** (self.tries - left - 1)) * random.uniform(0.5, 1)
            try:
                answer = self.http.request(method, path, json=body, headers=headers)
                if answer.status_code < 400:
                    return cast(Json, answer.json() if answer.content else {})
                problem = Problem.of(answer)
                if not isinstance(problem, NotNow) or not left:
                    raise problem
                wait = max(wait, problem.retry_after_s or 0)
            except httpx.TransportError as error:
                was_not_sent = isinstance(error, httpx.ConnectError)
                if not left or not (was_not_sent or once or method in {"GET", "DELETE"}):
                    raise
            time.sleep(wait)
        raise AssertionError("the last try returns or raises")

    def post(self, path: str, body: Json) -> Json:
        """Done once, however often it is sent."""
        return self.json("POST", path, body, once=True)

    def register(self, name: str, password: str) -> Json:
        return self.json("POST", "/v1/players", {"name": name, "password": password})

    def log_in(self, name: str, password: str, *, label: str = "python client") -> str:
        """The token, which each request carries from now on."""
        token = str(self.json("POST", "/v1/tokens", {"name": name, "password": password, "label": label})["token"])
        self.http.headers["Authorization"] = f"Bearer {token}"
        return token

    def balance(self, currency: str) -> str:
        """What is free to play with, as text."""
        held = {each["currency"]: each["available"] for each in self.json("GET", "/v1/wallet")["wallets"]}
        return str(held[currency]["amount"]) if currency in held else "0.00"

    def offer(self, **terms: Any) -> Json:
        """Offer a table to whoever comes. Raises TooPoor, Wrong, …"""
        return self.post("/v1/offers", terms)

    def accept(self, offer: str) -> Json:
        """Sit down at the table that is offered; both stakes are held from now on."""
        return self.post(f"/v1/offers/{offer}/accept", {})

    def wait_for_table(self, offer: Json, *, at_most_s: float = 3600) -> str:
        """The table that comes of one's own offer. Raises TimeoutError; LookupError if the offer stands no more."""
        end = time.monotonic() + at_most_s
        while not offer.get("table"):
            if offer["state"] not in {"open", "countered"}:
                raise LookupError(f"the offer is {offer['state']}")
            if time.monotonic() >= end:
                raise TimeoutError("nobody came")
            time.sleep(self.poll_s)
            offer = self.json("GET", f"/v1/offers/{offer['id']}")
        return str(offer["table"])

    def against_machine(self, *, room: str, strength: str, **options: Any) -> State:
        """Sit down with the machine, for nothing."""
        return cast(State, self.post("/v1/machine-tables", {"room": room, "strength": strength, **options}))

    def state(self, table: str) -> State:
        return cast(State, self.json("GET", f"/v1/tables/{table}"))

    def act(self, state: State, action: Action) -> State:
        """Do something at a table, thought of at this state; the state after it. Raises Late, Refused, Wrong."""
        return cast(State, self.post(f"/v1/tables/{state['table']}/actions", {"version": state["version"], **action}))

    def play(self, table: str, strategy: Strategy, *, see: Callable[[State], None] = lambda _: None) -> State:
        """Play a contest to its end; the final state, with its settlement. ``see`` gets each state that is new.

        Raises DiceAreWrong, when all is over; Replaced if it is played elsewhere meanwhile.
        """
        done, state = -1, self.state(table)
        seed = hmac.digest(self.secret, uuid.UUID(table).bytes, "sha256")  # nobody can know it before it is given
        witness = self._witnesses.setdefault(table, Witness(seed))
        for state in self.follow(table):
            while state["sequence"] > done or state["status"] in FINAL:
                done = state["sequence"]
                witness.see(state)
                see(state)
                if state["status"] in FINAL:
                    break
                state = self._answer(state, strategy, seed)
            if state["status"] in FINAL:
                break
        if state["status"] == "over":
            witness.check(self.json("GET", f"/v1/games/{table}/dice"))
        for _ in range(60):  # a game that was abandoned or lost on time may be analysed first
            state = self.state(table)
            if (state.get("settlement") or {}).get("status") != "waiting":
                break
            time.sleep(self.poll_s)
        return state

    def _answer(self, state: State, strategy: Strategy, seed: bytes) -> State:
        """The state after what this player has to do now; the same state if that is nothing."""
        seeds = f"/v1/tables/{state['table']}/seeds"
        try:
            if "seed_hash" in state["actions"]:  # the seed itself when both hashes are in: nobody can choose the dice
                return cast(State, self.post(seeds, {"hash": hashlib.sha256(seed).hexdigest()}))
            if "seed" in state["actions"]:
                return cast(State, self.post(seeds, {"seed": seed.hex()}))
            if "claim" in state["actions"]:
                return self.act(state, {"kind": "claim"})
            to_act = state["status"] != "seeds" and state["to_act"] == state["viewer"]
            return self.act(state, strategy(state)) if to_act else state
        except Late as late:
            return cast(State, late.body["state"])
        except Refused as refused:  # time has run out; the server says in a moment what comes of it
            if refused.code not in {"time_is_up", "absence_is_over", "seeds_came_too_late"}:
                raise
            return state

    def follow(self, table: str) -> Iterator[State]:
        """Each state that is new, to the last. A cut is mended: by the stream again, or by asking. Raises Replaced."""
        last_id, fails, wait = "", 0, self.poll_s
        state: State | None = None
        while self.streams and fails < 4:
            before, began = last_id, time.monotonic()
            try:
                for name, event_id, data in self._events(table, last_id):
                    last_id = event_id or last_id
                    if name == "retry":
                        wait = data / 1000
                    elif name == "end" and data["reason"] == "over":
                        return
                    elif name == "end" and data["reason"] == "replaced":
                        raise Replaced("this table is followed by newer streams of yours")
                    elif name == "state" or (name == "presence" and state is not None):
                        state = cast(State, {**(state or {}), **data} if name == "presence" else data)
                        yield state
                        if state["status"] in FINAL:
                            return
                told = last_id != before or time.monotonic() - began > 5
                fails = 0 if told else fails + 1  # a proxy that lets no stream through ends it at once
            except httpx.TransportError:
                fails += 1
            except NotNow as busy:
                fails += 1
                time.sleep(busy.retry_after_s or 0)
            except Problem as problem:
                if problem.code != "bad_last_event_id":
                    raise
                last_id = ""
            time.sleep(wait * random.uniform(0.5, 1) * 2 ** min(fails, 3))
        yield from self._poll(table)

    def _events(self, table: str, last_id: str) -> Iterator[tuple[str, str, Any]]:
        """Name, id and data of each event, to the end of one stream."""
        headers = {"Accept": "text/event-stream, application/problem+json"}
        headers |= {"Last-Event-ID": last_id} if last_id else {}
        with self.http.stream("GET", f"/v1/games/{table}/stream", headers=headers) as answer:
            if answer.status_code != 200:
                answer.read()
                raise Problem.of(answer)
            event: dict[str, str] = {}
            for line in answer.iter_lines():
                if not line and "data" in event:
                    yield event.get("event", "message"), event.get("id", ""), json.loads(event["data"])
                elif not line and "retry" in event:
                    yield "retry", "", int(event["retry"])
                field, _, value = line.partition(":")
                event = {**event, field: value.removeprefix(" ")} if line else {}

    def _poll(self, table: str) -> Iterator[State]:
        """The same by asking; a heartbeat says that this player is here."""
        here, beaten = {"connection": str(uuid.uuid4())}, 0.0
        while True:
            if time.monotonic() - beaten > 8:
                beaten = time.monotonic()
                self.json("POST", f"/v1/tables/{table}/heartbeat", here)
            state = self.state(table)
            yield state
            if state["status"] in FINAL:
                return
            time.sleep(self.poll_s)


class Replaced(Exception):
    """You follow this table elsewhere, more often than a player may; this stream was the oldest, and it stops."""


class DiceAreWrong(Exception):
    """The transcript does not prove the dice, or tells them otherwise than they were seen."""


class Witness:
    """Keeps what a player is told of the dice while playing, and holds the transcript against it at the end."""

    def __init__(self, seed: bytes) -> None:
        self.seed = seed
        self.promised: dict[str, str] = {}
        self.thrown: dict[int, list[int]] = {}

    def see(self, state: State) -> None:
        proof = state["dice_proof"]
        for what, told in zip(PROMISES, (proof["commitment"], *proof["hashes"]), strict=True):
            if told is not None and self.promised.setdefault(what, told) != told:
                raise DiceAreWrong(f"the {what} was told otherwise before")
        for event in state["last"]:
            if "counter" in event and self.thrown.setdefault(event["counter"], event["dice"]) != event["dice"]:
                raise DiceAreWrong(f"throw {event['counter']} was told otherwise before")

    def check(self, transcript: Json) -> None:
        """Every throw follows from the three seeds, and these from what was promised before. Raises DiceAreWrong."""
        told = {(each["event"], each.get("side")): each.get("hash", each.get("seed")) for each in transcript["events"]}
        hashes = [told.get(key) for key in (("commitment", None), ("client_hash", 1), ("client_hash", 2))]
        hexed = [told.get(key) or "" for key in (("server_seed", None), ("client_seed", 1), ("client_seed", 2))]
        seeds = [bytes.fromhex(text) for text in hexed]
        for what, promise, seed in zip(PROMISES, hashes, seeds, strict=True):
            if not seed or hashlib.sha256(seed).hexdigest() != promise or self.promised.get(what, promise) != promise:
                raise DiceAreWrong(f"the seed is not what the {what} promised")
        if self.seed not in seeds[1:]:
            raise DiceAreWrong("this player's seed was not used")
        throws = [event for event in transcript["events"] if event["event"] == "throw"]
        for counter, event in enumerate(throws):
            fell = dice_of(seeds[0], seeds[1], seeds[2], counter)
            if (event["counter"], event["dice"]) != (counter, fell) or self.thrown.get(counter, fell) != fell:
                raise DiceAreWrong(f"throw {counter} is {fell} by the seeds")


PROMISES = ("commitment", "hash 1", "hash 2")


def dice_of(server: bytes, side_1: bytes, side_2: bytes, counter: int) -> list[int]:
    """The throw of a counter: bytes under 252 of HMAC-SHA-256, each mod 6 plus 1."""
    dice: list[int] = []
    for block in range(1 << 32):
        message = b"backgammon-room/dice/1" + side_1 + side_2 + counter.to_bytes(8, "big") + block.to_bytes(4, "big")
        dice += [byte % 6 + 1 for byte in hmac.digest(server, message, "sha256") if byte < 252]
        if len(dice) >= 2:
            break
    return dice[:2]
