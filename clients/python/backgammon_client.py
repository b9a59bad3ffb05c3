"""A player's client of a backgammon room: signs in, sits down, plays by a strategy, comes back after a cut.

One file to copy. It needs Python 3.11 and httpx, and nothing else of the project.

    room = Room("http://127.0.0.1:8000")
    room.register("ann", "five-checkers-home")
    room.log_in("ann", "five-checkers-home")
    five, fifteen = play_money("5.00"), play_money("15.00")
    offer = room.offer(room="emerald", stake=five, cap=fifteen, move_s=30, reserve_s=300)
    final = room.play(room.wait_for_table(offer), steady)
    print(net(final))

A **strategy** is a function of the state, called when it is this player's turn to act; it returns the action. The
server offers what is legal in ``actions``, ``plays`` and ``resignations``, so a strategy chooses and knows no rule.
Money is text, and stays text here: nothing is computed with it.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import random
import secrets
import time
import uuid
from collections.abc import Callable, Iterator, Mapping
from typing import Any, ClassVar, TypedDict

import httpx

# --- What the server says ---------------------------------------------------------------------------------------------

Json = dict[str, Any]
Action = dict[str, str]


class Board(TypedDict):
    points: list[int]  # [0] is side 1's 1-point and side 2's 24-point; above zero are side 1's checkers
    bar: list[int]  # of side 1, of side 2; so are off and pips
    off: list[int]
    pips: list[int]


class State(TypedDict):
    """The state document as far as this client reads it; there is more in it."""

    table: str
    version: int  # an action names it
    sequence: int  # of events: what the stream and the ETag count
    rules: Json
    sides: list[Json]
    status: str  # seeds, playing, over, abandoned, voided
    viewer: int  # this player's side
    score: list[int]
    crawford_game: bool
    phase: str
    to_act: int | None
    board: Board
    cube: Json
    dice: list[int] | None
    offer: Json | None
    actions: list[str]
    resignations: list[str]
    plays: list[dict[str, str]]
    clocks: list[Json]
    presence: list[Json]
    due: Json | None
    dice_proof: Json
    result: Json | None
    last: list[Json]
    settlement: Json | None


Strategy = Callable[[State], Action]
FINAL = {"over", "abandoned", "voided"}


def play_money(amount: str) -> Json:
    return {"amount": amount, "currency": "PLAY"}


def net(final: State) -> str | None:
    """What the contest did to this player's wallet, as text like "9.02 USD" or "-10.00 USD"; None if nothing (yet)."""
    sides = (final.get("settlement") or {}).get("sides", [])
    money = next((side["net"] for side in sides if side["side"] == final["viewer"]), None)
    return f"{money['amount']} {money['currency']}" if money else None


# --- What it refuses --------------------------------------------------------------------------------------------------


class Problem(Exception):
    """An answer with status 4xx or 5xx (RFC 9457). Look at ``code``; ``body`` has what else was told."""

    kinds: ClassVar[dict[int | str, type[Problem]]] = {}

    def __init_subclass__(cls, *, of: tuple[int | str, ...]) -> None:
        Problem.kinds.update(dict.fromkeys(of, cls))

    def __init__(self, status: int, body: Json, retry_after_s: float | None = None) -> None:
        self.status, self.body, self.retry_after_s = status, body, retry_after_s
        self.code = str(body.get("code", f"http_{status}"))
        self.detail = str(body.get("detail", ""))
        self.errors: list[dict[str, str]] = body.get("errors", [])
        super().__init__(f"{self.status} {self.code}: {self.detail}")

    @staticmethod
    def of(answer: httpx.Response) -> Problem:
        """The problem that an answer tells, by its code or else its status."""
        try:
            body = answer.json()
        except ValueError:  # a proxy's page
            body = {}
        body = body if isinstance(body, dict) else {}
        waits = answer.headers.get("Retry-After", "")
        kind = Problem.kinds.get(body.get("code", ""), Problem.kinds.get(answer.status_code, Problem))
        return kind(answer.status_code, body, float(waits) if waits.isdigit() else None)


