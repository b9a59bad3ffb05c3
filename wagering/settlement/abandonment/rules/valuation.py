"""What an abandoned contest is worth to the side on roll, and every figure on the way (A-3, A-4, A-7).

A valuation is computed from its inputs only: the analysis, the terms and the state of the game. All of them stand in
its record as text, so that anybody can compute it again (``again``).
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal, localcontext
from fractions import Fraction
from typing import Any, Final, Literal

from games.analysis.analysis import Analysis
from games.analysis.endgame import Endgame, is_endgame
from games.analysis.evaluator import limit_of, turned
from games.analysis.probabilities import NAMES, Probabilities
from games.rules.board import Position
from games.rules.endings import Win
from games.rules.ids import MatchState, read_position_id, read_xgid, write_position_id, write_xgid
from games.rules.scoring import points_won
from ledger import money
from wagering.settlement.abandonment.rules.money_value import Cubed, MoneyGame, Payments
from wagering.stakes.rules import Terms

Receiver = Literal["on roll", "other"]

SHOWN: Final = 10
"""Digits after the point at which a record shows a fraction; it is computed with all of them."""


class TermsDiffer(ValueError):
    """The contest's terms do not fit the game that was analysed. ``field``, ``value`` and ``rule`` say where."""

    def __init__(self, *, field: str, value: object, rule: str) -> None:
        super().__init__(f"{field}: {value} {rule}")
        self.field, self.value, self.rule = field, value, rule


@dataclass(frozen=True, slots=True)
class Line:
    """A step of the arithmetic: the rule's id, what is computed, the figure, and a sentence for a person."""

    rule: str
    name: str
    figure: str
    sentence: str


@dataclass(frozen=True, slots=True)
class Valuation:
    """What an abandoned contest moves.

    ``value`` is exact and seen by the side on roll; ``transfer`` is its size rounded half-even once, in ``currency``
    (A-6), and ``receiver`` who gets it, ``None`` if nothing moves. ``lines`` tell how it came about, ``inputs`` from
    what, as plain JSON.
    """

    rule: Literal["A-3", "A-4"]
    currency: str
    value: Fraction
    transfer: Decimal
    receiver: Receiver | None
    lines: tuple[Line, ...]
    inputs: dict[str, Any]

    def as_dict(self) -> dict[str, Any]:
        """The record (A-7), plain JSON: keep it whole, and ``again`` computes it again."""
        return {
            "rule": self.rule,
            "inputs": self.inputs,
            "arithmetic": [
                {"rule": line.rule, "name": line.name, "figure": line.figure, "sentence": line.sentence}
                for line in self.lines
            ],
            "value": shown(self.value),
            "transfer": str(self.transfer),
            "receiver": self.receiver,
            "currency": self.currency,
        }


def value_game(*, analysis: Analysis, terms: Terms) -> Valuation:
    """The value of the game, or of the match it belongs to, as ``analysis`` found it under ``terms``.

    Raises TermsDiffer if one is of a match and the other not, or of another length.
    """
    state = analysis.state
    if terms.match_length != state.match_length:
        rule = f"is not the {state.match_length} of the game that was analysed"
        raise TermsDiffer(field="match_length", value=terms.match_length, rule=rule)
    inputs = _inputs(analysis, terms)
    if state.match_length:
        assert analysis.match_chance is not None, f"{analysis} says nothing of the match"
        return _of_match(analysis.match_chance, terms, _play_lines(analysis), inputs)
    value, lines = _of_money(analysis, terms)
    return _valuation("A-3", terms, value, lines, inputs)


def value_between_games(*, chance: Decimal, engine: str, version: str, terms: Terms) -> Valuation:
    """The value of a match left between two games to the side that wins it with ``chance`` (A-4).

    That side takes the place of the one on roll. ``chance`` is the match equity table's, which ``engine`` brought.
    """
    if not terms.is_series:
        raise TermsDiffer(field="match_length", value=0, rule="is a single game: between games there is nothing left")
    return _of_match(chance, terms, (), _table_inputs(terms) | _told(engine, version, "match equity table", chance))


