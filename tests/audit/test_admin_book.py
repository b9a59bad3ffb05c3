"""The book in the operator's admin: whose each account is, what is in it, and what came in last."""

from __future__ import annotations

import re
from decimal import Decimal
from uuid import UUID, uuid4

import pytest
from django.test import Client

from games.models import User
from ledger import book, chart, models, postings
from tests.factories import NOON, earned, person, seated, terms, won
from wagering.cashier.providers.protocol import account_of
from wagering.settlement.services import settle
from wagering.stakes.models import Stake

pytestmark = pytest.mark.django_db


@pytest.fixture
def operator(client: Client) -> Client:
    client.force_login(User.objects.create(username="operator", is_staff=True, is_superuser=True))
    return client


@pytest.fixture
def stake() -> Stake:
    return seated(terms("5", cap="15"))


def page(operator: Client, what: str) -> str:
    return " ".join(operator.get(f"/admin/ledger/{what}").content.decode().split())


def named(name: str, kind: str, pk: UUID) -> str:
    return f'<a href="/admin/games/{kind}/{pk}/change/" class="underline">{name}</a>'


def account_of_owner(code: str, owner: UUID) -> models.Account:
    return models.Account.objects.get(code=code, owner=owner)


def test_an_account_names_its_owner_and_shows_its_balance_and_what_came_in_last(operator: Client, stake: Stake) -> None:
    ann = stake.table.player_1
    shown = page(operator, f"account/{account_of_owner('wallet', ann.pk).pk}/change/")
    assert named("ann", "player", ann.pk) in shown
    assert "985.00" in shown
    held, given = shown.index(">stake_held</a>"), shown.index(">deposit_confirmed</a>")
    assert held < given, "the newest first"
    assert " UTC" in shown[held - 400 : held]


def test_only_the_latest_entries_are_shown(operator: Client, stake: Stake, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ledger.admin.LATEST", 1)
    shown = page(operator, f"account/{account_of_owner('wallet', stake.table.player_1_id).pk}/change/")
    assert ">stake_held</a>" in shown
    assert ">deposit_confirmed</a>" not in shown


def test_the_accounts_of_rooms_and_of_the_house_are_named_too(operator: Client, stake: Stake) -> None:
    settle(table=stake.table, outcome=won(1), at=NOON)
    room = stake.table.room
    assert named(room.name, "room", room.pk) in page(operator, "account/?code=commission")
    shown = page(operator, f"account/{account_of_owner('commission', room.pk).pk}/change/")
    assert str(earned(room)) in shown
    assert ">single_settled</a>" in shown


def test_a_provider_and_the_house_have_a_name_and_no_page(operator: Client) -> None:
    came = postings.deposit_confirmed(
        deposit=uuid4(),
        player=person(funds=None).pk,
        provider=account_of("sandbox"),
        amount=Decimal("5.00"),
        currency="USD",
        at=NOON,
    )
    book.post(came)
    assert "sandbox (provider)" in page(operator, "account/?code=clearing")


def test_a_hold_shows_its_owner_and_the_digits_of_its_currency(operator: Client, stake: Stake) -> None:
    hold = stake.holds[0]
    for shown in (page(operator, "hold/"), page(operator, f"hold/{hold.id}/change/")):
        assert named("ann", "player", hold.owner) in shown
        assert re.search(r">\s*15\.00\s*<", shown)
        assert "15.000" not in shown
    assert f">stake_held:{stake.pk}</a>" in page(operator, f"hold/{hold.id}/change/")


def test_a_journal_names_whose_accounts_it_moved(operator: Client, stake: Stake) -> None:
    settlement = settle(table=stake.table, outcome=won(1), at=NOON)
    book.reverse(key=settlement.key, reason="the wrong table", at=NOON)
    journal = models.Journal.objects.get(key=settlement.key)
    shown = page(operator, f"journal/{journal.pk}/change/")
    for player in stake.table.seats:
        assert named(player.name, "player", player.pk) in shown
    assert str(chart.commission(stake.table.room_id, "USD").owner) in shown
    assert f">reverse:{journal.pk}</a>" in shown
