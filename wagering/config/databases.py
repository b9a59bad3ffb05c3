"""Reading DATABASE_URL. Strict: what is not understood is refused, not guessed."""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured

# libpq's parameters that may stand in the query of a URL.
QUERY = {"host", "port", "sslmode", "sslrootcert", "sslcert", "sslkey", "connect_timeout", "application_name"}


class BadDatabaseUrl(ImproperlyConfigured):
    """A database URL that does not say which server, which role and which database."""


def parse(*, variable: str, url: str) -> dict[str, Any]:
    """Django's settings of ``postgresql://role:password@host:port/name?…``; ``host=`` in the query is a socket folder.

    Raises BadDatabaseUrl, which names ``variable`` and never repeats the password.
    """
    try:
        parts = urlsplit(url)
        port = parts.port
        query = dict(parse_qsl(parts.query, strict_parsing=bool(parts.query)))
    except ValueError as error:
        raise BadDatabaseUrl(f"{variable}: {error}") from error
    if parts.scheme not in {"postgresql", "postgres"}:
        raise BadDatabaseUrl(f"{variable}: the scheme must be postgresql, not {parts.scheme!r}")
    if unknown := sorted(query.keys() - QUERY):
        raise BadDatabaseUrl(f"{variable}: unknown parameter {unknown[0]!r}")
    found = {
        "NAME": unquote(parts.path.removeprefix("/")),
        "USER": unquote(parts.username or ""),
        "HOST": query.pop("host", "") or unquote(parts.hostname or ""),
    }
    for name, value in found.items():
        if not value:
            raise BadDatabaseUrl(f"{variable}: {name.lower()} is missing, as in postgresql://role@host:5432/name")
    return {
        **found,
        "PASSWORD": unquote(parts.password or ""),
        "PORT": query.pop("port", "") or str(port or ""),
        "OPTIONS": dict(query),
    }