def again(record: dict[str, Any]) -> Valuation:
    """The valuation computed anew from the inputs in its ``record`` (A-7)."""
    inputs = record["inputs"]
    cap = inputs["cap"]
    terms = Terms(
        currency=inputs["currency"],
        stake=Decimal(inputs["stake"]),
        match_length=inputs["match_length"],
        cap=None if cap is None else Decimal(cap),
    )
    chance = None if inputs["match_chance"] is None else Decimal(inputs["match_chance"])
    if inputs["xgid"] is None:
        assert chance is not None, "a match between two games has a chance"
        return value_between_games(chance=chance, engine=inputs["engine"], version=inputs["version"], terms=terms)
    position, state = read_xgid(inputs["xgid"])
    six = inputs["probabilities"]
    analysis = Analysis(
        position=position,
        state=state,
        engine=inputs["engine"],
        version=inputs["version"],
        level=inputs["level"],
        evaluated=read_position_id(inputs["evaluated"]),
        swapped=inputs["swapped"],
        play=inputs["play"],
        won=None if inputs["won"] is None else Win(inputs["won"]),
        probabilities=None if six is None else Probabilities(*(Decimal(six[name]) for name in NAMES)),
        match_chance=chance,
    )
    return value_game(analysis=analysis, terms=terms)


def shown(value: Fraction) -> str:
    """A fraction as text, half-even at ten digits after the point, at least two kept: "4.5965714286", "5.50"."""
    with localcontext(prec=60):
        digits = f"{Decimal(value.numerator) / Decimal(value.denominator):.{SHOWN}f}"
    head, _, tail = digits.partition(".")
    text = f"{head}.{tail.rstrip('0'):0<2}"
    return "0.00" if text == "-0.00" else text


# --- a match ----------------------------------------------------------------------------------------------------------


def _of_match(chance: Decimal, terms: Terms, before: Iterable[Line], inputs: dict[str, Any]) -> Valuation:
    value = Fraction(terms.stake) * (2 * Fraction(chance) - 1)
    sum_ = f"stake x (2p - 1) = {terms.stake} x (2 x {_plain(chance)} - 1) = {shown(value)}"
    lines = [
        *before,
        Line("A-4", "p", f"{chance:f}", f"The side on roll wins the match with p = {_plain(chance)}"),
        Line("A-4", "value", shown(value), sum_),
    ]
    return _valuation("A-4", terms, value, lines, inputs)


# --- a money game -----------------------------------------------------------------------------------------------------


def _of_money(analysis: Analysis, terms: Terms) -> tuple[Fraction, list[Line]]:
    assert terms.cap is not None, "a single game has a cap"
    state = analysis.state
    payments = Payments(stake=terms.stake, cap=terms.cap, jacoby=state.jacoby, limit=limit_of(state))
    if is_endgame(analysis.position):
        return _played_out(analysis.position, state, payments)
    if analysis.won is not None:
        return _just_won(analysis, analysis.won, payments)
    lines = list(_play_lines(analysis))
    if analysis.swapped and is_endgame(analysis.evaluated):
        value, told = _played_out(analysis.evaluated, turned(state), payments)
    else:
        assert analysis.probabilities is not None, f"{analysis} says nothing of the game"
        game = MoneyGame(payments=payments, chances=analysis.probabilities, beavers=state.beavers)
        lines += _chance_lines(game, who="The other side, to roll" if analysis.swapped else "The side on roll")
        value, told = _undecided(game, turned(state) if analysis.swapped else state)
    lines += told
    if analysis.swapped:
        value = -value
        lines.append(Line("A-3", "turned", shown(value), f"The other side's; the side on roll has {shown(value)}"))
    return value, lines


