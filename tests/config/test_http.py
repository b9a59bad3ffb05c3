"""The HTTP surface answers: health, and an admin that lets an operator in and nobody else."""

from __future__ import annotations

import pytest
from django.test import Client

from games.models import Player, Room, User

pytestmark = pytest.mark.django_db


def test_health_asks_the_database(client: Client) -> None:
    answer = client.get("/healthz")
    assert (answer.status_code, answer.content) == (200, b"ok\n")


@pytest.mark.parametrize("page", ["", "games/user/", "games/player/", "games/room/", "games/user/add/"])
def test_the_admin_is_an_operators(page: str, client: Client) -> None:
    assert client.get(f"/admin/{page}").status_code == 302
    client.force_login(User.objects.create_superuser(username="ann", password="x"))
    Player.objects.create(name="bob")
    Room.objects.create(slug="plain", name="Plain")
    assert client.get(f"/admin/{page}").status_code == 200
