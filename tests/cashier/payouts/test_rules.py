"""The screening, rule by rule: what each lets through, what it keeps, and by which figures."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest

from wagering.cashier.payouts import policy, rules
from wagering.cashier.payouts.rules import RULES, Facts, Source, Verdict, missing_of_the_player, screen, withdrawable

ZERO = Decimal("0.00")
CLEAN = Facts(
    amount=Decimal("48.00"),
    currency="EUR",
    identity="verified",
    needs_identity=True,
    excluded=False,
    funds_locked=False,
    owed={},
    disputes=(),
    won_of_debtors=ZERO,
    deposited=Decimal("20.00"),
    staked=Decimal("20.00"),
    contestable=ZERO,
    remains=Decimal("52.00"),
    sources=(),
    to_source=ZERO,
    asked_within_a_day=1,
    alone_within_a_day=ZERO,
    alone_within_a_week=ZERO,
    destination_blocked=False,
    destination_age=timedelta(days=30),
    destination_shared=0,
    is_account=True,
    names_match=True,
    alerts=(),
    stands_since=None,
)
APPROVED = datetime(2026, 11, 30, 10, tzinfo=UTC)
LATER = APPROVED + timedelta(seconds=1)
CARD = Source("visa …4242", Decimal("20.00"))


def test_small_and_clean_is_approved_by_rule() -> None:
    found = screen(CLEAN, policy.shipped())
    assert (found.verdict, found.needs) == (Verdict.OK, 0)
    assert len(found.findings) == len(RULES)
    assert all(each.says for each in found.findings)


@pytest.mark.parametrize(
    ("rule", "verdict", "says", "changes"),
    [
        ("identity", "review", "the identity is pending", {"identity": "pending"}),
        ("identity", "ok", "the identity is pending", {"identity": "pending", "needs_identity": False}),
        ("identity", "review", "rejected", {"identity": "rejected", "needs_identity": False}),
        ("exclusion", "ok", "keeps no payout", {"excluded": True}),
        ("funds", "review", "to be shown", {"funds_locked": True}),
        ("debt", "review", "owes 5.00 EUR", {"owed": {"EUR": Decimal("5.00")}}),
        ("debt", "review", "owes 5.00 USD", {"owed": {"USD": Decimal("5.00")}}),
        ("disputes", "review", "deposits: 20.00 EUR open", {"disputes": ("20.00 EUR open",)}),
        ("chargebacks", "review", "won 100.00 EUR", {"won_of_debtors": Decimal("100.00")}),
        ("played", "review", "staked 19.99 of 20.00 EUR", {"staked": Decimal("19.99")}),
        ("split", "review", "30.00 EUR of splits", {"contestable": Decimal("30.00"), "remains": Decimal("29.99")}),
        ("split", "ok", "30.00 remain", {"contestable": Decimal("30.00"), "remains": Decimal("30.00")}),
        ("source", "refuse", "20.00 EUR came from visa …4242", {"sources": (CARD,)}),
        ("source", "refuse", "came from", {"sources": (CARD,), "to_source": Decimal("47.99")}),
        ("source", "ok", "goes to where it came from", {"sources": (CARD,), "to_source": Decimal("48.00")}),
        ("source", "ok", "goes to", {"sources": (Source("visa", ZERO),)}),
        ("velocity", "ok", "3 asked for", {"asked_within_a_day": 3}),
        ("velocity", "review", "4 asked for within a day, 3 are usual", {"asked_within_a_day": 4}),
        ("sums", "ok", "with it 1000.00 EUR in a day", {"alone_within_a_day": Decimal("952.00")}),
        ("sums", "review", "1000.01 EUR in a day", {"alone_within_a_day": Decimal("952.01")}),
        ("sums", "ok", "2500.00 in a week", {"alone_within_a_week": Decimal("2452.00")}),
        ("sums", "review", "2500.01 in a week by rule", {"alone_within_a_week": Decimal("2452.01")}),
        ("destination", "refuse", "any more", {"destination_blocked": True}),
        ("destination", "ok", "new: True", {"destination_age": timedelta(hours=1)}),
        (
            "destination",
            "review",
            "known for 2 days, new: True",
            {"destination_age": timedelta(hours=71), "amount": Decimal("100.01")},
        ),
        ("destination", "ok", "new: False", {"destination_age": timedelta(hours=72), "amount": Decimal("100.01")}),
        ("shared", "review", "1 other with", {"destination_shared": 1}),
        ("name", "review", "another than the player", {"names_match": False}),
        ("name", "review", "no name was told", {"names_match": None}),
        ("name", "ok", "the provider knows", {"names_match": None, "is_account": False}),
        ("alerts", "review", "open: chip dumping", {"alerts": ("chip dumping",)}),
    ],
)
def test_a_rule(rule: str, verdict: str, says: str, changes: dict[str, Any]) -> None:
    found = screen(replace(CLEAN, **changes), policy.shipped())
    (finding,) = [each for each in found.findings if each.rule == rule]
    assert finding.verdict == verdict
    assert says in finding.says
    assert all(each.verdict == Verdict.OK for each in found.findings if each.rule != rule)
    assert found.verdict == verdict
    assert found.needs == (0 if verdict == "ok" else 1)


@pytest.mark.parametrize(
    ("amount", "currency", "verdict", "needs"),
    [
        ("500.00", "EUR", "ok", 0),
        ("500.01", "EUR", "review", 1),
        ("4999.99", "EUR", "review", 1),
        ("5000.00", "EUR", "review", 2),
        ("1.00", "SEK", "review", 2),  # nobody has said what is small there
    ],
)
def test_who_has_to_agree_hangs_on_the_amount(amount: str, currency: str, verdict: str, needs: int) -> None:
    known = replace(CLEAN, amount=Decimal(amount), currency=currency)
    found = screen(known, policy.shipped())
    assert (found.verdict, found.needs) == (verdict, needs)


def test_what_the_player_has_to_do_is_waited_for() -> None:
    def missing(**changes: Any) -> list[str]:
        found = screen(replace(CLEAN, **changes), policy.shipped())
        return missing_of_the_player([each.as_json() for each in found.findings])

    assert missing(identity="pending") == ["identity"]
    assert missing(identity="pending", funds_locked=True) == ["funds", "identity"]
    assert missing(identity="unverified", names_match=None) == ["identity"], "there is no name to compare yet"
    assert missing(identity="pending", alerts=("chip dumping",)) == []
    assert missing() == []


@pytest.mark.parametrize(
    ("stands", "known", "has_come_up"),
    [
        ({}, {}, False),
        ({"disputes": ("20.00 EUR open",), "stands_since": LATER}, {}, True),
        ({"alerts": ("chip dumping",), "stands_since": LATER}, {}, True),
        ({"alerts": ("chip dumping",), "stands_since": APPROVED}, {}, False),  # who approved it knew
        ({"owed": {"USD": ZERO + 1}}, {}, True),
        ({"owed": {"USD": ZERO + 1}}, {"owed": {"EUR": ZERO + 2}}, False),
    ],
)
def test_what_has_come_up_since_it_was_approved(
    stands: dict[str, Any], known: dict[str, Any], has_come_up: bool
) -> None:
    findings = [each.as_json() for each in screen(replace(CLEAN, **known), policy.shipped()).findings]
    facts = replace(CLEAN, **stands)
    assert rules.has_come_up(facts, findings=findings, approved_at=APPROVED) is has_come_up
    anew = rules.renewed(findings, facts)
    assert anew == [each.as_json() for each in screen(facts, policy.shipped()).findings]


def test_what_may_be_overturned_is_not_withdrawable() -> None:
    assert withdrawable(balance=Decimal("100.00"), contestable=Decimal("30.00")) == Decimal("70.00")
    assert withdrawable(balance=Decimal("20.00"), contestable=Decimal("30.00")) == Decimal("0.00")
