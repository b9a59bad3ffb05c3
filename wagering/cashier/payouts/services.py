"""A payout from the wish to the approval. The amount is held when it is asked for (P-2), and let go once."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Final
from uuid import UUID, uuid4

from django.conf import settings
from django.db import IntegrityError, transaction

from games.models import Player, User
from ledger import book, money, postings
from ledger.vouchers import Voucher
from wagering.cashier import operators
from wagering.cashier.methods import selectors as methods
from wagering.cashier.methods.models import Method
from wagering.cashier.payouts import facts, policy, rules, standing, switch
from wagering.cashier.payouts.models import BANK, WAITING, Attempt, Decision, Payout
from wagering.cashier.payouts.rules import Verdict
from wagering.cashier.payouts.told import tell
from wagering.cashier.providers import registry
from wagering.protection import aml, gate

State = Payout.State

SCREENED_AGAIN: Final = timedelta(hours=1)
"""After so long a payout that waits for its player alone is screened anew; at once when an operator has had a say."""


class CurrencyNotPaidOut(Exception):
    """Nothing is paid out in this currency to this method. Play money never leaves (Z)."""

    def __init__(self, *, method: Method, currency: str) -> None:
        super().__init__(f"amount: no {currency} can be paid out to {method}")
        self.field = "amount"


class CannotReceive(Exception):
    """Nothing can be paid out to this payment method: choose another one, or add a bank account."""

    def __init__(self, method: Method) -> None:
        super().__init__(f"method: nothing can be paid out to {method}")
        self.field = "method"


class NotYetWithdrawable(Exception):
    """Part of the wallet came from an unfinished game that operators may judge anew for 72 hours (A-10)."""

    def __init__(self, *, withdrawable: Decimal, contestable: Decimal, currency: str) -> None:
        super().__init__(
            f"{contestable} {currency} came of unfinished games less than 72 hours ago and can be played, not "
            f"withdrawn; {withdrawable} {currency} can be withdrawn now (A-10)."
        )


class NotToBeCancelled(Exception):
    """The payout is approved, or has ended: it cannot be taken back any more."""

    def __init__(self, payout: Payout) -> None:
        super().__init__(f"This payout is {payout.state}; it cannot be taken back any more.")


class NotDecided(ValueError):
    """The operator's word is not taken."""


class NotAnOperator(NotDecided):
    """Payouts are decided on by operators who are active, and not on their own."""


class NothingToDecide(NotDecided):
    """The payout does not wait for an operator."""


class DecidedAlready(NotDecided):
    """An operator decides once on an attempt; a large payout takes two."""


def ask(*, player: Player, method: UUID, amount: Decimal, currency: str, at: datetime) -> Payout:
    """A player wants ``amount`` paid out to one of their methods: from now on it is held.

    Raises StillOwes, Method.DoesNotExist, CannotReceive, CurrencyNotPaidOut, InvalidAmount, NotYetWithdrawable,
    InsufficientFunds.
    """
    amount = money.exact(amount, currency)
    if amount == 0:
        raise money.InvalidAmount(field="amount", value=amount, rule="is nothing to pay out")
    with transaction.atomic():
        gate.locked(player)
        gate.check_payout(player=player)
        chosen = methods.theirs(player=player).get(pk=method)
        if not chosen.can_receive:
            raise CannotReceive(chosen)
        if currency not in _currencies(chosen.provider):
            raise CurrencyNotPaidOut(method=chosen, currency=currency)
        contestable = facts.contestable(player=player, currency=currency, at=at)
        can_go = rules.withdrawable(balance=facts.available(player=player, currency=currency), contestable=contestable)
        if contestable and amount > can_go:
            raise NotYetWithdrawable(withdrawable=can_go, contestable=contestable, currency=currency)
        payout = Payout.objects.create(player=player, method=chosen, currency=currency, amount=amount, asked_at=at)
        book.post(held(opened(payout, number=1, at=at)))
        return payout


def cancel(*, payout: UUID, at: datetime) -> Payout:
    """The player takes it back before it is approved; again, the same. Raises PayoutStands, NotToBeCancelled."""
    with transaction.atomic():
        found, attempt = locked(payout)
        if found.state == State.CANCELLED:
            return found
        if found.state not in WAITING or attempt is None:
            raise NotToBeCancelled(found)
        gate.check_cancel_payout(player=found.player)
        _let_go(found, attempt, state=State.CANCELLED, reason="", at=at)
        return found


def screen(*, payout: UUID, at: datetime) -> Payout:
    """Look at a payout that nobody has looked at, or that waited for its player; small and clean, it is approved."""
    with transaction.atomic():
        gate.locked(Player.objects.get(payouts=payout))
        found, attempt = locked(payout)
        if attempt is None or not _is_to_be_screened(found, attempt, at) or switch.is_stopped():
            return found
        aml.look(player=found.player, profile=gate.profile_of(player=found.player), at=at)
        screening = rules.screen(facts.of(found, at=at), policy.shipped())
        found.findings = [each.as_json() for each in screening.findings]
        found.needs, found.screened_at = screening.needs, at
        match screening.verdict:
            case Verdict.OK:
                _approve(found, at)
            case Verdict.REVIEW:
                found.state = State.REVIEW
                found.save()
            case Verdict.REFUSE:
                told = " ".join(each.says for each in screening.findings if each.verdict == Verdict.REFUSE)
                _let_go(found, attempt, state=State.REFUSED, reason=told, at=at)
        return found


