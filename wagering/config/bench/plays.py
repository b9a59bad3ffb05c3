"""Legal plays beside gammonview's gvformat, another generator in pure Python, on the same positions in turns."""

import importlib
import importlib.util
import random
import time
from collections.abc import Callable
from typing import Any, Final

from games.rules.board import OPENING, Position
from games.rules.plays import legal_plays

PEER: Final = "gvformat.legality"
Dice = tuple[int, int]


class PeerMissing(Exception):
    """gammonview is not installed; it is a package for development."""


def rates(*, positions: int, rounds: int) -> list[tuple[float, float]]:
    """Positions a second, ours and gvformat's, round by round. Raises PeerMissing."""
    if importlib.util.find_spec(PEER.partition(".")[0]) is None:
        raise PeerMissing("gammonview is not installed (it is among the development packages): legal plays left out")
    peer: Callable[..., Any] = importlib.import_module(PEER).legal_plays
    met = _met(positions)
    theirs = [(*_sides(position), *dice) for position, dice in met]
    found = []
    for _ in range(rounds):
        ours = _rate(lambda: [legal_plays(position, dice) for position, dice in met], len(met))
        found.append((ours, _rate(lambda: [peer(*asked) for asked in theirs], len(met))))
    return found


def _met(count: int) -> list[tuple[Position, Dice]]:
    """Positions and rolls of games played at random, the same at every run: contact, bars and bearing off."""
    chance = random.Random(15)
    met: list[tuple[Position, Dice]] = []
    while True:
        position = OPENING
        while not position.is_over:
            dice = (chance.randint(1, 6), chance.randint(1, 6))
            met.append((position, dice))
            if len(met) == count:
                return met
            plays = legal_plays(position, dice)
            position = (chance.choice(plays).position if plays else position).swapped()


def _sides(position: Position) -> tuple[list[int], list[int]]:
    """Mover's and opponent's checkers by point, both on the mover's scale, as gvformat takes them."""
    mine = [0, *(max(count, 0) for count in position.points[1:])]
    theirs = [0, *(max(-count, 0) for count in position.points[1:])]
    return mine, theirs


def _rate(run: Callable[[], object], count: int) -> float:
    began = time.perf_counter()
    run()
    return count / (time.perf_counter() - began)
