"""The bench: its arithmetic, what it refuses to measure, and a whole small run on a durable server of its own."""

import asyncio
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.utils import timezone

from wagering.config import embedded
from wagering.config.bench import guarantees, pgbench, plays, population
from wagering.config.bench.api import server, streams, tables
from wagering.config.bench.arithmetic import Measured, measured, percentile, ratio, typical
from wagering.config.bench.report import TARGETS, Report, Target
from wagering.config.bench.scratch import PREFIX

ROOT = Path(__file__).resolve().parents[2]

RATIOS = [
    "server_spread", "server_hot", "django_spread", "django_hot", "staked_game", "post_many_100", "post_many_1000",
    "balance_growth", "past_balance_growth", "legal_plays_vs_gvformat",
]  # fmt: skip

STREAMS = ["stream_table_s", "stream_all_s", "stream_behind_s", "stream_mb"]

SMALL = """
import json, sys
import django
django.setup()
from wagering.config.bench import bench
from wagering.config.bench.plan import Plan
plan = Plan(seconds=1, clients=2, rounds=1, scale=2, few_entries=1000, many_entries=3000, reads=5, positions=20)
report = bench.run(plan, progress=lambda line: print(line, file=sys.stderr))
print(json.dumps(report.as_dict()))
print(*report.lines(), sep="\\n", file=sys.stderr)
"""


# --- Arithmetic -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("percent", "expected"),
    [(50, 2.0), (51, 3.0), (99, 4.0), (100, 4.0), (1, 1.0)],
)
def test_a_percentile_is_one_of_the_figures(percent: int, expected: float) -> None:
    assert percentile([1.0, 2.0, 3.0, 4.0], percent) == expected


def test_of_nothing_every_percentile_is_zero() -> None:
    assert measured(latencies_s=[], seconds=2) == Measured(per_second=0, p50_ms=0, p99_ms=0)


def test_a_measurement_counts_by_the_second_in_any_order() -> None:
    assert measured(latencies_s=[0.003, 0.001, 0.002, 0.004], seconds=2) == Measured(2.0, 2.0, 4.0)


def test_a_drift_cancels_out_between_two_runs_of_tpcb() -> None:
    assert ratio(900, before=800, after=1000) == 1.0


def test_one_disturbed_round_does_not_count() -> None:
    assert typical([0.9, 0.1, 1.0, 0.95, 7.0]) == 0.95


@pytest.mark.parametrize(
    ("target", "met", "missed"), [(Target(0.9), 0.9, 0.899), (Target(1.3, at_most=True), 1.3, 1.301)]
)
def test_a_target_is_met_at_its_bound(target: Target, met: float, missed: float) -> None:
    assert target.met(met)
    assert not target.met(missed)


def test_the_report_tells_medians_misses_and_what_was_left_out() -> None:
    report = Report(environment={})
    for found in (0.95, 0.2, 0.91):
        report.add("server_spread", found)
    report.add("django_spread", 0.49)
    report.add("server_hot_of_spread", 0.9)
    report.left_out["legal_plays_vs_gvformat"] = "gammonview is not installed"
    told = report.as_dict()
    assert told["ratios"] == {"server_spread": 0.91, "django_spread": 0.49}
    assert told["hot_of_spread"] == {"server": 0.9, "django": None}
    assert told["missed"] == ["django_spread"]
    table = "\n".join(report.lines())
    assert "0.20 - 0.95" in table
    assert "MISSED" in table
    assert "gammonview is not installed" in table
    assert not report.proven  # nothing was proven yet


def test_every_target_is_of_something_that_is_measured() -> None:
    assert set(TARGETS) <= {*RATIOS, "server_hot_of_spread", "django_hot_of_spread", "api_play", *STREAMS}


# --- Refusals ---------------------------------------------------------------------------------------------------------


@pytest.mark.django_db
def test_a_server_that_may_lose_a_commit_is_not_measured() -> None:
    """The tests' own does without fsync."""
    with connection.cursor() as cursor:
        cursor.execute("SHOW fsync")
        if cursor.fetchone() == ("on",):
            pytest.skip("this server is durable")
    with pytest.raises(guarantees.NotInForce, match="fsync is off"):
        guarantees.required()


