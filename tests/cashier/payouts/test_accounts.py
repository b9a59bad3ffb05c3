"""Accounts that players are paid to: taken back after a slip of the pen, and of two players only if both have it."""

from __future__ import annotations

import pytest

from games.models import Player
from tests.cashier.outside import Outside
from tests.cashier.payouts.wishes import account, asked, fresh, operator, verified, winner, works
from tests.factories import person
from wagering.cashier.methods import selectors
from wagering.cashier.methods.models import Method
from wagering.cashier.payouts import services
from wagering.protection import aml
from wagering.vault import services as vault

pytestmark = pytest.mark.django_db


def linked(player: Player) -> int:
    return len(aml.linked(player.pk)) - 1


def test_the_right_name_again_takes_the_place_of_a_slip(bank: Outside) -> None:
    ann = winner(bank)
    right = account(bank, ann, holder="Ann Miller")
    account(bank, ann, holder="Ann Muller")
    assert account(bank, ann, holder="Ann Miller") == right
    (left,) = selectors.theirs(player=ann)
    assert left == right


def test_what_was_blocked_otherwise_stays_blocked(bank: Outside) -> None:
    ann = winner(bank)
    blocked = account(bank, ann)
    Method.objects.update(blocked_at=bank.at)
    account(bank, ann, holder="Ann Muller")
    assert account(bank, ann) == blocked
    assert not selectors.theirs(player=ann).exists()


def test_who_gives_anothers_account_for_their_own_is_not_linked_to_them(bank: Outside) -> None:
    ann, mal = winner(bank), person("mal", funds=None)
    account(bank, ann)
    account(bank, mal, holder="Any Body")
    verified(mal, bank, "Mal Lory")
    for holder in ("Ann Miller", "Mal Lory"):
        account(bank, mal, holder=holder)
    assert linked(ann) == linked(mal) == 0


def test_who_is_verified_by_the_name_of_the_account_is_linked(bank: Outside) -> None:
    ann, other = winner(bank), person("other", funds=None)
    account(bank, ann)
    verified(other, bank, "Ann B. Miller")
    assert linked(ann) == 0
    account(bank, other, holder="Ann B. Miller")
    assert linked(ann) == 1


def test_an_account_of_somebody_who_is_erased_is_passed_over(bank: Outside) -> None:
    ann, other = winner(bank), person("other", funds=None)
    account(bank, ann)
    vault.destroy(player=ann, at=bank.at)
    verified(other, bank)
    account(bank, other)
    assert linked(other) == 1  # by the name and date of birth


def test_whose_money_went_to_anothers_account_is_linked(bank: Outside) -> None:
    ann, bob = winner(bank), winner(bank, name="Bob Smith")
    account(bank, ann)
    payout = asked(bank, bob, account(bank, bob, holder="Bob Smith"))
    services.screen(payout=payout.pk, at=bank.at)
    assert (fresh(payout).state, linked(ann)) == ("review", 0)
    while fresh(payout).state == "review":
        services.decide(payout=payout.pk, approves=True, reason="they are a pair", by=operator(), at=bank.at)
    works(bank)
    assert (fresh(payout).state, linked(ann)) == ("paid", 1)
