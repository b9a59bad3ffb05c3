"""The tests' database: made and migrated by its owner, used as the service's role.

Without DATABASE_URL a throw-away embedded cluster is used, fsync off, removed after the run however the run ends.
With it, the test database is made on that server, and DATABASE_SUPERUSER_URL must be set too.
"""

from __future__ import annotations

import contextlib
import gc
import os
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import psycopg
import pytest
from django.conf import settings
from django.db import connections
from django.test import TransactionTestCase
from django.test.utils import setup_databases, teardown_databases
from psycopg import sql
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from pytest_django import DjangoDbBlocker

from wagering.config import embedded
from wagering.config.embedded import broker
from wagering.config.postgres.base import close_pools

CLUSTER = "BACKGAMMON_TEST_CLUSTER"
CONNINFO = {"host", "port", "user", "password", "dbname", "sslmode", "sslrootcert", "sslcert", "sslkey"}
OWNER = "owner"
MANY_BYTES = 2_000_000
NEVER_FLUSHED = {  # written by migrate, not by tests
    "django_migrations",
    "django_content_type",
    "auth_permission",
    "ledger_kind",
    "ledger_currency",
}


def pytest_configure(config: pytest.Config) -> None:
    """Settings are read by now, but nothing has connected yet."""
    if settings.EMBEDDED:
        embedded.use(_cluster_of_this_run(config))
        broker.use(broker.scratch())  # a hint that a test sends reaches nobody's workers


def _cluster_of_this_run(config: pytest.Config) -> embedded.Cluster:
    """The first process makes it and tells xdist's workers its folder."""
    if hasattr(config, "workerinput"):
        return embedded.Cluster(Path(os.environ[CLUSTER]), durable=False)
    cluster = embedded.scratch(durable=False)
    os.environ[CLUSTER] = str(cluster.folder)
    return cluster


def pytest_collection_finish() -> None:
    """What is imported by now stays: to look through all of it for garbage again and again is a tenth of a run."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)


@pytest.fixture(scope="session")
def django_db_setup(
    request: pytest.FixtureRequest,
    django_test_environment: None,
    django_db_modify_db_settings: None,
    django_db_blocker: DjangoDbBlocker,
) -> Iterator[None]:
    """Make the test database as the owner; "default" mirrors it under the service's role."""
    with django_db_blocker.unblock():
        made = setup_databases(
            verbosity=request.config.option.verbose,
            interactive=False,
            aliases={OWNER},  # type: ignore[arg-type]  # the stubs say a mapping, Django asks "alias in aliases"
            serialized_aliases=set(),
        )
    yield
    with django_db_blocker.unblock():
        close_pools()  # a database that is connected to cannot be dropped
        teardown_databases(made, verbosity=request.config.option.verbose)


def empty_the_tables() -> None:
    """After a test that commits, and when all who still write have ended.

    On a connection of its own, since Django lets a test use only the aliases it names; again where a server that a
    module's tests share was writing to two of the tables.
    """
    while True:
        with contextlib.suppress(psycopg.errors.DeadlockDetected):
            _empty_the_tables()
            break


def _empty_the_tables() -> None:
    """As the superuser, whom no trigger and no foreign key stops.

    TRUNCATE takes ten times as long as to delete a test's few rows, so it comes only when dead ones have become many.
    """
    unstopped = "-c session_replication_role=replica -c lock_timeout=10s"
    with psycopg.connect(_superuser_dsn(), options=unstopped) as superuser:
        rows = superuser.execute(
            "SELECT relname, pg_relation_size(oid) FROM pg_class"
            " WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'"
        )
        sizes = {name: size for name, size in rows if name not in NEVER_FLUSHED}
        tables = [sql.Identifier("public", name) for name in sizes]
        every = sql.SQL(", ").join(tables)
        if sum(sizes.values()) > MANY_BYTES:
            superuser.execute(sql.SQL("TRUNCATE {}").format(every))
            return
        superuser.execute(sql.SQL("LOCK {} IN EXCLUSIVE MODE").format(every))
        has_rows = (
            sql.SQL("SELECT {} WHERE EXISTS (SELECT FROM {})").format(number, table)
            for number, table in enumerate(tables)
        )
        for (number,) in superuser.execute(sql.SQL(" UNION ALL ").join(has_rows)).fetchall():
            superuser.execute(sql.SQL("DELETE FROM {}").format(tables[number]))


TransactionTestCase._fixture_teardown = lambda self: empty_the_tables()  # type: ignore[attr-defined]


def _dsn(*, alias: str) -> str:
    parameters = connections[alias].get_connection_params()
    return make_conninfo(**{key: value for key, value in parameters.items() if key in CONNINFO})


def _url(*, dsn: str) -> str:
    """A connection string as DATABASE_URL takes it."""
    parts = {key: quote(str(value), safe="") for key, value in conninfo_to_dict(dsn).items()}
    login = parts.pop("user") + (":" + parts.pop("password") if "password" in parts else "")
    return f"postgresql://{login}@/{parts.pop('dbname')}?" + "&".join(f"{key}={value}" for key, value in parts.items())


@pytest.fixture(scope="session")
def app_dsn(django_db_setup: None) -> str:
    """For threads and processes that connect as the service does, to the test database."""
    return _dsn(alias="default")


@pytest.fixture(scope="session")
def owner_dsn(django_db_setup: None) -> str:
    """For those that connect as the owner."""
    return _dsn(alias=OWNER)


@pytest.fixture(scope="session")
def superuser_dsn(django_db_setup: None) -> str:
    """The superuser of the server, in the test database."""
    return _superuser_dsn()


def _superuser_dsn() -> str:
    dbname = str(conninfo_to_dict(_dsn(alias=OWNER))["dbname"])
    if settings.EMBEDDED:
        return embedded.current().dsn(embedded.SUPERUSER, dbname)
    return make_conninfo(os.environ["DATABASE_SUPERUSER_URL"], dbname=dbname)


@pytest.fixture(scope="session")
def child_environment(app_dsn: str, owner_dsn: str) -> dict[str, str]:
    """For a child process that runs manage.py on the test database; committed rows are flushed after the test."""
    return {
        **os.environ,
        "DATABASE_URL": _url(dsn=app_dsn),
        "DATABASE_OWNER_URL": _url(dsn=owner_dsn),
        "SECRET_KEY": "only-for-tests",
    }


@pytest.fixture
def owner_connection(owner_dsn: str) -> Iterator[psycopg.Connection]:
    """psycopg's, in autocommit; what it changes is committed, so use it in transactional tests."""
    with psycopg.connect(owner_dsn, autocommit=True) as connection:
        yield connection


@pytest.fixture
def superuser_connection(superuser_dsn: str) -> Iterator[psycopg.Connection]:
    """As ``owner_connection``, for attacks that nothing refuses."""
    with psycopg.connect(superuser_dsn, autocommit=True) as connection:
        yield connection
