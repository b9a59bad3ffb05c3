"""What a position still allows and what it already makes certain, without any analysis (B-15, B-19).

Both answers err on the careful side: ``at_most`` may name a win that no dice bring about, ``at_least`` may miss one
that all dice bring about; neither ever says less, or more, than the truth.
"""

from typing import Final

from games.rules.board import BAR, Position
from games.rules.endings import Win

MOST_PIPS_A_TURN: Final = 24
"""Double six, played in full (B-4)."""


def at_most(position: Position) -> Win:
    """The dearest loss that the side seeing ``position`` can still suffer (B-8).

    A checker borne off never comes back (B-7): no gammon. A side that is past the other and has left the other's
    home board can no longer be caught there: no backgammon.
    """
    if position.borne_off > 0:
        return Win.SINGLE
    if _has_contact(position) or any(count > 0 for count in position.points[19:]):
        return Win.BACKGAMMON
    return Win.GAMMON


def at_least(position: Position, *, to_move: bool) -> Win:
    """The loss that the side seeing ``position`` cannot escape any more if it loses; with contact a single one.

    ``to_move`` tells whether the next turn is that side's. Compared are the fewest turns in which it can bear off
    its first checker, or leave the other's home board, and the most turns the other needs to bear off its last:
    in a race no roll is worse than 2-1.
    """
    if position.borne_off > 0 or _has_contact(position):
        return Win.SINGLE
    winner_turns = _most_turns_to_finish(position.swapped())
    turns_before_the_end = winner_turns if to_move else winner_turns - 1
    if _fewest_turns(_pips_to_first_off(position)) <= turns_before_the_end:
        return Win.SINGLE
    if _fewest_turns(_pips_to_leave(position)) <= turns_before_the_end:
        return Win.GAMMON
    return Win.BACKGAMMON


def _has_contact(position: Position) -> bool:
    """Whether some checker of either side still has to pass one of the other's."""
    rearmost = max(point for point in range(BAR + 1) if position.points[point] > 0)
    return any(count < 0 for count in position.points[:rearmost])


def _fewest_turns(pips: int) -> int:
    return -(-pips // MOST_PIPS_A_TURN)


def _pips_to_leave(position: Position) -> int:
    """Pips to bring every checker out of the other's home board and off the bar."""
    return sum((point - 18) * position.points[point] for point in range(19, BAR + 1) if position.points[point] > 0)


def _pips_to_first_off(position: Position) -> int:
    """Pips to bring every checker home, and one more: the least that bears one off."""
    return 1 + sum((point - 6) * position.points[point] for point in range(7, BAR + 1) if position.points[point] > 0)


def _most_turns_to_finish(position: Position) -> int:
    """Turns in which the side seeing ``position`` bears off everything in a race, rolling 2-1 every time.

    The two dice are played plainly, so it may be a turn more than the best play of 2-1 needs: the careful side.
    """
    points = [max(0, count) for count in position.points]
    turns = 0
    while sum(points):
        turns += 1
        for die in (2, 1):
            if not sum(points):
                break
            highest = max(point for point in range(BAR + 1) if points[point])
            # Off with it when the rule allows (B-7); otherwise the rearmost checker comes nearer.
            source = die if highest <= 6 and points[die] else highest
            points[source] -= 1
            if source > die:
                points[source - die] += 1
    return turns
