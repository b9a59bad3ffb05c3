"""Two transports of Celery's: the embedded Valkey, started on the first connection, and the one that is missing."""

from __future__ import annotations

from typing import Any, NoReturn

from kombu.transport import redis as valkey
from redis import UnixDomainSocketConnection

from wagering.config.brokers import VARIABLE, BrokerMissing
from wagering.config.embedded import broker

TCP_ONLY = ("host", "port", "socket_connect_timeout", "socket_keepalive", "socket_keepalive_options")


class EmbeddedChannel(valkey.Channel):
    connection_class = UnixDomainSocketConnection

    def _connparams(self, asynchronous: bool = False) -> dict[str, Any]:
        """Asked for every new channel, so also after the server was killed: it is started again."""
        parameters: dict[str, Any] = super()._connparams(asynchronous)  # type: ignore[misc] # not in the stubs
        for name in TCP_ONLY:
            parameters.pop(name, None)
        return {**parameters, "path": str(broker.current().start().address)}


class EmbeddedTransport(valkey.Transport):
    Channel = EmbeddedChannel


class MissingTransport(valkey.Transport):
    def establish_connection(self) -> NoReturn:
        raise BrokerMissing(
            f"{VARIABLE} must be set when DATABASE_URL is: redis://, rediss://, redis+socket://, amqp:// or amqps://"
        )
