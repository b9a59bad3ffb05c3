"""Two workers and a killer: whoever pays out, and what they stand on, dies at any moment, and each is paid once."""

from __future__ import annotations

import os
import random
import re
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import httpx
import psycopg
import pytest
from django.conf import settings

from tests.workers.conftest import ROOT
from wagering.config import embedded
from wagering.config.embedded import broker

PAYOUTS: Final = 500
SEED: Final = 20
ROUNDS: Final = 2
"""In each every victim is killed once, in an order drawn anew."""
STEPS: Final = 4 * PAYOUTS // (5 * ROUNDS + 5)
"""So many are done before the next is killed, so that all of them die while there is something to do."""
LOOKS_EVERY_S: Final = 0.2
STALLS_FOR_S: Final = 12
"""After so long without a step the next one is killed: what is looked up waits for its time."""
NOTHING_FOR_S: Final = 120
NEVER_HEARD_S: Final = 20
"""After so long what a killed worker may have sent, and the provider does not know, was not sent."""
VICTIMS: Final = ("worker-a", "worker-b", "beat", "broker", "database")

pytestmark = pytest.mark.skipif(not settings.EMBEDDED, reason="the servers that are killed are embedded ones")


def happens(what: Callable[[], bool], *, within_s: float) -> bool:
    """Looks rarely: whoever is watched needs the processors."""
    end = time.monotonic() + within_s
    while not what():
        if time.monotonic() > end:
            return False
        time.sleep(LOOKS_EVERY_S)
    return True


class Workers:
    """Two workers, a beat and a sandbox (``hurried.py``)."""

    def __init__(self, environment: dict[str, str], record: str, log: Path) -> None:
        self.log, self._starts = log, Counter[str]()
        with log.open("wb") as out:
            self._stem = subprocess.Popen(
                [sys.executable, "-m", "tests.flows.hurried", str(PAYOUTS), record],
                cwd=ROOT,
                env=environment,
                stdin=subprocess.PIPE,
                stdout=out,
                stderr=subprocess.STDOUT,
                text=True,
                start_new_session=True,
            )
        self.say("the sandbox is at ")
        told = re.search(r"the sandbox is at (\S+)", self.log.read_text())
        assert told
        self.sandbox = told[1]
        for name in VICTIMS[:3]:
            self.kill(name)
        self.are_up()

    def kill(self, name: str) -> None:
        """Kill -9 it, if it lives, and start it."""
        self._tell(name)
        self._starts[f"{name} is up"] += 1

    def are_up(self) -> None:
        for what, times in self._starts.items():
            self.say(what, times=times)

    def prove(self) -> None:
        self._tell("proof")
        self.say("the book is proved")

    def end(self) -> None:
        assert self._stem.stdin is not None
        self._stem.stdin.close()
        self._stem.wait(timeout=60)

    def say(self, what: str, *, times: int = 1) -> None:
        assert happens(lambda: self._say(what) >= times, within_s=NOTHING_FOR_S), f"{what}: {self.log.read_text()}"

    def _say(self, what: str) -> int:
        told = self.log.read_text()
        assert self._stem.poll() is None, told
        return told.count(what)

    def _tell(self, word: str) -> None:
        assert self._stem.stdin is not None
        self._stem.stdin.write(f"{word}\n")
        self._stem.stdin.flush()


@dataclass
class House:
    """A database, a broker and all who work on them: nothing of it is pytest's."""

    cluster: embedded.Cluster
    queue: broker.Broker
    workers: Workers
    kills: Counter[str] = field(default_factory=Counter)
    _connection: psycopg.Connection | None = None

    def rows(self, query: str) -> list[tuple[Any, ...]]:
        if self._connection is None:
            self._connection = psycopg.connect(self.cluster.dsn("app", "backgammon"), autocommit=True)
        return self._connection.execute(query).fetchall()

    def steps(self) -> int:
        """How far all payouts have come."""
        ((done,),) = self.rows(
            "SELECT count(batch_id) + count(sent_at) + count(released_at)"
            " + (SELECT count(screened_at) + count(ended_at) FROM payouts_payout) FROM payouts_attempt"
        )
        return int(done)

    def states(self) -> dict[str, int]:
        return dict(self.rows("SELECT state, count(*) FROM payouts_payout GROUP BY state"))

    def have_ended(self) -> bool:
        return not self.rows("SELECT 1 FROM payouts_payout WHERE ended_at IS NULL LIMIT 1")

    def kill(self, name: str) -> None:
        """Kill -9 it, and start it."""
        self.kills[name] += 1
        if name not in ("broker", "database"):
            self.workers.kill(name)
            return
        server = self.queue if name == "broker" else self.cluster
        server.kill()
        server.start()
        if name == "database":
            self._connection = None

    def leave_alone(self, *, for_steps: int) -> None:
        """Until so much is done, or nothing for a while."""
        goal = last = self.steps()
        goal += for_steps
        while last < goal and not self.have_ended():
            if not happens(lambda: self.steps() > last, within_s=STALLS_FOR_S):  # noqa: B023 - asked at once
                return
            last = self.steps()

    def record(self) -> dict[str, list[dict[str, Any]]]:
        """What the provider and the bank did, by their own book."""
        return dict(httpx.get(f"{self.workers.sandbox}/control/record", trust_env=False).json())