class LogInAgain(Problem, of=(401,)):
    """The token is none, has expired, or was revoked."""


class NotFound(Problem, of=(404,)):
    """It is not there, or not yours."""


class Wrong(Problem, of=(400, 422)):
    """What was sent cannot be read, or is wrong: ``errors`` point at the fields."""


class Refused(Problem, of=(409,)):
    """It may be right at another moment, or from another player."""


class TooPoor(Refused, of=("insufficient_funds", "not_covered")):
    """The wallet holds less than the seat asks for; ``balance`` in the body says how much, if it is yours."""


class Late(Refused, of=("stale_version",)):
    """The table has moved on. ``state`` is how it stands now."""

    @property
    def state(self) -> State:
        state: State = self.body["state"]
        return state


class TooLate(Refused, of=("time_is_up", "absence_is_over", "seeds_came_too_late")):
    """Time has run out; the server says in a moment what comes of it."""


class NotNow(Problem, of=(429, 502, 503, 504, "idempotency_key_in_flight")):
    """Ask again in ``retry_after_s``; done here some times before it is raised."""


class DiceAreWrong(Exception):
    """The transcript does not prove the dice, or tells them otherwise than they were seen."""


# --- The room ---------------------------------------------------------------------------------------------------------


class Room:
    """One player's way to a server. ``secret`` makes the seeds of this player's dice: who keeps it can go on after a
    crash before the first throw. With ``streams`` off, or where they fail, tables are asked for again and again."""

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
        self.secret = secret or secrets.token_bytes(32)
        self.streams, self.tries, self.poll_s = streams, tries, poll_s
        self.log_in_with(token)
        self._witnesses: dict[str, Witness] = {}

    def ask(
        self,
        method: str,
        path: str,
        body: Json | None = None,
        *,
        once: bool = False,
        headers: Mapping[str, str] | None = None,
    ) -> httpx.Response:
        """One request, repeated while no answer comes or the server is busy. ``once`` gives it an Idempotency-Key, the
        same at each repetition, so that it is done once. Raises Problem, or httpx's own when nobody answers."""
        sent = {**(headers or {}), **({"Idempotency-Key": str(uuid.uuid4())} if once else {})}
        again_is_safe = once or method in {"GET", "DELETE"}
        for left in reversed(range(self.tries)):
            wait = min(4.0, 0.25 * 2 ** (self.tries - left - 1)) * random.uniform(0.5, 1)
            try:
                answer = self.http.request(method, path, json=body, headers=sent)
                if answer.status_code < 400:
                    return answer
                problem = Problem.of(answer)
                if not isinstance(problem, NotNow) or not left:
                    raise problem
                wait = max(wait, problem.retry_after_s or 0)
            except httpx.ConnectError:
                if not left:
                    raise
            except httpx.TransportError:
                if not left or not again_is_safe:
                    raise
            time.sleep(wait)
        raise AssertionError("the last try returns or raises")

    def json(self, method: str, path: str, body: Json | None = None, *, once: bool = False) -> Any:
        """As ``ask``; what the answer says."""
        return self.ask(method, path, body, once=once).json()

    # Who plays

    def register(self, name: str, password: str) -> Json:
        player: Json = self.json("POST", "/v1/players", {"name": name, "password": password})
        return player

    def log_in(self, name: str, password: str, *, label: str = "python client") -> str:
        """The token, which each request carries from now on."""
        given = self.json("POST", "/v1/tokens", {"name": name, "password": password, "label": label})
        self.log_in_with(given["token"])
        return str(given["token"])

    def log_in_with(self, token: str) -> None:
        if token:
            self.http.headers["Authorization"] = f"Bearer {token}"

    def me(self) -> Json:
        player: Json = self.json("GET", "/v1/me")
        return player

    def wallet(self) -> Json:
        wallet: Json = self.json("GET", "/v1/wallet")
        return wallet

    def balance(self, currency: str) -> str:
        """What is free to play with, as text."""
        found = (each["available"]["amount"] for each in self.wallet()["wallets"] if each["currency"] == currency)
        return str(next(found, "0.00"))

    def ask_for_play_money(self) -> Json:
        given: Json = self.json("POST", "/v1/wallet/play-money", {}, once=True)
        return given

    # How they meet

    def offers(self, **filters: str) -> Iterator[Json]:
        """What is on offer in the lobby, page after page."""
        page = str(httpx.URL("/v1/offers", params=filters))
        while page:
            found = self.json("GET", page)
            yield from found["results"]
            page = found["next"]

    def offer(self, **terms: Any) -> Json:
        """Offer a table to whoever comes. Raises TooPoor, Wrong, …"""
        made: Json = self.json("POST", "/v1/offers", terms, once=True)
        return made

    def accept(self, offer: str) -> Json:
        """Sit down at the table that is offered; both stakes are held from now on."""
        agreed: Json = self.json("POST", f"/v1/offers/{offer}/accept", {}, once=True)
        return agreed

    def withdraw(self, offer: str) -> Json:
        taken_back: Json = self.json("POST", f"/v1/offers/{offer}/withdraw", {}, once=True)
        return taken_back

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
        state: State = self.json(
            "POST", "/v1/machine-tables", {"room": room, "strength": strength, **options}, once=True
        )
        return state

    # The table

    def state(self, table: str) -> State:
        state: State = self.json("GET", f"/v1/tables/{table}")
        return state

    def act(self, state: State, action: Action) -> State:
        """Do something at a table, thought of at this state; the state after it. Raises Late, Refused, Wrong."""
        body = {"version": state["version"], **action}
        after: State = self.json("POST", f"/v1/tables/{state['table']}/actions", body, once=True)
        return after

    def leave(self, table: str) -> Json:
        """Before the first throw: both stakes go back."""
        left: Json = self.json("POST", f"/v1/tables/{table}/leave", {}, once=True)
        return left

    def seed(self, table: str) -> bytes:
        """This player's part in the dice of a table: nobody can know it before it is given."""
        return hmac.digest(self.secret, uuid.UUID(table).bytes, "sha256")

    def dice(self, table: str) -> Json:
        transcript: Json = self.json("GET", f"/v1/games/{table}/dice")
        return transcript

    def record(self, table: str) -> str:
        """The contest as a .mat file."""
        return self.ask(
            "GET", f"/v1/games/{table}/record", headers={"Accept": "text/plain, application/problem+json"}
        ).text

    # Playing

    def play(self, table: str, strategy: Strategy, *, see: Callable[[State], None] = lambda _: None) -> State:
        """Play a contest to its end; the final state, with its settlement. ``see`` gets each state that is new.

        Raises DiceAreWrong, when all is over.
        """
        done = -1
        state = self.state(table)
        witness = self._witnesses.setdefault(table, Witness(self.seed(table)))
        for state in self.follow(table):
            while state["sequence"] > done or state["status"] in FINAL:
                done = state["sequence"]
                witness.see(state)
                see(state)
                if state["status"] in FINAL:
                    break
                state = self._answer(state, strategy)
            if state["status"] in FINAL:
                break
        if state["status"] == "over":
            witness.check(self.dice(table))
        return self._settled(state)

    def _answer(self, state: State, strategy: Strategy) -> State:
        """The state after what this player has to do now; the same state if that is nothing."""
        try:
            if state["status"] == "seeds":
                return self._give_seed(state)
            if "claim" in state["actions"]:
                return self.act(state, {"kind": "claim"})
            return self.act(state, strategy(state)) if state["to_act"] == state["viewer"] else state
        except Late as late:
            return late.state
        except TooLate:
            return state

    def _give_seed(self, state: State) -> State:
        """Hash first; the seed when both hashes are in, so that nobody can choose the dice."""
        seed = self.seed(state["table"])
        for wanted, given in ("seed_hash", {"hash": hashlib.sha256(seed).hexdigest()}), ("seed", {"seed": seed.hex()}):
            if wanted in state["actions"]:
                after: State = self.json("POST", f"/v1/tables/{state['table']}/seeds", given, once=True)
                return after
        return state

    def _settled(self, state: State) -> State:
        """A game that was abandoned or lost on time may be analysed first, which takes a moment."""
        for _ in range(60):
            state = self.state(state["table"])
            if (state.get("settlement") or {}).get("status") != "waiting":
                break
            time.sleep(self.poll_s)
        return state

    # Following

    def follow(self, table: str) -> Iterator[State]:
        """Each state that is new, to the last. A cut is mended: by the stream again, or by asking."""
        last_id = ""
        state: State | None = None
        fails, wait = 0, self.poll_s
        while self.streams and fails < 4:
            before, began = last_id, time.monotonic()
            try:
                for name, event_id, data in self._events(table, last_id):
                    last_id = event_id or last_id
                    if name == "retry":
                        wait = data / 1000
                    elif name == "state":
                        state = data
                    elif name == "presence" and state is not None:
                        state = {**state, **data}
                    elif name == "end" and data["reason"] == "over":
                        return
                    if name in {"state", "presence"} and state is not None:
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
                if problem.code != "invalid_last_event_id":
                    raise
                last_id = ""
            time.sleep(wait * random.uniform(0.5, 1) * 2 ** min(fails, 3))
        yield from self._poll(table)

    def _events(self, table: str, last_id: str) -> Iterator[tuple[str, str, Any]]:
        """Name, id and data of each event, to the end of one stream."""
        headers = {"Accept": "text/event-stream, application/problem+json"}
        if last_id:
            headers["Last-Event-ID"] = last_id
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
        """The same by conditional GET; a heartbeat says that this player is here."""
        here = {"connection": str(uuid.uuid4())}
        etag, beaten = "", 0.0
        while True:
            if time.monotonic() - beaten > 8:
                beaten = time.monotonic()
                self.ask("POST", f"/v1/tables/{table}/heartbeat", here)
            answer = self.ask("GET", f"/v1/tables/{table}", headers={"If-None-Match": etag} if etag else {})
            if answer.status_code != 304:
                etag = answer.headers.get("ETag", "")
                state: State = answer.json()
                yield state
                if state["status"] in FINAL:
                    return
            time.sleep(self.poll_s)


