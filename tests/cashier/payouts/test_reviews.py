"""What keeps a payout, and whose word lets it go."""

from __future__ import annotations

from datetime import UTC, datetime
from decimal import Decimal
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import Permission
from django.db import IntegrityError, transaction
from django.test import Client

from games.models import User
from games.rules.endings import Ending
from ledger import book, postings
from tests.cashier.deposits.wishes import paid
from tests.cashier.outside import Outside
from tests.cashier.payouts.wishes import (
    CLOSED,
    account,
    asked,
    everything_proves,
    fresh,
    operator,
    pending,
    verified,
    winner,
    won,
    works,
)
from tests.factories import NOON, person, seated, terms, wallet
from tests.factories import won as outcome
from wagering.cashier.disputes.models import Dispute
from wagering.cashier.payouts import proofs, services
from wagering.cashier.payouts.models import Attempt, Decision, Payout
from wagering.cashier.payouts.serializers import told
from wagering.cashier.payouts.services import DecidedAlready, NotAnOperator, NothingToDecide, NotYetWithdrawable
from wagering.protection import aml
from wagering.settlement.models import Settlement
from wagering.settlement.services import settle
from wagering.surveillance.models import Alert

pytestmark = pytest.mark.django_db
State = Payout.State


def kept_by(payout: Payout) -> list[str]:
    return [each["rule"] for each in fresh(payout).findings if each["verdict"] != "ok"]


def approves(payout: Payout, by: User, at: datetime, *, says: bool = True) -> Payout:
    return services.decide(payout=payout.pk, approves=says, reason="looked at", by=by, at=at)


def test_an_unverified_player_waits_and_is_paid_once_verified(bank: Outside) -> None:
    ann = person(funds=None)
    won(ann, "100.00")
    payout = asked(bank, ann, account(bank, ann))
    works(bank)
    assert (fresh(payout).state, kept_by(payout)) == (State.REVIEW, ["identity"])
    assert told(fresh(payout))["waits_for"] == ["identity"]
    works(bank)
    assert fresh(payout).state == State.REVIEW
    verified(ann, bank)
    works(bank)
    assert fresh(payout).state == State.PAID
    assert told(fresh(payout))["waits_for"] == []


def test_what_only_the_player_can_mend_is_looked_at_again(bank: Outside) -> None:
    ann, by = winner(bank), operator()
    lock = aml.lock(player=ann, by=by, reason="a large sum", at=bank.at)
    payout = asked(bank, ann, account(bank, ann))
    works(bank)
    assert (fresh(payout).state, kept_by(payout)) == (State.REVIEW, ["funds"])
    works(bank)
    assert fresh(payout).state == State.REVIEW
    aml.lift(lock=lock, by=by, reason="a payslip", at=bank.at)
    works(bank)
    assert fresh(payout).state == State.PAID


def test_an_alert_holds_a_payout(bank: Outside) -> None:  # case 30
    ann, bob = person(funds=None), winner(bank, "480.00", name="Bob Miller")
    given = {"loser": ann, "winner": bob, "currency": "EUR", "score": 100, "opened_at": bank.at}
    alert = Alert.objects.create(kind="chip_dumping", evidence={"lost": "500.00", "games": 10}, **given)
    payout = asked(bank, bob, account(bank, bob, holder="Bob Miller"), "80.00")
    works(bank)
    assert (fresh(payout).state, kept_by(payout), pending(bob)) == (State.REVIEW, ["alerts"], Decimal("80.00"))
    assert f"open: chip dumping {alert.pk}" in str(fresh(payout).findings)
    approves(payout, operator(), bank.at, says=False)
    assert (fresh(payout).state, wallet(bob, "EUR")) == (State.REFUSED, Decimal("480.00"))
    everything_proves()


