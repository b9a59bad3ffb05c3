"""Reads a tariff from TOML, or says everything that is wrong with it and where.

A figure is text, never a TOML float: 0.049 as a float is another number than the one on the published page. Rates
are fractions from 0 to under 1, so that a "4.9" meant as per cent is refused instead of charged a hundredfold.
"""

import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from decimal import Decimal
from functools import cache
from importlib import resources
from itertools import pairwise
from typing import Any, Final

from ledger import money
from wagering.commission.tariff import (
    Bracket,
    Difference,
    Discount,
    Edge,
    Limit,
    RatingRules,
    Tariff,
    Tier,
    Under,
    percent,
    plain,
)

NAME: Final = re.compile(r"[a-z][a-z0-9-]{0,39}")
NUMBER: Final = re.compile(r"[0-9]{1,12}(\.[0-9]{1,6})?")
"""A rate, an increase or a rating: plain digits, at most six of them after the point."""

INCREASE_MAX: Final = Decimal(10)
RATING_MAX: Final = Decimal(10_000)


class InvalidTariff(ValueError):
    """The text is no tariff. ``problems`` lists each thing wrong: the file, the table and its number, the key, why."""

    def __init__(self, problems: Sequence[str]) -> None:
        super().__init__("\n".join(problems))
        self.problems = tuple(problems)


class UnknownTariff(ValueError):
    """No tariff of that name (or none yet at that time); the message names those that exist."""

    def __init__(self, *, name: str, known: Sequence[str]) -> None:
        super().__init__(
            f"tariff: {name!r} is unknown; there {'is' if len(known) == 1 else 'are'} {', '.join(known) or 'none'}"
        )
        self.name, self.known = name, tuple(known)


def shipped() -> dict[str, str]:
    """The text of every tariff in the package, by name."""
    folder = resources.files(__package__) / "tariffs"
    files = sorted((file for file in folder.iterdir() if file.name.endswith(".toml")), key=lambda file: file.name)
    return {file.name.removesuffix(".toml"): file.read_text(encoding="utf-8") for file in files}


@cache
def shipped_tariff(name: str) -> Tariff:
    """The package's tariff called ``name``; needs no database. Raises UnknownTariff."""
    texts = shipped()
    if name not in texts:
        raise UnknownTariff(name=name, known=list(texts))
    tariff = load(texts[name], source=f"{name}.toml")
    assert tariff.name == name, f"{name}.toml is called {tariff.name}"
    return tariff


def load(text: str, *, source: str) -> Tariff:
    """The tariff written in ``text``; ``source`` is the file's name for messages. Raises InvalidTariff."""
    try:
        # A float arrives as a marker that remembers how it was written, so that its place can be told.
        document = tomllib.loads(text, parse_float=_Float)
    except tomllib.TOMLDecodeError as error:
        raise InvalidTariff([f"{source}: is no TOML: {error}"]) from None
    problems: list[str] = []
    tariff = _tariff(_Table(values=document, file=source, problems=problems))
    if problems:
        raise InvalidTariff(problems)
    return tariff


# --- the document, table by table -----------------------------------------------------------------------------------


def _tariff(root: "_Table") -> Tariff:
    name = root.text("name", NAME, "is no name: small letters, digits and hyphens")
    version = root.whole("version", least=1)
    valid_from = root.day("valid_from")
    currencies = _currencies(root)
    single = [_tier(table, currencies, series=False) for table in root.table("single").only("tiers").tables("tiers")]
    outer = root.table("series").only("tiers", "ratings")
    series = [_tier(table, currencies, series=True) for table in outer.tables("tiers")]
    ratings = _ratings(outer.table("ratings"), currencies) if "ratings" in outer.values else None
    root.only("name", "version", "valid_from", "currencies", "single", "series")
    # Overlaps and holes are looked for only between tiers that could be read.
    if not root.problems:
        _check_cover(root, "[[single.tiers]]", [tier.bracket for tier in single], from_zero=True)
        _check_cover(root, "[[series.tiers]]", [tier.bracket for tier in series], from_zero=True)
        if ratings and ratings.differences:
            brackets = [difference.bracket for difference in ratings.differences]
            _check_cover(root, "[[series.ratings.differences]]", brackets, from_zero=False)
    return Tariff(
        name=name,
        version=version,
        valid_from=valid_from,
        currencies=currencies,
        single=tuple(single),
        series=tuple(series),
        ratings=ratings,
    )


