"""The two sides of a game: 1 sits in the left column of a record, 2 in the right."""

from typing import Final, Literal

Side = Literal[1, 2]

SIDES: Final[tuple[Side, Side]] = (1, 2)


def opponent_of(side: Side) -> Side:
    """The other side."""
    return 2 if side == 1 else 1
