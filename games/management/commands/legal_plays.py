"""``manage.py legal_plays``: every legal play of the roll in an XGID."""

import json
import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.rules.board import Position
from games.rules.drawing import draw
from games.rules.ids import BadXgid, read_xgid, write_position_id
from games.rules.plays import Play, legal_plays


class Command(BaseCommand):
    """Refuses a bad XGID with status 2 and stops there, so that what is printed matches the positions in order."""

    help = "Prints every legal play of the roll in an XGID, one for each position that can be reached."
    requires_system_checks: list[str] = []  # needs no database, so nothing about one is checked

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("xgid", nargs="?", metavar="XGID=...", help="a position with dice; quote it")
        parser.add_argument("--stdin", action="store_true", help="read one XGID a line; empty lines are passed over")
        parser.add_argument("--json", action="store_true", help="one line a position: plays, and positions after them")

    def handle(self, *, xgid: str | None, stdin: bool, json: bool, **options: Any) -> None:
        if stdin == (xgid is not None):
            raise CommandError("give either one XGID or --stdin", returncode=2)
        for place, text in _lines() if stdin else [("", xgid or "")]:
            try:
                position, dice = read_roll(text)
            except BadXgid as bad:
                raise CommandError(f"{place}{bad}", returncode=2) from None
            plays = legal_plays(position, dice)
            self.stdout.write(as_json(plays) if json else as_page(position, dice, plays))


def read_roll(text: str) -> tuple[Position, tuple[int, int]]:
    """The board, as the side on roll sees it, and its dice. Raises BadXgid, also where no dice have been thrown."""
    position, state = read_xgid(text)
    if state.dice is None:
        dice = state.offer or "00"
        raise BadXgid(field="dice", value=dice, rule="is no roll: legal plays need two dice from 1 to 6")
    return position, state.dice


def as_json(plays: list[Play]) -> str:
    """One object: the plays as written, and in the same order the Position IDs after them, seen by the same side."""
    return json.dumps(
        {"plays": [str(play) for play in plays], "positions": [write_position_id(play.position) for play in plays]}
    )


def as_page(position: Position, dice: tuple[int, int], plays: list[Play]) -> str:
    """The board drawn, and below it the plays with the Position IDs after them."""
    roll = f"{dice[0]}-{dice[1]}"
    if position.is_over:
        told = "The game is over: one side has borne off everything."
    elif not plays:
        told = f"X rolls {roll} and cannot move."
    else:
        told = f"X rolls {roll}: {len(plays)} legal play{'s' * (len(plays) > 1)}."
    width = max((len(str(play)) for play in plays), default=0)
    listed = [f"  {play!s:<{width}}   {write_position_id(play.position)}" for play in plays]
    return "\n".join([draw(position), told, *listed, ""])


def _lines() -> Iterator[tuple[str, str]]:
    """The lines of standard input that are not empty, each with words that tell which it is."""
    # Bytes, because what is no text must be refused like any other bad line, not by a decoder's traceback.
    lines = getattr(sys.stdin, "buffer", sys.stdin)
    for number, line in enumerate(lines, start=1):
        text = line if isinstance(line, str) else line.decode("utf-8", "replace")
        text = text.removeprefix("\ufeff").strip()
        if text:
            yield f"line {number}: ", text
