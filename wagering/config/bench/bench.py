"""The whole bench, from the scratch database to its proofs."""

import os
import platform
from collections.abc import Callable
from dataclasses import asdict
from typing import Any

from django.db import connection
from django.utils import timezone

from ledger import book, proofs
from wagering.config.bench import crew, guarantees, pgbench, plays, population, reads, rounds, scratch
from wagering.config.bench.plan import Plan
from wagering.config.bench.report import Report


def run(plan: Plan, *, progress: Callable[[str], None]) -> Report:
    """Measure as ``plan`` says, in a database that is gone afterwards either way.

    Raises NoOwner, NotInForce, PgbenchFailed, WorkerDied.
    """
    with scratch.database() as name:
        progress(f"scratch database {name}, migrated")
        for word, value in (told := guarantees.required()).items():
            progress(f"  {word:<20} {value}")
        report = Report(environment=_environment(plan) | told)
        population.settle_in(at=timezone.now())
        pgbench.initialise(dsn=scratch.dsn(scratch.OWNER, name), scale=plan.scale)
        progress(f"{population.PLAYERS:,} players funded, TPC-B of scale {plan.scale} filled")
        with crew.at_work(clients=plan.clients) as clients:
            progress(f"{plan.rounds} rounds of {plan.seconds} s each, {plan.clients} clients; ratios to TPC-B in turns")
            service = scratch.dsn(scratch.SERVICE, name)
            rounds.run(report, clients, plan, dsn=service, progress=progress)
        _reads(report, plan, progress)
        _plays(report, plan, progress)
        guarantees.required()  # still
        _prove(report, progress)
        return report


def _environment(plan: Plan) -> dict[str, Any]:
    with connection.cursor() as cursor:
        cursor.execute("SHOW server_version")
        (version,) = cursor.fetchone()
    return {
        "postgresql": version,
        "python": platform.python_version(),
        "machine": platform.machine(),
        "cpus": os.cpu_count(),
        "plan": asdict(plan),
        "began": timezone.now().isoformat(timespec="seconds"),
    }


def _reads(report: Report, plan: Plan, progress: Callable[[str], None]) -> None:
    progress(f"an account of {plan.few_entries:,} entries and one of {plan.many_entries:,}")
    few = reads.filled(1, entries=plan.few_entries, progress=progress)
    many = reads.filled(2, entries=plan.many_entries, progress=progress)
    book.roll_up()
    growths = {
        "balance_growth": reads.growth(reads.balance, few, many, times=plan.reads),
        "past_balance_growth": reads.growth(reads.past_balance, few, many, times=plan.reads),
    }
    for name, growth in growths.items():
        report.add(name, growth.ratio)
    growths["hot_balance_growth"] = reads.growth(reads.hot_balance, few, many, times=plan.reads)
    for name, growth in growths.items():
        report.microseconds[name] = {
            f"of {plan.few_entries:,}": round(growth.few_us, 1),
            f"of {plan.many_entries:,}": round(growth.many_us, 1),
        }


def _plays(report: Report, plan: Plan, progress: Callable[[str], None]) -> None:
    name = "legal_plays_vs_gvformat"
    try:
        for ours, theirs in plays.rates(positions=plan.positions, rounds=plan.rounds):
            report.add(name, ours / theirs)
            progress(f"  legal plays: {ours:,.0f} positions a second, gvformat {theirs:,.0f}")
    except plays.PeerMissing as missing:
        report.left_out[name] = str(missing)


def _prove(report: Report, progress: Callable[[str], None]) -> None:
    progress("proving the scratch book")
    for proof in proofs.run():
        report.proofs.append({"proof": proof.name, "holds": proof.holds, "figure": proof.figure, "fault": proof.fault})
        progress(f"  {'holds' if proof.holds else 'FAILS'}  {proof.name:<26} {proof.fault or proof.figure}")