def _undecided(game: MoneyGame, state: MatchState) -> tuple[Fraction, list[Line]]:
    """The value to the side whose chances ``game`` has, before its dice: to roll, or with an offer pending."""
    cube, pay = state.cube, game.payments.pay
    lines = list(_cubed_lines(game.at(cube, state.cube_owner), game))
    if state.offer is None and not game.may_double(cube, state.cube_owner):
        why = "the other side owns the cube" if state.cube_owner < 0 else "the cube is dead"
        value = game.to_roll(cube, state.cube_owner)
        return value, [*lines, Line("A-3", "value", shown(value), f"No double, {why}: {shown(value)}")]
    two, four = shown(game.value(cube * 2, -1)), ""
    lines += _cubed_lines(game.at(cube * 2, -1), game)
    answer = f"min({two}, {shown(pay(cube, 1))})"
    if game.may_beaver(cube) or state.offer == "beaver":
        lines += _cubed_lines(game.at(cube * 4, -1), game)
        four = f"max({shown(game.value(cube * 4, -1))}, {shown(-pay(cube * 2, 1))})"
        answer = f"min({two}, {shown(pay(cube, 1))}, {four})"
    if state.offer == "beaver":
        value, how = game.beavered(cube), f"Beaver pending: go on at {cube * 4} or refuse: {four}"
    elif state.offer == "double":
        value, how = game.doubled(cube), f"Double pending: the other side takes or passes: {answer}"
    else:
        value = game.to_roll(cube, state.cube_owner)
        how = f"To roll with access to the cube: max({shown(game.value(cube, state.cube_owner))}, {answer})"
    return value, [*lines, Line("A-3", "value", shown(value), f"{how} = {shown(value)}")]


def _just_won(analysis: Analysis, won: Win, payments: Payments) -> tuple[Fraction, list[Line]]:
    state = analysis.state
    centred = state.cube_owner == 0
    value = payments.pay(state.cube, won.factor, centred=centred)
    points = points_won(win=won, cube=state.cube, cube_turned=not centred, jacoby=state.jacoby)
    how = f"It ends the game, a {won}: {points} points, {shown(value)}"
    return value, [*_play_lines(analysis), Line("A-3", "value", shown(value), how)]


def _played_out(position: Position, state: MatchState, payments: Payments) -> tuple[Fraction, list[Line]]:
    """At most four checkers a side: exact recursion over every roll, play and turn of the cube."""
    cube = state.cube

    def pay(cube: int) -> Fraction:
        return payments.pay(cube, 1)

    game = Endgame(cube=cube, pay=pay, limit=payments.limit, beavers=state.beavers)
    lines = [
        Line("A-3", f"pay({cube})", shown(pay(cube)), f"Pay({cube}, 1) = {shown(pay(cube))}; no gammon is left"),
    ]
    if state.dice is not None:
        value = game.after_roll(position, state.dice, cube=cube, owner=state.cube_owner)
        how = f"With {state.dice[0]}-{state.dice[1]} thrown, played out exactly"
    elif state.offer == "beaver":
        value = max(game.before_roll(position, cube=cube * 4, owner=-1), -pay(cube * 2))
        how = f"Beaver pending: played out exactly at {cube * 4}, or refused"
    elif state.offer == "double":
        answers = [game.before_roll(position, cube=cube * 2, owner=-1), pay(cube)]
        if state.beavers and cube * 4 <= payments.limit:
            answers.append(max(game.before_roll(position, cube=cube * 4, owner=-1), -pay(cube * 2)))
        value, how = min(answers), f"Double pending: played out exactly at {cube * 2}, or passed"
    else:
        value = game.may_double(position, cube=cube, owner=state.cube_owner)
        undoubled = game.before_roll(position, cube=cube, owner=state.cube_owner)
        lines.append(
            Line("A-3", "undoubled", shown(undoubled), f"Without a double, played out exactly: {shown(undoubled)}")
        )
        how = "To roll, played out exactly" if state.cube_owner < 0 else "To roll with access to the cube, the same"
    return value, [*lines, Line("A-3", "value", shown(value), f"{how}: {shown(value)}")]


# --- the lines a person reads -----------------------------------------------------------------------------------------


def _play_lines(analysis: Analysis) -> Iterator[Line]:
    if analysis.state.dice is None:
        return
    high, low = analysis.state.dice
    played = f"best play {analysis.play}" if analysis.play else "no play"
    yield Line("A-2", "play", analysis.play or "", f"With {high}-{low} thrown: {played}")


