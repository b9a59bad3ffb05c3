"""One entry at the bank is booked once, in whichever parts its files tell of it, and nothing of a file is lost."""

from __future__ import annotations

from decimal import Decimal

import pytest

from games.models import Player
from tests.cashier.bank.test_reading import entry, statement
from tests.cashier.bank.test_transfers import at_the_bank, proves, reference, suspense
from tests.cashier.banking import OURS, reads
from tests.cashier.outside import Outside
from tests.factories import person, wallet
from wagering.cashier.bank import imports
from wagering.cashier.bank.models import BankEntry, Statement
from wagering.cashier.bank.rules.xml import Unreadable

pytestmark = pytest.mark.django_db
NOTICE, STATEMENT = "camt.054.001.08", "camt.053.001.08"


def took(world: Outside, *entries: str, version: str = STATEMENT, number: str = "S1") -> None:
    body = statement(*entries, version=version).replace(b"DE89", OURS.encode()).replace(b"S1", number.encode())
    imports.take(body=body, name="s", at=world.at)
    reads(world)


def two_parts(world: Outside, ann: Player, bob: Player, named: str = "") -> str:
    part = '<TxDtls><Refs>{0}</Refs><Amt Ccy="EUR">10.00</Amt><RmtInf><Ustrd>{1}</Ustrd></RmtInf></TxDtls>'
    return entry(parts="".join(part.format(named, reference(world, each)) for each in (ann, bob)))


@pytest.mark.parametrize("parted_first", [True, False])
def test_an_entry_is_booked_once_whole_or_in_its_parts(bank: Outside, parted_first: bool) -> None:
    ann, bob = person(funds=None), person("bob", funds=None)
    files = [(two_parts(bank, ann, bob), NOTICE), (entry(parts=""), STATEMENT)]
    for told, version in files if parted_first else reversed(files):
        took(bank, told, version=version)
    assert at_the_bank() == Decimal("20.00")
    assert wallet(ann, "EUR") == wallet(bob, "EUR") == (10 if parted_first else 0)
    assert suspense() == (0 if parted_first else 20)
    proves()


def test_parts_that_the_bank_calls_the_same_are_all_booked(bank: Outside) -> None:
    ann, bob = person(funds=None), person("bob", funds=None)
    told = two_parts(bank, ann, bob, named="<AcctSvcrRef>B1</AcctSvcrRef>")
    for version in (NOTICE, STATEMENT):
        took(bank, told, version=version)
    assert wallet(ann, "EUR") == wallet(bob, "EUR") == 10
    assert at_the_bank() == 20
    proves()


def test_an_entry_that_has_changed_is_refused_with_its_file(bank: Outside) -> None:
    took(bank, entry("20.00"), version=NOTICE)
    for changed in (entry("21.00"), entry("20.00", side="DBIT")):
        with pytest.raises(Unreadable, match=r"entry B1: was told of as 20\.00, and is"):
            took(bank, changed)
    assert (Statement.objects.count(), BankEntry.objects.count()) == (1, 1)


def test_what_has_no_reference_of_the_bank_is_credited_by_an_operators_word_alone(bank: Outside) -> None:
    ann = person(funds=None)
    told = entry(reference="").replace("RF 18", reference(bank, ann))
    for number in ("S1", "S1", "S2"):  # the same statement under another number
        took(bank, told, number=number)
    assert wallet(ann, "EUR") == 0
    assert suspense() == 40
    assert {each.note for each in BankEntry.objects.all()} == {
        f"for {ann.pk}: the bank gives it no reference, so it may be one that was told of before"
    }
    proves()
