"""What must be in force for a figure to count: nothing acknowledged is ever lost, and everything wrong is refused."""

from typing import Final

from django.core.checks import ERROR
from django.db import connection

from wagering.config.checks import the_service_cannot_write_the_book

DURABLE: Final = ("fsync", "synchronous_commit", "full_page_writes")

FAULTS: Final = {
    "a refusal is disabled": r"""
        SELECT tgrelid::regclass || '.' || tgname FROM pg_trigger
        WHERE tgrelid::regclass::text LIKE 'ledger\_%' AND NOT tgisinternal AND tgenabled NOT IN ('O', 'A')
    """,
    "a table of the book has no trigger that guards it": r"""
        SELECT c.relname FROM pg_class c
        WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND c.relname LIKE 'ledger\_%'
          AND c.relname NOT IN ('ledger_currency', 'ledger_kind')
          AND NOT EXISTS (SELECT FROM pg_trigger t WHERE t.tgrelid = c.oid AND NOT t.tgisinternal)
    """,
    "a constraint is not valid": r"""
        SELECT conrelid::regclass || '.' || conname FROM pg_constraint
        WHERE conrelid::regclass::text LIKE 'ledger\_%' AND NOT convalidated
    """,
    "triggers do not fire": "SELECT current_setting('session_replication_role') "
    "WHERE current_setting('session_replication_role') <> 'origin'",
    "a function that writes does not run as book_writer": r"""
        SELECT oid::regprocedure::text FROM pg_proc
        WHERE pronamespace = 'public'::regnamespace AND proname IN ('ledger_post', 'ledger_roll_up', 'ledger_seal')
          AND (NOT prosecdef OR proowner <> to_regrole('book_writer')
               OR has_function_privilege('public', oid, 'EXECUTE'))
    """,
    "the service can do more than it should": """
        SELECT rolname::text FROM pg_roles WHERE rolname = session_user
          AND (rolsuper OR rolcreatedb OR rolcreaterole OR rolbypassrls
               OR pg_has_role(session_user, 'book_writer', 'MEMBER')
               OR pg_has_role(session_user, (SELECT relowner FROM pg_class WHERE oid = 'public.ledger_entry'::regclass),
                              'MEMBER'))
    """,
}
"""Each a query, run as the service, for the names of what is wrong."""


class NotInForce(Exception):
    """Something that must hold does not: what was measured would be another book's speed."""


def required() -> dict[str, str]:
    """The settings and counts to print, each in force. Raises NotInForce, which says what is not."""
    told = {}
    with connection.cursor() as cursor:
        for name in DURABLE:
            cursor.execute("SELECT current_setting(%s)", [name])
            (told[name],) = cursor.fetchone()
            if told[name] != "on":
                raise NotInForce(f"{name} is {told[name]}: a commit could be lost")
        for fault, query in FAULTS.items():
            cursor.execute(query)
            if found := cursor.fetchone():
                raise NotInForce(f"{fault}: {found[0]}")
        cursor.execute(
            r"""
            SELECT session_user, (SELECT count(*) FROM pg_trigger
                                  WHERE tgrelid::regclass::text LIKE 'ledger\_%' AND NOT tgisinternal),
                   (SELECT count(*) FROM pg_constraint
                    WHERE conrelid::regclass::text LIKE 'ledger\_%' AND contype = 'c')
            """
        )
        role, triggers, checks = cursor.fetchone()
    if errors := [m.msg for m in the_service_cannot_write_the_book(None, ["default"]) if m.level >= ERROR]:
        raise NotInForce(errors[0])
    return told | {"connected as": role, "refusals": f"{triggers} triggers and {checks} checks, all in force"}