@pytest.fixture
def house(owner_dsn: str, tmp_path: Path) -> Iterator[House]:
    """On a copy of the tests' empty database, which is sooner there than one that is migrated."""
    with embedded.scratch(durable=True) as cluster, broker.scratch() as queue:
        dump = embedded.run("pg_dump", "-d", owner_dsn).stdout
        whole = ("-X", "-q", "-1", "-v", "ON_ERROR_STOP=1")
        embedded.run("psql", *whole, "-d", cluster.dsn(embedded.SUPERUSER, "backgammon"), stdin=dump)
        environment = {
            **os.environ,
            "DATABASE_URL": cluster.url("app", "backgammon"),
            "CELERY_BROKER_URL": queue.url,
            "SECRET_KEY": "only-for-tests",
            "LOG_LEVEL": "ERROR",
            "PYTHONWARNINGS": "ignore:You're running the worker with superuser privileges",
            "PROVIDERS": "sandbox",
            "BANK": "sandbox",
            "PAYOUT_NEVER_HEARD_S": str(NEVER_HEARD_S),
        }
        workers = Workers(environment, str(tmp_path / "sandbox.sqlite3"), tmp_path / "log")
        try:
            yield House(cluster, queue, workers)
        finally:
            workers.end()
            print(workers.log.read_text()[-20_000:])  # pytest shows it with what failed


def test_each_payout_is_paid_once_whoever_is_killed(house: House) -> None:
    chance, began = random.Random(SEED), time.monotonic()
    for victims in (chance.sample(VICTIMS, len(VICTIMS)) for _ in range(ROUNDS)):
        print(f"{time.monotonic() - began:.0f} s", house.states())
        for victim in victims:
            house.leave_alone(for_steps=STEPS)
            time.sleep(chance.uniform(0, LOOKS_EVERY_S))
            house.workers.are_up()
            house.kill(victim)
    while not house.have_ended():
        before = house.steps()
        assert happens(lambda: house.steps() > before or house.have_ended(), within_s=NOTHING_FOR_S), house.states()  # noqa: B023
    print(f"{time.monotonic() - began:.0f} s", house.kills)
    assert house.kills == dict.fromkeys(VICTIMS, ROUNDS)

    assert house.states() == {"paid": PAYOUTS}
    assert house.rows("SELECT count(*) FROM payouts_attempt WHERE paid_at IS NULL AND released_at IS NULL") == [(0,)]
    pending = "SELECT sum(b.amount) FROM ledger_account a JOIN ledger_balance b ON b.account_id = a.id WHERE a.code = "
    assert house.rows(f"{pending}'payouts_pending'") == [(0,)]
    paid = house.rows(
        "SELECT a.rail, a.ours, p.amount FROM payouts_attempt a JOIN payouts_payout p ON p.id = a.payout_id "
        "WHERE a.paid_at IS NOT NULL ORDER BY a.ours"
    )
    to_cards = [(ours, amount * 100) for rail, ours, amount in paid if rail == "sandbox"]
    to_accounts = [(ours, str(amount)) for rail, ours, amount in paid if rail == "bank"]
    assert (len(to_cards), len(to_accounts)) == (PAYOUTS // 2, PAYOUTS // 2)
    record = house.record()
    assert {row["status"] for table in ("payout", "transfer") for row in record[table]} == {"paid"}
    assert sorted((row["reference"], row["amount"]) for row in record["payout"]) == to_cards
    assert sorted((row["reference"], row["amount"]) for row in record["transfer"]) == to_accounts
    assert sorted((row["end_to_end"], row["amount"]) for row in record["booking"]) == to_accounts
    house.workers.prove()
