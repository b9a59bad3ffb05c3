"""``manage.py ids``: one position in all the ways other programs write it."""

import json
import re
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.rules.board import Position
from games.rules.drawing import draw
from games.rules.ids import (
    BadId,
    MatchState,
    read_match_id,
    read_position_id,
    read_xgid,
    write_match_id,
    write_position_id,
    write_xgid,
)


class Command(BaseCommand):
    """Refuses a bad ID with its field, value and rule on standard error and status 2."""

    help = "Prints the XGID, the GNU Backgammon Position ID and the Match ID of a position."
    requires_system_checks: list[str] = []  # needs no database, so nothing about one is checked

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "position", metavar="XGID=...", help="an XGID, or GNU Backgammon's <Position ID>:<Match ID>; quote it"
        )
        parser.add_argument("--json", action="store_true", help="one object: xgid, position_id, match_id")

    def handle(self, *, position: str, json: bool, **options: Any) -> None:
        try:
            board, state = read_any(position)
            found = all_ids(board, state)
        except BadId as bad:
            raise CommandError(str(bad), returncode=2) from None
        self.stdout.write(as_json(found) if json else as_page(board, found))


def read_any(text: str) -> tuple[Position, MatchState]:
    """The position of an XGID or of ``<Position ID>:<Match ID>``. Raises BadId."""
    gnu = re.fullmatch(r"(?P<position>[^:=]*):(?P<match>[^:=]*)", text.strip())
    if gnu:
        return read_position_id(gnu["position"]), read_match_id(gnu["match"])
    return read_xgid(text)


def all_ids(position: Position, state: MatchState) -> dict[str, str]:
    """The three IDs by name. Raises BadId where one of them cannot say what the state is."""
    return {
        "xgid": write_xgid(position, state),
        "position_id": write_position_id(position),
        "match_id": write_match_id(state),
    }


def as_json(found: dict[str, str]) -> str:
    """One object on one line."""
    return json.dumps(found)


def as_page(position: Position, found: dict[str, str]) -> str:
    """The board drawn, and below it the IDs."""
    told = [
        f"XGID         {found['xgid'].removeprefix('XGID=')}",
        f"Position ID  {found['position_id']}",
        f"Match ID     {found['match_id']}",
    ]
    return "\n".join([draw(position), *told])
