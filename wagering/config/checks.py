"""System checks: the wall around the book stands only while the service connects as a role that cannot climb it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.apps import AppConfig
from django.core.checks import CheckMessage, Error, Tags, register
from django.db import connections

SERVICE = "default"

# Roles the service is or can become with SET ROLE.
WITHIN_REACH = "SELECT oid, rolname, rolsuper FROM pg_roles WHERE pg_has_role(session_user, oid, 'MEMBER')"

# Tables of the book that one of those roles owns or can write, in whole or in a column.
WRITABLE = f"""
    SELECT DISTINCT relname, rolname
    FROM pg_class CROSS JOIN ({WITHIN_REACH}) AS role
    WHERE relnamespace = to_regnamespace('public') AND relkind IN ('r', 'p') AND relname LIKE 'ledger\\_%'
      AND (relowner = role.oid
           OR has_table_privilege(role.oid, pg_class.oid, 'INSERT, UPDATE, DELETE, TRUNCATE')
           OR has_any_column_privilege(role.oid, pg_class.oid, 'INSERT, UPDATE'))
    ORDER BY relname, rolname
"""


@register(Tags.database)
def the_service_cannot_write_the_book(
    app_configs: Sequence[AppConfig] | None, databases: Sequence[str] | None = None, **_: Any
) -> list[CheckMessage]:
    """Run by ``manage.py check --database default``. Fails for a superuser, an owner, or a right to write."""
    if SERVICE not in (databases or ()):
        return []
    with connections[SERVICE].cursor() as cursor:
        cursor.execute(WITHIN_REACH)
        superusers = [name for _oid, name, is_superuser in cursor.fetchall() if is_superuser]
        if superusers:
            return [
                Error(
                    f"DATABASE_URL connects as a superuser or can become one: {', '.join(superusers)}",
                    hint="Connect as the role app of docker/postgres/roles.sql.",
                    id="config.E001",
                )
            ]
        cursor.execute(WRITABLE)
        writable = cursor.fetchall()
    return [
        Error(
            f"DATABASE_URL connects as a role that can write {table} past the book's functions (as {role})",
            hint="Connect as the role app of docker/postgres/roles.sql, and run migrate.",
            id="config.E002",
        )
        for table, role in writable
    ]