# --- The dice ---------------------------------------------------------------------------------------------------------

TAG = b"backgammon-room/dice/1"


class Witness:
    """Keeps what a player is told of the dice while playing, and holds the transcript against it at the end."""

    def __init__(self, seed: bytes) -> None:
        self.seed = seed
        self.promised: dict[str, str] = {}
        self.thrown: dict[int, list[int]] = {}

    def see(self, state: State) -> None:
        proof = state["dice_proof"]
        told = {"commitment": proof["commitment"]} | {f"hash {n}": h for n, h in enumerate(proof["hashes"], start=1)}
        for what, value in told.items():
            if value is not None and self.promised.setdefault(what, value) != value:
                raise DiceAreWrong(f"the {what} was told otherwise before")
        for event in state["last"]:
            if "counter" in event and self.thrown.setdefault(event["counter"], event["dice"]) != event["dice"]:
                raise DiceAreWrong(f"throw {event['counter']} was told otherwise before")

    def check(self, transcript: Json) -> None:
        """Every throw follows from the three seeds, and these from what was promised before. Raises DiceAreWrong."""
        seeds: dict[str, bytes] = {}
        hashes: dict[str, str] = {}
        throws: list[Json] = []
        for event in transcript["events"]:
            match event["event"]:
                case "commitment":
                    hashes["server"] = event["hash"]
                case "client_hash":
                    hashes[f"side {event['side']}"] = event["hash"]
                case "client_seed":
                    seeds[f"side {event['side']}"] = bytes.fromhex(event["seed"])
                case "throw":
                    throws.append(event)
                case "server_seed":
                    seeds["server"] = bytes.fromhex(event["seed"])
        wanted = {"server": "commitment", "side 1": "hash 1", "side 2": "hash 2"}
        for who, promise in wanted.items():
            if who not in seeds or hashlib.sha256(seeds[who]).hexdigest() != hashes.get(who):
                raise DiceAreWrong(f"the seed of {who} is not the one promised")
            if self.promised.get(promise, hashes[who]) != hashes[who]:
                raise DiceAreWrong(f"the {promise} is not the one told before")
        if self.seed not in (seeds["side 1"], seeds["side 2"]):
            raise DiceAreWrong("this player's seed was not used")
        if [event["counter"] for event in throws] != list(range(len(throws))):
            raise DiceAreWrong("throws were left out")
        for event in throws:
            fell = dice_of(seeds["server"], seeds["side 1"], seeds["side 2"], event["counter"])
            if event["dice"] != fell or self.thrown.get(event["counter"], fell) != fell:
                raise DiceAreWrong(f"throw {event['counter']} is {fell} by the seeds")


