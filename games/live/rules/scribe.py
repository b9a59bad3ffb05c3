"""The record of a contest, written from its events: what ``games.services.report`` replays at its end."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from games.live.rules.course import after
from games.live.rules.events import Event, Kind
from games.live.rules.stand import Stand
from games.rules import cube as cubes
from games.rules.endings import Ending, Outcome
from games.rules.game import Phase
from games.rules.notation import parse_play
from games.rules.record import After, Cell, GameRecord, MatchRecord, Said
from games.rules.record_reading import UnreadableRecord, read
from games.rules.record_writing import write
from games.rules.sides import Side, opponent_of


def text_of(stand: Stand, events: Iterable[Event], *, names: tuple[str, str], date: str = "") -> str:
    """The record as text (``.mat``); ``stand`` is the contest before ``events``. A game under way is in it as far
    as it went. Names that would spoil the record stand in its header only."""
    scribe = _Scribe(stand)
    for event in events:
        scribe.note(event)
    plain = tuple(" ".join(name.split()) for name in names)
    shown = plain if _can_be_written(plain) else ("Side 1", "Side 2")
    agreed = stand.agreed
    options = (
        {"Crawford": agreed.crawford} if agreed.match_length else {"Jacoby": agreed.jacoby, "Beaver": agreed.beavers}
    )
    headers = [(f"Player {side}", name.replace('"', "'")) for side, name in enumerate(plain, start=1)]
    headers += [("EventDate", date)] if date else []
    headers += [(key, "On" if on else "Off") for key, on in options.items()]
    headers += [("CubeLimit", str(cubes.limit(cube=agreed.cube)))]
    games = tuple(_recorded(game, (shown[0], shown[1])) for game in scribe.games)
    return write(MatchRecord(length=agreed.match_length, headers=tuple(headers), games=games))


def _can_be_written(names: tuple[str, ...]) -> bool:
    """Whether a record with these names reads back equal. A player may be called "5 point match"."""
    games = tuple(GameRecord(number=number, names=(names[0], names[1]), score=(0, 0)) for number in (1, 2))
    match = MatchRecord(length=1, games=games)
    try:
        return read(write(match)) == (match,) and names[0] != names[1]
    except UnreadableRecord:
        return False


@dataclass
class _Written:
    """A game as far as it has been written."""

    number: int
    score: tuple[int, int]
    cells: list[Cell] = field(default_factory=list)
    automatic_doubles: int = 0


def _recorded(game: _Written, names: tuple[str, str]) -> GameRecord:
    return GameRecord(
        number=game.number,
        names=names,
        score=game.score,
        cells=tuple(game.cells),
        automatic_doubles=game.automatic_doubles,
    )


class _Scribe:
    """Goes the course of the contest and writes down what a record tells of it."""

    def __init__(self, stand: Stand) -> None:
        self.stand = stand
        self.games: list[_Written] = []
        self.thrown: tuple[int, int] | None = None

    def note(self, event: Event) -> None:
        before, self.stand = self.stand, after(self.stand, event)
        side, game = event.side, before.game
        if event.kind is Kind.OPENING_THROW:
            self._opened(event, before)
        if side is None or not self.games:
            return
        match event.kind:
            case Kind.ROLL:
                self.thrown = self._dice(event)
                if self.stand.game.phase is not Phase.TO_PLAY:
                    self._write(side, Said.ROLL, after=After.CANNOT_MOVE)
            case Kind.PLAY:
                self._write(side, Said.ROLL, after=After.PLAY, play=event.payload["play"])
            case Kind.DOUBLE:
                self._write(side, Said.DOUBLE, number=game.cube.value * 2)
            case Kind.BEAVER:
                self._write(side, Said.BEAVER, number=game.cube.value * 4)
            case Kind.TAKE | Kind.ACCEPT_BEAVER:
                self._write(side, Said.TAKE)
            case Kind.PASS | Kind.REFUSE_BEAVER:
                self._write(side, Said.DROP)
        outcome = self.stand.game.outcome
        if outcome is not None and game.outcome is None:
            self._ended(event, before, outcome)

    def _opened(self, event: Event, before: Stand) -> None:
        if before.number > len(self.games):
            self.games.append(_Written(number=before.number, score=before.series.score))
        self.thrown = self._dice(event)
        self.games[-1].automatic_doubles = self.stand.game.automatic_doubles

    def _ended(self, event: Event, before: Stand, outcome: Outcome) -> None:
        assert outcome.winner is not None
        loser = opponent_of(outcome.winner)
        if before.game.phase is Phase.TO_PLAY and event.kind is not Kind.PLAY:
            assert before.game.turn is not None
            self._write(before.game.turn, Said.ROLL, after=After.NOT_RECORDED)
        if outcome.ending is Ending.TIMED_OUT:
            self._write(loser, Said.LOSES_ON_TIME)
        if outcome.ending is Ending.RESIGNED:
            # What was resigned is told by its word: clipped, or with Jacoby, its points leave it open.
            self.games[-1].cells.append(Cell(loser, Said.RESIGNS, win=outcome.win, match=outcome.win is None))
        self._write(outcome.winner, Said.WINS, number=outcome.points)

    def _write(
        self, side: Side, said: Said, *, after: After | None = None, play: str = "", number: int | None = None
    ) -> None:
        dice = self.thrown if said is Said.ROLL else None
        cell = Cell(side=side, said=said, dice=dice, after=after, paths=parse_play(play), number=number)
        self.games[-1].cells.append(cell)

    def _dice(self, event: Event) -> tuple[int, int]:
        first, second = event.payload["dice"]
        return first, second