def _currencies(root: "_Table") -> tuple[str, ...] | None:
    given = root.values.get("currencies")
    if given == "any":
        return None
    if given is None:
        root.problem(
            "currencies", 'is missing: name them, as in ["USD", "PLAY"], or write "any" where a rate alone holds'
        )
    elif not isinstance(given, list) or not given:
        root.problem("currencies", f'{given!r} is neither a list of codes, as in ["USD", "PLAY"], nor "any"')
    else:
        for number, code in enumerate(given, 1):
            if not isinstance(code, str) or code not in money.CURRENCIES:
                root.problem(
                    "currencies", f"number {number}, {code!r}, is no ISO 4217 code that the book keeps, nor PLAY"
                )
            elif code in given[: number - 1]:
                root.problem("currencies", f"{code} is named twice")
        return tuple(code for code in given if isinstance(code, str) and code in money.CURRENCIES)
    return ()


def _tier(table: "_Table", currencies: tuple[str, ...] | None, *, series: bool) -> Tier:
    table.only("from", "over", "up_to", "under", "rate", *(("each_further_point", "at_most") if series else ()))
    bracket = _bracket(table, lambda key: table.amount(key, currencies))
    rate = table.rate("rate")
    step = table.rate("each_further_point") if "each_further_point" in table.values else Decimal(0)
    at_most = table.rate("at_most") if "at_most" in table.values else None
    if step and at_most is None:
        table.problem("at_most", "is missing: a rate that grows with each point needs a limit")
    if at_most is not None and at_most < rate:
        table.problem("at_most", f"{percent(at_most)} is under the rate for 1 point, {percent(rate)}")
    return Tier(bracket=bracket, rate=rate, each_further_point=step, at_most=at_most)


def _ratings(table: "_Table", currencies: tuple[str, ...] | None) -> RatingRules:
    parts = "floor", "experience_of_both", "either_under", "differences", "no_increase", "discount", "limit"
    table.only(*parts)
    given = table.values
    under = discount = limit = level_over = level_under = None
    if "either_under" in given:
        part = table.table("either_under").only("rating", "increase")
        under = Under(rating=part.rating("rating"), increase=part.increase("increase"))
    differences = []
    for part in table.tables("differences") if "differences" in given else []:
        part.only("from", "over", "up_to", "under", "increase")
        differences.append(Difference(bracket=_bracket(part, part.rating), increase=part.increase("increase")))
    if "no_increase" in given:
        part = table.table("no_increase").only("both_over", "both_under")
        level_over = part.rating("both_over") if "both_over" in part.values else None
        level_under = part.rating("both_under") if "both_under" in part.values else None
    if "discount" in given:
        part = table.table("discount").only("both_over", "decrease")
        discount = Discount(both_over=part.rating("both_over"), decrease=part.rate("decrease"))
    if "limit" in given:
        part = table.table("limit").only("both_over", "a_player")
        limit = Limit(both_over=part.rating("both_over"), a_player=part.amount("a_player", currencies))
    return RatingRules(
        floor=table.rating("floor") if "floor" in given else None,
        under=under,
        differences=tuple(differences),
        level_over=level_over,
        level_under=level_under,
        discount=discount,
        limit=limit,
        experience=table.whole("experience_of_both", least=0) if "experience_of_both" in given else 0,
    )


def _bracket(table: "_Table", read: Callable[[str], Decimal]) -> Bracket:
    def edge(*, included: str, excluded: str) -> Edge | None:
        if included in table.values and excluded in table.values:
            table.problem(excluded, f"stands beside {included}: an edge is the one or the other")
        for key in (included, excluded):
            if key in table.values:
                return Edge(figure=read(key), included=key == included)
        return None

    bracket = Bracket(lower=edge(included="from", excluded="over"), upper=edge(included="up_to", excluded="under"))
    lower, upper = bracket.lower, bracket.upper
    if not table.failed and lower and upper:
        both = lower.included and upper.included
        if upper.figure < lower.figure or (upper.figure == lower.figure and not both):
            table.problem("up_to" if upper.included else "under", f"{plain(upper.figure)} leaves nothing in {bracket}")
    return bracket


def _check_cover(root: "_Table", name: str, brackets: Sequence[Bracket], *, from_zero: bool) -> None:
    """Each bracket begins exactly where the one before ends; the last has no end (cases: C-3)."""
    if from_zero and brackets[0].lower:
        root.problem(
            f"{name} number 1", f"begins at {brackets[0]}: what is below has no rate; the first has no beginning"
        )
    for number, (before, after) in enumerate(pairwise(brackets), 2):
        pair = f"{name} numbers {number - 1} and {number}"
        end, begin = before.upper, after.lower
        if end is None or begin is None or begin.figure < end.figure:
            root.problem(pair, f"overlap: {before}; {after}")
        elif begin.figure > end.figure:
            root.problem(pair, f"leave a hole between {plain(end.figure)} and {plain(begin.figure)}: {before}; {after}")
        elif end.included and begin.included:
            root.problem(pair, f"overlap at {plain(end.figure)}: {before}; {after}")
        elif not end.included and not begin.included:
            root.problem(pair, f"leave a hole at {plain(end.figure)}: {before}; {after}")
    if brackets[-1].upper:
        root.problem(
            f"{name} number {len(brackets)}", f"ends at {brackets[-1]}: what is above has no rate; the last has no end"
        )


