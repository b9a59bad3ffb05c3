"""Tables, and what their records say was played. A record is replayed under the rules, never believed."""

import hashlib
import re
from collections.abc import Mapping
from datetime import datetime
from typing import Final
from uuid import UUID

from django.db import transaction

from games.models import Game, Player, Record, Room, Table
from games.rules import cube as cubes
from games.rules.endings import Outcome, Win
from games.rules.replay import GameReplay, RecordRules, Refused, Replay, replay_text

_UNKEPT: Final = re.compile("[\0\ud800-\udfff]")


class RecordRefused(ValueError):
    """The record contradicts the rules or itself; ``refused`` names game, line, play and reason."""

    def __init__(self, refused: Refused) -> None:
        super().__init__(f"record: line {refused.line}: {refused}" if refused.line else f"record: {refused}")
        self.refused = refused


class RecordDiffers(ValueError):
    """The record is of another contest than this table's. ``field`` names what differs."""

    def __init__(self, *, field: str, recorded: object, agreed: object) -> None:
        super().__init__(f"record: {field} is {recorded}, the table's is {agreed}")
        self.field, self.recorded, self.agreed = field, recorded, agreed


class RecordUnfinished(ValueError):
    """The record ends before the contest does: there is no result to report."""


class OpenedOtherwise(ValueError):
    """The id is another table's: other players, or other options."""

    def __init__(self, table: Table) -> None:
        super().__init__(f"table: {table.pk} was opened before, for another contest")
        self.table = table


class ReportedOtherwise(ValueError):
    """The table was reported before, with another record."""

    def __init__(self, table: Table) -> None:
        super().__init__(f"record: table {table.pk} was reported before with another record")


def open_table(
    *,
    room: Room,
    zone: str,
    players: tuple[Player, Player],
    match_length: int,
    at: datetime,
    crawford: bool = True,
    jacoby: bool = False,
    beavers: bool = False,
    automatic_doubles: int = 0,
    cube: bool = True,
    table: UUID | None = None,
) -> Table:
    """A table for two ``players``, side 1 first; ``match_length`` 0 is a single game.

    ``table`` is its id, if the caller has one: the same again returns the same table.
    Raises OpenedOtherwise, and IntegrityError for what the model's constraints refuse.
    """
    made = Table(
        room=room,
        zone=zone,
        player_1=players[0],
        player_2=players[1],
        match_length=match_length,
        crawford=crawford,
        jacoby=jacoby,
        beavers=beavers,
        automatic_doubles=automatic_doubles,
        cube=cube,
        opened_at=at,
    )
    if table is None:
        made.save(force_insert=True)
        return made
    made.pk = table
    # A rival with the same id has committed by the time the insert gives way to it.
    Table.objects.bulk_create([made], ignore_conflicts=True)
    found = Table.objects.get(pk=table)
    if _contest(found) != _contest(made):
        raise OpenedOtherwise(found)
    return found


def report(*, table: Table, text: str, at: datetime, judged: Mapping[int, Win] | None = None) -> Outcome:
    """What the record in ``text`` says came of the contest at ``table``; kept, and the same again changes nothing.

    The outcome of a match is that of the game that decided it. Side 1 of the record is the table's first player.
    ``judged`` is what an analysis of ours found lost by the clock, by the number of the game: a record is not believed
    that (B-15).
    Raises RecordRefused, RecordDiffers, RecordUnfinished, ReportedOtherwise.
    """
    _check_text(text)
    sha256 = sha256_of(text)
    games = _replayed(table, text, judged)
    with transaction.atomic():
        Table.objects.select_for_update().get(pk=table.pk)
        if earlier := Record.objects.filter(table=table).first():
            if earlier.sha256 != sha256:
                raise ReportedOtherwise(table)
        else:
            Record.objects.create(table=table, text=text, sha256=sha256, reported_at=at)
            Game.objects.bulk_create(_rows(table, games))
    return games[-1][1]


def sha256_of(text: str) -> str:
    """What the record in ``text`` is told by, in hex."""
    return hashlib.sha256(text.encode()).hexdigest()


def games_of(*, table: Table, text: str, judged: Mapping[int, Win] | None = None) -> list[Game]:
    """The games at ``table`` that the record in ``text`` comes to, in their order; none of them is kept. ``judged`` as
    for ``report``.

    Raises RecordRefused, RecordDiffers, RecordUnfinished.
    """
    return _rows(table, _replayed(table, text, judged))


def rules_of(table: Table) -> RecordRules:
    """What is played at ``table``, whatever a record of it may say."""
    return RecordRules(
        length=table.match_length,
        crawford=table.crawford,
        jacoby=table.jacoby,
        beavers=table.beavers,
        automatic_doubles=table.automatic_doubles,
        cube_limit=cubes.limit(cube=table.cube),
    )


def _contest(table: Table) -> tuple[object, ...]:
    """What makes two tables the same: room, zone, who sits where, and the options."""
    return table.room_id, table.zone, table.player_1_id, table.player_2_id, rules_of(table)


def _check_text(text: str) -> None:
    """No NUL, which PostgreSQL keeps in no text, and no half of a surrogate pair. Raises RecordRefused."""
    if found := _UNKEPT.search(text):
        line = text.count("\n", 0, found.start()) + 1
        raise RecordRefused(Refused(game=None, line=line, play="", reason="a character that no text can hold"))


def _replayed(table: Table, text: str, judged: Mapping[int, Win] | None) -> list[tuple[GameReplay, Outcome]]:
    matches = replay_text(text, agreed=rules_of(table), judged=judged)
    if refused := [refused for match in matches for refused in match.refused]:
        raise RecordRefused(refused[0])
    if len(matches) != 1:
        raise RecordDiffers(field="number of matches", recorded=len(matches), agreed=1)
    return _finished(matches[0], table)


def _finished(replay: Replay, table: Table) -> list[tuple[GameReplay, Outcome]]:
    """The games, each with its outcome, of a record that stands, is this table's and reaches its end."""
    if replay.refused:
        raise RecordRefused(replay.refused[0])
    games: list[tuple[GameReplay, Outcome]] = []
    for game in replay.games:
        assert isinstance(game, GameReplay), "refused games were dealt with above"
        if game.outcome is None:
            raise RecordUnfinished(f"record: game {game.number} has no result")
        games.append((game, game.outcome))
    if table.match_length == 0 and len(games) != 1:
        raise RecordDiffers(field="number of games", recorded=len(games), agreed=1)
    if table.match_length and replay.winner is None:
        assert replay.series, "no game was refused"
        score = " : ".join(map(str, replay.series.score))
        raise RecordUnfinished(f"record: the match to {table.match_length} stands at {score}")
    return games


def _rows(table: Table, games: list[tuple[GameReplay, Outcome]]) -> list[Game]:
    return [_row(table, number, game) for number, game in enumerate(games, 1)]


def _row(table: Table, number: int, game: tuple[GameReplay, Outcome]) -> Game:
    replay, outcome = game
    assert outcome.winner is not None, "a record has no void games"
    return Game(
        table=table,
        number=number,
        winner=outcome.winner,
        win=outcome.win or "",
        cube=outcome.cube,
        points=outcome.points,
        ending=outcome.ending,
        plays=replay.plays,
    )
