"""System check: a database restored beside another SECRET_KEY is found before anybody's data is asked for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.apps import AppConfig
from django.core.checks import CheckMessage, Error, Tags, register
from django.db import connection

from wagering.vault.models import PersonKey
from wagering.vault.services import key_is_known


@register(Tags.database)
def the_latest_key_opens(
    app_configs: Sequence[AppConfig] | None, databases: Sequence[str] | None = None, **_: Any
) -> list[CheckMessage]:
    """Run by ``manage.py check --database default``. Fails when SECRET_KEY opens not the person's key made last."""
    if "default" not in (databases or ()) or PersonKey._meta.db_table not in connection.introspection.table_names():
        return []  # migrate runs the checks too, before there is a table
    latest = PersonKey.objects.order_by("-made_at").first()
    if latest is None or key_is_known(latest):
        return []
    return [
        Error(
            f"SECRET_KEY is not what personal data here is sealed under: it opens not the key of {latest.player_id}",
            hint="Set the SECRET_KEY this database was used with, or name it in SECRET_KEY_FALLBACKS.",
            id="vault.E001",
        )
    ]
