"""The figures of the screening, from ``policy.toml``."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import NamedTuple

from ledger import money


class Amounts(NamedTuple):
    """Up to ``small`` nobody has to agree, from ``large`` on two; up to ``new`` it may go to a new destination."""

    small: Decimal
    large: Decimal
    new: Decimal


class Sums(NamedTuple):
    """So much may go out by rule alone, within a day and within a week."""

    day: Decimal
    week: Decimal


@dataclass(frozen=True, slots=True)
class Policy:
    """From which figures on a payout is looked at."""

    amounts: Mapping[str, Amounts]
    sums: Mapping[str, Sums]
    new_for: timedelta
    a_day: int


@cache
def shipped() -> Policy:
    """Raises money.InvalidAmount, KeyError and the like for a file that is wrong."""
    given = tomllib.loads((Path(__file__).parent / "policy.toml").read_text(encoding="utf-8"))
    return Policy(
        amounts={code: Amounts(*_parsed(row, code)) for code, row in given["amounts"].items()},
        sums={code: Sums(*_parsed(row, code)) for code, row in given["sums"].items()},
        new_for=timedelta(hours=given["new_destination_hours"]),
        a_day=given["payouts_a_day"],
    )


def _parsed(row: list[str], code: str) -> list[Decimal]:
    return [money.parse(each, code) for each in row]
