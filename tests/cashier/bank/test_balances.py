"""What the bank says that there is, beside the book: a euro that is missing shows, and to the cent (case 28)."""

from __future__ import annotations

from decimal import Decimal

import pytest
from django.db import DatabaseError, transaction
from django.test import Client
from django.urls import reverse

from games.models import User
from tests.cashier.bank.test_reading import balance, entry, statement
from tests.cashier.banking import OURS, comes_in, reads
from tests.cashier.outside import Outside
from wagering.cashier.bank import balances, entries, imports, tasks
from wagering.cashier.bank.models import BankEntry, ClosingBalance

pytestmark = pytest.mark.django_db


def told(bank: Outside, *moved: str, opening: str, closing: str, day: str = "2026-11-30") -> None:
    """A statement comes in, and is done."""
    said = balance("OPBD", opening, day=day) + balance("CLBD", closing, day=day)
    body = statement(*moved, balances=said).replace(b"DE89", OURS.encode()).replace(b"S1", f"S{day}".encode())
    imports.take(body=body, name="s.xml", at=bank.at)


def handled(bank: Outside) -> None:
    for new in BankEntry.objects.filter(state=BankEntry.State.NEW).values_list("pk", flat=True):
        entries.handle(entry=new, at=bank.at)
    tasks.look_for_entries()


def differences() -> list[str]:
    found = ClosingBalance.objects.order_by("day", "pk")
    return [str(each.amount - each.booked) if each.booked is not None else "" for each in found]


def test_the_bank_and_the_book_have_the_same(bank: Outside) -> None:
    comes_in(bank, "25.00", "for chips")
    reads(bank)
    comes_in(bank, "10.00", "for more")
    bank.goes_by(days=1)
    reads(bank)
    balances.compare()
    assert differences() == ["0.00", "0.00"]
    assert not balances.shortfalls().exists()


def test_a_missing_euro_is_on_the_first_page(bank: Outside) -> None:
    told(bank, entry("25.00"), opening="0.00", closing="25.00")
    handled(bank)
    later = entry("10.00", reference="<AcctSvcrRef>B2</AcctSvcrRef>").replace("2026-11-30", "2026-12-01")
    told(bank, later, opening="24.00", closing="34.00", day="2026-12-01")
    balances.compare()
    assert differences() == ["0.00", ""], "an entry waits"
    handled(bank)
    assert differences() == ["0.00", "-1.00"]
    client = Client()
    client.force_login(User.objects.create(username="operator", is_staff=True, is_superuser=True))
    address = f"{reverse('admin:bank_closingbalance_changelist')}?short=now"
    first = " ".join(client.get("/admin/").content.decode().split())
    assert f'<a href="{address}" class="hover:underline">currencies of which the bank has too little' in first
    shown = client.get(address).content.decode()
    assert "-1.00" in shown and "35.00" in shown and "34.00" in shown
    assert (
        client.get(reverse("admin:bank_closingbalance_change", args=[balances.shortfalls().get().pk])).status_code
        == 200
    )


def test_what_the_bank_booked_later_counts_for_later_days(bank: Outside) -> None:
    """Two days' files come in together, the later one first."""
    later = entry("10.00", reference="<AcctSvcrRef>B2</AcctSvcrRef>").replace("2026-11-30", "2026-12-01")
    told(bank, later, opening="25.00", closing="35.00", day="2026-12-01")
    told(bank, entry("25.00"), opening="0.00", closing="25.00")
    handled(bank)
    assert differences() == ["0.00", "0.00"]


def test_a_closing_balance_is_final(bank: Outside) -> None:
    told(bank, opening="5.00", closing="5.00")
    handled(bank)
    for change in ({"amount": Decimal(0)}, {"booked": Decimal(5)}, {"booked": None}):
        with pytest.raises(DatabaseError, match="closing_is_final"), transaction.atomic():
            ClosingBalance.objects.update(**change)
    with pytest.raises(DatabaseError, match="closing_is_final"), transaction.atomic():
        ClosingBalance.objects.all().delete()
