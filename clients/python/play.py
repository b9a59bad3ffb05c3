"""Play a table from a terminal: python clients/python/play.py --name ann --open; the other terminal: --name bob --join.

Registers the name if it is new, logs in, sits down, plays to the end by a strategy or by hand, shows the board, both
clocks, and at the end what it did to the wallet.
"""

from __future__ import annotations

import argparse
import base64
import getpass
import os
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

import httpx

from backgammon_client import (
    Action,
    DiceAreWrong,
    Json,
    Problem,
    Refused,
    Replaced,
    Room,
    State,
    Strategy,
    first_legal_play,
    net,
)

PASSWORD = "BACKGAMMON_PASSWORD"


def main(arguments: list[str] | None = None) -> int:
    options = parser().parse_args(arguments)
    room = Room(options.server, streams=not options.poll)
    try:
        come_in(room, name=options.name, password=options.password or os.environ.get(PASSWORD) or getpass.getpass())
        before = room.balance(options.currency)
        print(f"{options.name} has {before} {options.currency}", flush=True)
        table = sit_down(room, options)
        print(f"table {table}", flush=True)
        final = room.play(table, strategy_of(options), see=Screen(quiet=options.quiet))
        return tell(room, final, before=before, currency=options.currency)
    except (Problem, DiceAreWrong, Replaced, LookupError, TimeoutError, httpx.TransportError) as refused:
        print(refused, file=sys.stderr)
        return 1


def parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description="Play a table of backgammon, from registering to the wallet.")
    parser.add_argument("--server", default="http://127.0.0.1:8000")
    parser.add_argument("--name", required=True, help="registered if it is new")
    parser.add_argument("--password", help=f"else {PASSWORD} of the environment, else you are asked")
    seat = parser.add_mutually_exclusive_group(required=True)
    seat.add_argument("--open", action="store_true", help="offer a table and wait for somebody")
    seat.add_argument("--join", action="store_true", help="take the newest offer with these terms, or wait for one")
    seat.add_argument("--machine", metavar="STRENGTH", help="play against the machine: novice, club, expert, master")
    seat.add_argument("--table", metavar="ID", help="come back to a table where you sit")
    parser.add_argument("--room", default="emerald", metavar="SLUG")
    parser.add_argument("--currency", default="PLAY", help="PLAY is play money, which everybody is given")
    parser.add_argument("--stake", default="5.00")
    parser.add_argument("--cap", default="15.00", help="the most a single game can cost")
    parser.add_argument("--match", type=int, default=0, metavar="POINTS", help="a match to so many points")
    parser.add_argument("--beavers", action="store_true")
    parser.add_argument("--play", default="steady", choices=["steady", "first", "hand"], help="who chooses the moves")
    parser.add_argument("--resign", choices=["single", "gammon", "backgammon", "match"], help="on the first turn")
    parser.add_argument("--poll", action="store_true", help="ask again and again instead of holding a stream")
    parser.add_argument("--quiet", action="store_true", help="no boards")
    return parser


def come_in(room: Room, *, name: str, password: str) -> None:
    try:
        room.register(name, password)
        print(f"{name} is registered", flush=True)
    except Problem as problem:
        if problem.code != "name_taken":
            raise
    room.log_in(name, password)


def sit_down(room: Room, options: argparse.Namespace) -> str:
    """The table to play at."""
    if options.table:
        return str(options.table)
    if options.machine:
        begun = room.against_machine(room=options.room, strength=options.machine, match_length=options.match)
        return begun["table"]
    money = {"amount": options.stake, "currency": options.currency}
    terms: dict[str, Any] = {"stake": money, "match_length": options.match, "move_s": 30, "reserve_s": 300}
    if not options.match:
        terms |= {"cap": {**money, "amount": options.cap}, "beavers": options.beavers}
    if options.open:
        offer = room.offer(room=options.room, **terms)
        print("waiting for somebody", flush=True)
        return room.wait_for_table(offer)
    print("looking for an offer", flush=True)
    return join(room, options.room, terms)


def offers(client: Room, **filters: str) -> Iterator[Json]:
    """What is on offer in the lobby, page after page."""
    page = str(httpx.URL("/v1/offers", params=filters))
    while page:
        found = client.json("GET", page)
        yield from found["results"]
        page = found["next"]


def join(room: Room, slug: str, terms: dict[str, Any]) -> str:
    """Take the newest offer of another player on these very terms, as soon as there is one."""
    me = room.json("GET", "/v1/me")["id"]
    while True:
        for offer in offers(room, room=slug, currency=terms["stake"]["currency"]):
            if offer["maker"]["id"] != me and all(offer["terms"][name] == value for name, value in terms.items()):
                try:
                    return str(room.accept(offer["id"])["table"])
                except Refused:  # somebody else was faster
                    continue
        time.sleep(1)


def strategy_of(options: argparse.Namespace) -> Strategy:
    chosen: Strategy = {"steady": steady, "first": first_legal_play, "hand": by_hand}[options.play]
    return resigning(options.resign, otherwise=chosen) if options.resign else chosen


