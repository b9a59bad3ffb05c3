"""What the house takes: a published tariff applied to one finished contest, each step told (C).

The winner pays both players' commissions. A tier's rate applies to the whole sum, not slice by slice. The two
commissions are computed exactly, added, and rounded once to the currency's minor unit, half-even: at 4.9 % of 5.00
each player's 0.2450 makes 0.49, where rounding each first would charge 0.48 or 0.50 (C-0).
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from decimal import Context, Decimal, Inexact, InvalidOperation, Overflow, localcontext
from typing import Any, Final

from ledger import money
from ratings.rules import Standing
from wagering.commission.tariff import RatingRules, Tariff, Tier, percent, plain

# Inexact is trapped: sixty digits hold every product of a tariff's figures, and should one ever not fit we crash
# rather than charge an approximate commission.
_EXACT: Final = Context(prec=60, traps=[Inexact, InvalidOperation, Overflow])


class CurrencyNotInTariff(ValueError):
    """The tariff has no figures for this currency, so no table in it can be made (C)."""

    def __init__(self, *, tariff: Tariff, currency: str) -> None:
        held = ", ".join(tariff.currencies or ())
        super().__init__(f"currency: tariff {tariff.name} has no {currency}, only {held}")
        self.tariff, self.currency = tariff.name, currency


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a charge: the rule's id, ``cause`` and ``figure`` for a program, ``sentence`` for a person."""

    step: str
    rule: str
    cause: str
    figure: str
    sentence: str

    def as_dict(self) -> dict[str, str]:
        """The step as plain JSON."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Charge:
    """What one contest costs its winner, and why.

    ``rate`` is a player's before adjustments, ``a_player`` a player's exact commission after them, ``exact`` the
    pair's, ``commission`` the pair's, rounded. The trace begins with the tariff and ends with the rounding.
    """

    tariff: str
    version: int
    currency: str
    base: Decimal
    tier: str
    rate: Decimal
    a_player: Decimal
    exact: Decimal
    commission: Decimal
    trace: tuple[Step, ...]

    @property
    def exact_text(self) -> str:
        """``exact`` with at least two digits more than the currency has."""
        return exact_text(self.exact, self.currency)

    def as_dict(self) -> dict[str, Any]:
        """The charge as plain JSON, amounts and rates as text: what a quote prints and a settlement keeps."""
        return {
            "tariff": self.tariff,
            "version": self.version,
            "currency": self.currency,
            "base": str(self.base),
            "tier": self.tier,
            "rate": plain(self.rate),
            "exact": self.exact_text,
            "commission": str(self.commission),
            "trace": [step.as_dict() for step in self.trace],
        }

    @property
    def adjustments(self) -> tuple[Step, ...]:
        """What the ratings changed, or would have, in the order it was applied."""
        return tuple(step for step in self.trace if step.step == "adjustment")


def charge_single(*, tariff: Tariff, currency: str, won: Decimal) -> Charge:
    """The pair's commission on a single game in which ``won`` moved: after gammon, cube and cap (S-2).

    Raises CurrencyNotInTariff, and InvalidAmount if ``won`` is no exact amount of ``currency``.
    """
    return _charge(
        tariff=tariff, tiers=tariff.single, currency=currency, base=won, word="final stake", points=None, standings=None
    )


def charge_series(
    *, tariff: Tariff, currency: str, stake: Decimal, points: int, standings: tuple[Standing, Standing] | None
) -> Charge:
    """The pair's commission on a match to ``points`` for ``stake``, with both standings as they were at its start.

    The order of ``standings`` does not matter. ``None`` is for a quote that names no ratings: it gets the published
    rate without adjustments, and the trace of a tariff that looks at ratings says so.
    Raises CurrencyNotInTariff, and InvalidAmount if ``stake`` is no exact amount of ``currency``.
    """
    assert points >= 1, f"no match length: {points}"
    return _charge(
        tariff=tariff,
        tiers=tariff.series,
        currency=currency,
        base=stake,
        word="stake",
        points=points,
        standings=standings,
    )


def charge_transfer(
    *,
    tariff: Tariff,
    currency: str,
    transfer: Decimal,
    stake: Decimal,
    points: int,
    standings: tuple[Standing, Standing] | None,
) -> Charge:
    """The pair's commission on what an abandoned contest moves, at most all of it (A-6).

    A single game (``points`` 0) is charged as one won for ``transfer``. In a match to ``points`` the ``stake`` finds
    the tier, rate and adjustments are those of the match had it been completed, and both are applied to
    ``transfer``; the limit of C-9 stays what it is. Raises as ``charge_series``.
    """
    assert transfer > 0, "nothing moved, nothing is charged"
    single = points == 0
    return _charge(
        tariff=tariff,
        tiers=tariff.single if single else tariff.series,
        currency=currency,
        base=transfer,
        word="transfer",
        points=None if single else points,
        standings=standings,
        tier_by=transfer if single else money.exact(stake, currency, field="stake"),
    )


def pair_exact(*, won: Decimal, a_player: Decimal) -> Decimal:
    """Both players' commissions before the one rounding; never more than what was ``won`` (C)."""
    with _exactly():
        return min(2 * a_player, won)


