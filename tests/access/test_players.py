"""Players register and log in, through HTTP."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.contrib.auth import hashers
from django.db import IntegrityError, connection, connections, transaction
from rest_framework.test import APIClient

from games.access import names
from games.access.models import LoginName, PlayerToken
from games.analysis.strategy import STRENGTHS
from games.models import Player, User
from tests.access.callers import PASSWORD, bearer, log_in, logged_in, player_client, register
from wagering.play.machine.players import player_of

pytestmark = pytest.mark.django_db


def test_ann_registers_logs_in_and_is_herself() -> None:
    registered = register("Ann")
    assert registered.status_code == 201
    assert registered.json() == {"id": str(Player.objects.get().pk), "name": "Ann"}
    given = log_in("Ann", label="ann's phone")
    assert given.status_code == 201
    assert given.json().keys() == {"id", "label", "expires_at", "token", "player", "exclusion"}
    assert given.json()["player"] == registered.json()
    me = bearer(given.json()["token"]).get("/v1/me")
    assert me.status_code == 200
    assert me.json().keys() == {"id", "name", "registered_at"}
    assert (me.json()["id"], me.json()["name"]) == (registered.json()["id"], "Ann")
    assert me.json()["registered_at"].endswith("Z")


def test_nothing_personal_is_kept_but_the_name() -> None:
    register("ann")
    user = User.objects.get()
    assert (user.email, user.first_name, user.last_name) == ("", "", "")
    assert not (user.is_staff or user.is_superuser)


def test_a_password_is_kept_as_argon2(real_passwords: None) -> None:
    register("ann")
    encoded = User.objects.get().password
    assert encoded.startswith("argon2$argon2id$")
    assert PASSWORD not in encoded
    assert log_in("ann").status_code == 201


@pytest.mark.parametrize("name", ["ann", "ANN", "Änn", "a.n-n"])
def test_a_name_that_looks_like_one_is_taken(name: str) -> None:
    assert register("ann").status_code == 201
    refused = register(name)
    assert (refused.status_code, refused.json()["code"]) == (409, "name_taken")
    assert Player.objects.count() == 1


def test_an_operator_s_name_is_taken_too() -> None:
    User.objects.create_superuser(username="Olivia", password=PASSWORD)
    refused = register("olivia")
    assert (refused.status_code, refused.json()["code"]) == (409, "name_taken")


@pytest.mark.parametrize("name", ["ann", "ＡNN", "Änn", "a.n-n"])
def test_nobody_looks_like_a_player_who_has_no_login(name: str) -> None:
    Player.objects.create(name="Ann")
    refused = register(name)
    assert (refused.status_code, refused.json()["code"]) == (409, "name_taken")


def test_nobody_looks_like_the_machine() -> None:
    player_of(STRENGTHS["novice"])
    assert register("Machine-N0vice").json()["code"] == "name_taken"


def test_a_player_without_a_login_looks_like_nobody() -> None:
    assert register("ann").status_code == 201
    with pytest.raises(IntegrityError, match="player_has_a_name_alone"), transaction.atomic():
        Player.objects.create(name="Änn")
    with pytest.raises(IntegrityError, match="player_has_a_key"), transaction.atomic():
        Player.objects.bulk_create([Player(name="bob")])


@pytest.mark.parametrize("name", ["", "an", "3ann", "ann bob", "аnn", "a" * 21, "admin"])
def test_nobody_registers_as(name: str) -> None:
    refused = register(name)
    assert refused.status_code == 422
    assert refused.json()["errors"][0]["pointer"] == "/name"


@pytest.mark.parametrize("password", ["", "g4mm0n", "password1", "8374658374", "grandmaster.ann1", "p" * 129])
def test_a_password_that_is_easy_to_guess_is_refused(password: str) -> None:
    refused = register("grandmaster.ann", password)
    assert refused.status_code == 422
    assert refused.json()["errors"][0]["pointer"] == "/password"
    assert not User.objects.exists()
    assert not password or password not in refused.content.decode()  # it is never sent back


@pytest.mark.parametrize(
    "body", [{}, {"name": "ann"}, {"name": ["ann"], "password": PASSWORD}, {"name": None, "password": 1}]
)
def test_half_a_registration_is_refused(body: dict[str, Any]) -> None:
    assert APIClient().post("/v1/players", body, format="json").status_code == 422


def test_spaces_are_part_of_a_password() -> None:
    register("ann", f" {PASSWORD} ")
    assert log_in("ann", PASSWORD).status_code == 401
    assert log_in("ann", f" {PASSWORD} ").status_code == 201


@pytest.mark.parametrize(("name", "password"), [("ann", "wrong"), ("nobody-at-all", PASSWORD), ("ann", "p" * 129)])
def test_a_refused_log_in_says_not_why(name: str, password: str) -> None:
    register("ann")
    refused = log_in(name, password)
    if len(password) > 128:
        assert refused.status_code == 422  # the field's own limit, whoever is meant
        return
    assert refused.status_code == 401
    assert refused["WWW-Authenticate"] == "Bearer"
    assert (refused.json()["code"], refused.json()["detail"]) == ("log_in_refused", "name or password is wrong")
    assert name not in refused.content.decode()


def test_an_inactive_login_is_refused_like_a_wrong_password() -> None:
    ann = player_client("ann")
    User.objects.update(is_active=False)
    assert (log_in("ann").status_code, log_in("ann").json()["code"]) == (401, "log_in_refused")
    assert ann.get("/v1/me").json()["code"] == "token_refused"


@pytest.mark.parametrize("name", ["ann", "cleo"])
def test_one_password_is_hashed_whether_or_not_the_name_exists(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    register("ann")
    hashed = []
    hasher = hashers.get_hasher()
    encode = type(hasher).encode

    def counted(self: Any, password: str, salt: str, *rest: Any) -> Any:
        hashed.append(salt)
        return encode(self, password, salt, *rest)

    monkeypatch.setattr(type(hasher), "encode", counted)
    assert log_in(name, "wrong").status_code == 401
    assert len(hashed) == 1


def test_staff_may_not_play() -> None:
    """F. Whoever became an operator is out at once, and is told so only by the right password."""
    ann = player_client("ann")
    User.objects.update(is_staff=True)
    assert (ann.get("/v1/me").status_code, ann.get("/v1/me").json()["code"]) == (403, "staff_may_not_play")
    assert log_in("ann", "wrong").json()["code"] == "log_in_refused"
    refused = log_in("ann")
    assert (refused.status_code, refused.json()["code"]) == (403, "staff_may_not_play")
    assert PlayerToken.objects.count() == 1


def test_an_operator_s_password_cannot_be_tried_here() -> None:
    User.objects.create_superuser(username="olivia", password=PASSWORD)
    assert log_in("olivia").json()["code"] == "log_in_refused"


def test_an_operator_s_session_is_no_credential() -> None:
    client = APIClient()
    client.force_login(User.objects.create_superuser(username="olivia", password=PASSWORD))
    assert client.get("/v1/me").status_code == 401


def test_a_login_that_is_no_player_s_is_refused() -> None:
    user = User.objects.create_user(username="ann", password=PASSWORD)
    LoginName.objects.create(user=user, key=names.key("ann"))
    assert log_in("ann").json()["code"] == "log_in_refused"


def test_changing_the_password_ends_all_other_clients() -> None:
    phone = player_client("ann")
    laptop = logged_in("ann", label="laptop")
    bob = player_client("bob")
    changed = phone.post(
        "/v1/me/password", {"current_password": PASSWORD, "new_password": "two-on-the-ace"}, format="json"
    )
    assert changed.status_code == 204
    assert phone.get("/v1/me").status_code == bob.get("/v1/me").status_code == 200
    assert laptop.get("/v1/me").status_code == 401
    assert log_in("ann").status_code == 401
    assert log_in("ann", "two-on-the-ace").status_code == 201


@pytest.mark.parametrize(
    ("current", "new", "code", "pointer"),
    [
        ("wrong", "two-on-the-ace", "password_wrong", "/current_password"),
        (PASSWORD, "12345678", "password_refused", "/new_password"),
        (PASSWORD, "p" * 129, "max_length", "/new_password"),
    ],
)
def test_a_refused_change_ends_nothing(current: str, new: str, code: str, pointer: str) -> None:
    phone = player_client("ann")
    laptop = logged_in("ann", label="laptop")
    refused = phone.post("/v1/me/password", {"current_password": current, "new_password": new}, format="json")
    assert refused.status_code == 422
    assert (refused.json()["errors"][0]["code"], refused.json()["errors"][0]["pointer"]) == (code, pointer)
    assert laptop.get("/v1/me").status_code == 200
    assert log_in("ann").status_code == 201


@pytest.mark.django_db(transaction=True)
def test_of_eight_who_want_one_name_one_gets_it() -> None:
    connection.close()

    def run(name: str) -> tuple[int, str]:
        try:
            answer = register(name)
            return answer.status_code, answer.json().get("code", "")
        finally:
            connections.close_all()

    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(run, ["ann", "Ann", "ANN", "änn", "a-nn", "an.n", "Ánn", "ann"]))
    assert sorted(answers) == [(201, "")] + [(409, "name_taken")] * 7
    assert Player.objects.count() == User.objects.count() == LoginName.objects.count() == 1
