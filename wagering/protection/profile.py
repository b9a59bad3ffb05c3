"""What holds where somebody lives: age, countries, when the identity is needed, which sums ask for more. Data.

The files are ``profiles/*.toml``; their README says how one is written.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any, Final, Literal, get_args

from ledger import money

Step = Literal["deposit", "stake", "payout"]
"""What may have to wait for the identity."""

FOLDER: Final = Path(__file__).parent / "profiles"


class InvalidProfile(ValueError):
    """A profile's file is wrong, at the place that the message names."""


@dataclass(frozen=True, slots=True)
class Sums:
    """From ``identity`` on the identity must be verified, from ``funds`` on the source of the money be known."""

    identity: Decimal
    funds: Decimal


@dataclass(frozen=True, slots=True)
class Profile:
    """The rules of some countries; ``sums`` by currency."""

    name: str
    countries: frozenset[str]
    age: int
    refused: frozenset[str]
    identity_before: frozenset[Step]
    payouts_may_be_cancelled: bool
    dormant_after: timedelta
    unclaimed_after: timedelta
    sums: Mapping[str, Sums]

    def asks_for_identity(self, step: Step) -> bool:
        """Whether ``step`` waits until the identity is verified."""
        return step in self.identity_before

    def and_also(self, other: "Profile") -> "Profile":
        """Of both what is stricter, rule by rule."""
        if self == other:
            return self
        kept = {
            code: Sums(*(min(getattr(each.sums[code], of) for each in (self, other)) for of in ("identity", "funds")))
            for code in self.sums.keys() & other.sums.keys()
        }
        return Profile(
            name=f"{self.name} and {other.name}",
            countries=self.countries | other.countries,
            age=max(self.age, other.age),
            refused=self.refused | other.refused,
            identity_before=self.identity_before | other.identity_before,
            payouts_may_be_cancelled=self.payouts_may_be_cancelled and other.payouts_may_be_cancelled,
            dormant_after=max(self.dormant_after, other.dormant_after),
            unclaimed_after=max(self.unclaimed_after, other.unclaimed_after),
            sums=kept,
        )


def of_country(country: str | None) -> Profile:
    """The profile that names the ``country``; the default one for all others, and for None."""
    return next((each for each in shipped().values() if country in each.countries), shipped()["default"])


@cache
def shipped() -> Mapping[str, Profile]:
    """Every profile of the package, by name. Raises InvalidProfile."""
    found = {
        file.stem: read(file.read_text(encoding="utf-8"), name=file.stem) for file in sorted(FOLDER.glob("*.toml"))
    }
    named = [country for each in found.values() for country in each.countries]
    if twice := {country for country in named if named.count(country) > 1}:
        raise InvalidProfile(f"countries: {', '.join(sorted(twice))} stand in two profiles")
    return found


def read(text: str, *, name: str) -> Profile:
    """The profile ``name`` that is written in ``text``. Raises InvalidProfile."""
    try:
        given = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InvalidProfile(f"{name}: {error}") from None
    known = {
        *("name", "countries", "age", "refused", "identity_before", "payouts_may_be_cancelled"),
        *("dormant_after_days", "unclaimed_after_days", "sums"),
    }
    if unknown := given.keys() - known:
        raise InvalidProfile(f"{name}: {sorted(unknown)[0]} is no key of a profile")
    if given.get("name") != name:
        raise InvalidProfile(f"{name}: name is {given.get('name')!r}, the file's is {name!r}")
    steps = _words(given, "identity_before", name)
    if wrong := steps - set(get_args(Step)):
        raise InvalidProfile(f"{name}: identity_before: {sorted(wrong)[0]!r} is none of {', '.join(get_args(Step))}")
    if not isinstance(given.get("payouts_may_be_cancelled"), bool):
        raise InvalidProfile(f"{name}: payouts_may_be_cancelled is neither true nor false")
    return Profile(
        name=name,
        countries=_countries(given, "countries", name),
        age=_whole(given, "age", name),
        refused=_countries(given, "refused", name),
        identity_before=frozenset(step for step in get_args(Step) if step in steps),
        payouts_may_be_cancelled=given["payouts_may_be_cancelled"],
        dormant_after=timedelta(days=_whole(given, "dormant_after_days", name)),
        unclaimed_after=timedelta(days=_whole(given, "unclaimed_after_days", name)),
        sums={code: _sums(code, amounts, name) for code, amounts in given.get("sums", {}).items()},
    )


def _words(given: Mapping[str, Any], key: str, name: str) -> frozenset[str]:
    words = given.get(key, [])
    if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
        raise InvalidProfile(f"{name}: {key} is no list of words")
    return frozenset(words)


def _countries(given: Mapping[str, Any], key: str, name: str) -> frozenset[str]:
    words = _words(given, key, name)
    for word in words:
        if not (len(word) == 2 and word.isascii() and word.isupper()):
            raise InvalidProfile(f"{name}: {key}: {word!r} is no country's two capital letters")
    return words


def _whole(given: Mapping[str, Any], key: str, name: str) -> int:
    value = given.get(key)
    if type(value) is not int or not 1 <= value < 10_000:
        raise InvalidProfile(f"{name}: {key}: {value!r} is no whole number from 1")
    return value


def _sums(code: str, amounts: object, name: str) -> Sums:
    if not isinstance(amounts, list) or len(amounts) != 2:
        raise InvalidProfile(f"{name}: sums.{code}: are two amounts, for the identity and for the source")
    try:
        identity, funds = (money.parse(amount, code, field=f"sums.{code}") for amount in amounts)
    except (money.InvalidAmount, money.UnknownCurrency) as error:
        raise InvalidProfile(f"{name}: {error}") from None
    if not 0 < identity <= funds:
        raise InvalidProfile(f"{name}: sums.{code}: {identity} and {funds} do not ascend from above 0")
    return Sums(identity, funds)
