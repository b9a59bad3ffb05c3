"""The operator's side of deposits."""

from __future__ import annotations

import re
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games.models import User
from tests.cashier.deposits.test_refunds import spent
from tests.cashier.deposits.wishes import fresh, paid
from tests.cashier.outside import Outside
from tests.factories import person, wallet
from wagering.cashier.deposits import refunds
from wagering.cashier.deposits.models import Deposit, InboxEvent, Refund
from wagering.cashier.methods.models import Method

pytestmark = pytest.mark.django_db

ADD = "admin:deposits_refund_add"


@pytest.fixture
def operator(client: Client) -> Client:
    client.force_login(User.objects.create(username="operator", is_staff=True, is_superuser=True))
    return client


def asked(operator: Client, deposit: Deposit, amount: str, reason: str = "a double charge") -> Any:
    return operator.post(reverse(ADD), {"deposit": str(deposit.pk), "amount": amount, "reason": reason})


def test_an_operator_gives_back_with_a_reason(operator: Client, world: Outside) -> None:
    deposit = paid(world, person(funds=None))
    assert asked(operator, deposit, "5.00").status_code == 302
    refund = Refund.objects.get()
    assert (refund.amount, refund.reason, refund.asked_by.username if refund.asked_by else "") == (
        Decimal("5.00"),
        "a double charge",
        "operator",
    )
    world.goes_by(days=365)  # the operator's clock is the real one
    world.works()
    refund.refresh_from_db()
    assert refund.state == Refund.State.SUCCEEDED
    assert wallet(deposit.player) == Decimal("15.00")


@pytest.mark.parametrize(
    ("amount", "reason", "told"),
    [
        ("20.01", "a reason", "20.01 USD is more than the 20.00 USD that is left"),
        ("0", "a reason", "is nothing to give back"),
        ("0.001", "a reason", "is finer than USD"),
        ("5.00", "", "This field is required"),
        ("5.00", " ", "This field is required"),
    ],
)
def test_what_cannot_go_back_is_told_at_the_form(
    operator: Client, world: Outside, amount: str, reason: str, told: str
) -> None:
    deposit = paid(world, person(funds=None))
    answer = asked(operator, deposit, amount, reason)
    assert answer.status_code == 200
    assert told in answer.content.decode().replace("&#x27;", "'")
    assert not Refund.objects.exists()
    assert fresh(deposit).state == Deposit.State.SUCCEEDED


def test_what_the_wallet_lacks_is_told_at_the_form(operator: Client, world: Outside) -> None:
    deposit = paid(world, person(funds=None))
    spent(deposit, "12.00")
    assert "The wallet holds 8.00, 20.00 is needed." in asked(operator, deposit, "20.00").content.decode()
    assert not Refund.objects.exists()


def test_what_is_out_of_order_is_a_filter_away(operator: Client, world: Outside) -> None:
    fine = paid(world, person("ann"))
    less = paid(world, person("bob"), card="4000000000000051")
    held = paid(world, person("bob"), card="4000000000000036")

    def listed(value: str) -> set[str]:
        shown = operator.get(reverse("admin:deposits_deposit_changelist"), {"out_of_order": value}).content.decode()
        return {name for name, row in {"fine": fine, "less": less, "held": held}.items() if str(row.pk) in shown}

    assert listed("all") == {"less", "held"}
    assert listed("held") == {"held"}


def test_a_refund_that_nobody_confirms_is_on_the_first_page_and_a_filter_away(
    operator: Client, world: Outside
) -> None:  # case 19
    deposit, now = paid(world, person(funds=None)), timezone.now()
    by = User.objects.get(username="operator")
    late, _ = (
        refunds.ask(
            deposit=deposit.pk, amount=Decimal(5), reason="a double charge", by=by, at=now - timedelta(hours=age)
        )
        for age in (5, 3)
    )
    address = f"{reverse('admin:deposits_refund_changelist')}?out_of_order=late"
    line = f'<a href="{address}" class="hover:underline">refunds to look at</a></td> <td [^>]*red[^>]*>1</td>'
    assert re.search(line.replace("?", r"\?"), " ".join(operator.get("/admin/").content.decode().split()))
    assert [*operator.get(address).context["cl"].queryset] == [late]
    world.goes_by(days=365)
    world.works()
    assert [*operator.get(address).context["cl"].queryset] == []


def test_every_page_opens_and_shows_no_card(operator: Client, world: Outside) -> None:
    deposit = paid(world, person(funds=None))
    asked(operator, deposit, "5.00")
    for model in (Deposit, Refund, InboxEvent, Method):
        name = f"admin:{model._meta.app_label}_{model._meta.model_name}"
        row = model._default_manager.first()
        assert row
        for address in (reverse(f"{name}_changelist"), reverse(f"{name}_change", args=[row.pk])):
            answer = operator.get(address, {"q": "ann"} if address.endswith("/change/") else {})
            assert answer.status_code == 200
            assert b"4242424242424242" not in answer.content
