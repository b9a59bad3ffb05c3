"""Short match records, each with one ending. Side 1 is ann, side 2 bob."""

from pathlib import Path
from typing import Final

from games.rules.record_reading import decoded

SHIPPED: Final = Path(__file__).parents[2] / "games" / "records"

OPENING: Final = "  1) 31: 8/5 6/5                 42: 8/4 6/4\n"
DOUBLED: Final = OPENING + "  2)  Doubles => 2                Takes\n"
DROPPED: Final = OPENING + "  2)  Doubles => 2                Drops\n      Wins 1 point\n"
"""Ann wins a point."""
RESIGNED: Final = DOUBLED + "      Wins 4 points\n"
"""Bob resigns a gammon with the cube on 2."""
TIMED_OUT: Final = OPENING + "  2)  Loses on time\n" + " " * 34 + "Wins 1 point\n"
"""Bob wins a point."""
UNFINISHED: Final = OPENING


def game(body: str, *, number: int = 1, score: tuple[int, int] = (0, 0)) -> str:
    return f"\n Game {number}\n ann : {score[0]}                       bob : {score[1]}\n{body}"


def record(*games: str, length: int = 0, headers: str = "") -> str:
    """A whole record; ``length`` 0 is money play. ``headers`` are lines of their own."""
    return f"{headers} {length} point match\n" + "".join(games)


def money(body: str, *, headers: str = "") -> str:
    """The record of one money game."""
    return record(game(body), headers=headers)


def shipped(name: str) -> str:
    """A record of the package."""
    return decoded((SHIPPED / f"{name}.txt").read_bytes())
