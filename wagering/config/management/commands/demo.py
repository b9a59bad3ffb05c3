import sys
from decimal import Decimal
from itertools import groupby
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand
from django.utils import timezone

from ledger import book, proofs, seals
from wagering.audit import trace
from wagering.config import brokers, demo, demo_cashier, embedded


class Command(BaseCommand):
    help = (
        "Set everything up and play real records from sit-down to settlement. Exit status 0 only if all of it proves."
    )
    requires_system_checks: list[str] = []  # the checks look at a database that this command sets up

    def handle(self, *args: Any, **options: Any) -> None:
        self._heading("Setting up")
        call_command("migrate", verbosity=0)
        call_command("check", stdout=self.stdout)
        self._heading("Rooms, players, games")
        for done in demo.run(at=timezone.now):
            if isinstance(done, trace.Sheet):
                self.stdout.write("\n" + trace.as_text(done))
            else:
                self.stdout.write(f"  {done}")
            self.stdout.flush()
        if settings.EMBEDDED and settings.CELERY_BROKER_URL == brokers.EMBEDDED_BROKER:
            self._heading("Money's whole way, on real processes")
            for done in demo_cashier.run(room="sapphire", at=timezone.now):
                self.stdout.write(f"  {done}")
                self.stdout.flush()
        self._heading("Trial balance")
        book.roll_up()
        self._trial_balance()
        self._heading("Seal")
        while seals.seal():
            pass
        end = seals.checkpoint()
        assert end is not None, "something was posted above"
        self.stdout.write(f"  {end.number} journals sealed, the chain ends in {end.sha256}")
        self._heading("Proofs")
        failed = 0
        for proof in proofs.run():
            failed += not proof.holds
            self.stdout.write(
                f"  {'holds' if proof.holds else 'FAILS'}  {proof.name:<26} {proof.fault or proof.figure}"
            )
        if failed:
            self.stderr.write(self.style.ERROR(f"{failed} proofs do not hold"))
            sys.exit(1)
        self.stdout.write(self.style.SUCCESS("\nEverything proves."))
        self._tell_what_next()

    def _tell_what_next(self) -> None:
        names = ", ".join(demo.PLAYERS.values())
        self.stdout.write("\nNext: python3 manage.py up runs the room. To play in it, register a player of your own:")
        self.stdout.write(f"{names} have no log-in.")
        if settings.EMBEDDED:
            self.stdout.write(f"The data is in {embedded.current().folder}; deleting that folder starts over.")

    def _trial_balance(self) -> None:
        row = "  {:<9} {:<16} {:>14} {:>14} {:>14}"
        self.stdout.write(row.format("currency", "accounts", "debits", "credits", "balance"))
        for code, lines in groupby(book.trial_balance(), key=lambda line: line.currency):
            debits = credits_ = Decimal(0)
            for line in lines:
                debits, credits_ = debits + line.debits, credits_ + line.credits
                amounts = map(str, (line.debits, line.credits, line.balance))
                self.stdout.write(row.format(code, line.kind, *amounts))
            self.stdout.write(
                row.format(code, "", str(debits), str(credits_), "in balance" if debits == credits_ else "OFF")
            )

    def _heading(self, text: str) -> None:
        self.stdout.write(self.style.MIGRATE_HEADING(f"\n{text}"))
        self.stdout.flush()
