"""Bank transfers from players: by their reference, once, however often the bank tells; the rest waits."""

from __future__ import annotations

from decimal import Decimal
from uuid import uuid4

import pytest
from django.db import IntegrityError, transaction

from games.models import Player, User
from ledger import book, chart
from ledger.proofs import customer_money_apart
from tests.access.callers import client_of
from tests.cashier.bank.test_reading import entry, statement
from tests.cashier.banking import OURS, comes_in, reads
from tests.cashier.outside import Outside
from tests.cashier.payouts.wishes import verified
from tests.factories import person, wallet
from tests.ledger.proving import prove
from wagering.cashier.bank import entries, imports, references, sealed
from wagering.cashier.bank.models import BankEntry, Clearance, Statement
from wagering.cashier.bank.proofs import bank_entries_are_posted
from wagering.cashier.bank.rules import xml
from wagering.notices.models import Notice
from wagering.protection.exclusion import services as exclusion
from wagering.vault import services as vault

pytestmark = pytest.mark.django_db
State = BankEntry.State


def reference(world: Outside, player: Player) -> str:
    return references.of(player=player, currency="EUR", at=world.at)


def suspense(currency: str = "EUR") -> Decimal:
    return book.balance(chart.house("suspense", currency))


def at_the_bank(currency: str = "EUR") -> Decimal:
    return book.balance(chart.house("bank_customers", currency))


def proves() -> None:
    prove()
    assert bank_entries_are_posted().holds
    assert customer_money_apart().holds


def operator() -> User:
    return User.objects.create(username=uuid4().hex, is_staff=True)


def test_a_transfer_with_a_players_reference_is_in_the_wallet_once(bank: Outside) -> None:
    ann = person(funds=None)
    bank.misbehaves(duplicate_statement=100)
    comes_in(bank, "25.00", f"for chips {reference(bank, ann)}")
    reads(bank)
    reads(bank)
    assert wallet(ann, "EUR") == Decimal("25.00") == at_the_bank()
    assert [(notice.kind, notice.player) for notice in Notice.objects.all()] == [("transfer_received", ann)]
    assert Statement.objects.count() == 2  # two files of one movement
    (found,) = BankEntry.objects.all()
    assert (found.state, found.player) == (State.RECEIVED, ann)
    told = sealed.opened(found)
    assert told is not None and told.name == "Ann Payer"
    assert b"Ann Payer" not in bytes(found.told or b"")
    vault.destroy(player=ann, at=bank.at)
    with pytest.raises(vault.Erased):
        sealed.opened(found)
    proves()


def test_what_nobodys_reference_stands_on_waits_and_is_assigned_or_sent_back(bank: Outside) -> None:
    ann = person(funds=None)
    for amount in ("25.00", "7.00"):
        comes_in(bank, amount, "for chips")
    reads(bank)
    assert suspense() == Decimal("32.00")
    first, second = BankEntry.objects.order_by("-amount")
    assert first.note == "no reference of ours stands on it"
    by = operator()
    entries.clear(entry=first.pk, player=ann, reason="she sent the receipt", by=by, at=bank.at)
    entries.clear(entry=second.pk, player=None, reason="asked the bank to return it", by=by, at=bank.at)
    assert wallet(ann, "EUR") == at_the_bank() == Decimal("25.00")
    assert suspense() == 0
    with pytest.raises(entries.NotToBeCleared):
        entries.clear(entry=first.pk, player=ann, reason="again", by=by, at=bank.at)
    assert Clearance.objects.count() == 2
    proves()


def test_a_reference_for_another_currency_or_of_two_players_is_nobodys(bank: Outside) -> None:
    ann, bob = person(funds=None), person("bob", funds=None)
    comes_in(bank, "5.00", reference(bank, ann), currency="USD")
    comes_in(bank, "6.00", f"{reference(bank, ann)} {reference(bank, bob)}")
    reads(bank)
    notes = set(BankEntry.objects.values_list("state", "note"))
    assert notes == {("suspense", "the reference is for EUR"), ("suspense", "2 players are meant by what stands on it")}


