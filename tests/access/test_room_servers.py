"""Rooms' servers sign, through HTTP: what is signed right is heard once, in its own room, and nothing else is."""

from __future__ import annotations

import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
import time_machine
from asgiref.sync import async_to_sync
from django.db import IntegrityError, connection, connections, transaction
from django.test import AsyncClient
from pytest_django import Settings
from rest_framework.test import APIClient

from games.access import room_keys
from games.access.models import RoomKey, Scope, UsedNonce
from games.access.room_keys import TooManyKeys
from games.models import Room
from tests.access.callers import RoomClient, client_of, key_of, now, player_client, room_client
from tests.factories import RoomFactory, TableFactory

pytestmark = [pytest.mark.django_db, pytest.mark.urls("tests.access.errands")]

URL = "/v1/errands"


@pytest.fixture
def emerald() -> Room:
    return RoomFactory.create(slug="emerald")


@pytest.fixture
def sapphire() -> Room:
    return RoomFactory.create(slug="sapphire")


def sent(
    client: RoomClient, *, header: str, method: str = "POST", path: str = URL, body: bytes = b"{}", **headers: str
) -> Any:
    """The answer to these very bytes under this very header, whoever signed them."""
    return APIClient().generic(
        method, path, body.decode(), content_type="application/json", headers={"Authorization": header, **headers}
    )


def refusal(answer: Any) -> tuple[int, str]:
    return answer.status_code, answer.json()["code"]


# --- right ------------------------------------------------------------------------------------------------------------


def test_what_a_room_s_server_signed_is_heard_in_its_room(emerald: Room) -> None:
    server = room_client(emerald)
    answer = server.post(URL, {"points": 2}, format="json")
    assert (answer.status_code, answer.json()) == (200, {"room": "emerald", "read": {"points": 2}})
    assert server.get(f"{URL}?page=2&q=%20a").status_code == 200


def test_the_same_errand_is_signed_anew_and_heard_again(emerald: Room) -> None:
    server = room_client(emerald)
    for _ in range(2):
        answer = server.post(URL, {"points": 2}, format="json", headers={"Idempotency-Key": "k1"})
        assert answer.status_code == 200


def test_a_body_is_signed_whole_up_to_what_the_view_takes(emerald: Room) -> None:
    server = room_client(emerald)
    long = {"record": "x" * 3 * 2**20}
    assert server.post(URL, long, format="json").json()["read"] == long
    assert refusal(server.post(f"{URL}/either", {"record": "x" * 5 * 2**20}, format="json")) == (413, "body_too_large")


def test_a_signature_is_the_same_under_asgi(emerald: Room) -> None:
    server = room_client(emerald)
    path, body = f"{URL}?page=2&q=%20a%2Fb", b'{"points": 2}'
    headers = {"Authorization": server.signed("POST", path, body, "k1"), "Idempotency-Key": "k1"}

    async def asked() -> Any:
        return await AsyncClient().generic("POST", path, body, "application/json", headers=headers)

    answer = async_to_sync(asked)()
    assert (answer.status_code, answer.json()["room"]) == (200, "emerald")


def test_a_clock_may_be_five_minutes_off(emerald: Room) -> None:
    server = room_client(emerald)
    for minutes in (-4.9, 4.9):
        server.at = now() + timedelta(minutes=minutes)
        assert server.get(URL).status_code == 200
    for minutes in (-5.1, 5.1):
        server.at = now() + timedelta(minutes=minutes)
        assert refusal(server.get(URL)) == (401, "signature_aged")


def test_it_is_noted_to_the_hour_when_a_key_was_used(emerald: Room) -> None:
    server = room_client(emerald)
    assert key_of(server).used_at is None
    server.get(URL)
    first = key_of(server).used_at
    server.get(URL)
    assert first is not None and key_of(server).used_at == first
    with time_machine.travel(now() + timedelta(hours=1, seconds=1)):
        server.get(URL)
    assert key_of(server).used_at != first


