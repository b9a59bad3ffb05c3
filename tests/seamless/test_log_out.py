"""What ends a player's log-in ends what the player let in: no room's server stakes on after it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from django.utils import timezone
from rest_framework.test import APIClient

from games.access import permissions, services
from games.access.models import PlayerToken
from games.models import Player, User
from tests.access.callers import PASSWORD, log_in, logged_in, player_client
from tests.factories import RoomFactory, fund
from tests.seamless.callers import Aggregator, aggregator, at_once
from wagering.seamless import players_api, sessions

pytestmark = pytest.mark.django_db

NEW = "two-on-the-ace-point"


@pytest.fixture(autouse=True)
def quick(settings: Any) -> None:
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


@pytest.fixture
def phone(server: Aggregator) -> APIClient:
    """Ann's, with money in the wallet."""
    client = player_client("ann")
    fund(Player.objects.get(name="ann"), "100.00")
    return client


@pytest.fixture
def operator(client: Client) -> Client:
    client.force_login(User.objects.create_superuser(username="operator", password="x"))
    return client


def opened(client: APIClient, server: Aggregator) -> str:
    answer = client.post("/v1/seamless/sessions", {"room": server.room.slug, "currency": "USD"}, format="json")
    assert answer.status_code == 201, answer.content
    return str(answer.json()["token"])


def in_force() -> int:
    """Ann's sessions, which end by being counted."""
    return sessions.end_all(player=Player.objects.get(name="ann"), at=timezone.now())


def by_password(phone: APIClient) -> int:
    asked = {"current_password": PASSWORD, "new_password": NEW}
    return int(phone.post("/v1/me/password", asked, format="json").status_code)


def by_all_tokens(phone: APIClient) -> int:
    return int(phone.delete("/v1/tokens").status_code)


@pytest.mark.parametrize("ends", [by_password, by_all_tokens])
def test_the_player_ends_all_that_was_let_in(
    server: Aggregator, phone: APIClient, ends: Callable[[APIClient], int]
) -> None:
    bob = player_client("bob")
    fund(Player.objects.get(name="bob"), "100.00")
    token, bobs = opened(phone, server), opened(bob, server)
    assert server.bet(token)["status"] == "RS_OK"
    assert ends(phone) == 204
    assert server.bet(token)["status"] == "RS_ERROR_INVALID_TOKEN"
    assert server.bet(bobs)["status"] == "RS_OK"  # another player's goes on
    assert server.bet(opened(logged_in("ann", NEW if ends is by_password else PASSWORD), server))["status"] == "RS_OK"


def test_one_client_that_is_ended_takes_with_it_what_it_let_in(server: Aggregator, phone: APIClient) -> None:
    laptop = logged_in("ann", label="laptop")
    token, laptops = opened(phone, server), opened(laptop, server)
    ids = {each["label"]: each["id"] for each in phone.get("/v1/tokens").json()["results"]}
    assert laptop.delete(f"/v1/tokens/{ids['laptop']}").status_code == 204
    assert server.bet(token)["status"] == "RS_OK"
    assert server.bet(laptops)["status"] == "RS_ERROR_INVALID_TOKEN"