# --- one table of the document --------------------------------------------------------------------------------------


class _Float(str):
    """How a TOML float was written. It is refused wherever it stands."""


@dataclass
class _Table:
    """A TOML table that notes what is wrong with a value, with its place, and answers with a stand-in instead.

    The stand-ins never reach anybody: ``load`` raises if anything at all was noted.
    """

    values: Mapping[str, Any]
    file: str
    problems: list[str]
    path: str = ""
    number_in_list: int | None = None
    failed: bool = field(default=False, init=False)

    def problem(self, key: str, why: str) -> None:
        self.failed = True
        place = self.file
        if self.number_in_list:
            place += f", [[{self.path}]] number {self.number_in_list}"
        elif self.path:
            place += f", [{self.path}]"
        self.problems.append(f"{place}, {key}: {why}")

    def only(self, *keys: str) -> "_Table":
        for key in self.values:
            if key not in keys:
                self.problem(key, f"is unknown here; known are {', '.join(keys)}")
        return self

    def table(self, key: str) -> "_Table":
        given = self.values.get(key)
        path = f"{self.path}.{key}" if self.path else key
        if not isinstance(given, dict):
            self.problem(key, f"is missing: a table [{path}]" if given is None else f"is no table [{path}]")
            given = {}
        return _Table(values=given, file=self.file, problems=self.problems, path=path)

    def tables(self, key: str) -> list["_Table"]:
        given = self.values.get(key)
        path = f"{self.path}.{key}" if self.path else key
        if not isinstance(given, list) or not given or not all(isinstance(item, dict) for item in given):
            self.problem(key, f"is missing: at least one [[{path}]]" if given is None else f"is no list of [[{path}]]")
            return []
        return [
            _Table(values=item, file=self.file, problems=self.problems, path=path, number_in_list=number)
            for number, item in enumerate(given, 1)
        ]

    def text(self, key: str, pattern: re.Pattern[str], rule: str) -> str:
        given = self.values.get(key)
        if given is None:
            self.problem(key, "is missing")
        elif isinstance(given, _Float):
            self.problem(key, f'{given} is a float: write it in quotes, "{given}"')
        elif not isinstance(given, str):
            self.problem(key, f"{given!r} is no text in quotes")
        elif not pattern.fullmatch(given):
            self.problem(key, f"{given!r} {rule}")
        else:
            return given
        return ""

    def number(self, key: str) -> Decimal | None:
        text = self.text(key, NUMBER, 'is no number in plain digits, with at most six after the point, such as "0.049"')
        return Decimal(text) if text else None

    def rate(self, key: str) -> Decimal:
        number = self.number(key)
        if number is not None and number >= 1:
            self.problem(key, f'"{plain(number)}" is not under 1: a rate is a fraction, 4.9 % is "0.049"')
        return number or Decimal(0)

    def increase(self, key: str) -> Decimal:
        number = self.number(key)
        if number is not None and number >= INCREASE_MAX:
            self.problem(key, f'"{plain(number)}" is +{percent(number)}: an increase is a fraction, 15 % is "0.15"')
        return number or Decimal(0)

    def rating(self, key: str) -> Decimal:
        number = self.number(key)
        if number is not None and number >= RATING_MAX:
            self.problem(key, f'"{plain(number)}" is no rating, they are under {RATING_MAX}')
        return number or Decimal(0)

    def amount(self, key: str, currencies: tuple[str, ...] | None) -> Decimal:
        number = self.number(key)
        if number is None:
            return Decimal(0)
        if currencies is None:
            self.problem(key, f'"{plain(number)}" is an amount of no currency: name the currencies instead of "any"')
        elif number == 0:
            self.problem(key, f'"{plain(number)}" is no amount above 0')
        for code in currencies or ():
            try:
                money.exact(number, code, field=key)
            except money.InvalidAmount as error:
                self.problem(key, f'"{plain(number)}" {error.rule}')
        return number

    def whole(self, key: str, *, least: int) -> int:
        given = self.values.get(key)
        if type(given) is int and least <= given < 1_000_000:
            return given
        why = "is missing" if given is None else f"{given!r} is no whole number from {least}, without quotes"
        self.problem(key, why)
        return least

    def day(self, key: str) -> date:
        given = self.values.get(key)
        if isinstance(given, date) and not isinstance(given, datetime):
            return given
        why = "is missing" if given is None else f"{given!s} is no date, such as 2024-01-01 without quotes"
        self.problem(key, why)
        return date.min
