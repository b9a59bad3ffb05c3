"""The figures of ``thresholds.toml``, read once and strictly."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from datetime import timedelta
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any, Final

from ledger import money
from wagering.surveillance.rules import Thresholds

FILE: Final = Path(__file__).parent / "thresholds.toml"


class InvalidThresholds(ValueError):
    """The file is wrong, at the place that the message names."""


@cache
def shipped() -> Thresholds:
    """Those of the package. Raises InvalidThresholds."""
    return read(FILE.read_text(encoding="utf-8"))


def read(text: str) -> Thresholds:
    """What the file says; every figure is there once, and nothing else. Raises InvalidThresholds."""
    try:
        file: dict[str, Any] = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InvalidThresholds(str(error)) from error
    took: set[tuple[str, ...]] = set()

    def text_at(*path: str) -> str:
        found: Any = file
        for name in path:
            found = found.get(name) if isinstance(found, Mapping) else None
        if not isinstance(found, str):
            raise InvalidThresholds(f"{'.'.join(path)}: is no number in quotes")
        took.add(path)
        return found

    def number(*path: str) -> int:
        said = text_at(*path)
        if not said.isascii() or not said.isdigit() or int(said) == 0:
            raise InvalidThresholds(f"{'.'.join(path)}: {said} is no whole number above zero")
        return int(said)

    def share(*path: str) -> Decimal:
        said = text_at(*path)
        if not money.AMOUNT.fullmatch(said) or not 0 < Decimal(said) <= 1:
            raise InvalidThresholds(f"{'.'.join(path)}: {said} is no share, above 0 and up to 1")
        return Decimal(said)

    def by_currency(name: str) -> dict[str, Decimal]:
        return {code: money.parse(text_at(name, code), code) for code in file.get(name, {})}

    made = Thresholds(
        look_back=timedelta(days=number("look_back_days")),
        quick_plays=number("given_away", "plays"),
        gift_share=share("given_away", "share"),
        dumping_within=timedelta(minutes=number("chip_dumping", "minutes")),
        dumping_games=number("chip_dumping", "games"),
        dumping_few_games=number("chip_dumping", "few_games"),
        dumping_share=share("chip_dumping", "share"),
        flow_contests=number("one_way_flow", "contests"),
        flow_share=share("one_way_flow", "share"),
        speed_within=timedelta(minutes=number("loss_speed", "minutes")),
        speed_share=share("loss_speed", "share"),
        depth_games=number("resign_depth", "games"),
        depth_share=share("resign_depth", "share"),
        depth_plays=number("resign_depth", "plays"),
        path_new_for=timedelta(days=number("cash_out_path", "days")),
        path_share=share("cash_out_path", "share"),
        amounts=by_currency("amounts"),
        gifts=by_currency("gifts"),
    )
    named: set[tuple[str, ...]] = set()
    for name, part in file.items():
        named |= {(name, inner) for inner in part} if isinstance(part, Mapping) else {(name,)}
    if unknown := sorted(".".join(path) for path in named - took):
        raise InvalidThresholds(f"{', '.join(unknown)}: is not known here")
    return made