def test_winnings_of_a_deposit_that_was_charged_back_are_held(bank: Outside) -> None:  # case 24
    stake = seated(terms("100", currency="USD", match_length=1), funds="100")
    ann, bob = stake.table.seats
    deposit = paid(bank, ann, "100.00")
    taken: dict[str, Any] = {"adjustment": uuid4(), "player": ann.pk, "amount": Decimal("100.00"), "currency": "USD"}
    book.post(postings.manual_adjustment(direction="debit", **taken, reason="moved on", operator=uuid4(), at=NOON))
    settle(table=stake.table, outcome=outcome(2), at=bank.at)
    bank.controls("disputes", payment=deposit.theirs, amount=10000)
    bank.delivers()
    assert Dispute.objects.get().receivable == Decimal("100.00")
    verified(bob, bank)
    payout = asked(bank, bob, account(bank, bob), "50.00", "USD")
    works(bank)
    assert fresh(payout).state == State.REVIEW
    assert "chargebacks" in kept_by(payout)


def test_a_split_that_may_be_overturned_can_be_played_and_not_withdrawn(bank: Outside) -> None:
    stake = seated(terms("5"), funds="1000")
    ann, bob = stake.table.seats
    Settlement.objects.create(
        stake=stake, winner=1, win="", cube=1, points=0, ending=Ending.ABANDONED, lost=Decimal("30.00"),
        commission=Decimal("2.00"), back_1=Decimal(0), back_2=Decimal(0), charge={}, key=uuid4().hex,
        settled_at=bank.at,
    )  # fmt: skip
    free = wallet(ann) - Decimal("28.00")
    method = account(bank, ann)
    with pytest.raises(NotYetWithdrawable, match=r"28\.00 USD came of unfinished games"):
        asked(bank, ann, method, str(free + Decimal("0.01")), "USD")
    asked(bank, ann, method, str(free), "USD")
    asked(bank, bob, account(bank, bob, "GB29NWBK60161331926819"), str(wallet(bob)), "USD")
    bank.goes_by(hours=72)
    asked(bank, ann, method, "28.00", "USD")


def test_a_small_payout_does_not_make_an_account_known(bank: Outside) -> None:
    ann = winner(bank, "900.00")
    method = account(bank, ann)
    small = asked(bank, ann, method, "0.01")
    works(bank)
    large = asked(bank, ann, method, "400.00")
    works(bank)
    assert (fresh(small).state, fresh(large).state, kept_by(large)) == (State.PAID, State.REVIEW, ["destination"])
    bank.goes_by(hours=72)
    later = asked(bank, ann, method, "400.00")
    works(bank)
    assert fresh(later).state == State.PAID


def test_many_small_payouts_are_a_large_one(bank: Outside) -> None:
    ann, by = winner(bank, "9000.00"), operator()
    method = account(bank, ann)
    bank.goes_by(hours=72)

    def ask() -> tuple[str, list[str]]:
        payout = asked(bank, ann, method, "500.00")
        services.screen(payout=payout.pk, at=bank.at)
        if fresh(payout).state == State.REVIEW:
            approves(payout, by, bank.at)
        return fresh(payout).state, kept_by(payout)

    assert [ask() for _ in range(3)] == [(State.APPROVED, []), (State.APPROVED, []), (State.APPROVED, ["sums"])]
    bank.goes_by(hours=25)
    assert [ask()[1] for _ in range(3)] == [[], [], ["sums"]], "what an operator agreed to is not counted"
    bank.goes_by(hours=25)
    assert [ask()[1] for _ in range(2)] == [[], ["sums"]], "2500 a week"
    bank.goes_by(days=7)
    assert ask()[1] == []


def test_a_large_payout_takes_two_operators(bank: Outside) -> None:
    ann, first, second = winner(bank, "9000.00"), operator(), operator()
    payout = asked(bank, ann, account(bank, ann), "5000.00")
    works(bank)
    assert (fresh(payout).state, fresh(payout).needs) == (State.REVIEW, 2)
    approves(payout, first, bank.at)
    assert fresh(payout).state == State.REVIEW
    with pytest.raises(DecidedAlready):
        approves(payout, first, bank.at)
    with pytest.raises(IntegrityError, match="payout_is_agreed_on"), transaction.atomic():
        Payout.objects.filter(pk=payout.pk).update(state=State.APPROVED, approved_at=bank.at)
    approves(payout, second, bank.at)
    works(bank)
    assert fresh(payout).state == State.PAID
    with pytest.raises(NothingToDecide):
        approves(payout, operator(), bank.at, says=False)
    everything_proves()


