"""Who is who: profiles, sums that ask for more, and operators' words."""

from __future__ import annotations

from datetime import date, timedelta
from decimal import Decimal
from uuid import uuid4

import pytest
from django.db import IntegrityError, transaction

from games.models import Player
from ledger import book, postings
from tests.factories import fund, person
from tests.protection.people import known, now, operator, verdict, verified
from wagering.protection import aml, gate, profile
from wagering.protection.arrivals import arrived
from wagering.protection.identity import services
from wagering.protection.identity.rules import NameUnclear, check_name, compared, years
from wagering.protection.identity.selectors import name_of
from wagering.protection.models import FundsLock, Link, Review
from wagering.protection.profile import InvalidProfile
from wagering.protection.refusals import IdentityNeeded, PayoutStands, SourceOfFundsNeeded
from wagering.protection.tasks import look_at_the_sums
from wagering.vault import services as vault

GB = profile.shipped()["gb"]
DEFAULT = profile.shipped()["default"]


def deposits(player: Player, amount: str, currency: str = "USD", *, later: int = 0) -> None:
    gate.check_deposit(
        player=player, amount=Decimal(amount), currency=currency, pending=Decimal(0), at=now() + timedelta(days=later)
    )


# --- rules ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["Ann Example", "EXAMPLE ann", "Änn  Éxample", "Example, Ann", "ann-example"])
def test_the_same_person_is_found_however_the_name_is_written(name: str) -> None:
    assert compared(name=name, birth_date=date(1990, 5, 17)) == "ann example 1990-05-17"


def test_another_day_or_name_is_another_person() -> None:
    ann = compared(name="Ann Example", birth_date=date(1990, 5, 17))
    assert compared(name="Ann Example", birth_date=date(1990, 5, 18)) != ann
    assert compared(name="Ann Examples", birth_date=date(1990, 5, 17)) != ann


@pytest.mark.parametrize(
    ("born", "on", "age"),
    [("2000-03-01", "2018-02-28", 17), ("2000-03-01", "2018-03-01", 18), ("2000-02-29", "2018-02-28", 17),
     ("2000-02-29", "2018-03-01", 18)],
)  # fmt: skip
def test_a_year_older_on_the_birthday(born: str, on: str, age: int) -> None:
    at = now().replace(year=int(on[:4]), month=int(on[5:7]), day=int(on[8:]))
    assert years(birth_date=date.fromisoformat(born), at=at) == age


# --- profiles ---------------------------------------------------------------------------------------------------------


def test_the_country_says_which_profile_holds() -> None:
    assert profile.of_country("GB") == GB
    assert profile.of_country("CH") == profile.of_country(None) == DEFAULT
    assert not GB.payouts_may_be_cancelled
    assert GB.asks_for_identity("deposit")
    assert not DEFAULT.asks_for_identity("deposit")


GOOD = """
name = "here"
age = 18
identity_before = ["payout"]
payouts_may_be_cancelled = true
dormant_after_days = 365
unclaimed_after_days = 90
sums = { USD = ["2000", "20000"] }
"""


def test_a_profile_is_read() -> None:
    assert profile.read(GOOD, name="here").sums["USD"].funds == Decimal(20000)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (("age = 18", "age = 18.5"), "age"),
        (("age = 18", "age = true"), "age"),
        (("here", "there"), "name"),
        (('["payout"]', '["login"]'), "identity_before"),
        (("true", '"yes"'), "payouts_may_be_cancelled"),
        (('"2000", "20000"', "2000, 20000"), "USD"),
        (('"2000", "20000"', '"2000"'), "USD"),
        (('"2000", "20000"', '"20000", "2000"'), "ascend"),
        (('"2000"', '"0"'), "ascend"),
        (("USD", "XXX"), "XXX"),
        (("age", "aeg"), "aeg"),
        (("18", "18\nrefused = ['Korea']"), "Korea"),
        (("18", "18\nrefused = 'KP'"), "refused"),
        (("18", "18 18"), "here"),
    ],
)
def test_a_profile_that_is_wrong_is_not_read(change: tuple[str, str], told: str) -> None:
    with pytest.raises(InvalidProfile, match=told):
        profile.read(GOOD.replace(*change), name="here")


# --- what waits for the identity --------------------------------------------------------------------------------------


