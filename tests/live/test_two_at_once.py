"""Two hands at one table at the same moment, a service that is stopped and started again, and who is told of it."""

import json
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Barrier
from typing import Any

import psycopg
import pytest
from django.db import connection, transaction

from games.live import rows, selectors, services
from games.live.models import Action, Live
from games.live.rules.wishes import wish
from games.live.services import Done, StaleVersion
from games.models import Record
from tests.live.tables import Parlour, parlour

pytestmark = pytest.mark.django_db(transaction=True)


def at_once(*doings: Callable[[], Any]) -> list[Any]:
    """What each of them came to, an exception included, all begun at the same moment on a connection of its own."""
    gate = Barrier(len(doings))

    def run(doing: Callable[[], Any]) -> Any:
        try:
            gate.wait(timeout=10)
            return doing()
        except Exception as refused:
            return refused
        finally:
            connection.close()

    with ThreadPoolExecutor(len(doings)) as hands:
        return list(hands.map(run, doings))


def acting(table: Parlour, version: int, **what: Any) -> Callable[[], Done]:
    side = table.side
    return lambda: services.act(table=table.pk, side=side, version=version, wish=wish(what), now=table.now)


def sequences(table: Parlour) -> list[int]:
    return list(Action.objects.filter(live=table.pk).order_by("sequence").values_list("sequence", flat=True))


def test_of_two_actions_at_once_one_is_done_and_one_is_late() -> None:
    table = parlour()
    table.plays()
    version = table.live.version
    results = at_once(acting(table, version, kind="roll"), acting(table, version, kind="double"))
    assert {type(result) for result in results} == {Done, StaleVersion}
    done = next(result for result in results if isinstance(result, Done))
    late = next(result for result in results if isinstance(result, StaleVersion))
    assert late.state["version"] == done.version == version + 1
    assert table.live.version == version + 1


def test_the_same_action_at_once_is_done_once() -> None:
    table = parlour()
    table.plays()
    version = table.live.version
    results = at_once(*[acting(table, version, kind="roll")] * 4)
    assert sorted(result.replayed for result in results) == [False, True, True, True]
    assert {result.version for result in results} == {version + 1}
    assert sequences(table) == list(range(1, table.live.sequence + 1))


def test_seeds_given_at_once_open_the_game_once() -> None:
    table = parlour(seeded=False)
    at_once(lambda: table.commits(1), lambda: table.commits(2))
    at_once(lambda: table.reveals(1), lambda: table.reveals(2), lambda: table.reveals(1))
    assert table.stand.game.turn is not None
    assert (table.live.version, table.stand.number) == (1, 1)


def test_two_sweeps_and_a_claim_end_a_game_once() -> None:
    table = parlour()
    other = 2 if table.side == 1 else 1
    version = table.live.version
    table.wait(minutes=10)
    results = at_once(
        table.expires, table.expires, lambda: table.does("claim", side=1 if other == 1 else 2, version=version)
    )
    assert sum(isinstance(result, Done) and not result.replayed for result in results) == 1
    assert Record.objects.filter(table=table.table).count() == 1


def test_an_action_that_waits_for_the_lock_asks_the_time_when_it_has_it() -> None:
    table = parlour()
    side, version, play = table.side, table.live.version, str(table.stand.game.plays[0])
    asked: list[float] = []

    def now() -> Any:
        asked.append(time.monotonic())
        return table.at

    def acts() -> Done:
        try:
            return services.act(
                table=table.pk, side=side, version=version, wish=wish({"kind": "play", "play": play}), now=now
            )
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as hands:
        with transaction.atomic():
            Live.objects.select_for_update().get(pk=table.pk)
            waiting = hands.submit(acts)
            time.sleep(0.5)
            assert not asked
            freed = time.monotonic()
        assert waiting.result(timeout=10).version == version + 1
    assert asked[0] >= freed


def test_a_service_started_again_goes_on_with_everything_as_it_was(child_environment: dict[str, str]) -> None:
    table = parlour(match_length=3)
    table.wait(seconds=7)
    table.plays()
    table.wait(seconds=3)
    table.goes(table.side)
    table.wait(seconds=30)
    before = table.state(1)
    code = """
import json, sys, django
django.setup()
from datetime import datetime
from uuid import UUID
from games.live import selectors, services
from games.live.rules.wishes import wish
table, at, side = UUID(sys.argv[1]), datetime.fromisoformat(sys.argv[2]), int(sys.argv[3])
state = selectors.state(table=table, viewer=1, at=at)
done = services.act(table=table, side=side, version=state["version"], wish=wish({"kind": "roll"}), now=lambda: at)
print(json.dumps([state, done.state]))
"""
    environment = {**child_environment, "DJANGO_SETTINGS_MODULE": "wagering.config.settings"}
    found = subprocess.run(
        [sys.executable, "-c", code, str(table.pk), table.at.isoformat(), str(table.side)],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert found.returncode == 0, found.stderr
    seen, rolled = json.loads(found.stdout)
    assert seen == before
    stand = table.stand
    assert stand.thrown == before["dice_proof"]["thrown"] + 1
    assert rolled["version"] == before["version"] + 1
    # Thirty seconds of absence are counted, and the clock had stood still at three seconds.
    assert rolled["presence"][before["to_act"] - 1]["absence_left_ms"] == 270_000
    assert stand.thought <= timedelta(seconds=3)
    live = rows.seen(table=table.pk)
    assert selectors.replayed(live, selectors.events_of(live)) == stand


def test_those_who_listen_are_told_after_the_commit(app_dsn: str) -> None:
    table = parlour()
    with psycopg.connect(app_dsn, autocommit=True) as listener:
        listener.execute(f"LISTEN {rows.CHANNEL}")
        with transaction.atomic():
            table.plays()
            assert list(listener.notifies(timeout=0.3)) == []
        (told,) = listener.notifies(timeout=5, stop_after=1)
    live = table.live
    assert told.payload == f"{table.pk} {live.sequence} {live.version}"


def test_a_transaction_that_writes_carries_no_word_itself() -> None:
    table = parlour()
    told_inside = []

    def watch(execute: Any, sql: str, *rest: Any) -> Any:
        if "pg_notify" in sql:
            told_inside.append(connection.in_atomic_block)
        return execute(sql, *rest)

    with connection.execute_wrapper(watch):
        table.plays()
        with transaction.atomic():
            table.does("roll")
    assert told_inside == [False, False]


def test_a_word_that_cannot_be_sent_fails_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    def falls_over(payload: str) -> None:
        raise psycopg.OperationalError("the server is gone")

    table = parlour()
    table.plays()
    version = table.live.version
    monkeypatch.setattr(rows, "_tell", falls_over)
    assert acting(table, version, kind="roll")().version == table.live.version == version + 1