def test_who_may_decide(bank: Outside) -> None:
    ann = winner(bank, "900.00")
    payout = asked(bank, ann, account(bank, ann), "600.00")
    works(bank)
    gone = User.objects.create(username="gone", is_staff=True, is_active=False)
    for nobody in (User.objects.create(username="nobody"), gone):
        with pytest.raises(NotAnOperator):
            approves(payout, nobody, bank.at)
    assert ann.user
    ann.user.is_staff = True
    ann.user.save()
    with pytest.raises(NotAnOperator):
        approves(payout, ann.user, bank.at)
    with pytest.raises(services.NotDecided, match="reason"):
        services.decide(payout=payout.pk, approves=True, reason=" ", by=operator(), at=bank.at)


def test_what_failed_is_tried_again_by_who_may_change_it_and_is_kept(bank: Outside) -> None:
    ann = winner(bank)
    payout = asked(bank, ann, account(bank, ann, CLOSED))
    works(bank)
    by, client = operator(), Client()
    client.force_login(by)
    for allowed, state in (("view_payout", State.FAILED), ("change_payout", State.HELD)):
        by.user_permissions.add(Permission.objects.get(codename=allowed))
        client.post("/admin/payouts/payout/", {"action": "again", "_selected_action": [str(payout.pk)]})
        assert fresh(payout).state == state
    assert [*Attempt.objects.order_by("number").values_list("tried_by", flat=True)] == [None, by.pk]
    with pytest.raises(IntegrityError, match="attempt_is_final"), transaction.atomic():
        Attempt.objects.filter(number=2).update(tried_by=None)
    works(bank)
    assert ann.user
    ann.user.is_staff = True
    with pytest.raises(NotAnOperator):
        services.again(payout=payout.pk, by=ann.user, at=bank.at)


def test_operators_see_the_queue_and_decide_in_the_admin(bank: Outside) -> None:
    ann = winner(bank, "900.00")
    payout = asked(bank, ann, account(bank, ann), "600.00")
    works(bank)
    boss = User.objects.create_superuser(username="boss")
    client = Client()
    client.force_login(boss)
    page = client.get(f"/admin/payouts/payout/{payout.pk}/change/").content.decode()
    assert "owes nothing of deposits" in page
    assert "NL91ABNA" not in page
    for name in ("payout", "attempt", "batch", "decision", "switch"):
        assert client.get(f"/admin/payouts/{name}/").status_code == 200
    for name in ("statement", "bankentry", "clearance"):
        assert client.get(f"/admin/bank/{name}/").status_code == 200
        assert client.get(f"/admin/bank/{name}/add/").status_code in (200, 403)
    said: dict[str, Any] = {"attempt": str(Attempt.objects.get().pk), "approves": "on", "reason": "known to us"}
    assert client.post("/admin/payouts/decision/add/", said).status_code == 302
    assert Decision.objects.get().by == boss
    assert fresh(payout).state == State.APPROVED
    again = client.post("/admin/payouts/decision/add/", said)
    assert "it is goes out with the next batch" in again.content.decode()
    bank.at = datetime.now(UTC)
    works(bank)
    assert fresh(payout).state == State.PAID
    batch = Attempt.objects.get().batch
    assert batch
    file = client.get(f"/admin/payouts/batch/{batch.pk}/file/")
    assert b"<EndToEndId>PO" in file.content
    assert client.post("/admin/payouts/switch/add/", {"stopped": "on", "reason": "fraud"}).status_code == 302
    assert client.get(f"/admin/payouts/batch/{uuid4()}/file/").status_code == 404
    book.post(postings.payout_held(attempt=uuid4(), player=ann.pk, amount=Decimal("1.00"), currency="EUR", at=NOON))
    assert proofs.pending_payouts_are_open().fault
    assert proofs.payouts_are_posted().fault
