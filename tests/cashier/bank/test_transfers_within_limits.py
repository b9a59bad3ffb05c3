"""A transfer that would pass a limit waits in suspense, and says why; no operator gives it to the player either."""

from __future__ import annotations

from datetime import UTC, datetime
from decimal import Decimal

import pytest

from games.models import Player
from tests.cashier.bank.test_transfers import operator, proves, reference, suspense
from tests.cashier.banking import comes_in, reads
from tests.cashier.deposits.wishes import started
from tests.cashier.outside import Outside
from tests.cashier.payouts.test_at_once import at_once
from tests.factories import person, wallet
from wagering.cashier.bank import connection, entries, imports
from wagering.cashier.bank.models import BankEntry
from wagering.protection.exclusion import services as exclusion
from wagering.protection.limits import services as limits
from wagering.protection.limits.rules import Kind, Window
from wagering.protection.limits.selectors import Sort

State = BankEntry.State


def limited(bank: Outside, amount: str = "100.00") -> Player:
    """Who lets so much in a day."""
    ann, bank.at = person(funds=None), datetime.now(UTC)  # the book's clock is the machine's
    limits.set_limit(player=ann, sort=Sort(Kind.DEPOSIT, Window.DAY, "EUR"), amount=Decimal(amount), at=bank.at)
    return ann


def assigned(bank: Outside, entry: BankEntry, player: Player) -> None:
    """By one operator, or two if it takes them."""
    while not entries.clear(entry=entry.pk, player=player, reason="the receipt", by=operator(), at=bank.at):
        pass


@pytest.mark.django_db
def test_what_would_pass_a_limit_waits_and_says_so(bank: Outside) -> None:
    ann = limited(bank)
    for amount in ("60.00", "50.00"):
        comes_in(bank, amount, reference(bank, ann))
        reads(bank)
    waiting = BankEntry.objects.get(state=State.SUSPENSE)
    assert (wallet(ann, "EUR"), suspense()) == (Decimal("60.00"), Decimal("50.00"))
    assert f"for {ann.pk}" in waiting.note and "limit" in waiting.note
    with pytest.raises(entries.NotToBeCleared, match="limit"):
        assigned(bank, waiting, ann)
    bank.goes_by(hours=25)
    assigned(bank, waiting, ann)
    assert (wallet(ann, "EUR"), suspense()) == (Decimal("110.00"), Decimal(0))
    proves()


@pytest.mark.django_db
def test_what_an_operator_assigned_counts(bank: Outside) -> None:
    ann = limited(bank)
    comes_in(bank, "60.00", "for chips")
    reads(bank)
    assigned(bank, BankEntry.objects.get(), ann)
    comes_in(bank, "50.00", reference(bank, ann))
    reads(bank)
    assert wallet(ann, "EUR") == Decimal("60.00")


@pytest.mark.django_db
def test_what_may_still_come_by_card_counts(bank: Outside) -> None:
    ann = limited(bank)
    card = started(bank, ann, "60.00", "EUR")
    comes_in(bank, "50.00", reference(bank, ann))
    reads(bank)
    assert wallet(ann, "EUR") == 0
    bank.is_paid(card)
    bank.delivers()
    assert wallet(ann, "EUR") == Decimal("60.00")


@pytest.mark.django_db
def test_no_operator_gives_it_to_who_is_excluded(bank: Outside) -> None:
    ann = person(funds=None)
    comes_in(bank, "25.00", "for chips")
    reads(bank)
    exclusion.exclude(player=ann, months=6, at=bank.at)
    with pytest.raises(entries.NotToBeCleared, match="excluded"):
        assigned(bank, BankEntry.objects.get(), ann)
    assert (wallet(ann, "EUR"), suspense()) == (Decimal(0), Decimal("25.00"))


@pytest.mark.django_db(transaction=True)
def test_transfers_at_once_pass_no_limit_together(bank: Outside) -> None:
    ann = limited(bank)
    for _ in range(6):
        comes_in(bank, "30.00", reference(bank, ann))
    new = reads_only(bank)
    at_once(*(lambda entry=entry: entries.handle(entry=entry.pk, at=bank.at) for entry in new))
    assert (wallet(ann, "EUR"), suspense()) == (Decimal("90.00"), Decimal("90.00"))
    proves()


def reads_only(bank: Outside) -> list[BankEntry]:
    """What a statement tells, and nobody has looked at yet."""
    for document in connection.bank().documents():
        imports.take(body=document.body, name=document.name, at=bank.at)
    return list(BankEntry.objects.filter(state=State.NEW))