def test_so_does_the_oldest_for_whom_there_is_no_room_any_more(
    server: Aggregator, phone: APIClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    token = opened(phone, server)
    monkeypatch.setattr(services, "TOKENS_MAX", 2)
    logged_in("ann", label="laptop")
    assert server.bet(token)["status"] == "RS_OK"
    logged_in("ann", label="tablet")
    assert phone.get("/v1/me").status_code == 401
    assert server.bet(token)["status"] == "RS_ERROR_INVALID_TOKEN"


def test_an_operator_who_gives_a_new_password_puts_the_player_out(
    server: Aggregator, phone: APIClient, operator: Client
) -> None:
    token, ann = opened(phone, server), User.objects.get(username="ann")
    asked = {"password1": NEW, "password2": "another", "usable_password": "true"}
    page = f"/admin/games/user/{ann.pk}/password/"
    assert operator.post(page, asked).status_code == 200  # refused: they differ
    assert phone.get("/v1/me").status_code == 200
    assert operator.post(page, asked | {"password2": NEW}).status_code == 302
    assert phone.get("/v1/me").status_code == 401
    assert server.bet(token)["status"] == "RS_ERROR_INVALID_TOKEN"
    assert (log_in("ann").status_code, log_in("ann", NEW).status_code) == (401, 201)


def changed(operator: Client, user: User, **fields: str | None) -> None:
    """The operator saves the login's page with these fields; None is a box without its tick."""
    page = f"/admin/games/user/{user.pk}/change/"
    form = operator.get(page).context["adminform"].form
    boxes = ("is_active", "is_staff", "is_superuser")
    told = {"username": user.username, **{box: "on" for box in boxes if form.initial.get(box)}, **fields}
    told |= {"date_joined_0": f"{user.date_joined:%Y-%m-%d}", "date_joined_1": f"{user.date_joined:%H:%M:%S}"}
    answer = operator.post(page, {name: value for name, value in told.items() if value is not None})
    assert answer.status_code == 302, answer.context["adminform"].form.errors


@pytest.mark.parametrize("shut", [{"is_active": None}, {"is_staff": "on"}])
def test_a_login_that_is_shut_and_opened_again_lets_nobody_in_who_was_in(
    server: Aggregator, phone: APIClient, operator: Client, shut: dict[str, str | None]
) -> None:
    token, ann = opened(phone, server), User.objects.get(username="ann")
    changed(operator, ann, first_name="Ann")
    assert phone.get("/v1/me").status_code == 200
    assert server.bet(token)["status"] == "RS_OK"
    changed(operator, ann, **shut)
    assert not PlayerToken.objects.exists()
    changed(operator, ann, is_active="on", is_staff=None)
    assert phone.get("/v1/me").status_code == 401
    assert server.bet(token)["status"] == "RS_ERROR_INVALID_TOKEN"
    assert server.bet(opened(logged_in("ann"), server))["status"] == "RS_OK"


def test_a_client_that_is_put_out_while_it_asks_lets_nobody_in(
    server: Aggregator, phone: APIClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    def put_out(request: Any) -> None:
        services.revoke_all(user=request.user, at=timezone.now())
        permissions.stays_in(request)

    monkeypatch.setattr(players_api, "stays_in", put_out)
    refused = phone.post("/v1/seamless/sessions", {"room": server.room.slug, "currency": "USD"}, format="json")
    assert (refused.status_code, refused.json()["code"]) == (401, "token_refused")
    assert in_force() == 0


@pytest.mark.django_db(transaction=True)
def test_at_the_same_time_nothing_outlives_the_log_out() -> None:
    server = aggregator(room=RoomFactory.create(charges=None))
    clients = [player_client("ann"), *(logged_in("ann", label=f"client {number}") for number in range(3))]
    asked = {"room": server.room.slug, "currency": "USD"}
    calls = [lambda client=client: client.post("/v1/seamless/sessions", asked, format="json") for client in clients]
    *answers, out = at_once(*calls, lambda: clients[0].delete("/v1/tokens"))
    assert out.status_code in (204, 401)
    assert {answer.status_code for answer in answers} <= {201, 401}
    assert out.status_code == 401 or in_force() == 0


def test_the_operator_s_command_ends_all_that_was_let_in(
    server: Aggregator, phone: APIClient, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    opened(phone, server)
    monkeypatch.setattr("getpass.getpass", lambda prompt: NEW)
    call_command("changepassword", User.objects.get(player__name="ann").username)
    assert "clients logged out: 1" in capsys.readouterr().out
    assert (phone.get("/v1/me").status_code, in_force()) == (401, 0)
    assert log_in("ann", NEW).status_code == 201