@pytest.mark.django_db
def test_in_britain_the_identity_comes_before_the_first_deposit() -> None:
    ann = person(funds=None)
    known(ann, country="GB")
    with pytest.raises(IdentityNeeded, match="pending"):
        deposits(ann, "10", "GBP")
    services.judge(
        identity=known(ann, country="GB"), verified=True, reason="seen", documents="file 7", by=operator(), at=now()
    )
    deposits(ann, "10", "GBP")


@pytest.mark.django_db
def test_a_rejected_identity_deposits_and_stakes_nothing() -> None:
    ann = person()
    services.judge(identity=known(ann), verified=False, reason="forged", documents="", by=operator(), at=now())
    with pytest.raises(IdentityNeeded, match="rejected"):
        deposits(ann, "10")
    with pytest.raises(IdentityNeeded, match="rejected"):
        gate.check_stake(player=ann, exposure=Decimal(1), currency="USD", at=now())


@pytest.mark.django_db
def test_in_britain_a_payout_stays_asked_for() -> None:
    """Case 29, the reverse-withdrawal ban."""
    ann, bob = person(), person("bob")
    known(ann, country="GB")
    with pytest.raises(PayoutStands):
        gate.check_cancel_payout(player=ann)
    gate.check_cancel_payout(player=bob)


@pytest.mark.django_db
def test_another_country_loosens_nothing_before_it_is_verified() -> None:
    """Case 29: who was verified in Britain tells to live elsewhere."""
    ann = person()
    verified(ann, country="GB")
    moved = known(ann, country="NL")
    with pytest.raises(PayoutStands):
        gate.check_cancel_payout(player=ann)
    with pytest.raises(IdentityNeeded, match="pending"):
        deposits(ann, "10", "GBP")
    verdict(moved)
    gate.check_cancel_payout(player=ann)
    deposits(ann, "10", "GBP")


def test_of_two_profiles_the_stricter_rules_hold() -> None:
    both = DEFAULT.and_also(GB)
    assert both.identity_before == GB.identity_before
    assert not both.payouts_may_be_cancelled
    assert both.sums["EUR"] == profile.Sums(Decimal(1500), Decimal(5000))
    assert "CHF" not in both.sums  # one of them asks for the identity at once
    assert GB.and_also(GB) == GB


@pytest.mark.parametrize(
    "name", ["Ann Mil\u200bler", "Ann Mil\u00adler", "\u0410nn Miller", "Ann\u034f Miller", "1 2", "Ann\u3164"]
)
def test_a_name_that_looks_like_another_is_refused(name: str) -> None:
    with pytest.raises(NameUnclear, match="name: "):
        check_name(name)


@pytest.mark.parametrize("name", ["Ann O’Brien-Łoś", "Анна Иванова", "山田 はなこ", "Zoë ʻAkau", "أنّا", "अनीता राव"])
def test_a_name_of_one_script_is_told(name: str) -> None:
    check_name(name)


@pytest.mark.django_db
def test_a_payout_is_told_what_is_known() -> None:
    ann = person()
    before = gate.facts(player=ann, at=now())
    assert (before.identity, before.needs_identity, before.country, before.name_sealed) == (
        "unverified",
        True,
        None,
        None,
    )
    verified(ann)
    facts = gate.facts(player=ann, at=now())
    assert (facts.identity, facts.country, facts.excluded, facts.locked, facts.owed) == (
        "verified",
        "CH",
        False,
        False,
        {},
    )
    assert facts.name_sealed
    assert name_of(ann) == "Ann Example"
    vault.destroy(player=ann, at=now())
    with pytest.raises(vault.Erased):
        name_of(ann)


@pytest.mark.django_db
def test_one_identity_is_one_player_and_an_operator_sees_a_second() -> None:
    ann, bob = person(), person("bob")
    known(ann)
    known(bob, "Bob Example")
    assert Link.objects.count() == 0
    known(bob, "example ANN")
    (link,) = Link.objects.all()
    assert {link.one_id, link.other_id} == {ann.pk, bob.pk}
    known(bob, "Bob Example")
    known(bob, "Ann Example")
    assert Link.objects.count() == 1


