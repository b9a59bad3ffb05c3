"""Tables in the operator's admin: how one stands, and voiding it."""

from __future__ import annotations

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Permission
from django.test import Client

from games.models import Table, User
from games.rules.endings import Ending
from tests.factories import seated, terms
from tests.play.at_table import AtTable, assert_proven, sat_down

pytestmark = pytest.mark.django_db

TABLES = "/admin/games/table/"
WHY = {"reason": "The dice of this table were asked for twice."}


@pytest.fixture
def operator(client: Client) -> Client:
    client.force_login(User.objects.create(username="operator", is_staff=True, is_superuser=True))
    return client


@pytest.fixture
def game() -> AtTable:
    return sat_down()


def looker(*allowed: str) -> Client:
    """An operator who may do that and nothing else."""
    user = User.objects.create(username="looker", is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename__in=allowed))
    client = Client()
    client.force_login(user)
    return client


def page_of(table: Table, operator: Client) -> str:
    return " ".join(operator.get(f"{TABLES}{table.pk}/change/").content.decode().split())


def voided(table: Table, operator: Client) -> str:
    return operator.post(f"{TABLES}{table.pk}/void/", WHY, follow=True).content.decode()


class TestPage:
    def test_it_says_how_the_table_stands_and_leads_to_its_money(self, game: AtTable, operator: Client) -> None:
        shown = page_of(game.table, operator)
        turn = str(game.table.seats[game.side - 1])
        for told in (
            "playing",
            "15 s a move, 120 s",
            f"the time of {turn} runs out",
            " UTC the time of",
            f'href="/admin/stakes/stake/{game.stake.pk}/change/" class="underline">5.00 USD, Held</a>',
        ):
            assert told in shown

    def test_it_leads_to_what_has_become_of_it(self, game: AtTable, operator: Client) -> None:
        game.done("resign", concession="single")
        game.done("accept_resignation")
        game.stake.refresh_from_db()
        shown = page_of(game.table, operator)
        assert f"/admin/settlement/settlement/{game.stake.settlement.pk}/change/" in shown
        assert "resigned, with its sheet" in shown
        assert ">over<" in shown

    def test_there_is_no_crawford_game_in_a_single_one(self, operator: Client) -> None:
        assert "Crawford" not in page_of(seated(terms("5", cap="15")).table, operator)
        match = seated(terms("5", match_length=3)).table
        assert "Crawford" in page_of(match, operator)

    def test_tables_under_way_are_a_filter_away(self, game: AtTable, operator: Client) -> None:
        elsewhere = seated(terms("7", cap="21"))
        shown = operator.get(TABLES, {"status": "under_way"}).content.decode()
        assert str(game.table.pk) in shown
        assert str(elsewhere.table.pk) not in shown
        assert "5.00 USD" in shown
        assert str(elsewhere.table.pk) in operator.get(TABLES, {"status": "elsewhere"}).content.decode()


class TestVoiding:
    def test_both_stakes_go_back_and_the_reason_is_kept(self, game: AtTable, operator: Client) -> None:
        assert f"{TABLES}{game.table.pk}/void/" in page_of(game.table, operator)
        asked = operator.get(f"{TABLES}{game.table.pk}/void/").content.decode()
        assert "their stake of 5.00 USD back" in asked
        assert game.nets() == ("-30.00", "-30.00"), "nothing is done by looking"
        assert "voided, both stakes went back" in voided(game.table, operator)
        game.stake.refresh_from_db()
        assert game.stake.settlement.ending == Ending.VOIDED
        assert game.nets() == ("0.00", "0.00")
        assert LogEntry.objects.get().change_message == f"voided: {WHY['reason']}"
        assert f"{TABLES}{game.table.pk}/void/" not in page_of(game.table, operator)
        assert ">voided<" in operator.get("/admin/stakes/stake/").content.decode()
        assert_proven()

    @pytest.mark.parametrize("reason", ["", "  ", "x" * 501])
    def test_a_reason_is_needed(self, game: AtTable, operator: Client, reason: str) -> None:
        assert operator.post(f"{TABLES}{game.table.pk}/void/", {"reason": reason}).status_code == 200
        assert game.nets() == ("-30.00", "-30.00")

    def test_a_contest_that_has_ended_meanwhile_stays(self, game: AtTable, operator: Client) -> None:
        game.done("resign", concession="single")
        game.done("accept_resignation")
        before = game.nets()
        assert "has ended, and stays as it is" in voided(game.table, operator)
        assert game.nets() == before
        assert not LogEntry.objects.exists()

    def test_a_table_of_a_room_s_own_server_is_not_voided_here(self, operator: Client) -> None:
        table = seated(terms("5", cap="15")).table
        assert f"{TABLES}{table.pk}/void/" not in page_of(table, operator)
        assert "is not played here" in voided(table, operator)

    def test_who_may_only_look_voids_nothing(self, game: AtTable) -> None:
        client = looker("view_table")
        assert f"{TABLES}{game.table.pk}/void/" not in page_of(game.table, client)
        assert client.get(f"{TABLES}{game.table.pk}/void/").status_code == 403
        assert client.post(f"{TABLES}{game.table.pk}/void/", WHY).status_code == 403
        assert game.nets() == ("-30.00", "-30.00")

    def test_who_may_change_tables_may_void_one(self, game: AtTable) -> None:
        assert "voided" in voided(game.table, looker("view_table", "change_table"))
        assert game.nets() == ("0.00", "0.00")