@contextmanager
def _exactly() -> Iterator[None]:
    """Decimal arithmetic that crashes instead of rounding, whatever context the caller has."""
    with localcontext(_EXACT):
        yield


def _charge(
    *,
    tariff: Tariff,
    tiers: tuple[Tier, ...],
    currency: str,
    base: Decimal,
    word: str,
    points: int | None,
    standings: tuple[Standing, Standing] | None,
    tier_by: Decimal | None = None,
) -> Charge:
    # `points` is None for a single game. Only a series looks at ratings (C-4 to C-9). `tier_by` is the sum that finds
    # the tier where it is not the base: a match that was abandoned.
    if not tariff.serves(currency):
        raise CurrencyNotInTariff(tariff=tariff, currency=currency)
    base = money.exact(base, currency, field=word.replace(" ", "_"))
    with _exactly():
        sum_ = base if tier_by is None else tier_by
        number, tier = next((number, tier) for number, tier in enumerate(tiers, 1) if sum_ in tier.bracket)
        rate = tier.rate_for(points or 1)
        a_player = base * rate
        figure = exact_text(a_player, currency)
        head = f"Tariff {tariff.name}, version {tariff.version}, valid from {tariff.valid_from}, in {currency}."
        growth = percent(rate) if points is None else _growth(tier, points)
        where = str(tier.bracket) if sum_ == base else f"{tier.bracket}, by the stake of {sum_}"
        trace = [
            Step("tariff", "C", tariff.name, str(tariff.version), head),
            Step("base", "S-2" if tier_by is None else "A-6", word, str(base), f"Base: the {word}, {base} {currency}."),
            Step("tier", "C-3", str(tier.bracket), plain(rate), f"Tier {number}, {where}: {growth} a player."),
            Step("player", "C-0", "rate", figure, f"A player: {base} x {plain(rate)} = {figure}."),
        ]
        if tariff.ratings and points is not None:
            a_player, steps = _adjusted(tariff.ratings, a_player, standings, currency)
            trace += steps
        exact = pair_exact(won=base, a_player=a_player)
        figure = exact_text(exact, currency)
        if exact < 2 * a_player:
            trace.append(Step("limit", "C", "never more than won", figure, f"Never more than what was won: {figure}."))
        else:
            sum_text = f"{exact_text(a_player, currency)} + {exact_text(a_player, currency)} = {figure}"
            trace.append(Step("pair", "C", "both commissions", figure, f"The winner pays both: {sum_text}."))
    commission = money.round_half_even(exact, currency)
    assert 0 <= commission <= base, f"a commission of {commission} on {base}"
    unit = money.currency(currency).minor_unit
    trace.append(
        Step(
            "rounded",
            "C",
            "half-even",
            str(commission),
            f"Rounded once, half-even, to {unit}: {commission} {currency}.",
        )
    )
    return Charge(
        tariff=tariff.name,
        version=tariff.version,
        currency=currency,
        base=base,
        tier=str(tier.bracket),
        rate=rate,
        a_player=a_player,
        exact=exact,
        commission=commission,
        trace=tuple(trace),
    )


# --- C-4 to C-9, in the order in which they are published -----------------------------------------------------------


def _adjusted(
    rules: RatingRules, a_player: Decimal, standings: tuple[Standing, Standing] | None, currency: str
) -> tuple[Decimal, list[Step]]:
    """``a_player`` after the ratings had their say, and the steps; compared at full precision after C-4."""
    if standings is None:
        return a_player, [Step("ratings", "C-4", "no ratings", "", "No ratings named: nothing is adjusted for them.")]
    counted, shown, steps = _counted(rules, standings)
    factor, changes = _factor(rules, counted, shown, _experience_missing(rules, standings))
    steps += changes
    if factor != 1:
        before, a_player = a_player, a_player * factor
        figure = exact_text(a_player, currency)
        product = f"{exact_text(before, currency)} x {plain(factor)} = {figure}"
        steps.append(Step("player", "C-0", "adjustments", figure, f"A player, adjusted: {product}."))
    limit = rules.limit
    if limit and min(counted) > limit.both_over and a_player > limit.a_player:
        cause = f"{_both(shown)} over {plain(limit.both_over)}"
        if missing := _experience_missing(rules, standings):
            steps.append(_adjustment("C-9", cause, "0", f"No limit, although {cause}: {missing}."))
        else:
            a_player = money.exact(limit.a_player, currency, field="limit")
            most = f"At most {a_player} {currency} a player: {cause}."
            steps.append(_adjustment("C-9", cause, str(a_player), most))
    return a_player, steps


