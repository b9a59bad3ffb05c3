"""The roles of docker/postgres/roles.sql, as the tests and the service use them."""

import psycopg
import pytest
from django.db import connection

from games.models import Player


@pytest.mark.django_db
def test_the_service_is_no_superuser_and_reads_and_writes_players() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_user, current_setting('is_superuser'), current_setting('lock_timeout')")
        assert cursor.fetchone() == ("app", "off", "5s")
    Player.objects.create(name="ann")
    assert Player.objects.count() == 1


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("name", ["ann", "bob"])
def test_a_committed_player_is_gone_after_the_test(name: str, owner_connection: psycopg.Connection) -> None:
    Player.objects.create(name=name)
    row = owner_connection.execute("SELECT current_user, array_agg(name) FROM games_player").fetchone()
    assert row == ("book_owner", [name])


@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM django_migrations",
        "CREATE TABLE mine (i int)",
        "CREATE TEMP TABLE mine (i int)",
        "CREATE SCHEMA mine",
        "TRUNCATE games_player",
    ],
)
def test_the_service_may_not(statement: str, app_dsn: str) -> None:
    with psycopg.connect(app_dsn) as service, pytest.raises(psycopg.errors.InsufficientPrivilege):
        service.execute(statement)


def test_the_superuser_is_there_for_attacks(superuser_connection: psycopg.Connection) -> None:
    row = superuser_connection.execute("SELECT current_setting('is_superuser')").fetchone()
    assert row == ("on",)
