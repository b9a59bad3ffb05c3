"""The heartbeat of many streams at once, the tokens that they came with, and the way to the one connection."""

from datetime import timedelta
from uuid import uuid4

import psycopg
import pytest
from django.utils import timezone
from pytest_django import Settings
from rest_framework.exceptions import APIException

from games.access.authentication import ByToken
from games.access.models import PlayerToken
from games.live import heartbeats, listener, services
from games.live.heartbeats import Seat
from games.live.models import Connection
from games.models import User
from games.rules.sides import SIDES
from tests.factories import PlayerFactory
from tests.live.following import token_of
from tests.live.tables import Parlour, parlour
from wagering.config import databases

pytestmark = pytest.mark.django_db


def seats_of(table: Parlour) -> list[Seat]:
    """Both sides come, by a new connection each."""
    seats = [Seat(table=table.pk, side=side, connection=uuid4()) for side in SIDES]
    for seat in seats:
        services.came(table=seat.table, side=seat.side, connection=seat.connection, now=table.now)
    return seats


def test_all_connections_are_seen_at_once_and_hear_how_far_their_tables_are() -> None:
    tables = [parlour(), parlour(match_length=3)]
    tables[0].plays()
    seats = [seat for table in tables for seat in seats_of(table)]
    at = tables[0].at + timedelta(seconds=8)
    told = heartbeats.beat(seats, at=at)
    assert told == {
        seat.connection: table.live.sequence for table in tables for seat in seats if seat.table == table.pk
    }
    seen = Connection.objects.filter(client__in=told).values_list("seen_at", flat=True)
    assert set(seen) == {at}
    assert Connection.objects.exclude(client__in=told).exclude(seen_at=at).exists()  # others beat for themselves


def test_a_connection_that_was_taken_for_gone_is_not_in_the_answer() -> None:
    table = parlour()
    one, two = seats_of(table)
    Connection.objects.filter(client=one.connection).delete()
    elsewhere = Seat(table=two.table, side=1, connection=two.connection)
    assert heartbeats.beat([one, elsewhere], at=table.at) == {}
    assert heartbeats.beat([one, two], at=table.at).keys() == {two.connection}
    assert heartbeats.beat([], at=table.at) == {}


@pytest.mark.parametrize("change", ["none", "expired", "revoked", "inactive", "staff", "superuser"])
def test_a_stream_knows_as_well_as_the_door_whom_a_token_lets_in(change: str) -> None:
    player = PlayerFactory.create()
    token = token_of(player)
    row = PlayerToken.objects.get()
    rows, users = PlayerToken.objects.filter(pk=row.pk), User.objects.filter(pk=row.user_id)
    if change == "expired":
        rows.update(expiry=timezone.now())
    elif change == "revoked":
        rows.delete()
    elif change != "none":
        users.update(
            **{"inactive": {"is_active": False}, "staff": {"is_staff": True}}.get(change, {"is_superuser": True})
        )
    try:
        ByToken().authenticate_credentials(token.encode())
        lets_in = True
    except APIException:
        lets_in = False
    assert lets_in == (change == "none")
    assert heartbeats.in_force([row.id, uuid4()], at=timezone.now()) == ({row.id} if lets_in else set())


def test_the_connection_that_listens_goes_where_it_is_told(settings: Settings, app_dsn: str) -> None:
    usual = listener._parameters()
    with psycopg.connect(**usual) as connection:
        (there,) = connection.execute("SELECT current_database()").fetchone() or ("",)
    assert there == psycopg.conninfo.conninfo_to_dict(app_dsn)["dbname"]
    url = f"postgresql://{usual['user']}@/elsewhere?host=/var/run/no-such-folder&sslmode=disable"
    settings.LISTENS_AT = databases.parse(variable="DATABASE_LISTEN_URL", url=url)
    told = listener._parameters()
    assert (told["dbname"], told["host"], told["sslmode"]) == ("elsewhere", "/var/run/no-such-folder", "disable")
    psycopg.conninfo.make_conninfo(**told)