def dice_of(server: bytes, side_1: bytes, side_2: bytes, counter: int) -> list[int]:
    """The throw of a counter: bytes under 252 of HMAC-SHA-256, each mod 6 plus 1."""
    dice: list[int] = []
    for block in range(1 << 32):
        message = TAG + side_1 + side_2 + counter.to_bytes(8, "big") + block.to_bytes(4, "big")
        dice += [byte % 6 + 1 for byte in hmac.digest(server, message, "sha256") if byte < 252]
        if len(dice) >= 2:
            break
    return dice[:2]


# --- Strategies -------------------------------------------------------------------------------------------------------


def first_legal_play(state: State) -> Action:
    """Plays what comes first, never doubles, takes everything, lets nobody resign for less than all there is."""
    actions = state["actions"]
    if "play" in actions:
        return {"kind": "play", "play": state["plays"][0]["play"]}
    for kind in "roll", "take", "accept_beaver", "accept_resignation":
        if kind in actions:
            return {"kind": kind}
    raise ValueError(f"nothing to do among {actions}")


def steady(state: State) -> Action:
    """Runs, hits, and leaves few blots; doubles when it leads the race by a tenth, takes when it trails by less."""
    actions = state["actions"]
    me = state["viewer"] - 1
    mine, theirs = state["board"]["pips"][me], state["board"]["pips"][1 - me]
    if "play" in actions:
        best = max(state["plays"], key=lambda play: worth(play["position_id"]))
        return {"kind": "play", "play": best["play"]}
    if "accept_resignation" in actions:
        gammon_is_possible = state["board"]["off"][1 - me] == 0 and theirs > 80
        single = (state["offer"] or {}).get("concession") == "single"
        return {"kind": "decline_resignation" if single and gammon_is_possible else "accept_resignation"}
    if "accept_beaver" in actions:
        return {"kind": "accept_beaver"}
    if "take" in actions:
        return {"kind": "take" if mine <= theirs * 1.12 else "pass"}
    return {"kind": "double" if "double" in actions and mine * 1.1 <= theirs else "roll"}