# --- forged, changed, replayed ---------------------------------------------------------------------------------------


def test_a_forged_signature_is_refused(emerald: Room) -> None:
    server = room_client(emerald)
    forger = RoomClient(key=server.key, secret="guessed")
    assert refusal(forger.post(URL, {}, format="json")) == (401, "signature_refused")
    assert not UsedNonce.objects.exists()


def test_an_unknown_key_is_refused_in_the_same_words(emerald: Room) -> None:
    server = room_client(emerald)
    answers = [
        RoomClient(key=key, secret="guessed").post(URL, {}, format="json").json() for key in (server.key, uuid4())
    ]
    for answer in answers:
        del answer["instance"]
    assert answers[0] == answers[1]


@pytest.mark.parametrize(
    "changed",
    [
        {"method": "PUT"}, {"path": f"{URL}?page=2"}, {"path": f"{URL}/wallet"}, {"body": b'{"points": 3}'},
        {"body": b""}, {"Idempotency-Key": "k2"}, {"at": 1}, {"nonce": "n" * 16},
    ],
)  # fmt: skip
def test_whatever_is_changed_on_the_way_is_refused(changed: dict[str, Any], emerald: Room) -> None:
    server = room_client(emerald)
    body = b'{"points": 2}'
    header = server.signed("POST", URL, body, "k1")
    if "at" in changed:
        at = now() + timedelta(minutes=changed.pop("at"))
        start = header.index("at=") + 3
        header = f"{header[:start]}{at:%Y-%m-%dT%H:%M:%SZ}{header[start + 20 :]}"
    if "nonce" in changed:
        start = header.index("nonce=") + 6
        header = f"{header[:start]}{changed.pop('nonce')}{header[header.index(', signature') :]}"
    asked: dict[str, Any] = {"body": body, "Idempotency-Key": "k1", **changed}
    assert refusal(sent(server, header=header, **asked)) == (401, "signature_refused")
    untouched = server.signed("POST", URL, body, "k1")
    assert sent(server, header=untouched, body=body, **{"Idempotency-Key": "k1"}).status_code == 200


def test_what_is_sent_again_is_refused(emerald: Room) -> None:
    server = room_client(emerald)
    header = server.signed("POST", URL, b"{}")
    assert sent(server, header=header).status_code == 200
    assert refusal(sent(server, header=header)) == (401, "signature_replayed")


def test_a_nonce_is_of_its_key(emerald: Room, sapphire: Room) -> None:
    for server in (room_client(emerald), room_client(sapphire)):
        header = server.signed("POST", URL, b"{}", nonce="the-same-in-both")
        assert sent(server, header=header).status_code == 200


def test_nonces_are_forgotten_once_their_signatures_have_aged(emerald: Room) -> None:
    server = room_client(emerald)
    header = server.signed("POST", URL, b"{}")
    assert sent(server, header=header).status_code == 200
    assert room_keys.forget(at=now() + timedelta(minutes=9)) == 0
    assert room_keys.forget(at=now() + timedelta(minutes=11)) == 1
    with time_machine.travel(now() + timedelta(minutes=11)):
        assert refusal(sent(server, header=header)) == (401, "signature_aged")


@pytest.mark.parametrize("header", ["Room", "Room key=1", "room x", "Room key=…, at=now", "Room " + "x" * 4000])
def test_what_is_no_signature_is_refused(header: str) -> None:
    answer = APIClient().get(URL, headers={"Authorization": header.encode().decode("latin-1")})
    assert refusal(answer) == (401, "signature_unreadable")


@pytest.mark.django_db(transaction=True)
def test_of_eight_that_come_at_once_with_one_signature_one_is_heard() -> None:
    server = room_client(RoomFactory.create())
    header = server.signed("POST", URL, b"{}")
    start = threading.Barrier(8)
    connection.close()

    def run(_: int) -> int:
        try:
            start.wait(20)
            return int(sent(server, header=header).status_code)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(8) as pool:
        assert Counter(pool.map(run, range(8))) == {200: 1, 401: 7}