def resigning(concession: str, *, otherwise: Strategy) -> Strategy:
    """Offers to resign as soon as it may; plays on if that is declined."""

    def strategy(state: State) -> Action:
        if "resign" in state["actions"] and concession in state["resignations"]:
            return {"kind": "resign", "concession": concession}
        return otherwise(state)

    return strategy


def by_hand(state: State) -> Action:
    """A person chooses among what is legal."""
    choices: list[tuple[str, Action]] = [
        (play["play"], {"kind": "play", "play": play["play"]}) for play in state["plays"]
    ]
    choices += [(kind.replace("_", " "), {"kind": kind}) for kind in state["actions"] if kind not in {"play", "resign"}]
    choices += [(f"resign {each}", {"kind": "resign", "concession": each}) for each in state["resignations"]]
    for number, (text, _) in enumerate(choices, start=1):
        print(f"{number:>4}  {text}")
    while True:
        answer = input("which? ").strip()
        if answer.isdigit() and 1 <= int(answer) <= len(choices):
            return choices[int(answer) - 1][1]


# --- A strategy -------------------------------------------------------------------------------------------------------


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


# --- What it came to --------------------------------------------------------------------------------------------------


def tell(room: Room, final: State, *, before: str, currency: str) -> int:
    result = final["result"] or {}
    me, winner, outcome = final["viewer"], result.get("winner"), result.get("outcome") or {}
    print(f"\n{result.get('status')}: ", end="")
    if winner is None:
        print("nobody wins")
    else:
        print(f"{'you win' if winner == me else 'you lose'} a {outcome.get('win')}, cube {outcome.get('cube')}")
        print("the dice are proved: every throw follows from the three seeds")
    print(f"wallet {before} -> {room.balance(currency)} {currency}, of this table {net(final) or 'nothing'}")
    return 0


# --- The board as text ------------------------------------------------------------------------------------------------


class Screen:
    """Draws each state under the last."""

    def __init__(self, *, quiet: bool, write: Callable[[str], None] = lambda text: print(text, flush=True)) -> None:
        self.quiet, self.write, self.version = quiet, write, -1

    def __call__(self, state: State) -> None:
        if state["version"] != self.version and not self.quiet:
            self.version = state["version"]
            self.write(drawn(state))


def drawn(state: State) -> str:
    """The board as the viewer sees it, X the viewer's checkers and O the other's; cube, dice and both clocks."""
    me = (state["viewer"] or 1) - 1
    board = state["board"]
    points = board["points"] if me == 0 else [-n for n in reversed(board["points"])]
    cells = [" ." if n == 0 else f"{abs(n)}{'X' if n > 0 else 'O'}" for n in points]
    rule = "+" + "-" * 25 + "+" + "-" * 25 + "+"
    numbers = "|{}|{}|".format(*("".join(f"{n:>4}" for n in half) + " " for half in (range(13, 19), range(19, 25))))
    low = "|{}|{}|".format(*("".join(f"{n:>4}" for n in half) + " " for half in (range(12, 6, -1), range(6, 0, -1))))
    upper = f"|{_row(cells[12:18])}|{_row(cells[18:24])}|"
    lower = f"|{_row(cells[11:5:-1])}|{_row(cells[5::-1])}|"
    lines = ["", numbers, rule, upper, f"|{'':25}|{'':25}|", lower, rule, low, _said(state)]
    for side in (1 - me, me):
        who, clock = state["sides"][side], state["clocks"][side]
        name = f"{'X' if side == me else 'O'} {who['name']}"
        there = "" if state["presence"][side]["present"] else f"  away, {_time(state, side)} left to come back"
        lines.append(
            f"{name:<14} pips {board['pips'][side]:>3}  bar {board['bar'][side]}  off {board['off'][side]:>2}  "
            f"score {state['score'][side]}  clock {clock['move_ms'] // 1000:>3} s + {clock['reserve_ms'] // 1000} s"
            f"{' *' if clock['running'] else ''}{there}"
        )
    return "\n".join(lines)


def _row(cells: list[str]) -> str:
    return "".join(f"{cell:>4}" for cell in cells) + " "


def _time(state: State, side: int) -> str:
    return f"{(state['presence'][side]['absence_left_ms'] or 0) // 1000} s"


def _said(state: State) -> str:
    cube = state["cube"]
    owner = "in the middle" if cube["owner"] is None else f"with {state['sides'][cube['owner'] - 1]['name']}"
    dice = "dice {}-{}".format(*state["dice"]) if state["dice"] else ""
    offer = state["offer"]
    offered = f"{offer['kind']} offered" if offer else ""
    turn = state["to_act"]
    acts = f"{state['sides'][turn - 1]['name']} to act" if turn else state["status"]
    return "  ".join(filter(None, [f"cube {cube['value']} {owner}", dice, offered, acts]))


if __name__ == "__main__":
    sys.exit(main())
