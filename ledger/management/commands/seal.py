import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from ledger import seals


class Command(BaseCommand):
    help = (
        "Seal the book: number the journals that wait and chain their hashes. With --verify, compute the chain again "
        "from the rows and name the first that does not verify (exit status 1)."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--verify", action="store_true", help="verify instead of sealing")
        parser.add_argument(
            "--checkpoint",
            type=Path,
            metavar="FILE",
            help="write the chain's end here; with --verify, verify against it",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if options["verify"]:
            self._verify(options["checkpoint"])
        else:
            self._seal(options["checkpoint"])

    def _seal(self, path: Path | None) -> None:
        if path is not None and not path.parent.is_dir():
            raise CommandError(f"checkpoint: there is no folder {path.parent}", returncode=2)
        before = seals.checkpoint()
        while seals.seal():
            if sys.stderr.isatty():
                self.stderr.write(".", ending="")
        end = seals.checkpoint()
        if end == before and (behind := seals.waiting()):
            raise CommandError(
                f"seal: {behind} journals wait behind a posting that is under way; try again", returncode=1
            )
        if end is None or end == before:
            self.stdout.write("nothing to seal" + (f": the chain ends at {end.number}, {end.sha256}" if end else ""))
        else:
            first = before.number + 1 if before else 1
            self.stdout.write(f"sealed journals {first} to {end.number}: {end.sha256}")
        if path is not None:
            if end is None:
                raise CommandError("checkpoint: nothing was ever sealed, so there is none to keep", returncode=2)
            try:
                end.write(path)
            except OSError as error:
                raise CommandError(f"checkpoint: {error}", returncode=2) from error
            self.stdout.write(f"checkpoint kept in {path}")

    def _verify(self, path: Path | None) -> None:
        try:
            against = seals.Checkpoint.read(path) if path else None
        except OSError as error:
            raise CommandError(f"checkpoint: {error}", returncode=2) from error
        except seals.InvalidCheckpoint as error:
            raise CommandError(str(error), returncode=2) from error
        found = seals.verify(against=against)
        if found.fault:
            self.stdout.write(f"{self.style.ERROR('does not verify')}: {found.fault}")
            raise SystemExit(1)
        kept = f", and go through the checkpoint at {against.number}" if against else ""
        self.stdout.write(f"{found.count} journals under {found.seals} seals verify{kept}")
