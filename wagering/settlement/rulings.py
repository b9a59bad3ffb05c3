"""What operators rule: a split overturned within 72 hours, a reversed settlement paid anew, a game nobody can judge.

One operator asks, another approves; then it is paid, once. A split is reversed and posted anew; what a wallet has no
more of it is owed (A-10, P-3). A settlement that was reversed in the book waits under new holds, which the ruling
empties under a key of its own. A contest that waits since no engine can say is settled as ruled (A-7). Ratings stay as
the contest first left them.
"""

from datetime import datetime, timedelta
from decimal import Decimal
from typing import Final
from uuid import UUID

from django.db import transaction

from games.models import Table, User
from games.rules.sides import SIDES, Side
from ledger import book, chart, money, postings
from ledger.vouchers import Voucher
from wagering.commission import selectors as commission
from wagering.protection.persons import all_locked
from wagering.settlement.abandonment import services as abandonment
from wagering.settlement.abandonment.rules.split import Split, divide
from wagering.settlement.models import Adjudication, Ruling, Settlement
from wagering.stakes import services as stakes
from wagering.stakes.models import Stake
from wagering.stakes.rules import exposure

OVERTURNED_WITHIN: Final = timedelta(hours=72)
"""How long a split may be overturned (A-10)."""


class NotRuled(ValueError):
    """No ruling can be made, or approved."""


class NotAnOperator(NotRuled):
    """Rulings are made by operators who are active."""


class ApprovedByTheSame(NotRuled):
    """A ruling takes two operators (A-10)."""


class TransferRefused(NotRuled):
    """No side can lose more than it has in escrow, and what moves goes to somebody."""


class NothingToRule(NotRuled):
    """The contest goes on, is being analysed, or was decided by what was played and is not reversed."""


class TooLateToOverturn(NotRuled):
    """A split stands after 72 hours (A-10)."""


class RuledAlready(NotRuled):
    """One ruling counts a contest."""


def propose(*, table: Table, receiver: Side | None, transfer: Decimal, reason: str, by: User, at: datetime) -> Ruling:
    """An operator asks that ``transfer`` go to ``receiver``, as a win would; nothing moves before a second approves.

    Raises NotAnOperator, TransferRefused, Stake.DoesNotExist, and what ``approve`` would raise by now.
    """
    stake = Stake.objects.select_related("table", "tariff").get(table=table)
    exact = check(stake=stake, receiver=receiver, transfer=transfer, by=by, at=at)
    if not reason.strip():
        raise NotRuled("reason: a ruling has one, which the book keeps")
    return Ruling.objects.create(
        stake=stake, receiver=receiver, transfer=exact, reason=reason.strip(), asked_by=by, asked_at=at
    )


def check(*, stake: Stake, receiver: Side | None, transfer: Decimal, by: User, at: datetime) -> Decimal:
    """The transfer at the currency's minor digits, if this could be ruled now. Raises what ``propose`` raises."""
    _check_operator(by)
    exact = _check_transfer(stake, receiver, transfer)
    _reversible(stake, at=at)
    return exact


def approve(*, ruling: UUID, by: User, at: datetime) -> Ruling:
    """Another operator agrees, and it is paid; again by the same, the first answer.

    What a side has no more of a split that is overturned it owes (P-3). Raises NotAnOperator, ApprovedByTheSame,
    RuledAlready, NothingToRule, TooLateToOverturn, and InsufficientFunds if that is play money, which nobody owes.
    """
    _check_operator(by)
    with transaction.atomic():
        table = Table.objects.get(stake__rulings=ruling)
        stake = stakes.locked(table=table)
        found = Ruling.objects.select_for_update().get(pk=ruling)
        if found.approved_at is not None:
            if found.approved_by_id != by.pk:
                raise RuledAlready(f"ruling: {found} was approved before")
            return found
        if found.asked_by_id == by.pk:
            raise ApprovedByTheSame("approved_by: the operator who asked cannot approve it (A-10)")
        settled = _reversible(stake, at=at)
        shares = shares_of(found, stake)
        found.approved_by, found.approved_at = by, at
        found.commission, found.back_1, found.back_2 = shares.commission, shares.back_1, shares.back_2
        found.charge = shares.charge.as_dict() if shares.charge else {}
        if settled is None:
            return _first_paid(found, stake, shares, at)
        return _paid_anew(found, stake, settled, shares, at)


def shares_of(ruling: Ruling, stake: Stake) -> Split:
    """What each side gets by ``ruling``, priced as every win is (A-6)."""
    return divide(
        receiver=None if ruling.receiver is None else 1 if ruling.receiver == 1 else 2,
        transfer=money.exact(ruling.transfer, stake.currency, field="transfer"),
        terms=stake.terms,
        tariff=commission.tariff_of(stake.tariff),
        standings=stake.standings,
    )


