"""The sandbox's bank beside its payments: the same house, reached without a network."""

from __future__ import annotations

from typing import Any

import httpx
import pytest
from pytest_django import Settings

from tests.cashier.outside import Outside
from wagering.cashier.bank import connection, entries, imports
from wagering.cashier.bank.connection import BankSilent
from wagering.cashier.bank.models import BankEntry

OURS = "DE47100000000000004711"


def reached(world: Outside, monkeypatch: pytest.MonkeyPatch, settings: Settings) -> None:
    """From now on the bank is the house's."""
    settings.BANK, settings.BANK_IBAN, settings.BANK_HOLDER = "sandbox", OURS, "Room Players"
    settings.BANK_CURRENCIES, settings.BANK_CUT_OFF = ["EUR", "USD"], None
    http = httpx.Client(transport=httpx.MockTransport(world.answers))
    monkeypatch.setattr(connection.bank(), "http", http)


def comes_in(world: Outside, amount: str, text: str, **more: Any) -> None:
    """Somebody transfers to us."""
    world.controls("bank/bookings", amount=amount, text=text, **more)


def reads(world: Outside) -> None:
    """What the workers do about the bank's files, now."""
    bank = connection.bank()
    try:
        for document in bank.documents():
            imports.take(body=document.body, name=document.name, at=world.at)
            bank.taken(name=document.name)
    except BankSilent:
        pass
    for entry in BankEntry.objects.filter(state=BankEntry.State.NEW).values_list("pk", flat=True):
        entries.handle(entry=entry, at=world.at)
