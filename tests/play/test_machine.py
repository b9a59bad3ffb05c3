"""The machine as the opponent (B-17): free, unrated, and acting as anyone does."""

from __future__ import annotations

import random
from typing import Any
from unittest import mock
from uuid import uuid4

import pytest
from rest_framework.test import APIClient

from games.analysis import strategy
from games.analysis.strategy import STRENGTHS, Strength
from games.models import Game, Room, Table
from games.rules.board import OPENING
from games.rules.dice import hash_of
from games.rules.ids import MatchState
from games.rules.plays import legal_plays
from ledger import book, chart
from ratings.models import RatingChange
from tests.access.callers import client_of
from tests.factories import PlayerFactory, RoomFactory
from tests.play.lobbying import refused
from wagering.play import tasks
from wagering.play.machine import players
from wagering.play.machine import selectors as machines
from wagering.play.machine import services as machine
from wagering.rest import hints
from wagering.stakes.models import Stake

pytestmark = pytest.mark.django_db

SEED = b"c" * 32


class Guest:
    """A player against the machine, whose worker is the test."""

    def __init__(self, **asked: Any) -> None:
        self.player = PlayerFactory.create(name="ann")
        self.client: APIClient = client_of(self.player)
        self.room: Room = RoomFactory.create()
        answer = self.opens(**asked)
        assert answer.status_code == 201, answer.content
        self.state: Any = answer.json()
        self.path = f"/v1/tables/{self.state['table']}"

    def opens(self, **asked: Any) -> Any:
        body = {"room": self.room.slug, "strength": "novice", **asked}
        return self.client.post("/v1/machine-tables", body, headers={"Idempotency-Key": uuid4().hex})

    def posts(self, what: str, body: Any) -> Any:
        answer = self.client.post(f"{self.path}/{what}", body, headers={"Idempotency-Key": uuid4().hex})
        assert answer.status_code == 200, answer.content
        return answer.json()

    def seeds(self) -> None:
        self.posts("seeds", {"hash": hash_of(seed=SEED).hex()})
        tasks.machine_goes_on(self.state["table"])
        self.state = self.posts("seeds", {"seed": SEED.hex()})

    def waits(self) -> None:
        """The machine does what is its to do."""
        tasks.machine_goes_on(self.state["table"])
        self.state = self.client.get(self.path).json()

    def acts(self) -> None:
        """One action of the player's."""
        assert self.state["to_act"] == 1
        offered = self.state["actions"]
        order = ["play", "roll", "take", "accept_beaver", "accept_resignation"]
        kind = next(kind for kind in order if kind in offered)
        what = {"play": self.state["plays"][0]["play"]} if kind == "play" else {}
        self.state = self.posts("actions", {"kind": kind, "version": self.state["version"], **what})


def test_a_whole_match_is_played_and_costs_nobody_anything() -> None:
    guest = Guest(strength="novice", match_length=1)
    guest.seeds()
    for _ in range(300):
        if guest.state["result"]:
            break
        guest.waits()
        if not guest.state["result"]:
            guest.acts()
    assert guest.state["result"]["status"] == "over"
    assert guest.state["settlement"] is None
    assert Game.objects.filter(table=guest.state["table"]).count() == 1
    assert not Stake.objects.exists()
    assert not RatingChange.objects.exists()
    assert book.balance(chart.wallet(guest.player.pk, "PLAY")) == 0
    assert Table.objects.get().zone == "amateurs"


def test_it_answers_a_double_and_a_resignation() -> None:
    guest = Guest(strength="expert")
    guest.seeds()
    guest.waits()
    while "double" not in guest.state["actions"]:
        guest.acts()
        guest.waits()
    guest.state = guest.posts("actions", {"kind": "double", "version": guest.state["version"]})
    tasks.machine_goes_on(guest.state["table"])
    state = guest.client.get(guest.path).json()
    assert state["offer"] is None
    if not state["result"]:
        assert state["cube"] == {"value": 2, "owner": 2, "limit": 64}
        guest.posts("actions", {"kind": "resign", "concession": "backgammon", "version": state["version"]})
        tasks.machine_goes_on(guest.state["table"])
        assert guest.client.get(guest.path).json()["result"]["winner"] == 2


def test_a_lost_hint_is_found_by_the_sweep() -> None:
    guest = Guest()
    assert not machines.waiting().exists()  # the hash is the player's to give
    guest.posts("seeds", {"hash": hash_of(seed=SEED).hex()})
    tasks.look_for_machines()
    assert not machines.waiting().exists()
    state = guest.client.get(guest.path).json()
    assert state["dice_proof"]["seeds"][1]
    tasks.look_for_machines()
    assert guest.client.get(guest.path).json()["sequence"] == state["sequence"]


def test_the_hint_is_sent_when_it_is_the_machines_to_act(django_capture_on_commit_callbacks: Any) -> None:
    with mock.patch.object(hints, "_send") as sent:
        with django_capture_on_commit_callbacks(execute=True):
            guest = Guest()
            guest.posts("seeds", {"hash": hash_of(seed=SEED).hex()})
        assert [call.args[:2] for call in sent.call_args_list] == [(tasks.machine_goes_on, (guest.state["table"],))]


def test_so_many_games_with_it_and_no_more() -> None:
    guest = Guest()
    refused(guest.opens(room="nowhere"), 422, "no_such_room")
    assert guest.opens(match_length=3, jacoby=True).status_code == 422
    for _ in range(machine.TABLES_MAX - 1):
        assert guest.opens().status_code == 201
    refused(guest.opens(), 409, "too_many_machine_tables")


def test_nobody_can_log_in_as_it() -> None:
    for strength in STRENGTHS.values():
        player = players.player_of(strength)
        assert player.user is None
        assert players.is_machine(player.pk)
        assert players.strength_of(player.pk) == strength


@pytest.mark.parametrize("strength", STRENGTHS.values(), ids=lambda strength: strength.name)
def test_the_same_question_has_the_same_answer(strength: Strength) -> None:
    plays = legal_plays(OPENING, (3, 1))
    found = [strategy.choose_play(plays, MatchState(), strength, random.Random(7)) for _ in range(3)]
    assert len(set(found)) == 1
    if not strength.noise:
        assert str(found[0]) == "8/5 6/5"


@pytest.mark.parametrize("dice", [(6, 5), (3, 1), (2, 2)])
def test_without_the_engine_it_still_plays(dice: tuple[int, int]) -> None:
    plays = legal_plays(OPENING, dice)
    plain, club = strategy._Plain(), STRENGTHS["club"]
    with mock.patch.object(strategy, "_judge", return_value=plain):
        assert strategy.choose_play(plays, MatchState(), club, random.Random(1)) in plays
        assert strategy.takes(OPENING, MatchState(), STRENGTHS["expert"], random.Random(1))
        assert not strategy.doubles(OPENING, MatchState(), STRENGTHS["expert"], random.Random(1))


@pytest.mark.django_db
def test_it_plays_without_a_cube_too() -> None:
    guest = Guest(cube=False)
    assert guest.state["rules"]["cube"] is False
    assert guest.state["cube"]["limit"] == 1
    assert guest.opens(cube=False, beavers=True).json()["code"] == "cube_needed"