def _first_paid(ruling: Ruling, stake: Stake, shares: Split, at: datetime) -> Ruling:
    adjudication = Adjudication.objects.select_for_update().get(stake=stake)
    adjudication.state = Adjudication.State.SETTLED
    adjudication.save(update_fields=["state"])
    ruling.key = f"abandonment_settled:{stake.pk}"
    ruling.save()
    abandonment.pay(stake=stake, found=adjudication, shares=shares, at=at)
    return ruling


def _paid_anew(ruling: Ruling, stake: Stake, settled: Settlement, shares: Split, at: datetime) -> Ruling:
    voucher = postings.settlement_corrected(
        stake=stake.pk,
        seats=[
            postings.Seat(hold.owner, book.reopened(hold.id), hold.amount, shares.back_to(side))
            for side, hold in zip(SIDES, stake.holds, strict=True)
        ],
        room=stake.table.room_id,
        commission=shares.commission,
        currency=stake.currency,
        at=at,
    )
    ruling.key = voucher.key
    undone = _is_reversed(settled)
    all_locked(stake.table.seats)
    while True:
        try:
            with transaction.atomic():
                ruling.save()
                if ruling.owed_1 or ruling.owed_2:
                    book.post(shortfall(ruling))
                if not undone:
                    book.reverse(key=settled.key, reason=ruling.reason, at=at)
                book.post(voucher)
                return ruling
        except book.InsufficientFunds as refusal:  # the money has gone on
            _owes(ruling, stake, refusal)


def shortfall(ruling: Ruling) -> Voucher:
    """What the sides owe since a split was overturned whose money had gone on."""
    assert ruling.approved_at is not None
    one, other = ruling.stake.table.seats
    return postings.shortfall_owed(
        ruling=ruling.pk,
        shortfalls=[postings.Win(one.pk, ruling.owed_1), postings.Win(other.pk, ruling.owed_2)],
        currency=ruling.stake.currency,
        at=ruling.approved_at,
    )


def _owes(ruling: Ruling, stake: Stake, refusal: book.InsufficientFunds) -> None:
    """The side whose wallet it is owes what that lacks."""
    lacks = refusal.needed - refusal.balance
    one, other = (chart.wallet(player.pk, stake.currency) for player in stake.table.seats)
    if money.currency(stake.currency).zone == "amateurs" or refusal.account not in (one, other):
        raise refusal
    ruling.owed_1 += lacks if refusal.account == one else 0
    ruling.owed_2 += lacks if refusal.account == other else 0


def _reversible(stake: Stake, *, at: datetime) -> Settlement | None:
    """What the ruling would take the place of; None where nothing is settled yet and an operator is waited for."""
    if Ruling.objects.filter(stake=stake, approved_at__isnull=False).exists():
        raise RuledAlready(f"ruling: there is one that counts on table {stake.table_id}")
    if stake.state == Stake.State.HELD:
        if Adjudication.objects.filter(stake=stake, state=Adjudication.State.OPERATOR).exists():
            return None
        raise NothingToRule(f"table: {stake.table_id} waits for no operator")
    settled = Settlement.objects.filter(stake=stake).first()
    if settled is None:
        raise NothingToRule(f"table: the stakes of {stake.table_id} were given back")
    if _is_reversed(settled):
        return settled
    if not settled.is_split:
        raise NothingToRule(f"table: {stake.table_id} was not split; what was won is reversed in the book first")
    if at - settled.settled_at > OVERTURNED_WITHIN:
        raise TooLateToOverturn(f"table: {stake.table_id} was split at {settled.settled_at:%Y-%m-%d %H:%M} (A-10)")
    return settled


def _is_reversed(settled: Settlement) -> bool:
    posted = book.find(settled.key)
    return posted is not None and posted.reversed


def _check_operator(by: User) -> None:
    if not (by.is_active and by.is_staff):
        raise NotAnOperator("operator: rulings are made by operators")


def _check_transfer(stake: Stake, receiver: Side | None, transfer: Decimal) -> Decimal:
    exact = money.exact(transfer, stake.currency, field="transfer")
    if receiver not in (None, 1, 2) or (receiver is None) != (exact == 0):
        raise TransferRefused("transfer: goes to side 1 or 2, or is 0 and goes to nobody")
    if exact > exposure(stake.terms):
        raise TransferRefused(f"transfer: {exact} is more than the {exposure(stake.terms)} a side has in escrow")
    return exact
