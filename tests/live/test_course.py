"""Whole contests at random without a database: what is offered may be done and nothing else, and all of it is told."""

import json
import random
from dataclasses import replace
from datetime import timedelta
from itertools import count
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.live.rules import snapshot
from games.live.rules.course import after, check_time, follows, lapsed, thrown
from games.live.rules.dice_told import transcript
from games.live.rules.document import document
from games.live.rules.events import Event, Kind
from games.live.rules.offered import actions_of, plays_of, resignations_of
from games.live.rules.pace import Pace
from games.live.rules.scribe import text_of
from games.live.rules.stand import Agreed, Stand, Status, due, opened
from games.rules.actions import Concession
from games.rules.dice import Seeds, hash_of, throw
from games.rules.dice_transcript import verify
from games.rules.endings import Ending, Win
from games.rules.ids import read_match_id, read_position_id, read_xgid, write_position_id
from games.rules.refusals import RuleBroken
from games.rules.replay import GameReplay, RecordRules, replay_text
from games.rules.sides import SIDES, Side
from tests.factories import NOON

PACES = st.sampled_from([Pace(move_s=15, reserve_s=120), Pace(move_s=12), Pace(reserve_s=300), Pace(days=2)])
MONEY = st.builds(Agreed, jacoby=st.booleans(), beavers=st.booleans(), automatic_doubles=st.integers(0, 3))
MATCHES = st.builds(Agreed, match_length=st.integers(1, 7), crawford=st.booleans())


class Contest:
    """One contest as it goes, and all that happened in it."""

    def __init__(self, agreed: Agreed, pace: Pace, chance: random.Random) -> None:
        self.begun = self.stand = opened(agreed, pace)
        self.chance = chance
        self.calm = chance.random() < 0.4
        """Whether both play on to the end, neither resigning nor leaving nor thinking for long."""
        self.is_priced = chance.random() < 0.7
        """Whether there is an engine that can say what a loss on time costs."""
        self.judged: dict[int, Win] = {}
        self.at = NOON
        self.events: list[Event] = []
        self.seeds = Seeds(server=chance.randbytes(32), clients=(chance.randbytes(32), chance.randbytes(32)))
        self.happens(Kind.COMMITMENT, None, {"hash": hash_of(seed=self.seeds.server).hex()})
        for side in SIDES:
            self.happens(Kind.SEED_HASH, side, {"hash": hash_of(seed=self.seeds.clients[side - 1]).hex()})
        for side in SIDES:
            self.happens(Kind.SEED, side, {"seed": self.seeds.clients[side - 1].hex()})
        self.goes_on()

    def throw(self, counter: int) -> tuple[int, int]:
        return throw(self.seeds, counter=counter)

    def happens(self, kind: str, side: Side | None, payload: dict[str, Any] | None = None) -> None:
        self.takes(Event(Kind(kind), side, self.at, self.at, payload or {}))

    def takes(self, event: Event) -> None:
        self.stand = after(self.stand, event)
        self.events.append(event)

    def goes_on(self) -> None:
        while event := follows(self.stand, throw=self.throw, server_seed=self.seeds.server.hex(), at=self.at):
            self.takes(event)

    def payload(self, kind: str, side: Side) -> dict[str, Any]:
        """What goes with the action, chosen at random."""
        if kind == Kind.ROLL:
            return thrown(self.stand, self.throw)
        if kind == Kind.PLAY:
            play = self.chance.choice(plays_of(self.stand, side))
            return {"play": str(play), "to": write_position_id(play.position)}
        if kind == Kind.RESIGN:
            return {"concession": self.chance.choice(resignations_of(self.stand, side)).value}
        return {}

    def somebody_does_something(self) -> None:
        waits = [0, 1, 3] if self.calm else [0, 1, 3, 11, 20]
        self.at += timedelta(seconds=self.chance.choice(waits), microseconds=self.chance.randrange(10**6))
        if self.stand.status is Status.PRICING:
            self._waits_for_a_price()
            return
        comes = due(self.stand)
        if comes is not None and any(self.stand.away_since) and self.chance.random() < 0.3:
            self.at = max(self.at, comes.at)  # who has left does not come back
        if comes is not None and self.at >= comes.at:
            self.takes(lapsed(self.stand, comes, at=self.at, priced=self.is_priced))
        else:
            if not self.calm:
                self._presence()
            side = self.stand.to_act
            assert side is not None
            kind = self._choice(side)
            if self.stand.is_away(side):
                self.happens(Kind.CAME, side)
            self.happens(kind, side, self.payload(kind, side))
        self.goes_on()

    def _waits_for_a_price(self) -> None:
        """Whoever comes and goes meanwhile is not away for any time."""
        for side in SIDES:
            if self.stand.pace.is_live and self.chance.random() < 0.3:
                self.happens(Kind.CAME if self.stand.is_away(side) else Kind.WENT, side)
        used = self.stand.away_used
        self.at += timedelta(minutes=self.chance.choice([0, 1, 6]))
        told = document(self.stand, viewer=1, at=self.at)
        assert [each["ends_at"] for each in (*told["presence"], *told["clocks"])] == [None] * 4
        assert (told["actions"], told["to_act"], told["due"], told["offer"]) == ([], None, None, None)
        for side in SIDES:
            if self.stand.is_away(side) and self.chance.random() < 0.5:
                self.happens(Kind.CAME, side)
        assert self.stand.away_used == used
        loser = self.stand.game.turn
        assert loser is not None
        clock = told["clocks"][loser - 1]
        assert (clock["running"], clock["move_ms"], clock["reserve_ms"]) == (False, 0, 0)
        self.judged[self.stand.number] = win = self.chance.choice(list(Win))
        self.happens(Kind.PRICED, loser, {"win": win.value, "record": None})
        self.goes_on()

    def _presence(self) -> None:
        if self.stand.pace.is_live and self.chance.random() < 0.04:
            side = self.chance.choice(SIDES)
            self.happens(Kind.CAME if self.stand.is_away(side) else Kind.WENT, side)
        if self.chance.random() < 0.01:
            self.at += timedelta(minutes=7)
            down = {"since": (self.at - timedelta(minutes=7)).isoformat()}
            self.happens(Kind.SERVICE_DOWN, None, down)

    def _choice(self, side: Side) -> str:
        kinds = actions_of(self.stand, side, at=self.at)
        if Kind.ROLL in kinds and self.chance.random() < 0.85:
            return Kind.ROLL
        rare = (Kind.RESIGN, Kind.ACCEPT_RESIGNATION, Kind.PASS, Kind.REFUSE_BEAVER)
        often = [kind for kind in kinds if kind not in rare or self.chance.random() < (0.02 if self.calm else 0.2)]
        if Kind.RESIGN in often and (self.calm or self.chance.random() < 0.9):
            often.remove(Kind.RESIGN)
        return self.chance.choice(often or [kind for kind in kinds if kind != Kind.RESIGN])


