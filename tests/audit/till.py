"""A row of everything that the cashier keeps, for pages to show."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal
from typing import Any

from games.models import User
from tests.factories import NOON, RoomFactory, person
from wagering.cashier.adjustments.models import Adjustment
from wagering.cashier.bank.models import BankEntry, Clearance, ClosingBalance, Proposal, Statement
from wagering.cashier.deposits.models import Deposit
from wagering.cashier.disputes.models import Collection, DifferenceCover, Dispute, WriteOff
from wagering.cashier.methods.models import Method
from wagering.cashier.payouts.models import Attempt, Batch, Decision, Payout, Switch
from wagering.cashier.sweeps.models import CommissionSweep
from wagering.commission.models import TariffVersion
from wagering.seamless.models import Round

EUR: dict[str, Any] = {"currency": "EUR", "amount": Decimal("5.00")}


def everything(deposit: Deposit) -> None:
    """Beside ``deposit``; a tariff has to be published already."""
    by = User.objects.create(username="cashier", is_staff=True)
    room = RoomFactory.create()
    _bank(by)
    _payouts(by)
    taken = {"wallet": Decimal("5.00"), "receivable": Decimal(0), "difference": Decimal(0)}
    Dispute.objects.create(deposit=deposit, provider="sandbox", theirs="dp_1", taken_at=NOON, **EUR, **taken)
    Collection.objects.create(player=deposit.player, collected_at=NOON, **EUR)
    WriteOff.objects.create(player=deposit.player, reason="too small", asked_by=by, asked_at=NOON, **EUR)
    DifferenceCover.objects.create(reason="a fee", covered_by=by, covered_at=NOON, **EUR)
    Adjustment.objects.create(
        player=deposit.player,
        direction="credit",
        refers_to="letter 1",
        reason="lost",
        asked_by=by,
        asked_at=NOON,
        **EUR,
    )
    CommissionSweep.objects.create(room=room, day=NOON.date(), swept_at=NOON + timedelta(days=1), **EUR)
    tariff = TariffVersion.objects.first()
    assert tariff is not None
    Round.objects.create(room=room, name="round-1", currency="EUR", tariff=tariff, opened_at=NOON)


def _bank(by: User) -> None:
    statement = Statement.objects.create(
        sha256="0" * 64,
        kind="camt.053",
        name="statement-1",
        entries=1,
        new=1,
        received_at=NOON,
        fetched=True,
        done_at=NOON,
    )
    ClosingBalance.objects.create(statement=statement, day=NOON.date(), booked=Decimal("5.00"), **EUR)
    entry = BankEntry.objects.create(
        statement=statement, account="DE", reference="entry-1", is_credit=True, day=NOON.date(), came_at=NOON, **EUR
    )
    Proposal.objects.create(entry=entry, reason="a gift", by=by, at=NOON)
    Clearance.objects.create(entry=entry, reason="a gift", by=by, at=NOON)


def _payouts(by: User) -> None:
    ann = person()
    account = {"token": "account_1", "brand": "account in DE", "last4": "4300", "can_receive": True, "added_at": NOON}
    method = Method.objects.create(player=ann, provider="bank", **account)
    payout = Payout.objects.create(player=ann, method=method, asked_at=NOON, **EUR)
    attempt = Attempt.objects.create(payout=payout, number=1, rail="bank", ours="PO1", held_at=NOON)
    Decision.objects.create(attempt=attempt, approves=True, reason="known", by=by, at=NOON)
    payer = {"payer_name": "Room Players", "payer_iban": "DE89370400440532013000"}
    total = {"currency": "EUR", "count": 1, "control_sum": Decimal("5.00")}
    Batch.objects.create(day=NOON.date(), made_at=NOON, sha256="0" * 64, **payer, **total)
    Switch.objects.create(stopped=False, reason="all is well", by=by, at=NOON)
