"""What the screening looks at, gathered from everybody who knows something."""

from __future__ import annotations

from datetime import datetime, timedelta
from decimal import Decimal
from typing import Final
from uuid import UUID

from django.db.models import Q, Sum

from games.models import Player
from games.rules.endings import Ending
from ledger import book, chart, money
from wagering.cashier.bank.rules import names
from wagering.cashier.deposits import selectors as deposits
from wagering.cashier.disputes import selectors as disputes
from wagering.cashier.methods.models import Method
from wagering.cashier.payouts import accounts, alerts, standing
from wagering.cashier.payouts.models import BANK, OPEN, WAITING, Attempt, Payout
from wagering.cashier.payouts.rules import Facts, Source
from wagering.protection import aml, gate
from wagering.protection.identity import selectors as identities
from wagering.protection.limits.selectors import DEPOSITS, HELD
from wagering.settlement.models import Settlement
from wagering.settlement.rulings import OVERTURNED_WITHIN

DAY: Final = timedelta(days=1)
WEEK: Final = timedelta(days=7)
GIVEN_BACK: Final = frozenset({"deposit_refunded", "deposit_charged_back"})
"""Events that take a deposit out of the wallet again."""


def of(payout: Payout, *, at: datetime) -> Facts:
    """Read under the lock of the player's Person, and of the payout."""
    player, currency, method = payout.player, payout.currency, payout.method
    amount = money.exact(payout.amount, currency)
    known = gate.facts(player=player, at=at)
    alerts.looked_for(player, at=at)
    stands = standing.of([player.pk])[player.pk]
    sources, here = _sources(payout)
    deposited, staked = _turnover(player, currency)
    zero = money.exact(Decimal(0), currency)
    owned = book.owned(owner=player.pk, kinds=("wallet", "escrow"))
    asks_identity = aml.needs_identity(player=player, profile=known.profile, currency=currency, more=amount, at=at)
    return Facts(
        amount=amount,
        currency=currency,
        identity=known.identity,
        needs_identity=known.needs_identity or asks_identity,
        excluded=known.excluded,
        funds_locked=known.locked,
        owed=known.owed,
        disputes=stands.disputes,
        won_of_debtors=sum((won.amount for won in disputes.money_moved_on(player) if won.currency == currency), zero),
        deposited=deposited,
        staked=staked,
        contestable=contestable(player=player, currency=currency, at=at),
        remains=sum((each for account, each in owned.items() if account.currency == currency), zero),
        sources=sources,
        to_source=here,
        asked_within_a_day=_asked_since(player, at - DAY),
        alone_within_a_day=_alone_since(player, currency, at - DAY),
        alone_within_a_week=_alone_since(player, currency, at - WEEK),
        destination_blocked=method.blocked_at is not None,
        destination_age=at - method.added_at,
        destination_shared=_others(method),
        is_account=method.provider == BANK,
        names_match=_names_match(player, method),
        alerts=stands.alerts,
        stands_since=stands.stands_since,
    )


def contestable(*, player: Player, currency: str, at: datetime) -> Decimal:
    """What the player received of splits that operators may overturn yet (A-10)."""
    splits = Settlement.objects.filter(
        Q(winner=1, stake__table__player_1=player) | Q(winner=2, stake__table__player_2=player),
        ending=Ending.ABANDONED,
        win="",
        settled_at__gt=at - OVERTURNED_WITHIN,
        stake__currency=currency,
    ).exclude(stake__rulings__approved_at__isnull=False)
    found = splits.aggregate(lost=Sum("lost"), commission=Sum("commission"))
    return money.exact((found["lost"] or Decimal(0)) - (found["commission"] or Decimal(0)), currency)


def available(*, player: Player, currency: str) -> Decimal:
    return book.balance(chart.wallet(player.pk, currency))


def _turnover(player: Player, currency: str) -> tuple[Decimal, Decimal]:
    """What was ever deposited and not taken back, and what was ever staked and then played for."""
    zero = money.exact(Decimal(0), currency)
    came = book.movements(owner=player.pk, currency=currency, kinds=("wallet",))
    held = book.movements(owner=player.pk, currency=currency, kinds=("escrow",))
    keys = {each.key for each in held}
    staked = [
        each.amount
        for each in held
        if each.event in HELD and not keys & {f"{back}:{each.key.rpartition(':')[2]}" for back in HELD[each.event]}
    ]
    return sum((each.amount for each in came if each.event in DEPOSITS | GIVEN_BACK), zero), sum(staked, zero)


def _sources(payout: Payout) -> tuple[list[Source], Decimal]:
    """What other instruments that can receive have paid in and not had back; and what this one has.

    A payout that may still be taken back has not gone to another, but what is asked for to this one counts at once.
    """
    left: dict[UUID, Decimal] = {
        method: net
        for (method, currency), net in deposits.net_by_method(payout.player).items()
        if currency == payout.currency
    }
    out = Attempt.objects.filter(
        Q(paid_at__isnull=False, returned_at=None) | Q(paid_at=None, released_at=None),
        payout__player=payout.player,
        payout__currency=payout.currency,
    ).exclude(payout=payout)
    for method, amount, state in out.values_list("payout__method", "payout__amount", "payout__state"):
        if method in left and (method == payout.method_id or state not in WAITING):
            left[method] -= amount
    here = left.pop(payout.method_id, money.exact(Decimal(0), payout.currency))
    receiving = Method.objects.filter(pk__in=left, can_receive=True, blocked_at=None)
    return [Source(str(method), left[method.pk]) for method in receiving if left[method.pk] > 0], here


def _asked_since(player: Player, since: datetime) -> int:
    states = (*OPEN, Payout.State.PAID, Payout.State.RETURNED)
    return Payout.objects.filter(player=player, asked_at__gt=since, state__in=states).count()


def _alone_since(player: Player, currency: str, since: datetime) -> Decimal:
    """What was approved by rule alone and has left, or will; what came back had left too."""
    states = (*OPEN, Payout.State.PAID, Payout.State.RETURNED)
    alone = Payout.objects.filter(player=player, currency=currency, approved_at__gt=since, needs=0, state__in=states)
    return money.exact(alone.aggregate(sum=Sum("amount"))["sum"] or Decimal(0), currency)


def _others(method: Method) -> int:
    if not method.iban_digest:
        return 0
    same = Method.objects.filter(iban_digest=method.iban_digest).exclude(player=method.player_id)
    return same.values("player").distinct().count()


def _names_match(player: Player, method: Method) -> bool | None:
    if method.provider != BANK:
        return None
    name = identities.name_of(player)
    return None if name is None else names.are_one(name, accounts.opened(method).holder)
