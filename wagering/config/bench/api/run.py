"""The API's bench from the scratch database to its proofs: bare, plays, bare, wallets, bare, and again."""

from collections.abc import Callable
from dataclasses import dataclass

from django.utils import timezone

from ledger import proofs
from wagering.config.bench import population, scratch
from wagering.config.bench.api import load, server, tables
from wagering.config.bench.arithmetic import Measured
from wagering.config.bench.report import Report


@dataclass(frozen=True, slots=True)
class Plan:
    """``seconds`` is one measurement's length, of which each round has four."""

    seconds: int = 2
    tables: int = 32
    rounds: int = 5
    workers: int = 2


def run(plan: Plan, *, progress: Callable[[str], None]) -> Report:
    """Measure as ``plan`` says, in a database that is gone afterwards. Raises NoOwner, ServerDied, Refused."""
    report = Report(environment={"plan": repr(plan), "began": timezone.now().isoformat(timespec="seconds")})
    with scratch.database() as name:
        population.settle_in(at=timezone.now())
        opened = tables.opened(plan.tables)
        progress(f"scratch database {name}, {plan.tables} tables at their first play")
        with server.serving(name=name, workers=plan.workers) as port:
            progress(f"{plan.workers} web processes; {plan.rounds} rounds of {plan.seconds} s a measurement")
            for number in range(1, plan.rounds + 1):
                progress(f"  round {number} of {plan.rounds}: {_round(report, plan, port, opened)}")
        for proof in proofs.run():
            report.proofs.append({"proof": proof.name, "holds": proof.holds, "fault": proof.fault})
    return report


def _round(report: Report, plan: Plan, port: int, opened: list[tables.Playing]) -> str:
    def bare() -> Measured:
        return report.saw("bare", load.bare(port, clients=plan.tables, seconds=plan.seconds))

    said = []
    before = bare()
    for name, thing in (("api_play", load.plays), ("api_wallet", load.wallets)):
        figure = report.saw(name, thing(port, opened, seconds=plan.seconds))
        after = bare()
        report.add(name, figure.p50_ms / ((before.p50_ms + after.p50_ms) / 2))
        said.append(f"{name} {report.rounds[name][-1]:.2f}")
        before = after
    return "  ".join(said)
