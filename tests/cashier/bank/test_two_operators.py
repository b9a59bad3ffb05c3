"""Of larger sums at the bank no operator says alone whose they are, and never that they are their own."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.test import Client

from games.models import Player, User
from tests.cashier.bank.test_settlements import came_in, owes
from tests.cashier.bank.test_transfers import operator, proves, suspense
from tests.cashier.banking import comes_in, reads
from tests.cashier.outside import Outside
from tests.factories import person, wallet
from wagering.cashier.bank import entries
from wagering.cashier.bank.models import BankEntry, Clearance, Proposal
from wagering.protection.exclusion import services as exclusion
from wagering.vault import services as vault

pytestmark = pytest.mark.django_db


def waiting(world: Outside, amount: str = "50.01", **more: str) -> BankEntry:
    comes_in(world, amount, "for chips", **more)
    reads(world)
    return BankEntry.objects.exclude(clearance__isnull=False).get()


def said(world: Outside, entry: BankEntry, player: Player | None, by: User, reason: str = "x") -> Clearance | None:
    return entries.clear(entry=entry.pk, player=player, reason=reason, by=by, at=world.at)


def test_more_than_one_says_alone_is_a_players_when_another_says_the_same(bank: Outside) -> None:
    ann, bob, one, another = person(funds=None), person("bob", funds=None), operator(), operator()
    entry = waiting(bank)
    for player, by in ((ann, one), (ann, one), (bob, another), (None, another)):
        assert said(bank, entry, player, by, reason="the receipt") is None
    assert (Proposal.objects.count(), suspense()) == (3, Decimal("50.01"))
    done = said(bank, entry, ann, another, reason="I saw it too")
    assert done and (done.by, done.confirmed_by, done.reason) == (one, another, "the receipt")
    assert wallet(ann, "EUR") == Decimal("50.01")
    with pytest.raises(entries.NotToBeCleared, match="entry: it is given"):
        said(bank, entry, bob, one)
    proves()


def test_so_much_as_one_says_alone(bank: Outside) -> None:
    ann, one = person(funds=None), operator()
    done = said(bank, waiting(bank, "50.00"), ann, one)
    assert done and (done.by, done.confirmed_by, wallet(ann, "EUR")) == (one, None, Decimal("50.00"))
    entry = waiting(bank, "50.01", side="DBIT")
    assert said(bank, entry, None, one) is None
    assert said(bank, entry, None, operator())
    proves()


def test_nobody_gives_it_to_themselves(bank: Outside) -> None:
    ann, entry = person(), waiting(bank, "5.00")
    assert ann.user
    ann.user.is_staff = True
    ann.user.save()
    with pytest.raises(entries.NotToBeCleared, match="player: nobody gives it to themselves"):
        said(bank, entry, ann, ann.user)


def test_who_may_say_nothing_and_of_whom_nothing_is_said(bank: Outside) -> None:
    ann, entry = person(funds=None), waiting(bank, "5.00")
    gone = User.objects.create(username="gone", is_staff=True, is_active=False)
    for nobody in (gone, User.objects.create(username="nobody")):
        for player in (ann, None):
            with pytest.raises(entries.NotToBeCleared, match="by:"):
                said(bank, entry, player, nobody)
    exclusion.exclude(player=ann, months=None, at=bank.at)
    with pytest.raises(entries.NotToBeCleared, match=r"player: .*excluded"):
        said(bank, entry, ann, operator())
    vault.destroy(player=ann, at=bank.at)
    with pytest.raises(entries.NotToBeCleared, match="player: was erased"):
        said(bank, entry, ann, operator())


def test_a_larger_settlement_is_two_operators_too(bank: Outside) -> None:
    entry = came_in(bank, "59.00", deposit="60.00")
    word: dict[str, Any] = {"entry": entry.pk, "provider": "sandbox", "reason": "its report", "at": bank.at}
    assert entries.settle(fee=Decimal("1.00"), by=operator(), **word) is None
    assert entries.settle(fee=Decimal("0.99"), by=operator(), **word) is None
    assert owes() == Decimal(60)
    done = entries.agree(proposal=Proposal.objects.get(fee=1).pk, by=operator(), at=bank.at)
    assert done and done.confirmed_by
    assert owes() == 0
    proves()


def test_what_was_said_stays_and_another_confirms_it(bank: Outside) -> None:
    one, entry = operator(), waiting(bank)
    said(bank, entry, None, one)
    with pytest.raises(IntegrityError, match="bank_word_is_final"), transaction.atomic():
        Proposal.objects.update(by=operator())
    with pytest.raises(IntegrityError, match="clearance_is_confirmed_by_another"), transaction.atomic():
        Clearance.objects.create(entry=entry, reason="x", by=one, confirmed_by=one, at=bank.at)


def test_two_operators_say_so_in_the_admin(bank: Outside) -> None:
    ann, entry = person(funds=None), waiting(bank)
    one, another = Client(), Client()
    for name, client in (("one", one), ("another", another)):
        client.force_login(User.objects.create_superuser(username=name))
    word = {"entry": str(entry.pk), "player": str(ann.pk), "reason": "the receipt"}
    answer = one.post("/admin/bank/clearance/add/", word, follow=True)
    assert "it waits for another operator, who says the same" in answer.content.decode()
    assert "movements at the bank waiting for a second operator" in one.get("/admin/").content.decode()
    chosen = {"action": "agree", "_selected_action": [str(Proposal.objects.get().pk)]}
    for client, holds in ((one, 0), (another, Decimal("50.01"))):
        assert client.post("/admin/bank/proposal/", chosen).status_code == 302
        assert wallet(ann, "EUR") == holds
    assert "it is given to a player" in another.post("/admin/bank/proposal/", chosen, follow=True).content.decode()
