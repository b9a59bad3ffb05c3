"""What a provider pays of what it owes: it waits in suspense until an operator says which provider's it is."""

from __future__ import annotations

from decimal import Decimal
from uuid import uuid4

import pytest
from django.test import Client

from games.models import User
from ledger import book, chart, money
from ledger.proofs import customer_money_apart
from tests.cashier.banking import comes_in, reads
from tests.cashier.deposits.wishes import paid
from tests.cashier.outside import Outside
from tests.factories import person, wallet
from tests.ledger.proving import prove
from wagering.cashier.bank import entries
from wagering.cashier.bank.models import BankEntry, Clearance
from wagering.cashier.bank.proofs import bank_entries_are_posted
from wagering.cashier.providers.protocol import account_of

pytestmark = pytest.mark.django_db
State = BankEntry.State


def house(code: str) -> Decimal:
    return book.balance(chart.house(code, "EUR"))


def owes() -> Decimal:
    return book.balance(chart.clearing(account_of("sandbox"), "EUR"))


def came_in(bank: Outside, amount: str = "19.30", side: str = "CRDT", deposit: str = "20.00") -> BankEntry:
    """After a ``deposit``."""
    paid(bank, person(funds=None), deposit, "EUR")
    comes_in(bank, amount, "SANDBOX PAYOUT 7", side=side)
    reads(bank)
    return BankEntry.objects.get()


def settled(bank: Outside, entry: BankEntry, fee: str = "0.70", provider: str = "sandbox") -> Clearance | None:
    by = User.objects.create(username=uuid4().hex, is_staff=True)
    return entries.settle(
        entry=entry.pk, provider=provider, fee=Decimal(fee), reason="its report of today", by=by, at=bank.at
    )


def proves() -> None:
    prove()
    assert bank_entries_are_posted().holds
    assert customer_money_apart().holds


def test_what_a_provider_pays_is_owed_no_more_and_its_fee_is_the_operators(bank: Outside) -> None:  # P-4
    entry = came_in(bank)
    assert (owes(), house("suspense"), house("bank_customers")) == (Decimal(20), Decimal("19.30"), Decimal("19.30"))
    settled(bank, entry)
    assert (owes(), house("suspense"), house("bank_customers")) == (Decimal(0), Decimal(0), Decimal("20.00"))
    assert (house("processing_costs"), house("bank_operating")) == (Decimal("0.70"), Decimal("-0.70"))
    assert BankEntry.objects.get().state == State.SETTLED
    proves()
    with pytest.raises(entries.NotToBeCleared, match="entry: it is a provider's"):
        settled(bank, entry)


def test_one_that_keeps_nothing_settles_what_it_pays(bank: Outside) -> None:
    settled(bank, came_in(bank, "12.00"), fee="0")
    assert (owes(), house("processing_costs")) == (Decimal(8), Decimal(0))
    proves()


@pytest.mark.parametrize(
    ("fee", "provider", "refusal"),
    [
        ("0.71", "sandbox", "fee: with it 20.01 are settled, and by the book 20.00 are owed"),
        ("0.70", "stripe", "by the book 0.00 are owed"),
        ("0.70", "nobody", "provider: 'nobody' is none of sandbox, stripe"),
    ],
)
def test_more_than_is_owed_is_not_settled(bank: Outside, fee: str, provider: str, refusal: str) -> None:
    entry = came_in(bank)
    with pytest.raises(entries.NotToBeCleared, match=refusal):
        settled(bank, entry, fee=fee, provider=provider)
    for wrong in ("-0.01", "0.001", "NaN"):
        with pytest.raises(money.InvalidAmount):
            settled(bank, entry, fee=wrong)
    assert not Clearance.objects.exists()
    assert owes() == Decimal("20.00")


def test_money_that_left_settles_nothing(bank: Outside) -> None:
    with pytest.raises(entries.NotToBeCleared, match="money that left"):
        settled(bank, came_in(bank, side="DBIT"))


def test_an_operator_says_so_in_the_admin(bank: Outside) -> None:
    entry = came_in(bank)
    client = Client()
    client.force_login(User.objects.create_superuser(username="boss"))
    said = {"entry": str(entry.pk), "provider": "sandbox", "fee": "9.99", "reason": "its report of today"}
    refused = client.post("/admin/bank/clearance/add/", said).content.decode()
    assert "by the book 20.00 are owed" in refused
    both = client.post("/admin/bank/clearance/add/", {**said, "player": str(person().pk)}).content.decode()
    assert "or the provider" in both
    assert client.post("/admin/bank/clearance/add/", {**said, "fee": "0.70"}).status_code == 302
    assert (owes(), Clearance.objects.get().by.username) == (Decimal(0), "boss")
    assert client.get(f"/admin/bank/clearance/{entry.pk}/change/").status_code == 200


def test_a_transfer_is_assigned_in_the_admin(bank: Outside) -> None:
    entry, ann = came_in(bank), person(funds=None)
    client = Client()
    client.force_login(User.objects.create_superuser(username="boss"))
    said = {"entry": str(entry.pk), "player": str(ann.pk), "reason": "she sent the receipt"}
    assert client.post("/admin/bank/clearance/add/", said).status_code == 302
    assert wallet(ann, "EUR") == Decimal("19.30")
    assert "it is given to a player" in client.post("/admin/bank/clearance/add/", said).content.decode()
    proves()
