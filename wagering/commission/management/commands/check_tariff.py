"""``check_tariff FILE…``: everything wrong with a tariff and where, or each of its cliffs. Needs no database."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from wagering.commission import schedule
from wagering.commission.cliffs import cliffs

REFUSED = 2


class Command(BaseCommand):
    help = (
        "Check tariff files: errors with their place (status 2), and each cliff, where one minor unit more costs less."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("files", metavar="FILE", nargs="+", type=Path)

    def handle(self, *args: Any, **options: Any) -> None:
        problems = [problem for file in options["files"] for problem in self._check(file)]
        if problems:
            raise CommandError("\n".join(problems), returncode=REFUSED)

    def _check(self, file: Path) -> tuple[str, ...]:
        try:
            text = file.read_text(encoding="utf-8")
        except OSError as error:
            return (f"{file}: cannot be read: {error.strerror}",)
        except UnicodeDecodeError as error:
            return (f"{file}: is not UTF-8 at byte {error.start}",)
        try:
            tariff = schedule.load(text, source=str(file))
        except schedule.InvalidTariff as error:
            return error.problems
        found = cliffs(tariff)
        self.stdout.write(f"{file}: {tariff.name} {tariff.version} is well formed; cliffs: {len(found)}")
        for cliff in found:
            self.stdout.write(f"  {cliff}")
        return ()
