"""``manage.py replay FILE…``: judge match records by the rules and say what follows from each game."""

import json
import stat
import sys
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand

from games.rules.endings import Win
from games.rules.record_reading import decoded
from games.rules.replay import GameReplay, Refused, replay_text

BYTES_MAX = 8 * 1024 * 1024
"""A file longer than this is no match record: a thousand times what a long match takes."""

COLUMNS = "{file:<28} {game:>4}  {match:<10} {result:<34} {cube:>4} {points:>6} {recorded:>8} {plays:>5}"


class Command(BaseCommand):
    help = (
        "Plays match records (.mat) again by the rules and prints a line a game, or the line and the reason why it "
        "is refused. Points are cube times value, Jacoby applied, not clipped to what a match still needed; recorded "
        "are those the record names. Plays are rolls that were played, dances included; a roll after which a side "
        "resigned is none. Status 1 if any game or file was refused; the others are read all the same."
    )
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("files", nargs="+", metavar="FILE", help="match records, one or more")
        parser.add_argument(
            "--judged",
            action="append",
            default=[],
            type=_judgment,
            metavar="GAME=WIN",
            help="what an analysis gave for a game lost on time, as 3=gammon (B-15): its table tells it as `priced`",
        )
        parser.add_argument("--json", action="store_true", help="one JSON object a game, and one with the sums")

    def handle(self, *args: Any, **options: Any) -> None:
        as_json = options["json"]
        if not as_json:
            self.stdout.write(
                COLUMNS.format(
                    file="file", game="game", match="match", result="result", cube="cube", points="points",
                    recorded="recorded", plays="plays",
                )
            )  # fmt: skip
        games = plays = refused = 0
        judged = dict(options["judged"])
        for file in options["files"]:
            for game in _replayed(file, judged):
                if isinstance(game, Refused):
                    refused += 1
                    line = _refusal_as_json(file, game) if as_json else f"{file}:{game.line or '-'}: refused: {game}"
                else:
                    games += 1
                    plays += game.plays
                    line = _as_json(file, game) if as_json else _as_row(file, game)
                self.stdout.write(line)
        sums = {"games": games, "plays": plays, "refused": refused}
        self.stdout.write(json.dumps(sums) if as_json else f"{games} games, {plays} plays, {refused} refused")
        if refused:
            sys.exit(1)


def _judgment(text: str) -> tuple[int, Win]:
    game, _, win = text.partition("=")
    if not (game.isascii() and game.isdecimal() and len(game) < 8 and win in list(Win)):
        raise ArgumentTypeError(f"{text!r} is no number of a game and what was lost, as 3=gammon")
    return int(game), Win(win)


def _replayed(file: str, judged: Mapping[int, Win]) -> list[GameReplay | Refused]:
    try:
        # Looked at before it is opened: opening a pipe waits for its writer, and a device may never end.
        if not stat.S_ISREG(Path(file).stat().st_mode):
            return [Refused(game=None, line=None, play="", reason="cannot be read: not a regular file")]
        with Path(file).open("rb") as stream:
            data = stream.read(BYTES_MAX + 1)
        if len(data) > BYTES_MAX:
            return [Refused(game=None, line=None, play="", reason=f"cannot be read: longer than {BYTES_MAX} bytes")]
        text = decoded(data)
    except OSError as error:
        return [Refused(game=None, line=None, play="", reason=f"cannot be read: {error.strerror or error}")]
    except ValueError as error:
        return [Refused(game=None, line=None, play="", reason=f"cannot be read: {error}")]
    return [game for match in replay_text(text, judged=judged) for game in match.games]


def _as_json(file: str, game: GameReplay) -> str:
    outcome = game.outcome
    return json.dumps(
        {
            "file": file,
            "game": game.number,
            "match_length": game.match_length,
            "jacoby": game.jacoby,
            "winner": outcome.winner if outcome else None,
            "win": outcome.win if outcome else None,
            "ending": outcome.ending if outcome else None,
            "cube": game.cube,
            "points": outcome.points if outcome else None,
            "recorded_points": game.recorded_points,
            "plays": game.plays,
        }
    )


def _refusal_as_json(file: str, refused: Refused) -> str:
    return json.dumps({"file": file, "line": refused.line, "error": str(refused)})


def _as_row(file: str, game: GameReplay) -> str:
    outcome = game.outcome
    result = "not finished"
    if outcome is not None:
        result = f"{outcome.winner} wins, {outcome.win or 'the match'}, {outcome.ending.replace('_', ' ')}"
    name = Path(file).name
    return COLUMNS.format(
        file=name if len(name) <= 28 else f"…{name[-27:]}",
        game=game.number,
        match=f"to {game.match_length}" if game.match_length else ("Jacoby" if game.jacoby else "money"),
        result=result,
        cube=game.cube,
        points=outcome.points if outcome else "-",
        recorded=game.recorded_points if game.recorded_points is not None else "-",
        plays=game.plays,
    )
