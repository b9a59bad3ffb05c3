"""Whole games at random over the services: the snapshot is what replaying the actions gives, and the record replays."""

import json
import random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from games.live import rows, selectors
from games.live.rules import snapshot
from games.live.rules.stand import Status
from games.live.services import Done, StaleVersion
from games.models import Game, Record
from games.rules.dice_json import read_transcript
from games.rules.dice_transcript import verify
from games.rules.refusals import RuleBroken
from games.rules.sides import SIDES, Side, opponent_of
from tests.live.tables import GAMMON, Parlour, parlour

SINGLE = ("0.5", "0", "0", "0.5", "0", "0")
BACKGAMMON = ("0", "0", "0", "0", "0.5", "0.5")

MONEY = st.fixed_dictionaries(
    {"jacoby": st.booleans(), "beavers": st.booleans(), "automatic_doubles": st.integers(0, 3)}
)
MATCHES = st.fixed_dictionaries({"match_length": st.integers(1, 4), "crawford": st.booleans()})


def check_snapshot(table: Parlour) -> None:
    live = rows.seen(table=table.pk)
    assert selectors.replayed(live, selectors.events_of(live)) == selectors.stand_of(live)
    assert json.loads(json.dumps(snapshot.to_json(selectors.stand_of(live)))) == live.snapshot


def play_on(table: Parlour, chance: random.Random) -> None:
    """Somebody does something that is allowed, after some time; now and then somebody leaves or runs out of time."""
    table.wait(seconds=chance.choice([0, 1, 3, 14, 20]))
    if table.stand.status is Status.PRICING:
        table.is_priced(*chance.choice([GAMMON, SINGLE, BACKGAMMON]))
        return
    luck = chance.random()
    if luck < 0.03:
        table.goes(chance.choice(SIDES))
    elif luck < 0.06:
        table.comes(chance.choice(SIDES))
    if table.expires() is not None:
        return
    side = table.side
    state = table.state(side)
    kinds = [kind for kind in state["actions"] if kind != "resign" or chance.random() < 0.02]
    kind = chance.choice([*kinds, *(["roll"] * 6 if "roll" in kinds else [])] or ["decline_resignation"])
    what: dict[str, Any] = {}
    if kind == "play":
        what["play"] = chance.choice(state["plays"])["play"]
    elif kind == "resign":
        what["concession"] = chance.choice(state["resignations"])
    version = table.live.version
    done = table.does(kind, side=side, **what)
    if chance.random() < 0.1:
        act_out_of_turn(table, chance, kind, what, side=side, done=done, version=version)


def act_out_of_turn(
    table: Parlour, chance: random.Random, kind: str, what: dict[str, Any], *, side: Side, done: Done, version: int
) -> None:
    """The same again, the same from a tab that fell behind, another late, and the other side's out of its turn."""
    again = table.does(kind, side=side, version=version, **what)
    assert (again.replayed, again.version, again.contest_over) == (True, done.version, done.contest_over)
    with pytest.raises(StaleVersion):
        table.does(chance.choice(["roll", "double", "take"]), side=opponent_of(side), version=version)
    with pytest.raises(StaleVersion):
        table.does("claim", side=side, version=done.version + 1)
    acts = done.state["to_act"]
    for kind in ("roll", "double", "take", "pass", "accept_resignation"):
        if acts is not None:
            with pytest.raises(RuleBroken):
                table.does(kind, side=opponent_of(acts))


def play_whole(seed: int, **options: Any) -> Parlour:
    chance = random.Random(seed)
    table = parlour(chance=seed, **options)
    turns = 0
    while not table.stand.status.is_final:
        play_on(table, chance)
        turns += 1
        if turns % 25 == 0:
            check_snapshot(table)
    return table


class TestWholeGames(TestCase):
    @settings(max_examples=8, deadline=None, suppress_health_check=list(HealthCheck))
    @given(options=MONEY | MATCHES, seed=st.integers(0, 2**32))
    def test_the_snapshot_is_what_replaying_gives_and_the_record_is_replayed(
        self, options: dict[str, Any], seed: int
    ) -> None:
        table = play_whole(seed, **options)
        check_snapshot(table)

        # F: the dice prove themselves once the contest is over.
        transcript = read_transcript(json.dumps(selectors.dice(table=table.pk)))
        assert verify(transcript) == []

        stand = table.stand
        if stand.status is Status.OVER:
            # What games.services made of the record is what was played.
            games = list(Game.objects.filter(table=table.table).order_by("number"))
            assert [(row.winner, row.win, row.cube, row.points, row.ending) for row in games] == [
                (each.winner, each.win or "", each.cube, each.points, each.ending) for each in stand.games
            ]
            assert Record.objects.get(table=table.table).text == selectors.record(table=table.pk)
        else:
            assert not Record.objects.filter(table=table.table).exists()


@pytest.mark.django_db
def test_an_action_that_the_state_does_not_offer_is_refused() -> None:
    table = parlour()
    for side in SIDES:
        offered = set(table.state(side)["actions"])
        for kind in ("roll", "double", "take", "pass", "beaver", "accept_beaver", "accept_resignation"):
            if kind not in offered:
                with pytest.raises(RuleBroken):
                    table.does(kind, side=side)
