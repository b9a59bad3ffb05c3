"""Boards for the tests: built from a few words, drawn by hypothesis, or met in random games."""

import json
import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from games.rules.board import BAR, OFF, OPENING, ImpossiblePosition, Position
from games.rules.plays import legal_plays

Dice = tuple[int, int]

GOLDEN = Path(__file__).parent.parent / "golden"

ALL_ROLLS: list[Dice] = [(high, low) for high in range(1, 7) for low in range(1, high + 1)]


def golden(name: str) -> Any:
    """A table of tests/golden."""
    return json.loads((GOLDEN / name).read_text())


def board(*, mine: dict[int, int], theirs: dict[int, int]) -> Position:
    """Checkers by point, both on the mover's scale: 25 is the mover's bar, 0 the opponent's."""
    points = [0] * 26
    for point, count in mine.items():
        points[point] += count
    for point, count in theirs.items():
        points[point] -= count
    return Position(tuple(points))


def two_sided(mine: Sequence[int], theirs: Sequence[int]) -> Position:
    """From counts by point, each side's from its own home with the bar last, as the golden tables have them."""
    points = [0, *mine]
    for place, count in enumerate(theirs, start=1):
        points[BAR - place if place < BAR else OFF] -= count
    return Position(tuple(points))


def games(*, seed: int) -> Iterator[tuple[Position, Dice]]:
    """Positions and rolls of random games, one after another, without end: contact, bars, bearing off."""
    chance = random.Random(seed)
    while True:
        position = OPENING
        while not position.is_over:
            dice = (chance.randint(1, 6), chance.randint(1, 6))
            yield position, dice
            plays = legal_plays(position, dice)
            position = (chance.choice(plays).position if plays else position).swapped()


def scattered(*, seed: int) -> Iterator[tuple[Position, Dice]]:
    """Boards that no game may have met, without end: few checkers or many, spread wide or all near home."""
    chance = random.Random(seed)
    while True:
        reach = chance.choice((6, 7, 12, 25))
        points = [0] * 26
        for _ in range(chance.randint(1, 15)):
            points[chance.randint(1, reach)] += 1
        for _ in range(chance.randint(1, 15)):
            place = BAR - chance.randint(1, chance.choice((6, 25)))
            if points[place] <= 0:
                points[place] -= 1
        try:
            position = Position(tuple(points))
        except ImpossiblePosition:
            continue
        if not position.is_over:
            yield position, (chance.randint(1, 6), chance.randint(1, 6))


@st.composite
def positions(draw: st.DrawFn) -> Position:
    """Any board of a game in progress."""
    points = [0] * 26
    for place in draw(st.lists(st.integers(1, draw(st.sampled_from((6, 8, 25)))), min_size=1, max_size=15)):
        points[place] += 1
    free = [place for place in range(25) if points[place] == 0]
    for place in draw(st.lists(st.sampled_from(free), min_size=1, max_size=15)):
        points[place] -= 1
    try:
        return Position(tuple(points))
    except ImpossiblePosition:
        # Both on the bar before closed boards: take the opponent's off it.
        return Position((0, *points[1:]))


rolls = st.tuples(st.integers(1, 6), st.integers(1, 6))
