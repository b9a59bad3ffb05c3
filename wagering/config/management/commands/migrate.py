"""``migrate``: as the owner, with the grants of the database before and the ledger's functions after."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError
from django.core.management.commands import migrate
from django.db import connections

from ledger import sql as ledger_sql
from wagering.config import postgres

OWNER = "owner"
GRANTS = Path(postgres.__file__).with_name("database.sql")


class Command(migrate.Command):
    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)  # type: ignore[arg-type]
        parser.set_defaults(database=OWNER)

    def execute(self, *args: Any, **options: Any) -> str | None:
        if options["database"] == OWNER and OWNER not in connections:
            raise CommandError("DATABASE_OWNER_URL is not set: only the owner migrates")
        return super().execute(*args, **options)

    def handle(self, *args: Any, **options: Any) -> None:
        connection = connections[options["database"]]
        changes = not (options["plan"] or options["check_unapplied"])
        if changes:
            with connection.cursor() as cursor:
                cursor.execute(GRANTS.read_text())
        super().handle(*args, **options)
        if changes:
            with connection.cursor() as cursor:
                cursor.execute("REVOKE INSERT, UPDATE, DELETE ON django_migrations FROM app")
        # Applied whole when it differs, and only once every table it speaks of is there.
        if changes and options["app_label"] is None:
            ledger_sql.apply(connection)
