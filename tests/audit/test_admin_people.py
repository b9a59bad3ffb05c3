"""Players and their log-ins in the operator's admin: what an operator may do to them, and what not."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import Permission
from django.test import Client

from games.analysis.strategy import STRENGTHS
from games.models import Player, User
from ratings.models import Rating, RatingChange
from tests.factories import NOON, person, rated, seated, terms, won
from wagering.play.machine.players import player_of
from wagering.settlement.services import settle

pytestmark = pytest.mark.django_db


@pytest.fixture
def operator(client: Client) -> Client:
    client.force_login(User.objects.create(username="operator", is_staff=True, is_superuser=True))
    return client


def login_of(player: Player) -> str:
    assert player.user is not None
    return f"/admin/games/user/{player.user.pk}"


def test_a_login_is_shut_and_never_deleted(operator: Client) -> None:
    ann = person("ann", funds=None)
    shown = operator.get(f"{login_of(ann)}/change/").content.decode()
    assert f"{login_of(ann)}/delete/" not in shown
    assert 'name="is_active"' in shown
    assert operator.post(f"{login_of(ann)}/delete/", {"post": "yes"}).status_code == 403
    assert "delete_selected" not in operator.get("/admin/games/user/").content.decode()


def test_a_player_has_no_permissions_to_edit_and_an_operator_has(operator: Client) -> None:
    ann = person("ann", funds=None)
    shown = operator.get(f"{login_of(ann)}/change/").content.decode()
    for name in ("is_superuser", "groups", "user_permissions"):
        assert f'name="{name}"' not in shown
    olivia = User.objects.get(username="operator")
    shown = operator.get(f"/admin/games/user/{olivia.pk}/change/").content.decode()
    for name in ("is_superuser", "groups", "user_permissions"):
        assert f'name="{name}"' in shown


def test_only_a_superuser_makes_operators_or_changes_one(client: Client) -> None:
    olivia, other = (User.objects.create(username=name, is_staff=True) for name in ("olivia", "other"))
    olivia.user_permissions.set(Permission.objects.filter(codename__in=["add_user", "change_user", "view_user"]))
    client.force_login(olivia)
    ann = person("ann", funds=None).user
    assert ann is not None
    told = {"is_active": "on", "is_staff": "on", "is_superuser": "on", "groups": [], "user_permissions": ["1"]}
    told |= {"date_joined_0": "2026-11-30", "date_joined_1": "10:00:00"}
    for user in (olivia, other, ann):
        page = f"/admin/games/user/{user.pk}/change/"
        assert client.post(page, told | {"username": user.username}).status_code == (302 if user == ann else 403)
        user.refresh_from_db()
        assert (user.is_staff, user.is_superuser) == (user != ann, False)
        assert user.user_permissions.count() == (3 if user == olivia else 0)
    new = {"password1": "a long pass 12345 x", "password2": "a long pass 12345 x", "usable_password": "true"}
    for user, answer in ((other, 403), (olivia, 403), (ann, 302)):
        assert client.post(f"/admin/games/user/{user.pk}/password/", new).status_code == answer
        user.refresh_from_db()
        assert user.check_password(new["password1"]) == (user == ann)
    made = client.post("/admin/games/user/add/", told | new | {"username": "mallory"})
    assert made.status_code == 302
    assert not User.objects.get(username="mallory").is_staff


def test_nobody_renames_the_machine_or_gives_it_a_login(operator: Client) -> None:
    machine = player_of(next(iter(STRENGTHS.values())))
    address = f"/admin/games/player/{machine.pk}/change/"
    assert 'name="_save"' not in operator.get(address).content.decode()
    assert operator.post(address, {"name": "ann", "user": ""}).status_code == 403
    machine.refresh_from_db()
    assert machine.name.startswith("Machine")


def test_ratings_are_told_to_two_decimals(operator: Client) -> None:
    stake = seated(terms("5", cap="15"))
    settle(table=stake.table, outcome=won(1), at=NOON)
    rated(person("cleo"), "1512.345678")
    pages = [f"ratings/rating/{Rating.objects.get(player__name='cleo').pk}", f"stakes/stake/{stake.pk}"]
    pages += [f"ratings/ratingchange/{change.pk}" for change in RatingChange.objects.all()]
    told = [operator.get(f"/admin/{page}/change/").content.decode() for page in pages]
    assert "1512.35" in told[0]
    assert "1500.00" in told[1]
    assert [shown for shown in told if "345678" in shown or "1500.000" in shown] == []
