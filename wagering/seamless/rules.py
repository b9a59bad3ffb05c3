"""What a round comes to: who lost and won what, and what the room may take of it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Final
from uuid import UUID

from ledger import money
from ledger.postings import Win
from ledger.vouchers import Hold
from wagering.commission import rules as commission
from wagering.commission.tariff import Tariff
from wagering.seamless.refusals import CommissionAboveTariff, RoundHoldsLess, RoundTooLarge

BETS_MAX: Final = 200
"""Bets that stand in one round: far more than the cube of a backgammon game can be turned."""


@dataclass(frozen=True, slots=True)
class Settled:
    """What closing a round moves: ``holds`` empty exactly into ``wins`` and ``commission`` (S-5)."""

    holds: tuple[Hold, ...]
    wins: tuple[Win, ...]
    commission: Decimal


def check_bet(*, holds: Sequence[Hold], amount: Decimal) -> None:
    """One more bet of ``amount`` fits in the round. Raises RoundTooLarge."""
    if len(holds) >= BETS_MAX:
        raise RoundTooLarge(f"a round has at most {BETS_MAX} bets")
    if _held(holds) + amount >= money.LIMIT:
        raise RoundTooLarge(f"the round would hold {money.LIMIT} or more, which nobody can be paid")


def check_wins(*, holds: Sequence[Hold], wins: Sequence[Win]) -> None:
    """The wins are no more than what the round's holds contain. Raises RoundHoldsLess."""
    won, held = sum((win.amount for win in wins), Decimal(0)), _held(holds)
    if won > held:
        raise RoundHoldsLess(won=won, held=held)


def settle(*, holds: Sequence[Hold], wins: Sequence[Win], tariff: Tariff, currency: str) -> Settled:
    """The round closes. What the wins leave is the commission, at most that of a single game in which was won what
    the others lost; a room may take less.

    Raises RoundHoldsLess, CommissionAboveTariff, CurrencyNotInTariff.
    """
    check_wins(holds=holds, wins=wins)
    left = _held(holds) - sum((win.amount for win in wins), Decimal(0))
    if left:
        most = commission.charge_single(tariff=tariff, currency=currency, won=_lost(holds, wins)).commission
        if left > most:
            raise CommissionAboveTariff(left=left, most=most)
    return Settled(holds=tuple(holds), wins=tuple(wins), commission=money.exact(left, currency))


def _lost(holds: Iterable[Hold], wins: Iterable[Win]) -> Decimal:
    """What those who staked more than they are paid lose together."""
    nets: dict[UUID, Decimal] = {}
    for hold in holds:
        nets[hold.owner] = nets.get(hold.owner, Decimal(0)) - hold.amount
    for win in wins:
        nets[win.player] = nets.get(win.player, Decimal(0)) + win.amount
    return -sum((net for net in nets.values() if net < 0), Decimal(0))


def _held(holds: Iterable[Hold]) -> Decimal:
    return sum((hold.amount for hold in holds), Decimal(0))
