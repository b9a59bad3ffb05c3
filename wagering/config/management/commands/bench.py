import json
import signal
import sys
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Callable
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from wagering.config.bench import bench
from wagering.config.bench.api import run as api
from wagering.config.bench.api import streams
from wagering.config.bench.api.load import Refused
from wagering.config.bench.api.server import ServerDied
from wagering.config.bench.crew import WorkerDied
from wagering.config.bench.guarantees import NotInForce
from wagering.config.bench.pgbench import PgbenchFailed
from wagering.config.bench.plan import Plan
from wagering.config.bench.scratch import NoOwner


class Command(BaseCommand):
    help = (
        "Measure the book beside PostgreSQL's own TPC-B, in turns, in a scratch database on the server in use. "
        "Exit status 1 if the scratch book does not prove."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        default = Plan()
        parser.add_argument(
            "--seconds",
            type=_number(1, 600),
            default=default.seconds,
            metavar="S",
            help="of a measurement, 1 to 600",
        )
        parser.add_argument(
            "--clients", type=_number(1, 50), default=default.clients, metavar="N", help="at the same time, 1 to 50"
        )
        instead = parser.add_mutually_exclusive_group()
        instead.add_argument(
            "--api", action="store_true", help="measure the API instead: plays at 32 tables, and wallets"
        )
        instead.add_argument(
            "--streams", action="store_true", help="hold 1,000 streams in one web process instead: memory, seconds"
        )
        parser.add_argument("--json", type=_writable, metavar="FILE", help="write everything here too")

    def handle(self, *args: Any, **options: Any) -> None:
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))  # as Ctrl-C: what was made is removed
        try:
            if options["api"]:
                report = api.run(api.Plan(seconds=options["seconds"]), progress=self._progress)
            elif options["streams"]:
                report = streams.run(streams.Plan(), progress=self._progress)
            else:
                plan = Plan(seconds=options["seconds"], clients=options["clients"])
                report = bench.run(plan, progress=self._progress)
        except (NoOwner, NotInForce, PgbenchFailed, WorkerDied, ServerDied, Refused) as refused:
            raise CommandError(str(refused)) from refused
        except KeyboardInterrupt:
            raise CommandError("interrupted; the scratch database is dropped", returncode=130) from None
        if options["json"]:
            options["json"].write_text(json.dumps(report.as_dict(), indent=1) + "\n", encoding="utf-8")
        self.stdout.write("")
        for line in report.lines():
            self.stdout.write(line)
        if report.missed:
            self.stdout.write(self.style.WARNING(f"\nMissed: {', '.join(report.missed)}."))
        if not report.proven:
            raise CommandError("the scratch book does not prove")
        self.stdout.write(self.style.SUCCESS("\nThe scratch book proves."))

    def _progress(self, line: str) -> None:
        self.stdout.write(line)
        self.stdout.flush()


def _number(least: int, most: int) -> Callable[[str], int]:
    def number(text: str) -> int:
        if not (text.isascii() and text.isdigit() and least <= int(text) <= most):
            raise ArgumentTypeError(f"{text!r} is not a whole number from {least} to {most}")
        return int(text)

    return number


def _writable(text: str) -> Path:
    path = Path(text)
    try:
        path.open("a", encoding="utf-8").close()
    except OSError as error:
        raise ArgumentTypeError(f"{text!r} cannot be written: {error.strerror}") from error
    return path
