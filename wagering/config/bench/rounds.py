"""The order of the measurements: TPC-B, two things, TPC-B, two things, TPC-B, the last; and again with one client."""

from collections.abc import Callable
from typing import Final

from wagering.config.bench import pgbench
from wagering.config.bench.arithmetic import Measured, ratio
from wagering.config.bench.crew import Crew
from wagering.config.bench.plan import Plan
from wagering.config.bench.report import TPCB, TPCB_ALONE, Report

Thing = Callable[[], Measured]
SIZES: Final = (100, 1000)


def run(report: Report, crew: Crew, plan: Plan, *, dsn: str, progress: Callable[[str], None]) -> None:
    """Every round of the plan into ``report``; ``dsn`` is the service's."""

    def script(name: str) -> Measured:
        return pgbench.script(name, dsn=dsn, clients=plan.clients, seconds=plan.seconds)

    def tpcb(clients: int) -> Measured:
        return pgbench.tpcb(dsn=dsn, clients=clients, seconds=plan.seconds)

    together: list[dict[str, Thing]] = [
        {"server_spread": lambda: script("spread"), "server_hot": lambda: script("hot")},
        {
            "django_spread": lambda: crew.together("spread", seconds=plan.seconds),
            "django_hot": lambda: crew.together("hot", seconds=plan.seconds),
        },
        {"staked_game": lambda: crew.together("game", seconds=plan.seconds)},
    ]
    alone: list[dict[str, Thing]] = [
        {f"post_many_{size}": _batches(crew, size, plan) for size in SIZES},
    ]
    for number in range(1, plan.rounds + 1):
        said = _round(report, together, TPCB, lambda: tpcb(plan.clients))
        said |= _round(report, alone, TPCB_ALONE, lambda: tpcb(1))
        for side in ("server", "django"):
            hot, spread = (report.figures[f"{side}_{kind}"][-1].per_second for kind in ("hot", "spread"))
            report.add(f"{side}_hot_of_spread", hot / spread)
        figures = "  ".join(f"{name} {found:.2f}" for name, found in said.items())
        progress(f"  round {number} of {plan.rounds}: {figures}")


def _batches(crew: Crew, size: int, plan: Plan) -> Thing:
    return lambda: crew.batches(size=size, seconds=plan.seconds)


def _round(report: Report, groups: list[dict[str, Thing]], name: str, tpcb: Thing) -> dict[str, float]:
    """Each group between two runs of TPC-B, each thing by the mean of those two."""
    said = {}
    before = report.saw(name, tpcb())
    for group in groups:
        figures = {thing: report.saw(thing, measure()) for thing, measure in group.items()}
        after = report.saw(name, tpcb())
        for thing, figure in figures.items():
            said[thing] = ratio(figure.per_second, before=before.per_second, after=after.per_second)
            report.add(thing, said[thing])
        before = after
    return said