def test_who_is_excluded_pays_nothing_in_by_transfer(bank: Outside) -> None:
    ann = person(funds=None)
    written = reference(bank, ann)
    exclusion.exclude(player=ann, months=6, at=bank.at)
    comes_in(bank, "25.00", written)
    reads(bank)
    (found,) = BankEntry.objects.all()
    assert (found.state, found.player) == (State.SUSPENSE, None)
    assert "excluded" in found.note
    assert wallet(ann, "EUR") == 0
    proves()


def test_what_somebody_else_pays_in_for_a_player_waits(bank: Outside) -> None:
    ann = person(funds=None)
    verified(ann, bank, "Ann Miller")
    for name in ("Somebody Else", "", "MILLER, ANN"):
        comes_in(bank, "10.00", reference(bank, ann), name=name)
    reads(bank)
    assert (wallet(ann, "EUR"), suspense()) == (Decimal(10), Decimal(20))
    note = BankEntry.objects.filter(state=State.SUSPENSE).values_list("note", flat=True).distinct().get()
    assert note == f"for {ann.pk}: the payer's name is not the one that was verified"
    proves()


def test_money_that_left_by_no_payout_is_shown_until_it_is_explained(bank: Outside) -> None:
    comes_in(bank, "9.00", "fees", side="DBIT")
    reads(bank)
    (found,) = BankEntry.objects.all()
    assert found.state == State.UNEXPLAINED
    with pytest.raises(entries.NotToBeCleared):
        entries.clear(entry=found.pk, player=person(funds=None), reason="hers", by=operator(), at=bank.at)
    entries.clear(entry=found.pk, player=None, reason="the bank's fee", by=operator(), at=bank.at)
    assert BankEntry.objects.get().state == State.EXPLAINED
    proves()


def test_a_statement_of_another_account_is_refused_whole(bank: Outside) -> None:
    with pytest.raises(imports.NotOurAccount):
        imports.take(body=statement(entry()), name="s.xml", at=bank.at)
    with pytest.raises(xml.Unreadable, match="which is none that a bank sends us"):
        imports.take(body=b'<Document xmlns="urn:x:pain.001.001.09"/>', name="s.xml", at=bank.at)
    assert not Statement.objects.exists()


def test_a_notice_and_a_statement_tell_of_one_movement(bank: Outside) -> None:
    for version in ("camt.054.001.08", "camt.053.001.08"):
        imports.take(body=statement(entry(), version=version).replace(b"DE89", OURS.encode()), name="s", at=bank.at)
    assert [each.new for each in Statement.objects.order_by("-new")] == [1, 0]


def test_what_the_bank_told_stays(bank: Outside) -> None:
    comes_in(bank, "25.00", "for chips")
    reads(bank)
    for change in ({"amount": Decimal(1)}, {"state": "new", "done_at": None}, {"end_to_end": "other"}):
        with pytest.raises(IntegrityError, match="bank_entry_is_final"), transaction.atomic():
            BankEntry.objects.update(**change)


def test_a_player_reads_their_reference_and_always_the_same(bank: Outside) -> None:
    ann, bob = person(funds=None), person("bob", funds=None)
    told = client_of(ann).get("/v1/transfer-reference?currency=EUR").json()
    assert told == client_of(ann).get("/v1/transfer-reference?currency=EUR").json()
    assert told["iban"] == OURS
    others = client_of(bob).get("/v1/transfer-reference?currency=EUR").json()
    assert (
        others["reference"]
        != told["reference"]
        != client_of(ann).get("/v1/transfer-reference?currency=USD").json()["reference"]
    )
    refused = client_of(ann).get("/v1/transfer-reference?currency=JPY")
    assert (refused.status_code, refused.json()["code"]) == (422, "no_transfers")
