import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from ledger import proofs


class Command(BaseCommand):
    help = "Prove the book: read every invariant again from the rows. Exit status 1 if one does not hold."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--json", action="store_true", help="one JSON object a proof and line")

    def handle(self, *args: Any, **options: Any) -> None:
        count = failed = 0
        for proof in proofs.run():
            count += 1
            failed += not proof.holds
            if options["json"]:
                found = {"proof": proof.name, "holds": proof.holds, "figure": proof.figure, "fault": proof.fault}
                self.stdout.write(json.dumps(found))
            elif proof.holds:
                self.stdout.write(f"{self.style.SUCCESS('holds')}  {proof.name:<26} {proof.figure}")
            else:
                self.stdout.write(f"{self.style.ERROR('FAILS')}  {proof.name:<26} {proof.fault}")
        if not options["json"]:
            verdict = f"{failed} of {count} proofs do not hold." if failed else f"The book proves: all {count} hold."
            self.stdout.write(self.style.ERROR(verdict) if failed else self.style.SUCCESS(verdict))
        if failed:
            raise SystemExit(1)
