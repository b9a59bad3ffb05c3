"""``adjudicate``: what an abandoned game would move, line by line, by the very functions that price it (A-2 to A-7).

Needs no database. A money game without ``--cap`` is valued uncapped. ``--match`` names the match: of the game in the
XGID, or without one of a match that was left between two games.
"""

import json
import re
from argparse import ArgumentParser
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any, Final

from django.core.management.base import BaseCommand, CommandError

from games.analysis.engines import analyse, chance_between_games, given
from games.analysis.evaluator import NotCovered, NotToBeAnalysed
from games.analysis.probabilities import ImpossibleProbabilities, Probabilities
from games.rules.board import Position
from games.rules.drawing import draw
from games.rules.ids import BadXgid, MatchState, read_xgid
from games.rules.sides import Side
from ledger import money
from ratings.rules import Standing
from wagering.commission import schedule
from wagering.commission.rules import CurrencyNotInTariff
from wagering.settlement.abandonment.rules.split import Split, split
from wagering.settlement.abandonment.rules.valuation import Valuation, value_between_games, value_game
from wagering.settlement.management.commands.quote import InvalidQuestion, standings_of
from wagering.stakes import rules as stakes
from wagering.stakes.rules import Terms

REFUSED: Final = 2
NOBODY_CAN_SAY: Final = 1
"""Status of a position that no engine at hand covers: the question was right, an operator has to answer it."""

MATCH: Final = re.compile(r"(?P<length>[0-9]{1,2}):(?P<mine>[0-9]{1,2})-(?P<theirs>[0-9]{1,2})(?P<crawford>:crawford)?")
CHANCE: Final = re.compile(r"[01](\.[0-9]{1,12})?")
ON_ROLL: Final[Side] = 1
"""The side on roll, where the split names sides."""


@dataclass(frozen=True, slots=True)
class _Match:
    length: int
    mine: int
    theirs: int
    crawford: bool


class Command(BaseCommand):
    help = (
        "The value of an abandoned game to the side on roll, each step of it, and with --tariff what each side gets. "
        "Status 1 if no engine at hand can say."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "xgid", nargs="?", metavar="XGID=...", help="the game as it was left, dice included; quote it"
        )
        parser.add_argument("--stake", required=True, help="a point in a money game, for the whole match in a match")
        parser.add_argument("--currency", default="USD", metavar="CODE", help="ISO 4217 or PLAY (default USD)")
        parser.add_argument("--cap", help="money game: the most it can cost; without it the value is uncapped")
        parser.add_argument(
            "--match",
            metavar="LENGTH:MINE-THEIRS[:crawford]",
            help="the match and its score, the side on roll first; with :crawford the game is the Crawford game. "
            "Without an XGID the match was left before that game",
        )
        parser.add_argument(
            "--probabilities",
            nargs=6,
            metavar="P",
            help="of the side on roll: win single, gammon, backgammon, lose single, gammon, backgammon, each without "
            "the dearer ones; instead of an engine's",
        )
        parser.add_argument("--tariff", metavar="NAME", help="gammonempire, sgames: also what each side gets")
        parser.add_argument(
            "--ratings", nargs=2, metavar="RATING", help="match with a tariff: both players' at its start"
        )
        parser.add_argument("--experience", nargs=2, metavar="POINTS", help="match with a tariff: both players' so far")
        parser.add_argument("--json", action="store_true", help="one object on one line: the record, and the split")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            position, valuation, found = _answer(options)
        except NotCovered as unknown:
            raise CommandError(f"{unknown}", returncode=NOBODY_CAN_SAY) from None
        except (
            BadXgid,
            CurrencyNotInTariff,
            ImpossibleProbabilities,
            InvalidQuestion,
            NotToBeAnalysed,
            money.InvalidAmount,
            money.UnknownCurrency,
            schedule.UnknownTariff,
            stakes.InvalidTerms,
        ) as refusal:
            raise CommandError(str(refusal), returncode=REFUSED) from None
        self.stdout.write(_as_json(valuation, found) if options["json"] else _as_text(position, valuation, found))


# --- the question -----------------------------------------------------------------------------------------------------


def _answer(options: dict[str, Any]) -> tuple[Position | None, Valuation, Split | None]:
    match = _match(options["match"])
    position = state = None
    if options["xgid"] is not None:
        position, state = read_xgid(options["xgid"])
        state = _in_match(state, match)
    elif match is None:
        raise InvalidQuestion("xgid: is missing, and so is match: what was left?")
    terms = _terms(options, length=state.match_length if state else match.length if match else 0)
    for name in ("ratings", "experience"):
        if options[name] is not None and not (terms.is_series and options["tariff"]):
            raise InvalidQuestion(f"{name}: say nothing except of a match's commission, with tariff")
    standings = standings_of(options["ratings"], options["experience"])
    tariff = schedule.shipped_tariff(options["tariff"]) if options["tariff"] else None
    if tariff and not tariff.serves(terms.currency):
        raise CurrencyNotInTariff(tariff=tariff, currency=terms.currency)
    if position is not None and state is not None:
        valuation = _value_game(position, state, terms, options["probabilities"])
    else:
        assert match is not None
        valuation = _value_between(match, terms, options["probabilities"])
    return position, valuation, _split(valuation, terms, tariff, standings)


