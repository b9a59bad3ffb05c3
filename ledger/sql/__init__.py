"""The book's functions and refusals in the database: one subject a file, applied whole after the migrations.

``apply`` drops and creates everything in one transaction, and only when something here, in the chart or among the
currencies has changed. A function whose signature must change gets a new name for one release, so that the old code
and the new can run side by side while a deployment rolls.
"""

import hashlib
from pathlib import Path
from typing import Final

from django.db import transaction
from django.db.backends.base.base import BaseDatabaseWrapper

from ledger import chart, money

_HERE: Final = Path(__file__).parent
_FILES: Final = tuple(sorted(_HERE.glob("*.sql"), key=lambda file: (file.stem == "grants", file.stem)))
"""In the order they are applied: the grants last, since they name the functions."""


def apply(connection: BaseDatabaseWrapper) -> bool:
    """Bring the database's functions, triggers, grants, kinds and currencies up to date; says if that took anything.

    Runs as the book's owner, in one transaction, holding the tables' locks for a moment.
    """
    wanted = f"sql {_digest()}"
    with connection.cursor() as cursor:
        cursor.execute("SELECT obj_description('public.ledger_journal'::regclass)")
        if cursor.fetchone() == (wanted,):
            return False
    with transaction.atomic(using=connection.alias), connection.cursor() as cursor:
        cursor.execute(
            """
            DO $$ DECLARE name regprocedure; BEGIN
                FOR name IN SELECT oid::regprocedure FROM pg_proc
                            WHERE pronamespace = 'public'::regnamespace AND proname LIKE 'ledger\\_%'
                LOOP EXECUTE format('DROP FUNCTION %s CASCADE', name); END LOOP;
            END $$
            """
        )
        _copy_chart(connection)
        for file in _FILES:
            cursor.execute(file.read_text(encoding="utf-8"))
        cursor.execute(f"COMMENT ON TABLE public.ledger_journal IS '{wanted}'")
    return True


def _digest() -> str:
    parts = [file.name + file.read_text(encoding="utf-8") for file in _FILES]
    parts += [repr(kind) for kind in chart.KINDS.values()]
    parts += [repr(currency) for currency in money.CURRENCIES.values()]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def _copy_chart(connection: BaseDatabaseWrapper) -> None:
    """Kinds and currencies are added and never taken away; what an open account was made of cannot change."""
    with connection.cursor() as cursor:
        cursor.executemany(
            """
            INSERT INTO public.ledger_kind (code, grows_on, guarded, hot, professionals, amateurs)
            VALUES (%s, %s, %s, %s, %s, %s)
            ON CONFLICT (code) DO UPDATE SET professionals = EXCLUDED.professionals, amateurs = EXCLUDED.amateurs
            """,
            [
                (k.code, k.grows_on, k.guarded, k.hot, "professionals" in k.zones, "amateurs" in k.zones)
                for k in chart.KINDS.values()
            ],
        )
        cursor.executemany(
            "INSERT INTO public.ledger_currency (code, minor_digits, zone) VALUES (%s, %s, %s) ON CONFLICT DO NOTHING",
            [(c.code, c.minor_digits, c.zone) for c in money.CURRENCIES.values()],
        )
