"""The admin's first page and its menu: what waits for an operator, by what one looks for."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.contrib import admin
from django.contrib.auth.models import Permission
from django.test import Client

from games.models import User
from tests.factories import person, seated, terms
from tests.play.at_table import sat_down
from tests.play.lobbying import Guest, emerald
from tests.protection.people import known, verified
from wagering.audit import menu
from wagering.cashier.bank.models import BankEntry, Proposal, Statement
from wagering.cashier.methods.models import Method
from wagering.cashier.payouts.models import Payout
from wagering.protection import aml
from wagering.protection.exclusion import services as exclusion
from wagering.settlement.models import Adjudication

pytestmark = pytest.mark.django_db


def operator(*allowed: str) -> Client:
    """One who may do that; all of it unless told."""
    user = User.objects.create(username="operator", is_staff=True, is_superuser=not allowed)
    user.user_permissions.set(Permission.objects.filter(codename__in=allowed))
    client = Client()
    client.force_login(user)
    return client


def overview(client: Client) -> dict[str, tuple[int, str]]:
    """Each line's figure, and where it leads."""
    shown = " ".join(client.get("/admin/").content.decode().split())
    found = re.findall(r'<a href="([^"]+)" class="hover:underline">([^<]+)</a></td> <td [^>]*>(\d+)</td>', shown)
    return {text: (int(count), address.replace("&amp;", "&")) for address, text, count in found}


def listed(client: Client, address: str) -> int:
    """How many rows the list there has."""
    answer: Any = client.get(address)
    assert answer.status_code == 200
    return int(answer.context["cl"].result_count)


def told_of_money() -> None:
    """A line of each of the cashier's and of protection's that calls for somebody; and others of the same models."""
    ann, at = person(), datetime.now(UTC)
    method = Method.objects.create(player=ann, provider="sandbox", token="card", added_at=at, can_receive=True)
    asked = {"player": ann, "method": method, "currency": "USD", "amount": Decimal("5.00"), "asked_at": at}
    Payout.objects.create(**asked)
    Payout.objects.create(**asked, state="review", screened_at=at)
    Payout.objects.create(**asked, state="unknown", screened_at=at, approved_at=at)
    file = {"kind": "camt.053", "name": "s", "entries": 3, "new": 3, "received_at": at}
    kept = Statement.objects.create(sha256="0" * 64, fetched=True, done_at=at, **file)
    by = User.objects.create(username="who brings files", is_staff=True)
    Statement.objects.create(sha256="1" * 64, fetched=False, brought_by=by, **file)
    moved = {"statement": kept, "account": "DE", "currency": "EUR", "amount": Decimal("5.00"), "day": at, "came_at": at}
    for state, is_credit in (("suspense", True), ("unexplained", False), ("sent_back", True)):
        placed = BankEntry.objects.create(**moved, reference=state, state=state, is_credit=is_credit, done_at=at)
        if is_credit:
            Proposal.objects.create(entry=placed, reason="a gift", by=by, at=at)
    known(ann)
    verified(bob := person("bob"), name="Bob Example")
    aml.link(one=ann, other=bob, why="the same card", at=at)
    exclusion.exclude(player=bob, months=None, at=at)
    out = exclusion.exclude(player=ann, months=None, at=at + timedelta(seconds=1))
    desk = User.objects.create(username="aml", is_staff=True)
    aml.lock(player=ann, by=desk, reason="large sums", at=at)
    exclusion.disown(exclusion=out, by=desk, reason="bob told her name", at=at)


def test_each_line_counts_what_the_list_it_leads_to_shows() -> None:
    sat_down()
    Guest("ann").offered(room=emerald())
    for state in ("waiting", "operator"):
        Adjudication.objects.create(
            stake=seated(terms("5")),
            cause=Adjudication.Cause.ABANDONED,
            state=state,
            xgid="XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10",
            on_roll=1,
            absent_1=True,
            absent_2=False,
            cube=1,
            left_at="2026-03-01T12:00Z",
        )
    told_of_money()
    client = operator()
    lines = overview(client)
    for text in (
        "payouts waiting for an operator",
        "payouts sent without an answer",
        "identities to judge",
        "players asked where their money is from",
        "players who may be one person",
        "exclusions of others waiting for a second operator",
        "tables under way",
        "offers in the lobby",
        "contests waiting for their analysis",
        "contests waiting for an operator",
    ):
        assert lines[text][0] == 1, text
    assert lines["movements at the bank to place"][0] == 2
    assert {text: listed(client, address) for text, (_, address) in lines.items()} == {
        text: count for text, (count, _) in lines.items()
    }


def test_who_may_not_see_it_is_told_nothing_of_it() -> None:
    client = operator("view_table", "view_deposit")
    tables = {"tables under way", "games lost by the clock, waiting for their price"}
    assert set(overview(client)) == {*tables, "deposits to look at"}
    shown = client.get("/admin/").content.decode()
    assert "/admin/settlement/" not in shown
    assert "/admin/games/table/" in shown


def test_the_menu_has_everything_and_by_what_one_looks_for() -> None:
    shown = operator().get("/admin/").content.decode()
    for model in admin.site._registry:
        assert f'"/admin/{model._meta.app_label}/{model._meta.model_name}/"' in shown, model
    places = [shown.index(f">\n{' ' * 28}{group}") for group in menu.GROUPS]
    assert places == sorted(places)


def test_the_log_in_page_asks_for_nothing_that_is_not_there(client: Client) -> None:
    shown = client.get("/admin/login/", follow=True).content.decode()
    asked = re.findall(r'(?:src|href)="(/[^"#]*)"', shown)
    assert "/v1/docs" in asked
    assert 'href="data:image/svg+xml,' in shown, "or browsers ask for /favicon.ico"
    assert {address: client.get(address).status_code for address in asked} == dict.fromkeys(asked, 200)
