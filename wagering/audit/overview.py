"""The lines of the admin's first page that are about play and its money; settings.OVERVIEW names them."""

from __future__ import annotations

from datetime import datetime

from wagering.cashier.adjustments.models import Adjustment
from wagering.cashier.bank import balances
from wagering.cashier.bank import selectors as bank
from wagering.cashier.deposits import selectors as deposits
from wagering.cashier.payouts import selectors as payouts
from wagering.cashier.payouts.models import Payout
from wagering.play.lobby import selectors as lobby
from wagering.play.tables import selectors as tables
from wagering.protection import aml
from wagering.protection.exclusion import selectors as exclusions
from wagering.protection.identity import selectors as identities
from wagering.rest.overview import Line
from wagering.seamless import selectors as seamless
from wagering.settlement import selectors as settlement
from wagering.settlement.models import Adjudication

State = Adjudication.State


def tables_under_way(*, at: datetime) -> Line:
    return Line("tables under way", tables.under_way(), {"status": "under_way"})


def offers_open(*, at: datetime) -> Line:
    return Line("offers in the lobby", lobby.open_offers(at=at), {"state__exact": "open"})


def waiting_for_analysis(*, at: datetime) -> Line:
    return Line("contests waiting for their analysis", settlement.in_state(State.WAITING), {"state__exact": "waiting"})


def waiting_for_their_price(*, at: datetime) -> Line:
    found, late = tables.to_be_priced(), tables.price_is_late(at=at)
    return Line("games lost by the clock, waiting for their price", found, {"status": "pricing"}, calls=late)


def waiting_for_an_operator(*, at: datetime) -> Line:
    found = settlement.in_state(State.OPERATOR)
    return Line("contests waiting for an operator", found, {"state__exact": "operator"}, calls=True)


def rulings_to_approve(*, at: datetime) -> Line:
    return Line(
        "rulings waiting for a second operator", settlement.to_approve(), {"approved_at__isempty": "1"}, calls=True
    )


def rounds_left_open(*, at: datetime) -> Line:
    return Line("rounds left open by their rooms", seamless.left_open(at=at), {"state": "left"}, calls=True)


def deposits_to_look_at(*, at: datetime) -> Line:
    return Line("deposits to look at", deposits.exceptions(at=at), {"out_of_order": "all"}, calls=True)


def refunds_to_look_at(*, at: datetime) -> Line:
    return Line("refunds to look at", deposits.refunds_late(at=at), {"out_of_order": "late"}, calls=True)


def money_missing_at_the_bank(*, at: datetime) -> Line:
    return Line("currencies of which the bank has too little", balances.shortfalls(), {"short": "now"}, calls=True)


def adjustments_to_confirm(*, at: datetime) -> Line:
    waiting = Adjustment.objects.filter(done_at=None, withdrawn_at=None)
    query = {"done_at__isempty": "1", "withdrawn_at__isempty": "1"}
    return Line("adjustments waiting for a second operator", waiting, query, calls=True)


def payouts_to_decide(*, at: datetime) -> Line:
    return Line(
        "payouts waiting for an operator", payouts.in_state(Payout.State.REVIEW), {"state__exact": "review"}, calls=True
    )


def payouts_unanswered(*, at: datetime) -> Line:
    found = payouts.in_state(Payout.State.UNKNOWN)
    return Line("payouts sent without an answer", found, {"state__exact": "unknown"})


def files_to_confirm(*, at: datetime) -> Line:
    found = bank.to_confirm()
    return Line("files of the bank to bring a second time", found, {"done_at__isempty": "1"}, calls=True)


def transfers_to_place(*, at: datetime) -> Line:
    return Line("movements at the bank to place", bank.to_place(), {"state__in": "suspense,unexplained"}, calls=True)


def transfers_to_agree(*, at: datetime) -> Line:
    waiting = bank.to_agree()
    return Line(
        "movements at the bank waiting for a second operator",
        waiting,
        {"entry__state__in": "suspense,unexplained"},
        calls=True,
    )


def identities_to_judge(*, at: datetime) -> Line:
    return Line("identities to judge", identities.to_judge(), {"state__exact": "pending"}, calls=True)


def links_to_look_at(*, at: datetime) -> Line:
    return Line("players who may be one person", aml.unseen(), {"looked_at__isempty": "1"}, calls=True)


def exclusions_to_release(*, at: datetime) -> Line:
    query = {"disowned_at__isempty": "0", "released_at__isempty": "1"}
    return Line("exclusions of others waiting for a second operator", exclusions.to_release(), query, calls=True)


def sources_of_funds_open(*, at: datetime) -> Line:
    return Line("players asked where their money is from", aml.standing(), {"lifted_at__isempty": "1"}, calls=True)


def events_waiting(*, at: datetime) -> Line:
    return Line("words of providers not acted on", deposits.waiting_events(), {"done_at__isempty": "1"})
