"""An engine in native code may take its process with it. The game that did it must not do so for ever."""

from __future__ import annotations

import signal
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from unittest import mock
from uuid import UUID

import pytest
from django.test import Client
from django.utils import timezone

from games.analysis import engines
from games.analysis.engines import ATTEMPTS_MAX, PATIENCE
from games.models import User
from games.rules.endings import Ending, Outcome, Win
from games.rules.ids import read_xgid
from tests.factories import seated, terms
from wagering.play import tasks
from wagering.rest import hints
from wagering.settlement.abandonment import services as abandonment
from wagering.settlement.abandonment.services import Unfinished
from wagering.settlement.models import Adjudication, Settlement

pytestmark = pytest.mark.django_db(transaction=True)

ROOT = Path(__file__).resolve().parents[2]
NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)

# A worker whose engine is killed as by a fault of memory.
WORKER = """
import os, signal, sys
from datetime import datetime
from uuid import UUID
import django
os.environ["DJANGO_SETTINGS_MODULE"] = "wagering.config.settings"
django.setup()
from games.analysis import engines
from wagering.settlement.abandonment import services

class Crashing:
    name, version, level = "crashing", "1", "native"
    def evaluate(self, position):
        print("asked", flush=True)
        os.kill(os.getpid(), signal.SIGKILL)

engines.engine_for = lambda position, state: Crashing()
found = services.analyse(stake=UUID(sys.argv[1]), at=datetime.fromisoformat(sys.argv[2]))
print(found.state, flush=True)
"""


def waits(*, timed_out: bool = False) -> UUID:
    """A game that waits for its analysis."""
    stake = seated(terms("5", cap="30"))
    position, state = read_xgid("XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10")
    game = Unfinished(position=position, state=state, on_roll=1)
    if timed_out:
        outcome = Outcome(winner=2, win=Win.SINGLE, cube=1, points=1, ending=Ending.TIMED_OUT)
        abandonment.timed_out(table=stake.table, outcome=outcome, game=game, at=NOW)
    else:
        abandonment.left(table=stake.table, absent=[1], game=game, needs=(0, 0), at=NOW)
    return stake.pk


def crashes(stake: UUID, environment: dict[str, str], *, nth: int) -> str:
    """What a worker says that takes the game when its patience with the one before has ended."""
    at = (NOW + nth * PATIENCE).isoformat()
    command = [sys.executable, "-c", WORKER, str(stake), at]
    run = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert run.returncode == (-signal.SIGKILL if run.stdout == "asked\n" else 0), run.stderr
    return run.stdout


def test_what_kills_every_worker_waits_for_an_operator_who_may_ask_again(child_environment: dict[str, str]) -> None:
    stake = waits()
    for attempt in range(ATTEMPTS_MAX):
        assert crashes(stake, child_environment, nth=attempt) == "asked\n"
        found = Adjudication.objects.get()
        assert (found.state, found.attempts) == (Adjudication.State.WAITING, attempt + 1)
    assert crashes(stake, child_environment, nth=ATTEMPTS_MAX) == "operator\n"
    assert crashes(stake, child_environment, nth=ATTEMPTS_MAX + 1) == "operator\n"
    assert Adjudication.objects.get().reason == "the engine was asked 3 times and never answered"

    operator = Client()
    operator.force_login(User.objects.create(username="an operator", is_staff=True, is_superuser=True))
    operator.post("/admin/settlement/adjudication/", {"action": "ask_again", "_selected_action": [str(stake)]})
    found = abandonment.analyse(stake=stake, at=NOW + (ATTEMPTS_MAX + 1) * PATIENCE)
    assert (found.state, found.attempts) == (Adjudication.State.ANALYSED, 1)


def test_a_game_lost_by_the_clock_is_paid_by_the_referees_word(child_environment: dict[str, str]) -> None:
    stake = waits(timed_out=True)
    Adjudication.objects.update(attempts=ATTEMPTS_MAX, asked_at=NOW)
    assert crashes(stake, child_environment, nth=1) == "analysed\n"
    abandonment.settle(stake=stake, at=NOW + PATIENCE)
    assert str(Settlement.objects.get().lost) == "5.00"


def test_two_workers_do_not_ask_at_once_and_the_sweep_leaves_those_alone_that_are_being_asked() -> None:
    stake = waits()
    later = NOW + PATIENCE - timedelta(seconds=1)

    def swept() -> list[tuple[str, ...]]:
        with (
            mock.patch.object(timezone, "now", return_value=later),
            mock.patch.object(hints, "_send") as sent,
        ):
            tasks.look_for_unfinished()
        return [call.args[1] for call in sent.call_args_list]

    def asks_too(**_: object) -> None:
        rival = abandonment.analyse(stake=stake, at=later)
        assert rival.state == Adjudication.State.WAITING
        assert swept() == []
        raise ZeroDivisionError

    assert swept() == [(str(stake),)]
    with mock.patch.object(engines, "analyse", side_effect=asks_too) as asked:
        found = abandonment.analyse(stake=stake, at=NOW)
    assert asked.call_count == 1
    assert (found.state, found.attempts) == (Adjudication.State.OPERATOR, 1)