def worth(position_id: str) -> float:
    """How good a play is for who made it, by its Position ID."""
    mine, theirs = checkers(position_id)
    pips = sum(n * point for point, n in enumerate(mine, start=1))
    their_pips = sum(n * point for point, n in enumerate(theirs, start=1))
    score = float(their_pips - pips)
    for point, n in enumerate(mine[:24], start=1):
        behind = theirs[24] + sum(theirs[24 - point + 1 : 24])  # those who still have to pass it
        if n == 1 and behind:
            score -= 4 + (25 - point) / 3  # what a hit would cost, and how likely it is
        elif n >= 2 and behind:
            score += 6 if 4 <= point <= 8 or point in {18, 20, 21} else 2
        score -= max(0, n - 4)
    return score


def checkers(position_id: str) -> tuple[list[int], list[int]]:
    """Checkers on each point, 1 to 24 and the bar last, each side counted from its own home: first of the side that
    is **not** on turn, which after a play is the one that made it."""
    bits = int.from_bytes(base64.b64decode(position_id + "=="), "little")
    sides: list[list[int]] = []
    for _ in range(2):
        counts: list[int] = []
        for _ in range(25):
            n = 0
            while bits >> n & 1:
                n += 1
            counts.append(n)
            bits >>= n + 1
        sides.append(counts)
    return sides[0], sides[1]