# --- in its own room, for its own errands ----------------------------------------------------------------------------


def test_another_room_s_table_is_not_found(emerald: Room, sapphire: Room) -> None:
    own, others = TableFactory.create(room=emerald), TableFactory.create(room=sapphire)
    server = room_client(emerald)
    assert server.get(URL).json() == {"ids": [str(own.pk)]}
    assert server.get(f"{URL}/{own.pk}").status_code == 200
    for table in (others.pk, uuid4()):
        assert refusal(server.get(f"{URL}/{table}")) == (404, "not_found")


def test_another_room_s_secret_signs_nothing_under_this_key(emerald: Room, sapphire: Room) -> None:
    here, there = room_client(emerald), room_client(sapphire)
    mixed = RoomClient(key=here.key, secret=there.secret)
    assert refusal(mixed.get(URL)) == (401, "signature_refused")


@pytest.mark.parametrize(
    ("scopes", "url", "status"),
    [
        ([Scope.RESULTS], URL, 200),
        ([Scope.TABLES, Scope.WALLET], URL, 403),
        ([Scope.WALLET], f"{URL}/wallet", 200),
        ([Scope.RESULTS], f"{URL}/wallet", 403),
        ([*Scope], f"{URL}/scopeless", 403),
        ([*Scope], f"{URL}/unsaid", 403),
        ([Scope.TABLES], f"{URL}/either", 403),
        ([Scope.RESULTS], f"{URL}/either", 200),
        ([*Scope], "/v1/me", 403),
        ([*Scope], "/v1/tokens", 403),
    ],
)
def test_a_key_does_what_its_scopes_say(scopes: list[Scope], url: str, status: int, emerald: Room) -> None:
    assert room_client(emerald, *scopes).get(url).status_code == status


def test_a_player_s_client_is_no_room_s_server(emerald: Room) -> None:
    """A player's client can never settle."""
    ann = player_client("ann")
    for url in (URL, f"{URL}/wallet", f"{URL}/scopeless", f"{URL}/unsaid"):
        assert refusal(ann.get(url)) == (403, "not_allowed")
        assert refusal(APIClient().get(url)) == (401, "not_authenticated")


def test_a_player_finds_the_own_tables_only() -> None:
    table, others = TableFactory.create(), TableFactory.create()
    url = f"{URL}/either"
    for player in table.seats:
        client = client_of(player)
        assert client.get(url).json() == {"ids": [str(table.pk)]}
        assert client.get(f"{url}/{table.pk}").status_code == 200
        assert refusal(client.get(f"{url}/{others.pk}")) == (404, "not_found")
    assert player_client("cleo").get(url).json() == {"ids": []}


# --- a key's life ----------------------------------------------------------------------------------------------------


def test_two_keys_live_at_once_while_the_servers_change_over(emerald: Room) -> None:
    old, new = room_client(emerald), room_client(emerald)
    assert [server.get(URL).status_code for server in (old, new)] == [200, 200]
    with pytest.raises(TooManyKeys) as refused:
        room_client(emerald)
    assert {key.pk for key in refused.value.alive} == {old.key, new.key}
    room_keys.revoke(key=key_of(old), at=now())
    assert refusal(old.get(URL)) == (401, "key_not_in_force")
    assert new.get(URL).status_code == 200
    assert room_client(emerald).get(URL).status_code == 200


def test_keys_are_counted_for_what_they_may(emerald: Room, sapphire: Room) -> None:
    for _ in range(2):
        room_client(emerald, Scope.WALLET)
        room_client(emerald, Scope.TABLES, Scope.RESULTS)
        room_client(sapphire, Scope.WALLET)
    with pytest.raises(TooManyKeys, match="emerald has 2 keys for wallet"):
        room_client(emerald, Scope.WALLET, Scope.TABLES)


