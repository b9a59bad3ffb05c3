"""Import a register of excluded people, whole."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from wagering.protection.exclusion import register


class Command(BaseCommand):
    """The file is the whole register as it is now; the same file again changes nothing."""

    help = "Import a register of excluded people: CSV with name, birth_date and perhaps until. Only digests are kept."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", help="the CSV file, dates as 2026-11-30")
        parser.add_argument("--source", required=True, help="the register's name, as players are told it")

    def handle(self, *, file: str, source: str, **_: Any) -> None:
        if not 0 < len(source) <= 40:
            raise CommandError("--source: a name of 40 characters at most")
        try:
            text = Path(file).read_text(encoding="utf-8-sig")
            done = register.import_register(source=source, text=text, at=timezone.now())
        except (OSError, UnicodeDecodeError, register.UnreadableRegister) as refusal:
            raise CommandError(str(refusal)) from None
        self.stdout.write(f"{source}: {done.new} new, {done.gone} gone, {done.excluded} players excluded")
