"""The board: where every checker stands, as one side sees it."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

CHECKERS: Final = 15
"""Checkers a side (B-1)."""

OFF: Final = 0
BAR: Final = 25
"""Where a checker's way ends and where a hit checker waits, on the scale of the points 1 to 24."""


class ImpossiblePosition(ValueError):
    """No game of backgammon has this board. ``field``, ``value`` and ``rule`` say what is wrong with it."""

    def __init__(self, *, field: str, value: object, rule: str) -> None:
        super().__init__(f"{field}: {value!r} {rule}")
        self.field, self.value, self.rule = field, value, rule


@dataclass(frozen=True, slots=True)
class Position:
    """The board as the side to move sees it.

    ``points`` are 26 numbers. [1] to [24] are the points counted from the mover's home, above zero for the
    mover's checkers and below for the opponent's; [25] is the mover's bar (never below zero), [0] the
    opponent's (never above). What is missing to fifteen a side has been borne off (B-7).
    Raises ImpossiblePosition.
    """

    points: tuple[int, ...]

    def __post_init__(self) -> None:
        check(self.points)

    @classmethod
    def trusted(cls, points: tuple[int, ...]) -> "Position":
        """The position of ``points`` known to be possible: a legal play made from a checked position."""
        position = _bare(cls)
        _set_points(position, points)
        return position

    def swapped(self) -> "Position":
        """The same board as the other side sees it."""
        return Position.trusted(tuple([-count for count in reversed(self.points)]))

    @property
    def bar(self) -> int:
        """The mover's checkers on the bar."""
        return self.points[BAR]

    @property
    def opponent_bar(self) -> int:
        """The opponent's checkers on the bar."""
        return -self.points[OFF]

    @property
    def borne_off(self) -> int:
        """The mover's checkers that have left the board."""
        return CHECKERS - sum(count for count in self.points if count > 0)

    @property
    def opponent_borne_off(self) -> int:
        """The opponent's checkers that have left the board."""
        return CHECKERS + sum(count for count in self.points if count < 0)

    @property
    def pips(self) -> int:
        """What the mover has to throw to bear off everything; a checker on the bar counts 25."""
        return sum(point * count for point, count in enumerate(self.points) if count > 0)

    @property
    def opponent_pips(self) -> int:
        """What the opponent has to throw to bear off everything."""
        return self.swapped().pips

    @property
    def is_over(self) -> bool:
        """One side has borne off its last checker."""
        return max(self.points) <= 0 or min(self.points) >= 0


# A play makes some twenty positions, and nothing can go wrong in them: the slot is filled without the checks.
_bare = object.__new__
_set_points = Position.__dict__["points"].__set__


def check(points: Iterable[int]) -> None:
    """Nothing, if ``points`` can be a board as in Position. Raises ImpossiblePosition.

    Refused: another number of points than 26, anything but whole numbers, a bar with the other side's checkers,
    over fifteen checkers a side, an empty board (one side always has a checker left), and both sides on the bar
    before closed boards (who was hit last hit from a board that was open).
    """
    board = tuple(points)
    if len(board) != 26:
        raise ImpossiblePosition(field="points", value=len(board), rule="is not 26: the points 1 to 24 and two bars")
    for point, count in enumerate(board):
        if type(count) is not int:
            raise ImpossiblePosition(field=f"point {point}", value=count, rule="is no whole number")
    if board[BAR] < 0:
        raise ImpossiblePosition(field="bar", value=board[BAR], rule="holds the other side's checkers")
    if board[OFF] > 0:
        raise ImpossiblePosition(field="opponent's bar", value=board[OFF], rule="holds the other side's checkers")
    mine, theirs = sum(n for n in board if n > 0), -sum(n for n in board if n < 0)
    for side, checkers in (("mover", mine), ("opponent", theirs)):
        if checkers > CHECKERS:
            raise ImpossiblePosition(field=side, value=checkers, rule=f"is over {CHECKERS} checkers")
    if not mine and not theirs:
        raise ImpossiblePosition(field="points", value=0, rule="checkers: the game ends with one side's last")
    if board[BAR] and board[OFF] and min(board[1:7]) >= 2 and max(board[19:25]) <= -2:
        raise ImpossiblePosition(field="bar", value=board[BAR], rule="and the opponent's: both before closed boards")


OPENING: Final = Position((0, -2, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2, 0))
"""Where both sides begin (B-1)."""