def _match(text: str | None) -> _Match | None:
    if text is None:
        return None
    found = MATCH.fullmatch(text)
    if not found:
        raise InvalidQuestion(f"match: {text!r} is not LENGTH:MINE-THEIRS, as in 7:3-5, or 7:6-5:crawford")
    length, mine, theirs = (int(found[name]) for name in ("length", "mine", "theirs"))
    if not 1 <= length <= stakes.MATCH_LENGTH_MAX:
        raise InvalidQuestion(f"match: {text!r} is not to 1 to {stakes.MATCH_LENGTH_MAX} points (B-14)")
    if max(mine, theirs) >= length:
        raise InvalidQuestion(f"match: {text!r} is won already (B-14)")
    if found["crawford"] and max(mine, theirs) != length - 1:
        raise InvalidQuestion(f"match: {text!r} has no side a point from it: no Crawford game (B-12)")
    return _Match(length=length, mine=mine, theirs=theirs, crawford=bool(found["crawford"]))


def _in_match(state: MatchState, match: _Match | None) -> MatchState:
    """``state`` as the game of ``match``, if one was named. An XGID that names a match needs no other."""
    if match is None:
        return state
    if state.match_length:
        raise InvalidQuestion(f"match: is named twice, the XGID says {state.match_length} points")
    return replace(
        state,
        match_length=match.length,
        score=match.mine,
        opponent_score=match.theirs,
        crawford=match.crawford,
        jacoby=False,
        beavers=False,
    )


def _terms(options: dict[str, Any], *, length: int) -> Terms:
    code, cap = options["currency"], options["cap"]
    stake = money.parse(options["stake"], code, field="stake")
    if length:
        if cap is not None:
            raise InvalidQuestion("cap: says nothing about a match: it costs its stake (S-2)")
        return Terms(currency=code, stake=stake, match_length=length)
    most = stakes.uncapped(stake=stake) if cap is None else money.parse(cap, code, field="cap")
    return Terms(currency=code, stake=stake, match_length=0, cap=most)


def _value_game(position: Position, state: MatchState, terms: Terms, six: list[str] | None) -> Valuation:
    if six is None:
        analysis = analyse(position=position, state=state)
    else:
        analysis = given(position=position, state=state, probabilities=_probabilities(six))
    return value_game(analysis=analysis, terms=terms)


def _value_between(match: _Match, terms: Terms, six: list[str] | None) -> Valuation:
    if six is not None:
        raise InvalidQuestion("probabilities: say nothing about a match between two games (A-4)")
    chance, engine = chance_between_games(
        mine=match.length - match.mine, theirs=match.length - match.theirs, crawford_played=not match.crawford
    )
    return value_between_games(chance=chance, engine=engine.name, version=engine.version, terms=terms)


def _probabilities(six: list[str]) -> Probabilities:
    for text in six:
        if not CHANCE.fullmatch(text):
            raise InvalidQuestion(f"probabilities: {text!r} is none: 0 or 1, then a point and up to 12 digits if any")
    return Probabilities(*map(Decimal, six))


def _split(
    valuation: Valuation, terms: Terms, tariff: Any, standings: tuple[Standing, Standing] | None
) -> Split | None:
    if tariff is None:
        return None
    return split(valuation=valuation, on_roll=ON_ROLL, terms=terms, tariff=tariff, standings=standings)


# --- the answer -------------------------------------------------------------------------------------------------------


def _as_json(valuation: Valuation, found: Split | None) -> str:
    told: dict[str, Any] = {"valuation": valuation.as_dict()}
    if found is not None:
        told["split"] = {
            "on_roll_back": str(found.back_1),
            "other_back": str(found.back_2),
            "commission": str(found.commission),
            "charge": found.charge.as_dict() if found.charge else None,
        }
    return json.dumps(told)


def _as_text(position: Position | None, valuation: Valuation, found: Split | None) -> str:
    inputs = valuation.inputs
    lines = [] if position is None else [draw(position), ""]
    lines.append(" ".join(word for word in (inputs["engine"], inputs["version"], inputs["level"]) if word))
    lines += [f"  {line.rule:<4} {line.sentence}" for line in valuation.lines]
    if found is not None and found.charge is not None:
        lines += [f"  {step.rule:<4} {step.sentence}" for step in found.charge.trace]
    lines.append("")
    if valuation.receiver is None:
        lines.append("Nothing moves.")
    else:
        who = "The side on roll" if valuation.receiver == "on roll" else "The other side"
        lines.append(f"{who} receives {valuation.transfer} {valuation.currency}.")
    if found is not None:
        code = valuation.currency
        lines.append(f"Commission {found.commission} {code}, of both players, paid by the receiver.")
        lines.append(f"Out of the escrow: on roll {found.back_1}, other {found.back_2} {code}.")
    return "\n".join(lines)
