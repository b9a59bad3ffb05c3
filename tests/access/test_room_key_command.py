"""``manage.py room_key`` and the admin's pages: a secret is shown once, and a key can be ended by whoever may."""

from __future__ import annotations

import json
from io import StringIO
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.contrib.auth.models import Permission
from django.core.management import CommandError, call_command
from django.test import Client

from games.access.models import PlayerToken, RoomKey, Scope
from games.models import User
from tests.access.callers import RoomClient, key_of, player_client, room_client
from tests.factories import RoomFactory

pytestmark = [pytest.mark.django_db, pytest.mark.urls("tests.access.errands")]


def run(*arguments: Any) -> str:
    out = StringIO()
    call_command("room_key", *map(str, arguments), stdout=out)
    return out.getvalue()


def test_a_key_is_made_and_signs() -> None:
    RoomFactory.create(slug="emerald")
    said = dict(
        line.split(None, 1) for line in run("--room", "emerald", "--scopes", "results", "tables").splitlines()[:2]
    )
    key = RoomKey.objects.get()
    assert said["key"] == str(key.pk)
    assert key.scopes == ["results", "tables"]
    assert (key.expires_at - key.not_before).days == 365
    assert RoomClient(key=key.pk, secret=said["secret"]).get("/v1/errands").status_code == 200


def test_a_key_is_made_for_a_script() -> None:
    RoomFactory.create(slug="emerald")
    said = json.loads(run("--room", "emerald", "--scopes", "results", "--days", 7, "--json"))
    assert said.keys() == {"key", "secret", "scopes"}
    assert RoomClient(key=UUID(said["key"]), secret=said["secret"]).get("/v1/errands").status_code == 200


def test_a_key_is_ended() -> None:
    server = room_client(RoomFactory.create(), Scope.RESULTS)
    assert "signs nothing from now on" in run("--revoke", server.key)
    assert server.get("/v1/errands").status_code == 401


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "give either"),
        (("--room", "emerald", "--revoke", uuid4()), "give either"),
        (("--room", "nowhere"), "there is no room nowhere"),
        (("--revoke", uuid4()), "there is no key"),
        (("--room", "emerald", "--scopes", "settle"), "invalid choice"),
        (("--room", "emerald", "--days", 0), "from 1 to 3650"),
        (("--room", "emerald", "--scopes", "wallet"), "emerald has 2 keys for wallet"),
    ],
)
def test_what_cannot_be_is_said(arguments: tuple[Any, ...], said: str) -> None:
    room = RoomFactory.create(slug="emerald")
    for _ in range(2):
        room_client(room, Scope.WALLET)
    with pytest.raises(CommandError, match=said):
        run(*arguments)


def operator(client: Client, *may: str) -> User:
    user = User.objects.create_user(username="olivia", password="x", is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename__in=may))
    client.force_login(user)
    return user


def revoke(client: Client, server: RoomClient) -> Any:
    asked = {"action": "revoke", "_selected_action": [str(server.key)]}
    return client.post("/admin/access/roomkey/", asked, follow=True)


def test_an_operator_revokes_a_key(client: Client) -> None:
    server = room_client(RoomFactory.create())
    operator(client, "view_roomkey", "change_roomkey")
    page = client.get("/admin/access/roomkey/")
    assert page.status_code == 200 and server.secret not in page.content.decode()
    assert client.get(f"/admin/access/roomkey/{server.key}/change/").status_code == 200
    assert revoke(client, server).status_code == 200
    assert key_of(server).revoked_at is not None
    assert server.get("/v1/errands").status_code == 401


def test_an_operator_who_may_only_look_revokes_nothing(client: Client) -> None:
    server = room_client(RoomFactory.create())
    operator(client, "view_roomkey")
    revoke(client, server)
    assert key_of(server).revoked_at is None
    assert client.get("/admin/access/roomkey/add/").status_code == 403


def test_an_operator_puts_a_client_out(client: Client) -> None:
    ann = player_client("ann")
    operator(client, "view_playertoken", "delete_playertoken")
    assert client.get("/admin/access/playertoken/").status_code == 200
    token = PlayerToken.objects.get()
    assert client.get(f"/admin/access/playertoken/{token.pk}/change/").status_code == 200
    assert client.post(f"/admin/access/playertoken/{token.pk}/delete/", {"post": "yes"}).status_code == 302
    assert ann.get("/v1/me").status_code == 401
