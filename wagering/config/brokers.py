"""Reading CELERY_BROKER_URL. Strict: what is not understood is refused, not guessed."""

from __future__ import annotations

from typing import Final
from urllib.parse import parse_qsl, unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured

VARIABLE: Final = "CELERY_BROKER_URL"
EMBEDDED_BROKER: Final = "embedded://valkey"  # started by the first who sends or listens
NO_BROKER: Final = "missing://broker"  # refused to the first who sends or listens, by name

VALKEY: Final = {"redis", "rediss"}
VALKEY_SOCKET: Final = "redis+socket"
RABBITMQ: Final = {"amqp", "amqps"}
QUERY: Final = {
    "rediss": {"ssl_cert_reqs", "ssl_ca_certs", "ssl_certfile", "ssl_keyfile"},
    "amqps": {"ssl_cert_reqs", "ssl_ca_certs", "ssl_certfile", "ssl_keyfile"},
    VALKEY_SOCKET: {"virtual_host"},
}
"""Parameters that may stand in the query of a URL, by its scheme."""


class BadBrokerUrl(ImproperlyConfigured):
    """A broker URL that does not say which server."""


class BrokerMissing(ImproperlyConfigured):
    """Something is to be queued, and beside DATABASE_URL no broker is named: each process would get one of its own."""


def parse(url: str) -> str:
    """``url`` as it is, once it names a server Celery can lose no task on. Raises BadBrokerUrl without the password.

    Valkey or Redis: ``redis://:password@host:6379/0``, ``rediss://…``, ``redis+socket:///path``. RabbitMQ:
    ``amqp://user:password@host:5672/vhost``, ``amqps://…``.
    """
    try:
        parts = urlsplit(url)
        _port = parts.port
        query = dict(parse_qsl(parts.query, strict_parsing=bool(parts.query)))
    except ValueError as error:
        raise BadBrokerUrl(f"{VARIABLE}: {error}") from error
    if parts.scheme not in {*VALKEY, VALKEY_SOCKET, *RABBITMQ}:
        raise BadBrokerUrl(
            f"{VARIABLE}: the scheme must be redis, rediss, redis+socket, amqp or amqps, not {parts.scheme!r}"
        )
    if unknown := sorted(query.keys() - QUERY.get(parts.scheme, set())):
        raise BadBrokerUrl(f"{VARIABLE}: unknown parameter {unknown[0]!r}")
    if parts.scheme == VALKEY_SOCKET:
        if parts.hostname or not parts.path.startswith("/"):
            raise BadBrokerUrl(f"{VARIABLE}: the socket's path is missing, as in redis+socket:///run/valkey.sock")
    elif not parts.hostname:
        raise BadBrokerUrl(f"{VARIABLE}: host is missing, as in {parts.scheme}://host")
    if parts.scheme in VALKEY and not unquote(parts.path).strip("/").isdecimal() and parts.path not in {"", "/"}:
        raise BadBrokerUrl(f"{VARIABLE}: the database is a number, as in redis://host:6379/0, not {parts.path!r}")
    return url


def is_rabbitmq(url: str) -> bool:
    return urlsplit(url).scheme in RABBITMQ


def without_password(url: str) -> str:
    """For messages."""
    parts = urlsplit(url)
    return parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl() if "@" in parts.netloc else url