def may(stand: Stand, event: Event) -> bool:
    try:
        after(stand, event)
    except (RuleBroken, AssertionError):
        return False
    return True


def check_document(contest: Contest) -> None:
    stand, at = contest.stand, contest.at
    for viewer in (None, *SIDES):
        told = document(stand, viewer=viewer, at=at)
        assert json.loads(json.dumps(told)) == told
    told = document(stand, viewer=stand.to_act, at=at)
    position = stand.game.position
    assert read_position_id(told["position_id"]) == position
    if told["match_id"] is not None:
        assert read_match_id(told["match_id"]).cube == stand.game.cube.value
    if told["xgid"] is not None:
        board, state = read_xgid(told["xgid"])
        assert board == position
        assert state.turn == (1 if stand.game.turn == 1 else -1)
    # What is told from side 1's home is the same board.
    seen = position if stand.game.turn in (1, None) else position.swapped()
    assert told["board"]["points"] == list(seen.points[1:25])
    # A play's Position ID is the one that the state has after it.
    if told["plays"]:
        offered = contest.chance.choice(told["plays"])
        play = next(each for each in stand.game.plays if str(each) == offered["play"])
        payload = {"play": str(play), "to": write_position_id(play.position)}
        then = after(stand, Event(Kind.PLAY, stand.to_act, at, at, payload))
        if then.game.outcome is None:
            assert document(then, viewer=None, at=at)["position_id"] == offered["position_id"]


