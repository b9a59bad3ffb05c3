"""``quote``: what a result would move, by the very function that settles. Needs no database.

A single game without ``--cap`` is quoted uncapped; a series without ``--ratings`` before any rating adjustment.
"""

import json
import re
from argparse import ArgumentParser
from decimal import Decimal
from typing import Any, Final

from django.core.management.base import BaseCommand, CommandError

from games.rules.endings import Ending, Outcome, Win
from ledger import money
from ratings.rules import Standing
from wagering.commission import schedule
from wagering.commission.rules import CurrencyNotInTariff
from wagering.settlement.rules import Shares, price
from wagering.stakes import rules as stakes
from wagering.stakes.rules import Terms

REFUSED: Final = 2
CUBES: Final = ("1", "2", "4", "8", "16", "32", "64")
RATING: Final = re.compile(r"[0-9]{1,4}(\.[0-9]{1,6})?")
COUNT: Final = re.compile(r"[0-9]{1,6}")
SINGLE_ONLY: Final = ("win", "cube", "no_cube", "cap")
SERIES_ONLY: Final = ("points", "ratings", "experience")
ANSWER: Final = (
    *("tariff", "version", "currency", "lost", "base", "tier", "rate", "exact"),
    *("commission", "winner_net", "loser_net", "trace"),
)


class InvalidQuestion(ValueError):
    """An option that is missing, malformed or out of place; the message names it."""


class Command(BaseCommand):
    help = "What a result would cost: what is lost, the commission of the pair, and each step of it."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--tariff", required=True, metavar="NAME", help="gammonempire, sgames")
        parser.add_argument("--kind", required=True, choices=("single", "series"))
        parser.add_argument("--stake", required=True, help="a point in a single game, for the whole match in a series")
        parser.add_argument("--currency", default="USD", metavar="CODE", help="ISO 4217 or PLAY (default USD)")
        parser.add_argument("--win", help="single: single, gammon or backgammon")
        parser.add_argument("--cube", help="single: 1 (default), 2, 4, ... 64")
        parser.add_argument("--no-cube", action="store_true", default=None, help="single: the table has none (S-1)")
        parser.add_argument("--cap", help="single: the most it can cost; without it the quote is uncapped")
        parser.add_argument("--points", help="series: the length of the match, 1 to 25")
        parser.add_argument("--ratings", nargs=2, metavar="RATING", help="series: both players' at its start")
        parser.add_argument(
            "--experience",
            nargs=2,
            metavar="POINTS",
            help="series: both players' so far (default 0 0); counts only where a tariff asks for it",
        )
        parser.add_argument("--json", action="store_true", help="one object on one line")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            tariff = schedule.shipped_tariff(options["tariff"])
            outcome, terms, standings = _question(options)
            shares = price(outcome=outcome, terms=terms, tariff=tariff, standings=standings)
        except (
            InvalidQuestion,
            money.InvalidAmount,
            money.UnknownCurrency,
            stakes.InvalidTerms,
            schedule.UnknownTariff,
            CurrencyNotInTariff,
        ) as refusal:
            raise CommandError(str(refusal), returncode=REFUSED) from None
        self.stdout.write(json.dumps(_as_json(shares)) if options["json"] else _as_text(shares))


# --- the question ---------------------------------------------------------------------------------------------------


def _question(options: dict[str, Any]) -> tuple[Outcome, Terms, tuple[Standing, Standing] | None]:
    kind = options["kind"]
    for name in SERIES_ONLY if kind == "single" else SINGLE_ONLY:
        if options[name] is not None:
            option = name.replace("_", "-")
            raise InvalidQuestion(f"{option}: says nothing about a {'single game' if kind == 'single' else 'series'}")
    code = options["currency"]
    stake = money.parse(options["stake"], code, field="stake")
    if kind == "series":
        length = _points(options["points"])
        terms = Terms(currency=code, stake=stake, match_length=length)
        # In a series only who won counts; the game that decided it could have been any.
        return _won(Win.SINGLE, cube=1), terms, standings_of(options["ratings"], options["experience"])
    cube, cap = not options["no_cube"], options["cap"]
    if options["cube"] is not None and not cube:
        raise InvalidQuestion("cube: says nothing about a table without one")
    outcome = _won(_win(options["win"]), cube=_cube(options["cube"]))
    most = stakes.uncapped(stake=stake, cube=cube) if cap is None else money.parse(cap, code, field="cap")
    return outcome, Terms(currency=code, stake=stake, match_length=0, cap=most, cube=cube), None


def _won(win: Win, *, cube: int) -> Outcome:
    return Outcome(winner=1, win=win, cube=cube, points=cube * win.factor, ending=Ending.BORNE_OFF)


def _win(text: str | None) -> Win:
    if text is None:
        raise InvalidQuestion("win: is missing: single, gammon or backgammon")
    if text not in list(Win):
        raise InvalidQuestion(f"win: {text!r} is not single, gammon or backgammon")
    return Win(text)


def _cube(text: str | None) -> int:
    if text is None:
        return 1
    if text not in CUBES:
        raise InvalidQuestion(f"cube: {text!r} is not one of {', '.join(CUBES)}")
    return int(text)


def _points(text: str | None) -> int:
    if text is None:
        raise InvalidQuestion(f"points: are missing: the length of the match, 1 to {stakes.MATCH_LENGTH_MAX}")
    if not COUNT.fullmatch(text) or not 1 <= int(text) <= stakes.MATCH_LENGTH_MAX:
        raise InvalidQuestion(f"points: {text!r} is not a whole number from 1 to {stakes.MATCH_LENGTH_MAX}")
    return int(text)


def standings_of(ratings: list[str] | None, experience: list[str] | None) -> tuple[Standing, Standing] | None:
    """Both players' standings as written on the command line, None without ratings. Raises InvalidQuestion."""
    if ratings is None:
        if experience is not None:
            raise InvalidQuestion("ratings: are missing beside experience")
        return None
    for text in ratings:
        if not RATING.fullmatch(text):
            raise InvalidQuestion(f"ratings: {text!r} is no rating: up to 4 digits, then a point and up to 6 if any")
    for text in experience or ():
        if not COUNT.fullmatch(text):
            raise InvalidQuestion(f"experience: {text!r} is no whole number")
    one, other = (
        Standing(rating=Decimal(rating), experience=int(played))
        for rating, played in zip(ratings, experience or ("0", "0"), strict=True)
    )
    return one, other


# --- the answer -----------------------------------------------------------------------------------------------------


def _as_json(shares: Shares) -> dict[str, Any]:
    charge = shares.charge
    assert charge, "a quote is about a win"
    told = charge.as_dict() | {
        "lost": str(shares.lost),
        "winner_net": str(shares.winner_net),
        "loser_net": str(shares.loser_net),
    }
    return {name: told[name] for name in ANSWER}


def _as_text(shares: Shares) -> str:
    charge, code = shares.charge, shares.currency
    assert charge, "a quote is about a win"
    width = max(len(f"{shares.winner_net:+}"), len(f"{shares.loser_net:+}"))
    lines = [
        f"winner      {shares.winner_net:>+{width}} {code}",
        f"loser       {shares.loser_net:>+{width}} {code}",
        f"commission  {shares.commission:>{width}} {code}, of both players, paid by the winner",
        "",
        *(f"  {step.rule:<4} {step.sentence}" for step in charge.trace),
    ]
    return "\n".join(lines)
