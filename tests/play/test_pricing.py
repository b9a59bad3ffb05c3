"""A match played for money whose game is lost on time: priced by the worker, settled, proved; and what may go wrong."""

from __future__ import annotations

from datetime import timedelta
from types import SimpleNamespace
from typing import Any
from unittest import mock

import pytest
from django.test import Client

from games.analysis import time_out
from games.analysis.engines import ATTEMPTS_MAX, PATIENCE
from games.live import pricing, rows
from games.live import selectors as lives
from games.live import services as live
from games.live.rules.wishes import Wish
from games.models import Game, User
from games.rules.plays import Play
from games.rules.sides import opponent_of
from tests.factories import terms
from tests.play.at_table import AtTable, assert_proven, sat_down
from wagering.audit.overview import waiting_for_their_price
from wagering.audit.proofs import settlements_compute_again
from wagering.audit.trace import as_text, trace
from wagering.config.celery import app
from wagering.play import tasks
from wagering.play.tables import services
from wagering.rest import hints
from wagering.settlement.models import Adjudication, Settlement

pytestmark = pytest.mark.django_db

TWO = terms("10", match_length=2)


@pytest.fixture(autouse=True)
def _the_same_dice_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "secrets", SimpleNamespace(token_bytes=lambda length: b"\x07" * length))


def lost_on_time() -> AtTable:
    """A match to 2 in which whoever opened lets its time run out."""
    game = sat_down(TWO)
    game.wait(minutes=2, seconds=17)
    game.sweeps()
    return game


def crushed() -> AtTable:
    """A match to 2 in which bob leaves blots wherever he can, is hit, and lets his time run out."""
    game = sat_down(TWO, crawford=False)
    played = 0
    while played < 24 or game.stand.game.dice:
        stand, version = game.stand, rows.seen(table=game.table.pk).version
        what = Wish("roll")
        if stand.game.dice:
            key = careless if stand.to_act == 2 else hitting
            what, played = Wish("play", play=str(max(stand.game.plays, key=key))), played + 1
        services.act(table=game.table.pk, side=game.side, version=version, wish=what, now=lambda: game.at)
    assert game.side == 2
    game.wait(minutes=2, seconds=17)
    game.sweeps()
    return game


def careless(play: Play) -> tuple[int, int]:
    return 10 * blots(play) + play.position.pips, 0


def hitting(play: Play) -> tuple[int, int]:
    made = sum(play.position.points[point] >= 2 for point in range(1, 9))
    return play.position.opponent_pips, 3 * made - blots(play)


def blots(play: Play) -> int:
    return sum(count == 1 for count in play.position.points[1:25])


def works(game: AtTable) -> None:
    """As the worker does it."""
    with game.clock():
        tasks.price(str(game.table.pk))


def test_a_gammon_that_is_likelier_than_not_decides_the_match() -> None:
    game = crushed()
    assert game.state()["status"] == "pricing"
    assert game.state()["settlement"] is None
    assert game.nets() == ("-10.00", "-10.00")  # in escrow
    assert_proven()
    works(game)
    state = game.state()
    assert (state["status"], state["result"]["winner"]) == ("over", 1)
    assert (state["games"][0]["win"], state["games"][0]["points"]) == ("gammon", 2)
    assert state["settlement"]["status"] == "settled"
    assert game.nets() == ("8.92", "-10.00")
    assert not Adjudication.objects.exists()
    works(game)  # a message that comes twice
    assert Settlement.objects.count() == 1
    assert_proven()
    assert "lost by the clock at XGID=" in as_text(trace(game.table))

    # The record alone does not say so: without the table's own event it is refused.
    with mock.patch.object(lives, "judged", return_value={}):
        assert "what an analysis may have given" in str(settlements_compute_again().fault)


def test_an_even_game_costs_a_point_and_the_match_goes_on(django_capture_on_commit_callbacks: Any) -> None:
    game = sat_down(TWO)
    loser = game.side
    game.wait(minutes=2, seconds=17)
    with mock.patch.object(hints, "_send") as sent, django_capture_on_commit_callbacks(execute=True):
        assert game.does("claim", side=opponent_of(loser)).json()["status"] == "pricing"
        assert game.does("roll", side=loser).json()["code"] in ("stale_version", "time_is_up")
    assert [call.args[:2] for call in sent.call_args_list] == [(tasks.price, (str(game.table.pk),))]
    works(game)
    state = game.state()
    assert (state["status"], state["game"], state["score"][opponent_of(loser) - 1]) == ("playing", 2, 1)
    game.done("resign", concession="match")
    if game.state()["status"] == "playing":
        game.done("accept_resignation")
    assert [each.ending for each in Game.objects.order_by("number")] == ["timed_out", "resigned"]
    assert_proven()


def test_the_sweep_finds_it_and_an_operator_sees_one_that_hangs(
    client: Client, django_capture_on_commit_callbacks: Any
) -> None:
    game = lost_on_time()
    client.force_login(User.objects.create(username="operator", is_staff=True, is_superuser=True))
    with mock.patch.object(hints, "_send") as sent, django_capture_on_commit_callbacks(execute=True):
        tasks.look_for_unfinished()
    assert [call.args[:2] for call in sent.call_args_list] == [(tasks.price, (str(game.table.pk),))]
    line = waiting_for_their_price(at=game.at)
    assert (line.rows.count(), line.calls) == (1, False)
    assert waiting_for_their_price(at=game.at + (ATTEMPTS_MAX + 1) * PATIENCE + timedelta(seconds=1)).calls
    listed = client.get("/admin/games/table/", {"status": "pricing"}).content.decode()
    assert f"/admin/games/table/{game.table.pk}/change/" in listed
    with mock.patch.object(time_out, "analyse", side_effect=ZeroDivisionError("in the engine")):
        pricing.ask(table=game.table.pk, at=game.at)
    shown = client.get(f"/admin/games/table/{game.table.pk}/change/").content.decode()
    assert "asked 1 ×, the engine failed" in shown


def test_voided_while_it_is_priced_both_stakes_go_back(client: Client) -> None:
    game = lost_on_time()
    client.force_login(User.objects.create(username="operator", is_staff=True, is_superuser=True))
    client.post(f"/admin/games/table/{game.table.pk}/void/", {"reason": "the engine hangs"})
    works(game)
    assert (game.state()["status"], game.nets()) == ("voided", ("0.00", "0.00"))
    assert_proven()


def test_prices_are_asked_for_on_the_queue_of_analyses() -> None:
    assert app.amqp.router.route({}, tasks.price.name)["queue"].name == "analysis"