def test_a_key_begins_and_expires(emerald: Room) -> None:
    begins = now() + timedelta(days=1)
    key, secret = room_keys.issue(
        room=emerald, scopes=[Scope.RESULTS], at=now(), not_before=begins, life=timedelta(days=2)
    )
    server = RoomClient(key=key.pk, secret=secret)
    for days, expected in ((0, 401), (1.5, 200), (2.9, 200), (3.1, 401)):
        with time_machine.travel(now() + timedelta(days=days)):
            assert server.get(URL).status_code == expected
    assert room_client(emerald).get(URL).status_code == 200


def test_only_who_has_the_secret_learns_that_a_key_is_revoked(emerald: Room) -> None:
    server = room_client(emerald)
    room_keys.revoke(key=key_of(server), at=now())
    assert refusal(server.get(URL)) == (401, "key_not_in_force")
    assert refusal(RoomClient(key=server.key, secret="guessed").get(URL)) == (401, "signature_refused")


def test_a_revoked_key_stays_revoked_as_it_was(emerald: Room) -> None:
    key = key_of(room_client(emerald))
    at = now()
    room_keys.revoke(key=key, at=at)
    room_keys.revoke(key=key, at=at + timedelta(days=1))
    key.refresh_from_db()
    assert key.revoked_at == at


def test_the_secret_is_not_in_the_database(emerald: Room, settings: Settings) -> None:
    server = room_client(emerald)
    with connection.cursor() as cursor:
        cursor.execute("SELECT k::text FROM access_roomkey AS k")
        (row,) = cursor.fetchone()
    assert server.secret not in row
    assert bytes(key_of(server).salt).hex() in row
    assert len(bytes(key_of(server).salt)) == 32
    stolen = RoomClient(key=server.key, secret=room_keys.secret_of(key_of(server), master="a guess"))
    assert refusal(stolen.get(URL)) == (401, "signature_refused")


def test_a_key_outlives_a_change_of_secret_key_while_it_is_a_fallback(emerald: Room, settings: Settings) -> None:
    server = room_client(emerald)
    settings.SECRET_KEY_FALLBACKS = [settings.SECRET_KEY]
    settings.SECRET_KEY = "another"
    assert server.get(URL).status_code == 200
    settings.SECRET_KEY_FALLBACKS = []
    assert refusal(server.get(URL)) == (401, "signature_refused")


@pytest.mark.parametrize(
    "change",
    [
        "room_id = %(other)s",
        "scopes = '{wallet}'",
        "salt = '\\x00'",
        "expires_at = now() + interval '9 years'",
        "revoked_at = NULL",
    ],
)
def test_a_key_is_never_made_another(change: str, emerald: Room, sapphire: Room) -> None:
    key = key_of(room_client(emerald, Scope.RESULTS))
    room_keys.revoke(key=key, at=now())
    with pytest.raises(IntegrityError, match="room_key_is_final"), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(f"UPDATE access_roomkey SET {change}", {"other": sapphire.pk})
    with pytest.raises(IntegrityError, match="room_key_is_final"), transaction.atomic():
        RoomKey.objects.all().delete()


@pytest.mark.parametrize("scopes", [[], ["settle"], ["results", "settle"]])
def test_a_key_has_known_scopes(scopes: list[str], emerald: Room) -> None:
    at = now()
    with pytest.raises(IntegrityError, match="room_key_has_known_scopes"), transaction.atomic():
        RoomKey.objects.create(
            room=emerald, scopes=scopes, created_at=at, not_before=at, expires_at=at + timedelta(days=1)
        )


@pytest.mark.django_db(transaction=True)
def test_of_six_keys_that_are_made_at_once_two_are() -> None:
    room = RoomFactory.create()
    start = threading.Barrier(6)
    connection.close()

    def run(_: int) -> str:
        try:
            start.wait(20)
            room_client(room)
        except TooManyKeys:
            return "refused"
        finally:
            connections.close_all()
        return "made"

    with ThreadPoolExecutor(6) as pool:
        assert Counter(pool.map(run, range(6))) == {"made": 2, "refused": 4}
