"""One recorded game judged: played again by the referee, cell by cell, and its result compared with what follows.

How a game ended is deduced: borne off, dropped, or else resigned.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from games.rules import cube as cubes
from games.rules.actions import (
    AcceptBeaver,
    Beaver,
    Concession,
    Double,
    OpeningThrow,
    Pass,
    PlayCheckers,
    RefuseBeaver,
    Roll,
    Take,
    TimeOut,
)
from games.rules.board import Position
from games.rules.endings import Ending, Outcome, Win
from games.rules.game import Game, Phase, act, conceded, new_game
from games.rules.notation import find_play
from games.rules.record import After, Cell, GameRecord, Said
from games.rules.refusals import RuleBroken
from games.rules.series import Series, after
from games.rules.sides import Side, opponent_of
from games.rules.terms import Terms


@dataclass(frozen=True, slots=True)
class GameReplay:
    """A game that stands up to the rules.

    ``match_length`` 0 is money play. ``cube`` is what the loser pays by, or where it stands in an unfinished game.
    ``outcome`` is None for a game that the record does not finish; ``recorded_points`` are the points the record
    names, sometimes clipped to what the match needed, None if none.
    ``plays`` counts the rolls that were played, dances included; a roll after which a side resigned is not.
    """

    number: int
    line: int
    match_length: int
    jacoby: bool
    crawford_game: bool
    cube: int
    outcome: Outcome | None
    recorded_points: int | None
    plays: int


@dataclass(frozen=True, slots=True)
class RecordRules:
    """The rules a record was played by, or is judged by. ``length`` 0 is money play.

    ``automatic_doubles`` is the most there may be in a game (B-13), None for as many as the record tells. ``judged``
    are losses on time as an analysis gave them, by the number of the game (B-15): known where the record was made.
    """

    length: int
    crawford: bool
    jacoby: bool
    beavers: bool
    cube_limit: int = cubes.LIMIT
    automatic_doubles: int | None = None
    judged: Mapping[int, Win] | None = None


class EqualOpeningDice(RuleBroken):
    """A game begins with equal dice."""

    rule = "B-2"
    reason = "equal dice are thrown again at the opening"


class NothingToPlay(RuleBroken):
    """Moves are recorded for a roll that cannot be played."""

    rule = "B-5"
    reason = "this roll has no legal play"


class PlayMissing(RuleBroken):
    """No moves are recorded for a roll that can be played, and the game goes on."""

    rule = "B-5"
    reason = "a legal play exists, so one must be made"


class WrongCubeValue(RuleBroken):
    """A double names another value than the cube takes."""

    rule = "B-9"
    reason = "the cube goes to {detail}"


class Contradiction(Exception):
    """The game cannot have been so. Becomes a Refused."""

    def __init__(self, reason: str, *, line: int | None, play: str = "") -> None:
        super().__init__(reason)
        self.reason, self.line, self.play = reason, line, play


@dataclass(frozen=True, slots=True)
class _Result:
    """What the result cells of a game say together."""

    winner: Side
    points: int | None
    win: Win | None
    ending: Ending
    whole_match: bool
    said_match_over: bool
    cell: Cell


class RecordedGame:
    """One game played again. ``following`` is the score line of the next game, None if there is none."""

    def __init__(
        self, record: GameRecord, rules: RecordRules, series: Series, following: tuple[int, int] | None
    ) -> None:
        self.record, self.series, self.following = record, series, following
        self.jacoby = rules.jacoby
        self.judged = (rules.judged or {}).get(record.number, Win.SINGLE)
        self.plays = 0
        self.unplayed: Cell | None = None
        if rules.automatic_doubles is not None and record.automatic_doubles > rules.automatic_doubles:
            reason = (
                f"{record.automatic_doubles} automatic doubles, the table has at most {rules.automatic_doubles} (B-13)"
            )
            raise Contradiction(reason, line=record.line, play=f"Game {record.number}")
        try:
            terms = Terms(
                match_length=rules.length,
                needs=(series.needs(1), series.needs(2)),
                crawford_game=series.is_crawford_game,
                jacoby=rules.jacoby,
                beavers=rules.beavers,
                automatic_doubles=record.automatic_doubles,
                cube_limit=rules.cube_limit,
            )
            self.game: Game = new_game(terms)
            for _ in range(record.automatic_doubles):
                self.game = act(self.game, OpeningThrow((1, 1)))
        except RuleBroken as broken:
            raise Contradiction(str(broken), line=record.line, play=f"Game {record.number}") from broken

    def replay(self) -> GameReplay:
        """The game judged. Raises Contradiction."""
        cells = self.record.cells
        actions = [cell for cell in cells if cell.said not in _RESULTS]
        results = [cell for cell in cells if cell.said in _RESULTS]
        if results and cells[len(actions) :] != tuple(results):
            late = next(cell for cell in cells[cells.index(results[0]) :] if cell.said not in _RESULTS)
            raise Contradiction("the game goes on after its result", line=late.line, play=late.text)
        for cell in actions:
            self._cell(cell)
        result = self._result(results) or self._result_by_next_score()
        if result is not None and result.ending is Ending.TIMED_OUT:
            self._time_out(result)
        elif self.game.phase is not Phase.OVER and result is not None:
            self._end_by(result)
        if self.game.outcome is not None and result is not None:
            self._check(self.game.outcome, result)
        return GameReplay(
            number=self.record.number,
            line=self.record.line,
            match_length=self.series.length,
            jacoby=self.jacoby,
            crawford_game=self.series.is_crawford_game,
            cube=self.game.outcome.cube if self.game.outcome is not None else self.game.cube.value,
            outcome=self.game.outcome,
            recorded_points=result.points if result is not None else None,
            plays=self.plays,
        )

    # What a cell does.

    def _cell(self, cell: Cell) -> None:
        if self.unplayed is not None:
            raise Contradiction(str(PlayMissing()), line=self.unplayed.line, play=self.unplayed.text)
        try:
            if cell.said is Said.ROLL:
                self._roll(cell)
            else:
                self._turn_cube(cell)
        except RuleBroken as broken:
            raise Contradiction(str(broken), line=cell.line, play=cell.text) from broken

    def _roll(self, cell: Cell) -> None:
        assert cell.dice is not None
        if self.game.phase is Phase.BEAVERED and cell.side == self.game.turn:
            # Some programs leave out that a beaver is accepted: the doubler simply rolls.
            self.game = act(self.game, AcceptBeaver(cell.side))
        if self.game.phase is Phase.OPENING_THROW:
            self._open(cell)
        else:
            self.game = act(self.game, Roll(cell.side, cell.dice))
        if self.game.phase is not Phase.TO_PLAY:
            if cell.after is After.PLAY:
                raise NothingToPlay
            self.plays += 1
        elif cell.after is After.PLAY:
            meant = find_play(self.game.position, cell.dice, " ".join(map(str, cell.paths)))
            self._play(cell.side, meant.position)
        elif cell.after is After.CANNOT_MOVE:
            raise PlayMissing
        else:
            self.unplayed = cell

    def _open(self, cell: Cell) -> None:
        assert cell.dice is not None
        low, high = sorted(cell.dice)
        if low == high:
            raise EqualOpeningDice
        self.game = act(self.game, OpeningThrow((high, low) if cell.side == 1 else (low, high)))

    def _play(self, side: Side, position: Position) -> None:
        self.game = act(self.game, PlayCheckers(side, position))
        self.plays += 1

    def _turn_cube(self, cell: Cell) -> None:
        side, game = cell.side, self.game
        value = game.cube.value
        beavered = game.phase is Phase.BEAVERED and side == game.turn
        match cell.said:
            case Said.BEAVER | Said.RACCOON:
                self._check_cube(cell, value * 4)
                self.game = act(game, Beaver(side))
            case Said.DOUBLE if game.phase is Phase.DOUBLED and side == game.awaits:
                # A double as the answer to a double: how programs without the word write a beaver.
                self._check_cube(cell, value * 4)
                self.game = act(game, Beaver(side))
            case Said.DOUBLE:
                self.game = act(game, Double(side))
                self._check_cube(cell, value * 2)
            case Said.TAKE:
                self.game = act(game, AcceptBeaver(side) if beavered else Take(side))
            case _:
                self.game = act(game, RefuseBeaver(side) if beavered else Pass(side))

    def _check_cube(self, cell: Cell, value: int) -> None:
        if cell.number is not None and cell.number != value:
            raise WrongCubeValue(str(value))

    # What a result does.

    def _result(self, cells: Sequence[Cell]) -> _Result | None:
        if not cells:
            return None
        for cell in cells[1:]:
            if _winner_by(cell) != _winner_by(cells[0]):
                raise Contradiction("the result names both sides the winner", line=cell.line, play=cell.text)
        points = {cell.number for cell in cells if cell.number is not None}
        if len(points) > 1:
            raise Contradiction("the result names two numbers of points", line=cells[-1].line, play=cells[-1].text)
        wins = {cell.win for cell in cells if cell.win is not None}
        if len(wins) > 1:
            raise Contradiction("the result names two kinds of win", line=cells[-1].line, play=cells[-1].text)
        on_time = any(cell.said is Said.LOSES_ON_TIME for cell in cells)
        return _Result(
            winner=_winner_by(cells[0]),
            points=points.pop() if points else None,
            win=wins.pop() if wins else None,
            ending=Ending.TIMED_OUT if on_time else Ending.RESIGNED,
            # "Resigns gammon and the match" gives up a gammon, which is then enough for the match.
            whole_match=any(cell.match and cell.said is Said.RESIGNS and cell.win is None for cell in cells),
            said_match_over=any(cell.match for cell in cells),
            cell=cells[-1],
        )

    def _result_by_next_score(self) -> _Result | None:
        """The result that only the next score line tells: some programs record a resignation by nothing else."""
        if self.following is None or self.game.phase is Phase.OVER:
            return None
        first, second = (new - old for new, old in zip(self.following, self.series.score, strict=True))
        if sorted((first, second))[0] != 0 or first == second:
            return None
        winner: Side = 1 if first else 2
        cell = Cell(side=winner, said=Said.WINS, line=self.record.line, text=f"Game {self.record.number}")
        return _Result(winner, first or second, None, Ending.RESIGNED, False, False, cell)

    def _end_by(self, result: _Result) -> None:
        """The game ended by what only its result tells: a last play, a pass or a resignation left unrecorded."""
        game, winner, cell = self.game, result.winner, result.cell
        loser = opponent_of(winner)
        if game.phase in (Phase.DOUBLED, Phase.BEAVERED):
            if game.awaits == winner:
                raise Contradiction("the winner had an offer to answer (B-9)", line=cell.line, play=cell.text)
            self.game = act(game, Pass(loser) if game.phase is Phase.DOUBLED else RefuseBeaver(loser))
        elif last := self._last_play(winner):
            self._play(winner, last)
            return
        else:
            self.game = conceded(game, side=loser, concession=self._concession(game, result))

    def _time_out(self, result: _Result) -> None:
        """The loss on time as the referee gives it, by the analysis that was made here if there was one (B-15). A
        dearer one, which an analysis may have given elsewhere, is not told by the record and so cannot be judged."""
        cell, outcome = result.cell, self.game.outcome
        if outcome is None:
            try:
                self.game = act(self.game, TimeOut(opponent_of(result.winner), win=self.judged))
            except RuleBroken as broken:
                raise Contradiction(str(broken), line=cell.line, play=cell.text) from broken
            outcome = self.game.outcome
            assert outcome is not None
        elif outcome.ending is Ending.BORNE_OFF:
            raise Contradiction("the game was over before the time (B-15)", line=cell.line, play=cell.text)
        assert outcome.win is not None
        dearer = result.win is not None and result.win.factor > outcome.win.factor
        if dearer or (result.points is not None and not self._agrees(outcome, result.points)):
            reason = (
                f"the {outcome.win} lost on time is worth {outcome.points} points; what an analysis may have given"
                " elsewhere the record does not tell (B-15)"
            )
            raise Contradiction(reason, line=cell.line, play=cell.text)

    def _last_play(self, winner: Side) -> Position | None:
        """The play that bears off ``winner``'s last checker, if its roll is the last thing recorded."""
        if self.unplayed is None or winner != self.game.turn:
            return None
        return next((play.position for play in self.game.plays if play.position.borne_off == 15), None)

    def _concession(self, game: Game, result: _Result) -> Concession:
        """What was resigned, by the word for it or else by the points: the least win that gives them, clipped or not;
        else the match."""
        loser = opponent_of(result.winner)
        if result.whole_match and self.series.length:
            return Concession.MATCH
        if result.win is not None:
            return Concession(result.win)
        if result.points is None:
            return Concession.SINGLE
        for concession in (Concession.SINGLE, Concession.GAMMON, Concession.BACKGAMMON):
            outcome = conceded(game, side=loser, concession=concession).outcome
            if outcome is not None and self._agrees(outcome, result.points):
                return concession
        if self.series.length and result.points in (self.series.needs(result.winner), self.series.length):
            return Concession.MATCH
        reason = f"a cube on {game.cube.value} is not worth {result.points} points in any win (B-8, B-11)"
        raise Contradiction(reason, line=result.cell.line, play=result.cell.text)

    def _agrees(self, outcome: Outcome, recorded: int) -> bool:
        """Whether the record names the points: in full, or clipped to what the winner needs, or to the length."""
        assert outcome.winner is not None
        clips = (self.series.needs(outcome.winner), self.series.length) if self.series.length else ()
        return recorded in (outcome.points, *(min(outcome.points, clip) for clip in clips))

    def _check(self, outcome: Outcome, result: _Result) -> None:
        assert outcome.winner is not None
        cell = result.cell
        if outcome.winner != result.winner:
            reason = f"the result stands in the column of side {result.winner}, but side {outcome.winner} has won"
            raise Contradiction(reason, line=cell.line, play=cell.text)
        whole = outcome.win is None
        if whole and result.points is not None and result.points not in (outcome.points, self.series.length):
            reason = f"the match given up is worth the {outcome.points} points the winner needs (B-19)"
            raise Contradiction(reason, line=cell.line, play=cell.text)
        if result.points is not None and not whole and not self._agrees(outcome, result.points):
            reason = f"the {outcome.win} on a cube of {outcome.cube} is worth {outcome.points} points (B-8, B-11)"
            raise Contradiction(reason, line=cell.line, play=cell.text)
        if result.win is not None and not whole and result.win is not outcome.win:
            reason = f"the result names a {result.win}, but it was a {outcome.win} (B-8)"
            raise Contradiction(reason, line=cell.line, play=cell.text)
        then = after(self.series, outcome)
        if result.said_match_over and self.series.length and then.winner is None:
            reason = f"the match is not over at {then.score[0]} : {then.score[1]} (B-14)"
            raise Contradiction(reason, line=cell.line, play=cell.text)
        # How a resigned game went only its result tells, so the next score line has to confirm it. What the board
        # or the cube decided is certain: there the next score line would be wrong, and its game is refused.
        told_only = outcome.ending in (Ending.RESIGNED, Ending.TIMED_OUT)
        if told_only and self.following is not None and then.score != self.following:
            shown = f"{self.following[0]} : {self.following[1]}"
            reason = f"the next game begins at {shown}, not at {then.score[0]} : {then.score[1]} (B-14)"
            raise Contradiction(reason, line=cell.line, play=cell.text)


_RESULTS: Final = frozenset({Said.WINS, Said.LOSES, Said.RESIGNS, Said.LOSES_ON_TIME})


def _winner_by(cell: Cell) -> Side:
    return cell.side if cell.said is Said.WINS else opponent_of(cell.side)