def check_offers(contest: Contest) -> None:
    """What is offered the referee allows, and nothing else."""
    stand, at = contest.stand, contest.at
    for side in SIDES:
        offered = actions_of(stand, side, at=at)
        assert (side == stand.to_act) or set(offered) <= {Kind.RESIGN}
        for kind in (Kind.ROLL, Kind.DOUBLE, Kind.TAKE, Kind.PASS, Kind.BEAVER, Kind.ACCEPT_BEAVER, Kind.REFUSE_BEAVER):
            payload = thrown(stand, contest.throw) if kind is Kind.ROLL else {}
            assert (kind in offered) == may(stand, Event(kind, side, at, at, payload))
        for each in Concession:
            event = Event(Kind.RESIGN, side, at, at, {"concession": each.value})
            assert (each in resignations_of(stand, side)) == may(stand, event)
        for kind in (Kind.ACCEPT_RESIGNATION, Kind.DECLINE_RESIGNATION):
            assert (kind in offered) == may(stand, Event(kind, side, at, at))


@settings(max_examples=25, deadline=None)
@given(agreed=MONEY | MATCHES, pace=PACES, seed=st.integers(0, 2**32))
def test_a_contest_comes_to_an_end_that_its_record_and_its_dice_prove(agreed: Agreed, pace: Pace, seed: int) -> None:
    contest = Contest(agreed, pace, random.Random(seed))
    for turn in count():
        if contest.stand.status.is_final:
            break
        contest.somebody_does_something()
        told = json.loads(json.dumps(snapshot.to_json(contest.stand)))
        assert snapshot.from_json(told, agreed=agreed, pace=pace) == contest.stand
        if turn % 7 == 0:
            check_document(contest)
            if not contest.stand.status.is_final and not is_late(contest):
                check_offers(contest)
    check_document(contest)
    assert due(contest.stand) is None
    assert verify(transcript(contest.events)) == []

    rules = RecordRules(
        *(agreed.match_length, agreed.crawford, agreed.jacoby, agreed.beavers),
        cube_limit=64,
        automatic_doubles=agreed.automatic_doubles,
    )
    text = text_of(contest.begun, contest.events, names=("ann", "bob"))
    (replay,) = replay_text(text, agreed=rules, judged=contest.judged)
    assert not replay.refused, (replay.refused, text)
    games = [game.outcome for game in replay.games if isinstance(game, GameReplay) and game.outcome]
    assert tuple(games) == contest.stand.games, text
    if contest.stand.status is Status.OVER:
        assert replay.series == contest.stand.series


def is_late(contest: Contest) -> bool:
    try:
        check_time(contest.stand, heard_at=contest.at)
    except RuleBroken:
        return True
    return False


def test_the_contests_at_random_see_every_ending() -> None:
    seen: set[object] = set()
    for seed in range(60):
        agreed = Agreed(match_length=3) if seed % 2 else Agreed(beavers=True)
        contest = Contest(agreed, Pace(move_s=15, reserve_s=60), random.Random(seed))
        while not contest.stand.status.is_final:
            contest.somebody_does_something()
        seen |= {contest.stand.status, *(outcome.ending for outcome in contest.stand.games)}
        seen |= {event.kind for event in contest.events}
    assert seen >= {Ending.BORNE_OFF, Ending.DROPPED, Ending.RESIGNED, Ending.TIMED_OUT}
    assert seen >= {Status.OVER, Status.ABANDONED, Kind.BEAVER, Kind.ACCEPT_BEAVER, Kind.REFUSE_BEAVER, Kind.NEXT_GAME}
    assert seen >= {Kind.TIME_OUT, Kind.PRICED}


NAMES = [
    "5 point match",
    "; [Jacoby",
    "Game 3",
    "a : 5      b",
    '"]',
    "  ",
    "Drops",
    "31: 8/5 6/5",
    "ann",
    "#",
    "Wins 3 points",
]


@pytest.mark.parametrize("name", NAMES)
def test_no_name_spoils_a_record(name: str) -> None:
    contest = Contest(Agreed(match_length=3), Pace(move_s=15), random.Random(1))
    while not contest.stand.status.is_final:
        contest.stand = replace(contest.stand, since=None, away_since=(None, None))
        side = contest.stand.to_act
        assert side is not None
        offered = actions_of(contest.stand, side, at=NOON)
        kind = next(kind for kind in (Kind.PASS, Kind.DOUBLE, Kind.ROLL, Kind.PLAY) if kind in offered)
        contest.happens(kind, side, contest.payload(kind, side))
        contest.goes_on()
    for names in ((name, "bob"), ("ann", name), (name, name), ("bob", opponent_name(name))):
        (replay,) = replay_text(text_of(contest.begun, contest.events, names=names))
        assert not replay.refused
        assert replay.winner == contest.stand.series.winner


def opponent_name(name: str) -> str:
    return f"{name} : 7  {name} : 1"
