"""Plays a game by the referee and writes it down as a record of ours."""

import random
from dataclasses import dataclass, field

from games.rules.actions import (
    AcceptBeaver,
    AcceptResignation,
    Action,
    Beaver,
    Concession,
    DeclineResignation,
    Double,
    OfferResignation,
    OpeningThrow,
    Pass,
    PlayCheckers,
    RefuseBeaver,
    Roll,
    Take,
    TimeOut,
)
from games.rules.board import Position
from games.rules.endings import Ending
from games.rules.game import Game, Phase, act, new_game
from games.rules.notation import parse_play
from games.rules.record import After, Cell, GameRecord, Said
from games.rules.refusals import RuleBroken
from games.rules.sides import Side, opponent_of
from games.rules.terms import Terms


@dataclass
class Scribe:
    """The game as it goes, and the cells that record it."""

    terms: Terms
    game: Game = field(init=False)
    cells: list[Cell] = field(default_factory=list)
    thrown: tuple[int, int] | None = None

    def __post_init__(self) -> None:
        self.game = new_game(self.terms)

    def do(self, action: Action) -> None:
        """``action``, done and written down. Raises what the referee raises, with nothing written."""
        before, self.game = self.game, act(self.game, action)
        match action:
            case OpeningThrow(dice):
                self.thrown = dice
            case Roll(side, dice):
                self.thrown = dice
                if self.game.phase is not Phase.TO_PLAY:
                    self._write(side, Said.ROLL, dice=dice, after=After.CANNOT_MOVE if side == 1 else After.NOTHING)
            case PlayCheckers(side, position):
                paths = parse_play(str(_play_to(before, position)))
                self._write(side, Said.ROLL, dice=self.thrown, after=After.PLAY, paths=paths)
            case Double(side):
                self._write(side, Said.DOUBLE, number=before.cube.value * 2)
            case Beaver(side):
                self._write(side, Said.BEAVER, number=before.cube.value * 4)
            case Take(side) | AcceptBeaver(side):
                self._write(side, Said.TAKE)
            case Pass(side) | RefuseBeaver(side):
                self._write(side, Said.DROP)
        outcome = self.game.outcome
        if outcome is not None and outcome.winner is not None:
            if before.phase is Phase.TO_PLAY and not isinstance(action, PlayCheckers):
                assert before.turn is not None
                self._write(before.turn, Said.ROLL, dice=self.thrown, after=After.NOT_RECORDED)
            if outcome.ending is Ending.TIMED_OUT:
                self._write(opponent_of(outcome.winner), Said.LOSES_ON_TIME)
            if outcome.win is None:
                self._write(opponent_of(outcome.winner), Said.RESIGNS, match=True)
            self._write(outcome.winner, Said.WINS, number=outcome.points)

    def record(self, *, score: tuple[int, int] = (0, 0)) -> GameRecord:
        """What has been written so far."""
        return GameRecord(
            number=1,
            names=("ann", "bob"),
            score=score,
            cells=tuple(self.cells),
            automatic_doubles=self.game.automatic_doubles,
        )

    def _write(self, side: Side, said: Said, **what: object) -> None:
        self.cells.append(Cell(side, said, **what))  # type: ignore[arg-type]


def _play_to(game: Game, position: Position) -> object:
    return next(play for play in game.plays if play.position == position)


def play_at_random(terms: Terms, dice: random.Random) -> Scribe:
    """A whole game by players who do anything that is allowed, doubles and resignations now and then."""
    scribe = Scribe(terms)
    while scribe.game.phase is not Phase.OVER:
        try:
            scribe.do(_anything(scribe.game, dice))
        except RuleBroken:
            # What the referee forbids leaves the game as it was; the players try something else.
            continue
    return scribe


def _anything(game: Game, dice: random.Random) -> Action:
    thrown = (dice.randint(1, 6), dice.randint(1, 6))
    if game.turn is None:
        return OpeningThrow(thrown)
    turn, other, chance = game.turn, opponent_of(game.turn), dice.random()
    if game.concession is not None:
        return AcceptResignation(other) if chance < 0.2 else DeclineResignation(other)
    if game.phase is Phase.DOUBLED:
        return Pass(other) if chance < 0.1 else Beaver(other) if chance < 0.4 else Take(other)
    if game.phase is Phase.BEAVERED:
        return RefuseBeaver(turn) if chance < 0.2 else AcceptBeaver(turn)
    if chance < 0.01:
        return OfferResignation(turn, dice.choice(list(Concession)))
    if chance < 0.012:
        return TimeOut(turn)
    if game.phase is Phase.TO_PLAY:
        return PlayCheckers(turn, dice.choice(game.plays).position)
    return Double(turn) if chance < 0.1 else Roll(turn, thrown)