@pytest.mark.django_db(transaction=True)
def test_a_book_without_a_refusal_is_not_measured(
    owner_connection: psycopg.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guarantees, "DURABLE", ())
    assert guarantees.required()["connected as"] == "app"
    owner_connection.execute("ALTER TABLE ledger_entry DISABLE TRIGGER ledger_append_only")
    try:
        with pytest.raises(guarantees.NotInForce, match=r"disabled: ledger_entry\.ledger_append_only"):
            guarantees.required()
    finally:
        owner_connection.execute("ALTER TABLE ledger_entry ENABLE TRIGGER ledger_append_only")


@pytest.mark.parametrize(
    "words",
    [
        ["--seconds", "0"],
        ["--seconds", "1.5"],
        ["--seconds", "two"],
        ["--clients", "-1"],
        ["--clients", "51"],
        ["--json", "/nowhere/at/all.json"],
        ["--rounds", "3"],
    ],
)
def test_a_bad_argument_is_refused(words: list[str]) -> None:
    with pytest.raises(CommandError, match=words[0]):
        call_command("bench", *words)


def test_a_bad_argument_is_told_with_status_2() -> None:
    done = subprocess.run(
        [sys.executable, "manage.py", "bench", "--seconds", "0"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert "argument --seconds: '0' is not a whole number from 1 to 600" in done.stderr
    assert "Traceback" not in done.stderr


def test_what_pgbench_complains_of_is_told() -> None:
    with pytest.raises(pgbench.PgbenchFailed, match="nowhere"):
        pgbench.tpcb(dsn="host=/nowhere dbname=none user=app", clients=1, seconds=1)


def test_positions_for_the_plays_are_the_same_at_every_run() -> None:
    assert plays._met(30) == plays._met(30)


@pytest.mark.django_db(transaction=True)
def test_the_streams_of_a_table_are_measured() -> None:
    population.settle_in(at=timezone.now())
    opened, report, plan = tables.opened(1), Report(environment={}), streams.Plan(tables=1, rounds=1)
    with server.serving(name=connection.settings_dict["NAME"], workers=1) as port:
        asyncio.run(streams.measure(report, plan, port, opened, lambda line: None))
    assert set(report.ratios) == set(STREAMS)
    assert report.ratios["stream_mb"] > 10
    assert 0 < report.ratios["stream_table_s"] < 30


# --- A whole run ------------------------------------------------------------------------------------------------------


@pytest.fixture
def durable_server() -> Iterator[embedded.Cluster]:
    with embedded.scratch(durable=True) as cluster:
        yield cluster


def test_a_small_bench_measures_everything_and_its_book_proves(durable_server: embedded.Cluster) -> None:
    environment = {
        **embedded.environment(),
        "DATABASE_URL": durable_server.url("app", "backgammon"),
        "DATABASE_OWNER_URL": durable_server.url("book_owner", "backgammon"),
        "SECRET_KEY": "only-for-tests",
        "DJANGO_SETTINGS_MODULE": "wagering.config.settings",
    }
    with psycopg.connect(durable_server.dsn(embedded.SUPERUSER, "postgres"), autocommit=True) as superuser:
        superuser.execute(f"CREATE DATABASE {PREFIX}stale OWNER book_owner")
    done = subprocess.run(
        [sys.executable, "-c", SMALL], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert list(told["ratios"]) == RATIOS
    assert all(ratio > 0 for ratio in told["ratios"].values())
    assert set(told["hot_of_spread"]) == {"server", "django"}
    assert told["environment"]["fsync"] == "on"
    assert {proof["holds"] for proof in told["proofs"]} == {True}
    assert told["left_out"] == {}
    with psycopg.connect(durable_server.dsn(embedded.SUPERUSER, "postgres")) as superuser:
        left = superuser.execute("SELECT datname FROM pg_database WHERE starts_with(datname, %s)", [PREFIX]).fetchall()
    assert left == []
