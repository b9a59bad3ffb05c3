"""The jackhammer: processes of the service on a durable server, all of them and the server killed -9 again and again.

Four clients post and settle in each other's way while a keeper rolls up, seals and proves (``hammer.py``). A client
writes each key that was acknowledged to a file outside the database. Afterwards the book is judged by that file, and by
what the keys were meant to move, which the judge knows without the book (``judge.py``, ``cards.py``).
"""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import psycopg
import pytest
from django.conf import settings
from django.db import connection, connections
from pytest_django import DjangoDbBlocker

from ledger import book, postings, seals
from tests.ledger.hammer import LOOSE, TABLELESS, Folder
from tests.ledger.judge import Judge, rows
from tests.ledger.people import NOON
from tests.ledger.storm import ROOT, Storm, prepare
from wagering.config import embedded
from wagering.stakes.models import Stake

CLIENTS: Final = ("client1", "client2", "client3", "client4")
KEEPER: Final = "keeper"
KILLS: Final = {"client": 10, "keeper": 2, "server": 10}
DURABLE: Final = ("fsync", "synchronous_commit", "full_page_writes")
MADE_OF: Final = (
    "deposit_confirmed", "play_money_issued", "manual_adjustment", "commission_swept", "reverse", "stake_held",
    "stake_released", "stake_voided", "single_settled", "series_settled", "games_settled",
    "replayed", "same_key_from_several", "settled_by_several",
    "InsufficientFunds", "KeyReused", "UnknownHold", "HoldClosed", "StakeClosed", "SettledOtherwise",
)  # fmt: skip
"""A storm without one of these would show less than it says."""


pytestmark = pytest.mark.skipif(not settings.EMBEDDED, reason="the server that is killed is an embedded one")


def test_what_was_acknowledged_survives_every_kill_exactly_once(django_db_blocker: DjangoDbBlocker) -> None:
    seed = os.environ.get("JACKHAMMER_SEED") or random.SystemRandom().randbytes(4).hex()
    path = Path(tempfile.mkdtemp(prefix="jackhammer-"))
    print(f"JACKHAMMER_SEED={seed}; what the processes wrote is kept in {path} if this fails")
    with durable_server(keep_log=path / "server.log") as cluster, django_db_blocker.unblock():
        environment = environment_on(cluster)
        subprocess.run([sys.executable, "manage.py", "migrate", "-v0"], cwd=ROOT, env=environment, check=True)
        with keeping_the_book_of_a_failure(cluster, path / "book.sql"), connected(cluster):
            hammer(cluster, Folder(path), environment, seed)
    shutil.rmtree(path)


def hammer(cluster: embedded.Cluster, folder: Folder, environment: Mapping[str, str], seed: str) -> None:
    assert durability() == dict.fromkeys(DURABLE, "on")
    prepare(folder)
    early = seals.seal()
    assert early is not None
    connection.close()
    dice = random.Random(seed)
    kills: Counter[str] = Counter()
    with Storm((*CLIENTS, KEEPER), folder=folder, environment=environment, seed=seed) as storm:
        for victim in dice.sample(list(KILLS), sum(KILLS.values()), counts=list(KILLS.values())):
            storm.work(keys=dice.randint(10, 45))
            time.sleep(dice.uniform(0, 0.05))
            if victim == "server":
                cluster.kill()
                cluster.start()
            else:
                storm.kill(KEEPER if victim == KEEPER else dice.choice(CLIENTS))
            kills[victim] += 1
        for _ in range(10):
            if missing(folder):
                storm.work(keys=100)
        storm.finish()
    judge = Judge(folder)
    print(dict(kills), dict(judge.happened()))
    assert folder.surprises.read_text() == ""
    assert all(folder.diary(name).read_text().endswith("end\n") for name in CLIENTS)
    assert all(kills[victim] >= 10 for victim in ("client", "server"))
    judge.every_acknowledged_key_is_in_the_book_once()
    judge.balances_are_a_recount(judge.everything_in_the_book_was_meant())
    judge.every_stake_is_closed_once()
    judge.the_seal_and_every_checkpoint_verify(early)
    judge.everything_proves(but=LOOSE)
    close_what_is_loose()
    judge.everything_proves(but=TABLELESS)
    assert judge.faults == []
    assert missing(folder) == []


def missing(folder: Folder) -> list[str]:
    """What has not happened yet, and must."""
    happened = Judge(folder).happened()
    return [name for name in MADE_OF if not happened[name]]


@contextmanager
def keeping_the_book_of_a_failure(cluster: embedded.Cluster, file: Path) -> Iterator[None]:
    try:
        yield
    except BaseException:
        if cluster.running():
            file.write_text(embedded.run("pg_dump", "-d", cluster.dsn(embedded.SUPERUSER, "backgammon")).stdout)
        raise


@contextmanager
def durable_server(keep_log: Path) -> Iterator[embedded.Cluster]:
    with embedded.scratch(durable=True) as cluster:
        if sys.platform == "linux":
            # Coming up again, it would flush every file of its folder, one by one: most of the test's time.
            with psycopg.connect(cluster.dsn(embedded.SUPERUSER, "postgres"), autocommit=True) as superuser:
                superuser.execute("ALTER SYSTEM SET recovery_init_sync_method = 'syncfs'")
        try:
            yield cluster
        finally:
            shutil.copyfile(cluster.log, keep_log)


def environment_on(cluster: embedded.Cluster) -> dict[str, str]:
    return {
        **os.environ,
        "DATABASE_URL": cluster.url("app", "backgammon"),
        "DATABASE_OWNER_URL": cluster.url("book_owner", "backgammon"),
        "SECRET_KEY": "only-for-tests",
    }


@contextmanager
def connected(cluster: embedded.Cluster) -> Iterator[None]:
    """Django's default connection is the service's on ``cluster``."""
    ours = connections["default"]
    options = {key: value for key, value in ours.settings_dict["OPTIONS"].items() if key != "pool"}
    there = {"NAME": "backgammon", "USER": "app", "HOST": str(cluster.socket), "PORT": str(embedded.PORT)}
    connections["default"] = type(ours)({**ours.settings_dict, **there, "OPTIONS": options}, alias="default")
    try:
        yield
    finally:
        connections["default"].close()
        connections["default"] = ours


def durability() -> dict[str, str]:
    return dict(rows("SELECT name, setting FROM pg_settings WHERE name = ANY (%s)", list(DURABLE)))


def close_what_is_loose() -> int:
    """Give back what contests of cards still hold: the book goes on, and then the tables' proof holds too."""
    stakes = Stake.objects.select_related("table__player_1", "table__player_2")
    seated = {hold.id for stake in stakes for hold in stake.holds}
    of_tables = seated | {book.reopened(hold) for hold in seated}
    loose = [hold for hold in book.open_holds() if hold.id not in of_tables]
    for hold in loose:
        book.release(postings.stake_released(stake=hold.id, holds=[hold], at=NOON))
    return len(loose)
