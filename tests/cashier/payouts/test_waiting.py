"""Which payouts wait, how long as /metrics tells it, and which the clock looks at."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
import time_machine
from django.test import Client

from tests.cashier.outside import Outside
from tests.cashier.payouts.test_provider_payouts import agreed, by_card
from tests.cashier.payouts.wishes import account, asked, operator, winner, works
from wagering.cashier.methods.models import Method
from wagering.cashier.payouts import selectors, services, switch
from wagering.cashier.payouts.models import OPEN, Payout
from wagering.protection import aml

pytestmark = pytest.mark.django_db


def waits(world: Outside) -> dict[str, float]:
    """By state, in seconds."""
    with time_machine.travel(world.at, tick=False):
        told = Client().get("/metrics").content.decode()
    rows = re.findall(r'^payouts_oldest_waiting_seconds{state="(\w+)"} ([0-9.e+]+)$', told, re.MULTILINE)
    return {state: float(figure) for state, figure in rows}


def test_the_oldest_of_each_state_is_told_in_seconds(bank: Outside) -> None:
    nobody = dict.fromkeys((state.value for state in OPEN), 0.0)
    assert waits(bank) == nobody
    ann = winner(bank, "2000.00")
    method = account(bank, ann)
    asked(bank, ann, method, "900.00")
    works(bank)
    bank.goes_by(minutes=10)
    for amount in ("20.00", "30.00"):
        asked(bank, ann, method, amount)
        bank.goes_by(minutes=5)
    assert waits(bank) == {**nobody, "review": timedelta(minutes=20).total_seconds(), "held": 600.0}
    bank.misbehaves("time_out_before")
    works(bank, times=1)
    assert waits(bank) == {**nobody, "review": 1200.0, "unknown": 600.0}


def test_the_clock_looks_at_what_nobody_has_looked_at_and_at_what_waits_for_its_player(bank: Outside) -> None:
    ann, by = winner(bank, "2000.00"), operator()
    hers, anothers = account(bank, ann), account(bank, ann, "GB29NWBK60161331926819", holder="Bob Miller")
    bank.goes_by(minutes=1)  # since she was verified

    def screened(method: Method, amount: str) -> Payout:
        payout = services.screen(payout=asked(bank, ann, method, amount).pk, at=bank.at)
        assert payout.state == Payout.State.REVIEW
        return payout

    screened(hers, "900.00")
    aml.lock(player=ann, by=by, reason="a large sum", at=bank.at)
    for_her, _ = screened(hers, "20.00"), screened(anothers, "20.00")
    assert [*selectors.to_screen(at=bank.at)] == []
    bank.goes_by(hours=1)
    assert [*selectors.to_screen(at=bank.at)] == [for_her]
    new = asked(bank, ann, hers, "30.00")
    assert {*selectors.to_screen(at=bank.at)} == {for_her, new}
    switch.turn(stopped=True, reason="fraud", by=by, at=bank.at)
    assert [*selectors.to_screen(at=bank.at)] == []


def test_what_goes_out_through_a_provider_waits_while_payouts_are_stopped(bank: Outside) -> None:
    payout = agreed(bank, asked(bank, *by_card(bank), "20.00", "USD"))
    assert [attempt.payout for attempt in selectors.to_send()] == [payout]
    switch.turn(stopped=True, reason="fraud", by=operator(), at=bank.at)
    assert [*selectors.to_send()] == []
