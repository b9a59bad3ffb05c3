"""What two players agree on before they sit down, and what it would cost them (S-1)."""

from dataclasses import dataclass
from decimal import Decimal
from typing import Final, Literal

from games.live.rules.pace import Pace
from games.live.rules.stand import Agreed
from games.rules.endings import Ending, Outcome, Win
from ratings.rules import Standing
from wagering.commission.tariff import Tariff
from wagering.settlement.rules import Shares, price
from wagering.stakes.rules import InvalidTerms, Terms, most_points

AUTOMATIC_DOUBLES_MAX: Final = 6
"""After six of them the cube is at 64 (B-13)."""


class TooManyAutomaticDoubles(InvalidTerms):
    """The cube goes to 64: more than six automatic doubles cannot happen (B-13)."""


class RatingLimitsCrossed(InvalidTerms):
    """Nobody's rating is above the one limit and below the other."""


class OtherCurrency(InvalidTerms):
    """A counter-proposal is made in the offer's currency: zones never mix (Z)."""


class NothingChanged(InvalidTerms):
    """A counter-proposal differs in something; terms that please as they are can be accepted."""


@dataclass(frozen=True, slots=True)
class Agreement:
    """All terms of a table: what it is played for, by which rules, and how fast. Whether with a cube, ``terms`` say.

    Refused, after what ``Terms`` and ``Pace`` refuse: TooManyAutomaticDoubles, MoneyPlayOnly, CubeNeeded.
    """

    terms: Terms
    pace: Pace
    crawford: bool = True
    jacoby: bool = False
    beavers: bool = False
    automatic_doubles: int = 0

    def __post_init__(self) -> None:
        if not 0 <= self.automatic_doubles <= AUTOMATIC_DOUBLES_MAX:
            rule = f"is not from 0 to {AUTOMATIC_DOUBLES_MAX}"
            raise TooManyAutomaticDoubles(field="automatic_doubles", value=self.automatic_doubles, rule=rule)
        self.played  # noqa: B018 - the referee refuses what does not go together

    @property
    def played(self) -> Agreed:
        """What is played, for the referee."""
        return Agreed(
            match_length=self.terms.match_length,
            crawford=self.crawford,
            jacoby=self.jacoby,
            beavers=self.beavers,
            automatic_doubles=self.automatic_doubles,
            cube=self.terms.cube,
        )


@dataclass(frozen=True, slots=True)
class RatingLimits:
    """Who may take an offer, by rating at full precision, both limits included. Raises RatingLimitsCrossed."""

    least: Decimal | None = None
    most: Decimal | None = None

    def __post_init__(self) -> None:
        if self.least is not None and self.most is not None and self.least > self.most:
            raise RatingLimitsCrossed(field="rating_max", value=self.most, rule=f"is below rating_min, {self.least}")

    def admit(self, standing: Standing) -> bool:
        """Whether a player who stands there may take the offer."""
        above = self.least is None or standing.rating >= self.least
        return above and (self.most is None or standing.rating <= self.most)


UNLIMITED: Final = RatingLimits()
"""Whoever comes may take it."""


def check_counter(*, offered: Agreement, proposed: Agreement) -> None:
    """A counter-proposal is another agreement in the same currency. Raises OtherCurrency, NothingChanged."""
    theirs, currency = proposed.terms.currency, offered.terms.currency
    if theirs != currency:
        raise OtherCurrency(field="stake", value=theirs, rule=f"is not the offer's currency, {currency}")
    if proposed == offered:
        raise NothingChanged(field="terms", value="these", rule="are the offer's own; accept it instead")


# --- The quote --------------------------------------------------------------------------------------------------------


Won = Literal["single", "gammon", "most", "match"]


@dataclass(frozen=True, slots=True)
class Example:
    """What one way to win would move. ``most`` is the dearest loss there is: the cap, or all of 192 stakes."""

    won: Won
    shares: Shares


def quote(*, terms: Terms, tariff: Tariff, standings: tuple[Standing, Standing] | None = None) -> tuple[Example, ...]:
    """Worked examples by the very function that settles: a single win, a gammon (cube at 1), the dearest; or a match.

    ``standings`` are both players' as they are now; without them a match is quoted before any adjustment by ratings.
    Raises CurrencyNotInTariff, InvalidAmount.
    """
    wins: tuple[tuple[Won, int], ...] = (("single", 1), ("gammon", 2), ("most", most_points(cube=terms.cube)))
    if terms.is_series:
        wins = (("match", 1),)
    return tuple(
        Example(won, price(outcome=_won(points), terms=terms, tariff=tariff, standings=standings))
        for won, points in wins
    )


def _won(points: int) -> Outcome:
    win = {1: Win.SINGLE, 2: Win.GAMMON}.get(points, Win.BACKGAMMON)
    return Outcome(winner=1, win=win, cube=points // win.factor, points=points, ending=Ending.BORNE_OFF)
