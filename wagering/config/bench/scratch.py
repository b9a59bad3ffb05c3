"""A database of the bench's own on the server in use: made by the owner, dropped afterwards however the bench ends.

Its maker holds an advisory lock of its name, in the owner's database, as long as it lives: what is left of a bench that
was killed is nobody's, and the next one drops it.
"""

import os
import secrets
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import psycopg
from django.conf import settings
from django.core.management import call_command
from django.db import connections
from psycopg import sql
from psycopg.conninfo import make_conninfo

from wagering.config.postgres.base import close_pools

PREFIX: Final = "backgammon_bench_"
SERVICE: Final = "default"
OWNER: Final = "owner"
CONNINFO: Final = ("host", "port", "user", "password", "sslmode", "sslrootcert", "sslcert", "sslkey")
PATIENCE_S: Final = 20


class NoOwner(Exception):
    """DATABASE_OWNER_URL is not set: only the owner can make a database."""


@contextmanager
def database() -> Iterator[str]:
    """The name of a new database, migrated, to which both of Django's connections lead until it is dropped."""
    if OWNER not in connections:
        raise NoOwner("DATABASE_OWNER_URL is not set: the bench makes a database of its own, as the owner")
    with psycopg.connect(dsn(OWNER), autocommit=True) as keeper:
        _sweep(keeper)
        name = f"{PREFIX}{os.getpid()}_{secrets.token_hex(3)}"
        assert _locked(keeper, name)
        keeper.execute(
            sql.SQL("CREATE DATABASE {} TEMPLATE template0 ENCODING 'UTF8' LC_COLLATE 'C' LC_CTYPE 'C'").format(
                sql.Identifier(name)
            )
        )
        try:
            with _pointed_at(name):
                call_command("migrate", verbosity=0)
                yield name
        finally:
            _drop(keeper, name)


def dsn(alias: str, dbname: str | None = None) -> str:
    """For libpq and psycopg: where Django's ``alias`` leads, or another database there."""
    parameters = connections[alias].get_connection_params()
    kept = {name: parameters[name] for name in CONNINFO if parameters.get(name)}
    return make_conninfo(**kept, dbname=dbname or parameters["dbname"])


@contextmanager
def _pointed_at(name: str) -> Iterator[None]:
    """Both connections lead to ``name``, as the test runner does it."""
    before = {alias: connections[alias].settings_dict["NAME"] for alias in (SERVICE, OWNER)}
    _point(dict.fromkeys(before, name))
    try:
        yield
    finally:
        _point(before)


def _point(names: dict[str, str]) -> None:
    close_pools()  # a pool keeps what it was opened with
    for alias, name in names.items():
        connections[alias].settings_dict["NAME"] = name
        settings.DATABASES[alias]["NAME"] = name


def _locked(keeper: psycopg.Connection, name: str) -> bool:
    found = keeper.execute("SELECT pg_try_advisory_lock(hashtext(%s))", [name]).fetchone()
    return bool(found and found[0])


def _sweep(keeper: psycopg.Connection) -> None:
    found = keeper.execute("SELECT datname FROM pg_database WHERE starts_with(datname, %s)", [PREFIX])
    for (name,) in found.fetchall():
        if _locked(keeper, name):
            _drop(keeper, name)
            keeper.execute("SELECT pg_advisory_unlock(hashtext(%s))", [name])


def _drop(keeper: psycopg.Connection, name: str) -> None:
    """Sessions of clients that were just killed are still on their way out: wait for them."""
    end = time.monotonic() + PATIENCE_S
    while True:
        try:
            keeper.execute(sql.SQL("DROP DATABASE IF EXISTS {}").format(sql.Identifier(name)))
            return
        except psycopg.errors.ObjectInUse:
            if time.monotonic() > end:
                raise
            time.sleep(0.1)