@pytest.mark.django_db
def test_an_operators_word_is_on_what_was_told_and_stays() -> None:
    ann = person()
    first = known(ann)
    second = known(ann, "Ann Other")
    asked = {"verified": True, "reason": "seen", "documents": "file 7", "by": operator()}
    with pytest.raises(services.NotPending):
        services.judge(identity=first, at=now(), **asked)  # type: ignore[arg-type]
    services.judge(identity=second, at=now(), **asked)  # type: ignore[arg-type]
    with pytest.raises(services.NotPending):
        services.judge(identity=second, at=now(), **asked)  # type: ignore[arg-type]
    with pytest.raises(IntegrityError, match="is_final"), transaction.atomic():
        Review.objects.update(reason="other")


# --- sums -------------------------------------------------------------------------------------------------------------


@pytest.mark.django_db
def test_the_identity_is_needed_from_a_sum_on_that_counts_180_days() -> None:
    ann = person(funds="1900.00")
    deposits(ann, "99.99")
    with pytest.raises(IdentityNeeded):
        deposits(ann, "100.00")
    deposits(ann, "100.00", later=181)
    verified(ann)
    deposits(ann, "100.00")


@pytest.mark.django_db
def test_in_a_currency_without_a_sum_the_identity_comes_first() -> None:
    ann = person(funds=None)
    with pytest.raises(IdentityNeeded):
        deposits(ann, "1", "VND")
    verified(ann)
    deposits(ann, "1", "VND")


@pytest.mark.django_db
def test_linked_players_count_together() -> None:
    ann, bob, cy = person(funds="1000.00"), person("bob", funds="900.00"), person("cy", funds=None)
    deposits(cy, "100.00")
    aml.link(one=ann, other=bob, why="the same card", at=now())
    aml.link(one=cy, other=bob, why="the same address", at=now())
    aml.link(one=bob, other=ann, why="again", at=now())
    assert aml.linked(cy.pk) == {ann.pk, bob.pk, cy.pk}
    with pytest.raises(IdentityNeeded):
        deposits(cy, "100.00")


@pytest.mark.django_db
def test_from_a_larger_sum_on_the_source_has_to_be_known() -> None:
    ann = person(funds="19999.99")
    verified(ann)
    deposits(ann, "10")
    fund(ann, "0.01")
    with pytest.raises(SourceOfFundsNeeded):
        deposits(ann, "10")
    assert gate.facts(player=ann, at=now()).locked
    arrived(player=ann, at=now())
    look_at_the_sums()
    look_at_the_sums()
    (lock,) = FundsLock.objects.all()
    assert lock.operator is None
    aml.lift(lock=lock, by=operator(), reason="a house was sold", at=now())
    aml.lift(lock=lock, by=operator(), reason="again", at=now())
    deposits(ann, "10")
    assert not gate.facts(player=ann, at=now()).locked
    look_at_the_sums()
    assert FundsLock.objects.get().lifted_reason == "a house was sold"
    fund(ann, "20000.00")  # the sums count anew from there
    assert gate.facts(player=ann, at=now()).locked


@pytest.mark.django_db
def test_what_goes_out_counts_as_what_comes_in() -> None:
    ann = person(funds="15000.00")
    verified(ann)
    book.post(
        postings.manual_adjustment(
            adjustment=uuid4(), player=ann.pk, direction="credit", amount=Decimal(5000), currency="USD",
            reason="a prize", operator=uuid4(), at=now(),
        )
    )  # fmt: skip
    attempt = uuid4()
    whole = {"attempt": attempt, "player": ann.pk, "amount": Decimal(20000), "currency": "USD", "at": now()}
    book.post(postings.payout_held(**whole))  # type: ignore[arg-type]
    assert not gate.facts(player=ann, at=now()).locked
    book.post(postings.payout_paid(provider=None, **whole))  # type: ignore[arg-type]
    assert gate.facts(player=ann, at=now()).locked


@pytest.mark.django_db
def test_an_operator_asks_for_the_source_below_any_sum() -> None:
    ann = person(funds=None)
    lock = aml.lock(player=ann, by=operator(), reason="an alert", at=now())
    assert aml.lock(player=ann, by=operator(), reason="another", at=now()) == lock
    with pytest.raises(SourceOfFundsNeeded):
        deposits(ann, "1")
    gate.check_stake(player=ann, exposure=Decimal(1), currency="USD", at=now())
