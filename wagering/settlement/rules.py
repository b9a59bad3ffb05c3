"""Who gets what when a contest ends: one price for every ending, and for the quote before it (S-5, C)."""

from dataclasses import dataclass
from decimal import Decimal

from games.rules.endings import Outcome
from games.rules.sides import Side
from ledger import money
from ratings.rules import Standing
from wagering.commission import rules as commission
from wagering.commission.rules import Charge
from wagering.commission.tariff import Tariff
from wagering.stakes import rules as stakes
from wagering.stakes.rules import Terms


@dataclass(frozen=True, slots=True)
class Shares:
    """What a contest moves, in the table's currency.

    ``winner`` is ``None`` when it was void: then nothing is lost, nothing charged, and each side gets its own back.
    ``winner_back`` and ``loser_back`` are what each gets out of the escrow, ``commission`` what the house gets; the
    three empty it exactly (S-5). ``charge`` tells how the commission came about.
    """

    winner: Side | None
    currency: str
    lost: Decimal
    commission: Decimal
    winner_back: Decimal
    loser_back: Decimal
    charge: Charge | None

    @property
    def winner_net(self) -> Decimal:
        """What the winner is up: what was won, less both commissions."""
        return self.lost - self.commission

    @property
    def loser_net(self) -> Decimal:
        """What the loser is down, as a negative number."""
        return Decimal(0) - self.lost

    @property
    def escrow(self) -> Decimal:
        """What both sides had put in, which is what goes out."""
        return self.winner_back + self.loser_back + self.commission

    def back_to(self, side: Side) -> Decimal:
        """What ``side`` gets out of the escrow."""
        return self.winner_back if side == self.winner else self.loser_back

    def net_of(self, side: Side) -> Decimal:
        """What ``side`` is up, or down (negative)."""
        return self.winner_net if side == self.winner else self.loser_net


def price(
    *,
    outcome: Outcome,
    terms: Terms,
    tariff: Tariff,
    standings: tuple[Standing, Standing] | None = None,
    lost: Decimal | None = None,
) -> Shares:
    """What ``outcome`` moves under ``terms``; whatever the ending, only winner and points count.

    A single game costs its points times the stake, to the cap; a series its stake, so of its outcome only the winner
    counts (S-2). ``standings`` are both sides' at the start of a series, in either order; a settlement always has
    them, a quote may not (see ``charge_series``). A void contest costs nothing. ``lost`` is given where a single game
    costs more than its points: one lost by the clock, by what it was worth (B-15).
    Raises CurrencyNotInTariff, InvalidAmount (a loss beyond any amount).
    """
    if outcome.winner is None:
        return _void(terms)
    if lost is None:
        lost = stakes.amount_lost(terms, points=outcome.points)
    if terms.is_series:
        charge = commission.charge_series(
            tariff=tariff, currency=terms.currency, stake=lost, points=terms.match_length, standings=standings
        )
    else:
        charge = commission.charge_single(tariff=tariff, currency=terms.currency, won=lost)
    held = stakes.exposure(terms)
    shares = Shares(
        winner=outcome.winner,
        currency=terms.currency,
        lost=lost,
        commission=charge.commission,
        winner_back=held + lost - charge.commission,
        loser_back=held - lost,
        charge=charge,
    )
    assert shares.escrow == held + held, f"{shares} does not empty an escrow of {held} a side"
    assert min(shares.winner_back, shares.loser_back, shares.commission) >= 0, f"{shares} takes more than was there"
    return shares


def _void(terms: Terms) -> Shares:
    held, nothing = stakes.exposure(terms), Decimal(0).quantize(money.currency(terms.currency).minor_unit)
    return Shares(
        winner=None,
        currency=terms.currency,
        lost=nothing,
        commission=nothing,
        winner_back=held,
        loser_back=held,
        charge=None,
    )
