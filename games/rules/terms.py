"""What holds for one game: its options, the match it belongs to, and how far the cube goes."""

from dataclasses import dataclass

from games.rules import cube as cubes
from games.rules.refusals import RuleBroken


class MoneyPlayOnly(RuleBroken):
    """Jacoby, beavers and automatic doubles belong to money play."""

    rule = "B-10, B-11, B-13"
    reason = "{detail} belongs to money play only"


class CubeNeeded(RuleBroken):
    """Beavers and automatic doubles turn a cube, and the table has none."""

    rule = "B-10, B-13"
    reason = "{detail} needs a cube, and none is agreed on"


class ImpossibleTerms(RuleBroken):
    """Terms under which no game can be played."""

    rule = "B-9, B-12, B-13"
    reason = "no game can be played on these terms: {detail}"


@dataclass(frozen=True, slots=True)
class Terms:
    """What holds for one game. ``match_length`` 0 is money play.

    ``needs`` are the points each side is short of the match, ``crawford_game`` tells that this game is played
    without a cube (B-12); both come from the series. ``automatic_doubles`` is the table's maximum number of them,
    0 being none (B-13). ``cube_limit`` is the highest value the cube may reach (B-9); at 1 there is no cube.
    """

    match_length: int = 0
    needs: tuple[int, int] = (0, 0)
    crawford_game: bool = False
    jacoby: bool = False
    beavers: bool = False
    automatic_doubles: int = 0
    cube_limit: int = cubes.LIMIT

    def __post_init__(self) -> None:
        if self.match_length > 0:
            options = {"Jacoby": self.jacoby, "a beaver": self.beavers, "an automatic double": self.automatic_doubles}
            for name, wanted in options.items():
                if wanted:
                    raise MoneyPlayOnly(name)
            if not all(1 <= points <= self.match_length for points in self.needs):
                raise ImpossibleTerms(f"the sides need {self.needs} of {self.match_length}")
        elif self.match_length < 0 or self.needs != (0, 0) or self.crawford_game:
            raise ImpossibleTerms("a money game has no length, score or Crawford game")
        if self.automatic_doubles < 0 or self.cube_limit < 1:
            raise ImpossibleTerms("neither automatic doubles nor the cube's limit go below zero")
