"""What a win is worth: its kind from the board, its points from cube and Jacoby (B-8, B-11)."""

from games.rules.board import Position
from games.rules.endings import Win


class NobodyHasWon(ValueError):
    """The mover still has checkers on the board."""


# B-8: Value of a win: single 1; gammon 2 (loser has borne off nothing); backgammon 3 (and still has a checker on
# the bar or in the winner's home board).
def win_of(position: Position) -> Win:
    """The kind of the win that stands on the board, seen by the winner (B-8).

    Raises NobodyHasWon unless the winner has borne off all fifteen.
    """
    if position.borne_off < 15:
        raise NobodyHasWon(f"the winner has borne off {position.borne_off} of 15 (B-8)")
    if position.opponent_borne_off > 0:
        return Win.SINGLE
    in_winners_home_or_on_the_bar = any(count < 0 for count in position.points[0:7])
    return Win.BACKGAMMON if in_winners_home_or_on_the_bar else Win.GAMMON


# B-11: Jacoby (option, money play only): gammon and backgammon count only if the cube was turned by an accepted
# double in that game; automatic doubles do not switch it off.
def points_won(*, win: Win, cube: int, cube_turned: bool, jacoby: bool) -> int:
    """Points of a win: cube times 1, 2 or 3; with Jacoby and no accepted double times 1 (B-8, B-11)."""
    counts = win.factor if cube_turned or not jacoby else 1
    return cube * counts