def _counted(
    rules: RatingRules, standings: tuple[Standing, Standing]
) -> tuple[tuple[Decimal, Decimal], tuple[str, str], list[Step]]:
    # C-4: the ratings that count, how they are shown, and a step for each that was raised.
    counted, shown, steps = [], [], []
    for standing in standings:
        rating, text = standing.rating, plain(standing.rating)
        if rules.floor is not None and rating < rules.floor:
            cause = f"{text} is under {plain(rules.floor)}"
            rating, text = rules.floor, f"{plain(rules.floor)}*"
            steps.append(_adjustment("C-4", cause, text, f"A rating of {cause} and counts as {text}."))
        counted.append(rating)
        shown.append(text)
    return (counted[0], counted[1]), (shown[0], shown[1]), steps


def _factor(
    rules: RatingRules, counted: tuple[Decimal, Decimal], shown: tuple[str, str], experience_missing: str
) -> tuple[Decimal, list[Step]]:
    # C-5 to C-8: what to multiply a player's commission by. Increases add up: 15 % and 50 % are 65 %.
    increases: list[tuple[str, Decimal, str]] = []
    if rules.under and min(counted) < rules.under.rating:
        low = [text for text, rating in zip(shown, counted, strict=True) if rating < rules.under.rating]
        cause = f"{' and '.join(low)} {'is' if len(low) == 1 else 'are'} under {plain(rules.under.rating)}"
        increases.append(("C-5", rules.under.increase, cause))
    difference = abs(counted[0] - counted[1])
    for step in rules.differences:
        if difference in step.bracket:
            cause = f"the ratings differ by {plain(difference)}, in the bracket {step.bracket}"
            increases.append(("C-6", step.increase, cause))

    steps = []
    level = ""
    if rules.level_over is not None and min(counted) > rules.level_over:
        level = f"{_both(shown)} over {plain(rules.level_over)}"
    elif rules.level_under is not None and max(counted) < rules.level_under:
        level = f"{_both(shown)} under {plain(rules.level_under)}"
    if level:
        dropped = "".join(f"; {rule}'s +{percent(increase)} falls away" for rule, increase, _ in increases)
        steps.append(_adjustment("C-7", level, "0", f"No increase: {level}{dropped}."))
        increases = []
    for rule, increase, cause in increases:
        steps.append(_adjustment(rule, cause, f"+{plain(increase)}", f"+{percent(increase)}: {cause}."))
    factor = 1 + sum((increase for _, increase, _ in increases), Decimal(0))

    discount = rules.discount
    if discount and min(counted) > discount.both_over:
        cause = f"{_both(shown)} over {plain(discount.both_over)}"
        if experience_missing:
            steps.append(_adjustment("C-8", cause, "0", f"No decrease, although {cause}: {experience_missing}."))
        else:
            factor *= 1 - discount.decrease
            less = f"-{percent(discount.decrease)}: {cause}."
            steps.append(_adjustment("C-8", cause, f"-{plain(discount.decrease)}", less))
    return factor, steps


def _experience_missing(rules: RatingRules, standings: tuple[Standing, Standing]) -> str:
    # Why C-8 and C-9 do not count, or nothing. Off by default; a new account reaches 1700 in 22 one-point wins.
    least = min(standing.experience for standing in standings)
    return "" if least >= rules.experience else f"an experience of {least} is under {rules.experience}"


def _adjustment(rule: str, cause: str, figure: str, sentence: str) -> Step:
    return Step("adjustment", rule, cause, figure, sentence)


# --- figures as text ------------------------------------------------------------------------------------------------


def exact_text(amount: Decimal, currency: str) -> str:
    """An exact figure with at least two digits more than the currency has: "0.2450" in USD."""
    whole, _, digits = plain(amount).partition(".")
    return f"{whole}.{digits.ljust(money.currency(currency).minor_digits + 2, '0')}"


def _both(shown: tuple[str, str]) -> str:
    return f"both ratings, {shown[0]} and {shown[1]}, are"


def _growth(tier: Tier, points: int) -> str:
    if points == 1 or not tier.each_further_point:
        return percent(tier.rate_for(points))
    grown = tier.rate + (points - 1) * tier.each_further_point
    text = f"{percent(tier.rate)} + {points - 1} x {percent(tier.each_further_point)} = {percent(grown)}"
    if tier.at_most is not None and grown > tier.at_most:
        text += f", at most {percent(tier.at_most)}"
    return text
