"""The operator's side of disputes: what is owed is shown, given up with a reason, approved by another, and covered."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from games.models import User
from tests.cashier.deposits.wishes import paid
from tests.cashier.disputes.charged import charged_back, differences, loses_to, owed, taken_back
from tests.cashier.outside import Outside
from tests.factories import NOON, person
from wagering.cashier.disputes.models import Collection, DifferenceCover, Dispute, WriteOff

pytestmark = pytest.mark.django_db

LIST = "admin:disputes_writeoff_changelist"


def client_of(name: str) -> Client:
    made = Client()
    made.force_login(User.objects.create(username=name, is_staff=True, is_superuser=True))
    return made


@pytest.fixture
def operator() -> Client:
    return client_of("operator")


@pytest.fixture
def dispute(world: Outside) -> Dispute:
    """Ann owes 100.00 since."""
    ann = person("ann", funds=None)
    deposit = paid(world, ann, "100.00")
    loses_to(ann, person("bob"))
    taken_back(world, deposit, 10000)
    return Dispute.objects.get()


def gives_up(operator: Client, debt: Dispute, amount: str, **changed: str) -> Any:
    said = {"player": str(debt.deposit.player_id), "dispute": str(debt.pk), "currency": "USD", "reason": "cannot pay"}
    return operator.post(reverse("admin:disputes_writeoff_add"), {**said, "amount": amount, **changed})


def approved(operator: Client) -> None:
    chosen = {"action": "approve", "_selected_action": [str(WriteOff.objects.get().pk)]}
    assert operator.post(reverse(LIST), chosen).status_code == 302


def test_a_small_debt_is_given_up_at_once(operator: Client, dispute: Dispute) -> None:
    assert gives_up(operator, dispute, "50.00").status_code == 302
    assert owed(dispute.deposit.player) == Decimal("50.00")


def test_a_larger_one_once_another_approves(operator: Client, dispute: Dispute) -> None:
    assert gives_up(operator, dispute, "100.00").status_code == 302
    approved(operator)
    assert owed(dispute.deposit.player) == Decimal("100.00")
    approved(client_of("another"))
    assert owed(dispute.deposit.player) == Decimal("0.00")
    approved(client_of("a third"))
    assert WriteOff.objects.get().approved_by == User.objects.get(username="another")


@pytest.mark.parametrize(
    ("amount", "more", "told"),
    [
        ("100.01", {}, "100.01 is more than the 100.00 USD that is owed"),
        ("0.001", {}, "is finer than USD"),
        ("5.00", {"currency": "XXX"}, "is no ISO 4217 code"),
        ("5.00", {"currency": "EUR"}, "in another currency"),
        ("5.00", {"dispute": ""}, "which of the player's disputes"),
        ("5.00", {"reason": " "}, "This field is required"),
    ],
)
def test_what_cannot_be_given_up_is_told_at_the_form(
    operator: Client, dispute: Dispute, amount: str, more: dict[str, str], told: str
) -> None:
    answer = gives_up(operator, dispute, amount, **more)
    assert answer.status_code == 200
    assert told in answer.content.decode().replace("&#x27;", "'")
    assert not WriteOff.objects.exists()


def test_a_difference_is_covered(operator: Client, world: Outside) -> None:
    charged_back(world, person(funds=None), card="4000000000000267")
    add = reverse("admin:disputes_differencecover_add")
    refused = operator.post(add, {"currency": "USD", "amount": "0.38", "reason": "a rate"})
    assert "0.38 is not within the 0.37 USD" in refused.content.decode()
    assert operator.post(add, {"currency": "USD", "amount": "0.37", "reason": "a rate"}).status_code == 302
    assert differences() == 0
    assert DifferenceCover.objects.get().covered_by == User.objects.get(username="operator")


def test_every_page_opens(operator: Client, dispute: Dispute) -> None:
    gives_up(operator, dispute, "5.00")
    Collection.objects.create(player=dispute.deposit.player, currency="USD", amount=Decimal(1), collected_at=NOON)
    for model in (Dispute, Collection, WriteOff):
        name = f"admin:disputes_{model._meta.model_name}"
        row = model._default_manager.first()
        assert row
        for address in (reverse(f"{name}_changelist") + "?q=ann", reverse(f"{name}_change", args=[row.pk])):
            answer = operator.get(address)
            assert answer.status_code == 200
    assert "95.00" in operator.get(reverse("admin:disputes_dispute_changelist")).content.decode()
