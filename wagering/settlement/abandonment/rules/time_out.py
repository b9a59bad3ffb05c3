"""What a single game costs the side whose time ran out (B-15)."""

from decimal import Decimal

from games.rules.endings import Outcome
from games.rules.sides import Side
from wagering.settlement.abandonment.rules.split import receiver_of
from wagering.settlement.abandonment.rules.valuation import Valuation
from wagering.stakes import rules as stakes
from wagering.stakes.rules import Terms


def lost_by_time(*, outcome: Outcome, terms: Terms, valuation: Valuation | None, on_roll: Side) -> Decimal:
    """The greater of what ``outcome`` costs, stake x cube or what the position made certain, and the loss to be
    expected by ``valuation``, if there is one. Never above the cap: neither is.
    """
    least = stakes.amount_lost(terms, points=outcome.points)
    if valuation is None or receiver_of(valuation, on_roll=on_roll) != outcome.winner:
        return least
    return max(least, valuation.transfer)
