"""Rulings in the operator's admin: whoever proposes one sees who sits on which side."""

from __future__ import annotations

import pytest
from django.test import Client

from games.models import User
from tests.factories import NOON, seated, terms
from wagering.settlement.models import Adjudication, Ruling

pytestmark = pytest.mark.django_db

ADD = "/admin/settlement/ruling/add/"


@pytest.fixture
def operator(client: Client) -> Client:
    client.force_login(User.objects.create(username="operator", is_staff=True, is_superuser=True))
    return client


@pytest.fixture
def left() -> Adjudication:
    """ann has left, and no engine can say what the game was worth."""
    return Adjudication.objects.create(
        stake=seated(terms("5")),
        cause=Adjudication.Cause.ABANDONED,
        state=Adjudication.State.OPERATOR,
        xgid="XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10",
        on_roll=1,
        absent_1=True,
        absent_2=False,
        cube=1,
        reason="no engine",
        left_at=NOON,
    )


def test_the_contest_leads_to_a_proposal_that_names_both_sides(operator: Client, left: Adjudication) -> None:
    shown = operator.get(f"/admin/settlement/adjudication/{left.pk}/change/").content.decode()
    assert "ann, side 1" in shown
    assert f"{ADD}?stake={left.pk}" in shown
    form = operator.get(ADD, {"stake": str(left.pk)}).content.decode()
    for choice in ('value="1">ann, side 1', 'value="2">bob, side 2', "nobody: both stakes go back"):
        assert choice in form, choice


def test_what_was_proposed_says_who_gets_it(operator: Client, left: Adjudication) -> None:
    asked = {"stake": str(left.pk), "receiver": "2", "transfer": "4.00", "reason": "ann was three points behind"}
    assert operator.post(ADD, asked).status_code == 302
    ruling = Ruling.objects.get()
    assert (ruling.receiver, str(ruling.transfer)) == (2, "4.00")
    shown = operator.get(f"/admin/settlement/ruling/{ruling.pk}/change/").content.decode()
    assert "bob, side 2" in shown
    assert "4.00 USD" in shown
    assert "bob, side 2" in operator.get("/admin/settlement/ruling/").content.decode()


def test_nobody_may_be_chosen_and_a_third_side_not(operator: Client, left: Adjudication) -> None:
    asked = {"stake": str(left.pk), "receiver": "3", "transfer": "0", "reason": "the board was lost"}
    assert operator.post(ADD, asked).status_code == 200
    assert operator.post(ADD, {**asked, "receiver": ""}).status_code == 302
    assert Ruling.objects.get().receiver is None


@pytest.mark.parametrize("stake", ["", "00000000-0000-4000-8000-000000000000"])
def test_without_a_stake_the_sides_have_no_names(operator: Client, stake: str) -> None:
    assert "side 1, named first" in operator.get(ADD, {"stake": stake}).content.decode()