def decide(*, payout: UUID, approves: bool, reason: str, by: User, at: datetime) -> Payout:
    """An operator's word. One refusal refuses, as long as it is not in a batch; so many approvals as it needs approve.

    Raises NotAnOperator, NothingToDecide, DecidedAlready, and PayoutsStopped for an approval.
    """
    if not reason.strip():
        raise NotDecided("reason: say why")
    with transaction.atomic():
        found, attempt = locked(payout)
        _check_operator(by, found.player)
        may = (State.REVIEW,) if approves else (State.HELD, State.REVIEW, State.APPROVED)
        if found.state not in may or attempt is None:
            raise NothingToDecide(f"payout: it is {found.get_state_display()}")
        if approves and switch.is_stopped():
            raise switch.PayoutsStopped("Payouts are stopped: nothing is approved.")
        try:
            with transaction.atomic():
                Decision.objects.create(attempt=attempt, approves=approves, reason=reason.strip(), by=by, at=at)
        except IntegrityError:
            raise DecidedAlready("by: one operator decides once; another has to agree") from None
        if not approves:
            _let_go(found, attempt, state=State.REFUSED, reason="refused by the operator", at=at)
        elif attempt.decisions.filter(approves=True).count() >= (found.needs or 1):
            found.findings = rules.renewed(found.findings, standing.of([found.player_id])[found.player_id])
            _approve(found, at)
        return found


def again(*, payout: UUID, by: User, at: datetime) -> Payout:
    """An operator has a payout that failed tried once more: a new attempt, under a new hold, screened anew (case 20).

    Raises NotAnOperator, NothingToDecide, StillOwes, InsufficientFunds if the player has spent the money since.
    """
    with transaction.atomic():
        gate.locked(Player.objects.get(payouts=payout))
        found, attempt = locked(payout)
        _check_operator(by, found.player)
        if found.state != State.FAILED or attempt is not None:
            raise NothingToDecide(f"payout: it is {found.get_state_display()}")
        gate.check_payout(player=found.player)
        found.state, found.approved_at, found.ended_at, found.reason = State.HELD, None, None, ""
        found.save()
        book.post(held(opened(found, number=found.attempts.count() + 1, at=at, by=by)))
        return found


def locked(payout: UUID) -> tuple[Payout, Attempt | None]:
    """The payout, locked, and its open attempt, if it has one."""
    found = Payout.objects.select_for_update(of=("self",)).select_related("player", "method").get(pk=payout)
    attempt = Attempt.objects.select_for_update().filter(payout=found, released_at=None, paid_at=None).first()
    if attempt is not None:
        attempt.payout = found
    return found, attempt


def opened(payout: Payout, *, number: int, at: datetime, by: User | None = None) -> Attempt:
    """A new attempt, with an id and so a reference that nobody else has."""
    new = uuid4()
    about = {"payout": payout, "number": number, "rail": payout.method.provider, "tried_by": by}
    return Attempt.objects.create(id=new, **about, ours=f"PO{new.hex}", held_at=at)


def held(attempt: Attempt) -> Voucher:
    payout = attempt.payout
    amount = money.exact(payout.amount, payout.currency)
    about = {"attempt": attempt.pk, "player": payout.player_id}
    return postings.payout_held(**about, amount=amount, currency=payout.currency, at=attempt.held_at)


def released(attempt: Attempt) -> Voucher:
    payout = attempt.payout
    assert attempt.released_at is not None, f"{attempt} is held, or was paid"
    amount = money.exact(payout.amount, payout.currency)
    about = {"attempt": attempt.pk, "player": payout.player_id}
    return postings.payout_released(**about, amount=amount, currency=payout.currency, at=attempt.released_at)


def _check_operator(by: User, player: Player) -> None:
    if not operators.may_judge(by, player=player):
        raise NotAnOperator("by: payouts are decided on by operators who are active, and not on their own")


def _is_to_be_screened(payout: Payout, attempt: Attempt, at: datetime) -> bool:
    if payout.state != State.REVIEW:
        return payout.state == State.HELD
    assert payout.screened_at is not None, "reviews are of what was screened"
    due = payout.screened_at + SCREENED_AGAIN <= at or gate.said_since(payout.player, payout.screened_at)
    return due and bool(rules.missing_of_the_player(payout.findings)) and not attempt.decisions.exists()


def _approve(payout: Payout, at: datetime) -> None:
    payout.state, payout.approved_at = State.APPROVED, at
    payout.save()
    tell(payout, "payout_approved", at=at)


def _let_go(payout: Payout, attempt: Attempt, *, state: State, reason: str, at: datetime) -> None:
    payout.state, payout.reason, payout.ended_at = state, reason[:500], at
    attempt.released_at = at
    payout.save()
    attempt.save()
    if state == State.REFUSED:
        tell(payout, "payout_refused", at=at)
    book.post(released(attempt))


def _currencies(rail: str) -> Iterable[str]:
    if rail == BANK:
        return settings.BANK_CURRENCIES if settings.BANK else ()
    return registry.provider(rail).currencies if rail in settings.PROVIDERS else ()
