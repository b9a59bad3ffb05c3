"""A position drawn in characters, for people at a terminal."""

from typing import Final

from games.rules.board import BAR, OFF, Position

_ROWS: Final = 5
"""Checkers shown one above the other on a point; of more the last row shows the number."""


def draw(position: Position) -> str:
    """The board as the side on roll (X) sees it, its home at the bottom right, with pips and checkers borne off."""
    upper, lower = list(range(13, 25)), list(range(12, 0, -1))
    lines = [_edge(upper)]
    lines += [_row(position, upper, OFF, depth) for depth in range(_ROWS)]
    lines += ["|" + " " * 18 + "|BAR|" + " " * 18 + "|"]
    lines += [_row(position, lower, BAR, depth) for depth in reversed(range(_ROWS))]
    lines += [_edge(lower)]
    lines[1] += f"  O: {position.opponent_pips} pips, {position.opponent_borne_off} off"
    lines[-2] += f"  X: {position.pips} pips, {position.borne_off} off"
    return "\n".join(lines)


def _edge(points: list[int]) -> str:
    numbers = [f"{point:-^3}" if point < 10 else f"-{point}" for point in points]
    return "+" + "".join(numbers[:6]) + "-----" + "".join(numbers[6:]) + "+"


def _row(position: Position, points: list[int], bar: int, depth: int) -> str:
    cells = [_cell(position.points[point], depth) for point in points]
    return "|" + "".join(cells[:6]) + "|" + _cell(position.points[bar], depth) + "|" + "".join(cells[6:]) + "|"


def _cell(count: int, depth: int) -> str:
    if abs(count) <= depth:
        return "   "
    if depth == _ROWS - 1 and abs(count) > _ROWS:
        return f"{abs(count):^3}"
    return " X " if count > 0 else " O "
