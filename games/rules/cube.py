"""The doubling cube: its value and owner, who may turn it and how far (B-9, B-10, B-13).

The functions here know the cube and the table's limit, nothing of turns or dice; ``game`` asks them when the
moment is right.
"""

from dataclasses import dataclass
from typing import Final

from games.rules.refusals import RuleBroken
from games.rules.sides import Side, opponent_of

LIMIT: Final = 64
"""Our tables stop here (B-9); a record of another room may name its own."""

NO_CUBE: Final = 1
"""The limit at a table without a cube (S-1), where every game counts once."""


def limit(*, cube: bool) -> int:
    """How far the cube goes at our tables, with a ``cube`` or without one."""
    return LIMIT if cube else NO_CUBE


class CubeNotYours(RuleBroken):
    """The other side owns the cube."""

    rule = "B-9"
    reason = "only the owner of the cube may redouble"


class CubeAtLimit(RuleBroken):
    """A double would carry the cube past its limit."""

    rule = "B-9"
    reason = "the cube is at its limit ({detail})"


class BeaverAboveLimit(RuleBroken):
    """A beaver would carry the cube past its limit."""

    rule = "B-10"
    reason = "no beaver above the limit ({detail})"


@dataclass(frozen=True, slots=True)
class Cube:
    """What the cube shows and who owns it; ``owner`` None is a centred cube."""

    value: int = 1
    owner: Side | None = None

    @property
    def turned(self) -> bool:
        """Whether an accepted double turned it. Automatic doubles leave it centred and do not count (B-11)."""
        return self.owner is not None


# B-9: Cube: centred at 1; either side may double before rolling on its own turn (not on the opening turn, not in
# a 1-point match, not at 64); the taker owns it and alone may redouble; a pass loses the value shown before the
# offer.
def offered(cube: Cube, *, by: Side, limit: int = LIMIT) -> int:
    """The value that ``by`` offers by doubling (B-9). Raises CubeNotYours, then CubeAtLimit."""
    if cube.owner == opponent_of(by):
        raise CubeNotYours
    if cube.value * 2 > limit:
        raise CubeAtLimit(f"{cube.value} of {limit}")
    return cube.value * 2


def taken(cube: Cube, *, by: Side) -> Cube:
    """The cube after ``by`` has taken a double: twice the value, owned by the taker (B-9)."""
    return Cube(value=cube.value * 2, owner=by)


# B-10: Beaver (option, money play only): the side doubled may at once redouble and keep the cube, which thereby
# quadruples. The doubler accepts, or refuses and loses the doubled value. No raccoon, no beaver above 64.
def beavered(cube: Cube, *, by: Side, limit: int = LIMIT) -> Cube:
    """The cube after ``by``, just doubled, beavers: four times the value, still ``by``'s (B-10).

    ``cube`` is the cube before the double. Raises BeaverAboveLimit.
    """
    if cube.value * 4 > limit:
        raise BeaverAboveLimit(f"{cube.value * 4} of {limit}")
    return Cube(value=cube.value * 4, owner=by)


# B-13: Automatic doubles (option, off; money play only): each equal opening throw doubles the cube, which stays
# centred, within the table's maximum number and 64.
def doubled_automatically(cube: Cube, *, so_far: int, maximum: int, limit: int = LIMIT) -> Cube:
    """The cube after an equal opening throw: doubled and centred while ``so_far`` is under ``maximum`` (B-13)."""
    if so_far >= maximum or cube.value * 2 > limit:
        return cube
    return Cube(value=cube.value * 2, owner=None)
