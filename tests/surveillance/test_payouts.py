"""Chips are dumped, and whoever has them asks to be paid (case 30)."""

from __future__ import annotations

import pytest

from tests.cashier.conftest import world
from tests.cashier.outside import Outside
from tests.cashier.payouts.conftest import bank
from tests.cashier.payouts.wishes import account, asked, fresh, operator, pending, winner, works
from tests.factories import person
from tests.surveillance.test_alerts import gives_away
from wagering.cashier.payouts.models import Payout
from wagering.surveillance import alerts
from wagering.surveillance.models import Alert

__all__ = ["bank", "world"]

pytestmark = pytest.mark.django_db


def test_the_payout_is_held_and_says_by_which_alerts(bank: Outside) -> None:  # case 30
    ann, bob = person("ann", funds="500"), winner(bank, "100.00", "USD", name="Bob Miller")
    gives_away(ann, bob, games=10, at=bank.at)
    payout = asked(bank, bob, account(bank, bob, holder="Bob Miller"), "480.00", "USD")
    works(bank)
    assert fresh(payout).state == Payout.State.REVIEW
    assert pending(bob, "USD") == payout.amount
    (said,) = (finding["says"] for finding in fresh(payout).findings if finding["rule"] == "alerts")
    opened = Alert.objects.filter(winner=bob)
    assert "chip_dumping" in {alert.kind for alert in opened}
    assert all(str(alert.pk) in said for alert in opened)
    for alert in opened:
        assert (alert.loser, len(alert.evidence["stakes"])) == (ann, 10)
        alerts.judge(alert=alert.pk, confirmed=False, reason="a lesson, on film", by=operator(), at=bank.at)
    assert not alerts.open_for(bob)


def test_one_game_that_was_given_away_keeps_the_payout_of_who_got_it(bank: Outside) -> None:
    ann, bob = person("ann", funds="2500"), winner(bank, "500.00", "USD", name="Bob Miller")
    gives_away(ann, bob, games=1, stake="300", at=bank.at)
    payout = asked(bank, bob, account(bank, bob, holder="Bob Miller"), "90.00", "USD")
    works(bank)
    assert fresh(payout).state == Payout.State.REVIEW
    assert [alert.kind for alert in Alert.objects.filter(winner=bob)] == ["given_away"]