def _chance_lines(game: MoneyGame, *, who: str) -> Iterator[Line]:
    six = [f"{name.replace('_', ' ')} {_plain(chance)}" for name, chance in zip(NAMES, game.chances.six, strict=True)]
    yield Line("A-2", "probabilities", " ".join(six), f"{who}: {', '.join(six)}")
    yield Line("A-3", "p", shown(game.p), f"p = {shown(game.p)}")


def _cubed_lines(at: Cubed, game: MoneyGame) -> Iterator[Line]:
    cube, owner = at.cube, {1: "own", 0: "centred", -1: "the other's"}[at.owner]
    pays = ", ".join(shown(pay) for pay in at.pays)
    yield Line("A-3", f"pay({cube})", pays, f"Cube at {cube}, {owner}: single, gammon, backgammon pay {pays}")
    win, lose = shown(at.winning), shown(at.losing)
    yield Line("A-3", f"W({cube})", win, f"W({cube}) = {win}")
    yield Line("A-3", f"L({cube})", lose, f"L({cube}) = {lose}")
    dead = f"Dead({cube}) = p x {win} - (1 - p) x {lose} = {shown(at.dead)}"
    yield Line("A-3", f"Dead({cube})", shown(at.dead), dead)
    if at.line is not None and at.live is not None:
        points = " ".join(f"({shown(p)}, {shown(value)})" for p, value in at.line)
        yield Line("A-3", f"points({cube})", points, f"Live({cube}) goes through {points}")
        yield Line("A-3", f"Live({cube})", shown(at.live), f"Live({cube}) at p = {shown(at.live)}")
        sum_ = f"0.32 x {shown(at.dead)} + 0.68 x {shown(at.live)} = {shown(at.value)}"
    else:
        reason = "no cube is left to turn" if cube * 2 > game.payments.limit else "every win costs the cap"
        sum_ = f"Dead({cube}), since {reason} = {shown(at.value)}"
    yield Line("A-3", f"V({cube})", shown(at.value), f"V({cube}) = {sum_}")


def _plain(value: Decimal) -> str:
    text = f"{value:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


# --- the record -------------------------------------------------------------------------------------------------------


def _valuation(
    rule: Literal["A-3", "A-4"], terms: Terms, value: Fraction, lines: list[Line], inputs: dict[str, Any]
) -> Valuation:
    unit = money.currency(terms.currency).minor_unit
    # Rounding a fraction to whole minor units is exact and half-even: the one rounding there is.
    transfer = round(abs(value) / Fraction(unit)) * unit
    lines.append(
        Line("A-6", "transfer", str(transfer), f"Rounded once, half-even, to {unit}: {transfer} {terms.currency}")
    )
    receiver: Receiver | None = None
    if transfer:
        receiver = "on roll" if value > 0 else "other"
    most = terms.stake if terms.cap is None else terms.cap
    assert transfer <= most, f"{transfer} is more than {most}"
    return Valuation(
        rule=rule,
        currency=terms.currency,
        value=value,
        transfer=transfer,
        receiver=receiver,
        lines=tuple(lines),
        inputs=inputs,
    )


def _inputs(analysis: Analysis, terms: Terms) -> dict[str, Any]:
    six = analysis.probabilities
    return _table_inputs(terms) | {
        **_told(analysis.engine, analysis.version, analysis.level, analysis.match_chance),
        "xgid": write_xgid(analysis.position, analysis.state),
        "position_id": write_position_id(analysis.position),
        "play": analysis.play,
        "evaluated": write_position_id(analysis.evaluated),
        "swapped": analysis.swapped,
        "won": None if analysis.won is None else str(analysis.won),
        "probabilities": None if six is None else six.as_dict(),
    }


def _table_inputs(terms: Terms) -> dict[str, Any]:
    return {
        "currency": terms.currency,
        "stake": str(terms.stake),
        "cap": None if terms.cap is None else str(terms.cap),
        "match_length": terms.match_length,
        "xgid": None,
    }


def _told(engine: str, version: str, level: str, chance: Decimal | None) -> dict[str, Any]:
    return {
        "engine": engine,
        "version": version,
        "level": level,
        "match_chance": None if chance is None else f"{chance:f}",
    }
