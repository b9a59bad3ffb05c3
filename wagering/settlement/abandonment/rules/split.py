"""Who gets what when a contest was abandoned: the transfer, its commission, a penalty if the table has one (A-6)."""

from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

from games.rules.sides import Side, opponent_of
from ledger import money
from ratings.rules import Standing
from wagering.commission import rules as commission
from wagering.commission.rules import Charge
from wagering.commission.tariff import Tariff
from wagering.settlement.abandonment.rules.valuation import Valuation
from wagering.stakes import rules as stakes
from wagering.stakes.rules import Terms


class InvalidPenalty(ValueError):
    """A penalty is a share of the stake, from nothing to all of it (A-6)."""

    def __init__(self, share: object) -> None:
        super().__init__(f"penalty: {share} is not from 0 to 1: a share of the stake")
        self.share = share


@dataclass(frozen=True, slots=True)
class Penalty:
    """What ``left``, the side that went away, pays the other besides: ``share`` of the stake. Raises InvalidPenalty."""

    share: Decimal
    left: Side

    def __post_init__(self) -> None:
        if not isinstance(self.share, Decimal) or not self.share.is_finite() or not 0 <= self.share <= 1:
            raise InvalidPenalty(self.share)


@dataclass(frozen=True, slots=True)
class Split:
    """What an abandoned contest moves, in the table's currency.

    ``receiver`` gets ``transfer`` and pays ``commission`` of it, told by ``charge``; ``penalty`` goes from
    ``penalised`` to the other side, free of commission. ``back_1`` and ``back_2`` are what the sides get out of the
    escrow, and with the commission they empty it exactly (S-5).
    """

    currency: str
    receiver: Side | None
    transfer: Decimal
    commission: Decimal
    charge: Charge | None
    penalised: Side | None
    penalty: Decimal
    back_1: Decimal
    back_2: Decimal

    @property
    def escrow(self) -> Decimal:
        """What both sides had put in, which is what goes out."""
        return self.back_1 + self.back_2 + self.commission

    def back_to(self, side: Side) -> Decimal:
        """What ``side`` gets out of the escrow."""
        return self.back_1 if side == 1 else self.back_2


def split(
    *,
    valuation: Valuation,
    on_roll: Side,
    terms: Terms,
    tariff: Tariff | None,
    standings: tuple[Standing, Standing] | None = None,
    penalty: Penalty | None = None,
) -> Split:
    """What ``valuation`` moves under ``terms``, the transfer priced as a win by the code that prices every win (A-6);
    without a ``tariff`` it is free of commission (A-8).

    ``on_roll`` is the side that was on roll (or, between games, whose chance was valued). ``standings`` as for
    ``settlement.rules.price``. A transfer of nothing costs nothing. The penalty is rounded half-even and never more
    than what its payer still has in escrow. Raises CurrencyNotInTariff.
    """
    assert valuation.currency == terms.currency, f"{valuation.currency} is not {terms.currency}"
    return divide(
        receiver=receiver_of(valuation, on_roll=on_roll),
        transfer=valuation.transfer,
        terms=terms,
        tariff=tariff,
        standings=standings,
        penalty=penalty,
    )


def receiver_of(valuation: Valuation, *, on_roll: Side) -> Side | None:
    """The side that gets what ``valuation`` moves; None if nothing does."""
    if valuation.receiver is None:
        return None
    return on_roll if valuation.receiver == "on roll" else opponent_of(on_roll)


def divide(
    *,
    receiver: Side | None,
    transfer: Decimal,
    terms: Terms,
    tariff: Tariff | None,
    standings: tuple[Standing, Standing] | None = None,
    penalty: Penalty | None = None,
) -> Split:
    """As ``split``, of a ``transfer`` that is known: by a valuation, or by what operators ruled (A-10)."""
    held = stakes.exposure(terms)
    charge = None
    back = {1: held, 2: held}
    if receiver is not None:
        back[receiver] += transfer
        back[opponent_of(receiver)] -= transfer
    if receiver is not None and tariff is not None:
        charge = commission.charge_transfer(
            tariff=tariff,
            currency=terms.currency,
            transfer=transfer,
            stake=terms.stake,
            points=terms.match_length,
            standings=standings,
        )
        back[receiver] -= charge.commission
    paid = money.round_half_even(Decimal(0), terms.currency)
    if penalty is not None:
        unit = money.currency(terms.currency).minor_unit
        due = round(Fraction(penalty.share) * Fraction(terms.stake) / Fraction(unit)) * unit
        paid = min(due, back[penalty.left])
        back[penalty.left] -= paid
        back[opponent_of(penalty.left)] += paid
    found = Split(
        currency=terms.currency,
        receiver=receiver,
        transfer=transfer,
        commission=charge.commission if charge else money.round_half_even(Decimal(0), terms.currency),
        charge=charge,
        penalised=penalty.left if penalty and paid else None,
        penalty=paid,
        back_1=back[1],
        back_2=back[2],
    )
    assert found.escrow == held + held, f"{found} does not empty an escrow of {held} a side"
    assert min(back.values()) >= 0, f"{found} takes more than was there"
    return found
