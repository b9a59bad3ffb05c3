"""Plays as players write them, and which legal play is meant."""

import re
from dataclasses import dataclass
from itertools import combinations, pairwise, permutations
from typing import Final

from games.rules.board import BAR, OFF, Position
from games.rules.plays import Move, Play, legal_plays, make, moves_of_a_die, take_back
from games.rules.refusals import RuleBroken


@dataclass(frozen=True, slots=True)
class Path:
    """One checker's way as written: the points named, source first, and those of them marked as hits."""

    points: tuple[int, ...]
    starred: frozenset[int] = frozenset()

    def __str__(self) -> str:
        shown = [f"{point}{'*' * (point in self.starred)}" for point in self.points]
        if self.points[0] == BAR:
            shown[0] = "bar"
        if self.points[-1] == OFF:
            shown[-1] = "off"
        return "/".join(shown)


class UnreadablePlay(ValueError):
    """The text is no play at all, whatever the position. ``text`` is the word that could not be read."""

    def __init__(self, *, text: str, fault: str) -> None:
        super().__init__(f"play: {text!r} {fault}")
        self.text, self.fault = text, fault


class IllegalPlay(RuleBroken):
    """The rules do not allow the play with these dice. ``fault`` says why, ``rule`` which rule."""

    rule = "B-3"
    reason = "{detail}"

    def __init__(self, *, text: str, dice: tuple[int, int], fault: str) -> None:
        super().__init__(f"{text.strip() or 'no play'} with {dice[0]}-{dice[1]}: {fault}")
        self.text, self.dice, self.fault = text, dice, fault


class NoChecker(IllegalPlay):
    """A move from a point on which the side has no checker left."""


class PointMade(IllegalPlay):
    """A move to, or over no other way than, points on which the opponent has two or more checkers."""


class NoSuchDie(IllegalPlay):
    """A move as long as no die, and no sum of dice, that is left."""


class BarFirst(IllegalPlay):
    """A move elsewhere while a checker waits on the bar."""

    rule = "B-6"


class NotAllHome(IllegalPlay):
    """Bearing off with a checker still outside the home board."""

    rule = "B-7"


class CheckerBehind(IllegalPlay):
    """Bearing off with a higher die than needed while a checker stands on a higher point."""

    rule = "B-7"


class MoreToPlay(IllegalPlay):
    """More dice could be played than were."""

    rule = "B-5"


class HigherDieFirst(IllegalPlay):
    """The lower die was played where the higher one can be, and not both."""

    rule = "B-5"


class HitsNothing(IllegalPlay):
    """A point is marked as hit and no checker is hit there."""


class AmbiguousPlay(IllegalPlay):
    """The text fits several plays that differ in the checkers they hit."""


_NAMED: Final = {"bar": BAR, "off": OFF}

_WORD: Final = re.compile(
    r"(?P<points>(?:bar|[0-9]{1,2})\*?(?:/(?:off|[0-9]{1,2})\*?)+)(?:\((?P<times>[1-4])\)(?P<late>\*)?)?", re.IGNORECASE
)


def parse_play(text: str) -> tuple[Path, ...]:
    """The paths written in ``text``, repeats written out; none for an empty text.

    Reads ``8/5 6/5``, ``13/7(2)``, ``bar/20*/16``, ``25/21``, ``6/off`` and ``6/0`` in any case, with spaces or
    commas between. Raises UnreadablePlay.
    """
    paths: list[Path] = []
    for word in re.sub(r"\s+\(", "(", text).replace(",", " ").split():
        match = _WORD.fullmatch(word)
        if not match:
            raise UnreadablePlay(text=word, fault="is no move like 8/5, 13/7(2), bar/20*/16 or 6/off")
        names = match["points"].lower().split("/")
        points = tuple(_point(name.rstrip("*")) for name in names)
        if points[0] > BAR or OFF in points[:-1] or any(near >= far for far, near in pairwise(points)):
            raise UnreadablePlay(text=word, fault="does not lead from the bar or a point down to a lower one or off")
        starred = {point for point, name in zip(points, names, strict=True) if name.endswith("*")}
        if match["late"]:
            starred.add(points[-1])
        if points[0] in starred or OFF in starred:
            raise UnreadablePlay(text=word, fault="marks a hit where none can be")
        paths += [Path(points, frozenset(starred))] * int(match["times"] or 1)
    return tuple(paths)


def find_play(position: Position, dice: tuple[int, int], text: str) -> Play:
    """The legal play of ``dice`` that ``text`` means; for an empty text no moves at all, if there is no legal play.

    A point that is named is landed on, and a blot there is hit, marked or not. Where a path leaves open which way
    its checker goes, a way over starred points is meant, then one on which nothing else is hit, then the only one.
    Raises UnreadablePlay, ImpossibleDice and IllegalPlay: its subclasses say what is wrong.
    """
    paths = parse_play(text)
    legal = {play.position.points: play for play in legal_plays(position, dice)}
    if not paths:
        if legal:
            raise MoreToPlay(text=text, dice=dice, fault=f"{_example(legal)} can be played")
        return Play((), position)
    made = _ways(position, dice, paths)
    if not made:
        raise _refusal(position, dice, paths, text)
    meant = {after: moves for after, moves in made.items() if after in legal}
    if not meant:
        used, possible = max(map(len, made.values())), max(len(play.moves) for play in legal.values())
        if used < possible:
            fault = f"{used} of the dice played where {possible} can be, like {_example(legal)}"
            raise MoreToPlay(text=text, dice=dice, fault=fault)
        raise HigherDieFirst(text=text, dice=dice, fault=f"the {max(dice)} can be played: {_example(legal)}")
    starred = frozenset[int]().union(*(path.starred for path in paths))
    hits = {after: frozenset(move.target for move in moves if move.hit) for after, moves in meant.items()}
    fitting = [after for after in meant if starred <= hits[after]]
    if not fitting:
        nothing = sorted(starred - frozenset[int]().union(*hits.values()) or starred, reverse=True)
        raise HitsNothing(text=text, dice=dice, fault=f"nothing is hit on {_listed(nothing)}")
    named = frozenset(point for path in paths for point in path.points[1:])
    exact = [after for after in fitting if hits[after] <= named]
    if len(exact or fitting) > 1:
        ways = " or ".join(str(legal[after]) for after in fitting)
        raise AmbiguousPlay(text=text, dice=dice, fault=f"this may be {ways}")
    return legal[(exact or fitting)[0]]


def _point(name: str) -> int:
    return _NAMED[name] if name in _NAMED else int(name)


def _example(legal: dict[tuple[int, ...], Play]) -> str:
    return str(next(iter(legal.values())))


def _listed(points: list[int]) -> str:
    return ", ".join(str(point) for point in points)


def _ways(
    position: Position, dice: tuple[int, int], paths: tuple[Path, ...]
) -> dict[tuple[int, ...], tuple[Move, ...]]:
    """Every position to which the paths lead, move by move and die by die, with the moves; none if they lead nowhere.

    All orders of the checkers and of the dice are tried, so it does not matter in which order the paths are written.
    """
    points = list(position.points)
    made: dict[tuple[int, ...], tuple[Move, ...]] = {}
    seen = set()

    def go_on(standing: tuple[tuple[int, ...], ...], left: tuple[int, ...], moves: tuple[Move, ...]) -> None:
        """``standing`` has for each unfinished path where its checker is, then the points it must still land on."""
        if not standing:
            made.setdefault(tuple(points), moves)
            return
        here = (tuple(points), standing, left)
        if here in seen:
            return
        seen.add(here)
        for die in set(left):
            possible = {move.source: move for move in moves_of_a_die(points, die)}
            rest = list(left)
            rest.remove(die)
            for checker in set(standing):
                move = possible.get(checker[0])
                if move is None or move.target < checker[1]:
                    continue
                others = list(standing)
                others.remove(checker)
                if move.target > checker[1]:
                    others.append((move.target, *checker[1:]))
                elif len(checker) > 2:
                    others.append(checker[1:])
                make(points, move)
                go_on(tuple(sorted(others)), tuple(rest), (*moves, move))
                take_back(points, move)

    go_on(tuple(sorted(path.points for path in paths)), dice * 2 if dice[0] == dice[1] else dice, ())
    return made


def _refusal(position: Position, dice: tuple[int, int], paths: tuple[Path, ...], text: str) -> IllegalPlay:
    """Why the paths lead nowhere: what is wrong with the first move that cannot be made, from the highest down."""
    points = list(position.points)
    left = list(dice * 2 if dice[0] == dice[1] else dice)
    hops = [hop for path in paths for hop in pairwise(path.points)]
    for source, target in sorted(hops, reverse=True):
        name = f"{'bar' if source == BAR else source}/{'off' if target == OFF else target}"
        if points[source] <= 0:
            where = "bar" if source == BAR else f"{source}-point"
            return NoChecker(text=text, dice=dice, fault=f"no checker on the {where} for {name}")
        if points[BAR] and source != BAR:
            return BarFirst(text=text, dice=dice, fault=f"a checker on the bar must enter before {name}")
        if target != OFF and points[target] < -1:
            return PointMade(text=text, dice=dice, fault=f"{name} lands on a point the opponent has made")
        if target == OFF and sum(count for count in points[7:] if count > 0) > (source > 6):
            return NotAllHome(text=text, dice=dice, fault=f"{name} before all checkers are in the home board")
        sums = [some for count in range(1, len(left) + 1) for some in combinations(left, count)]
        long_enough = [some for some in sums if sum(some) == source - target]
        if target == OFF and not long_enough:
            long_enough = [some for some in sums if sum(some) > source]
        if not long_enough:
            rest = f"{' and '.join(map(str, left))} left" if left else "no die left"
            return NoSuchDie(text=text, dice=dice, fault=f"no die nor sum of dice makes {name}, with {rest}")
        spent = next((some for some in long_enough if _is_open(points, source, some)), None)
        if spent is None:
            return PointMade(text=text, dice=dice, fault=f"{name} has no way that the opponent has not closed")
        if target == OFF and sum(spent) > source and max(points[source + 1 : BAR], default=0) > 0:
            return CheckerBehind(text=text, dice=dice, fault=f"{name} with a higher die while a checker is behind it")
        for die in spent:
            left.remove(die)
        points[source] -= 1
        if target != OFF:
            points[target] = max(points[target], 0) + 1
    return IllegalPlay(text=text, dice=dice, fault="no order of the moves and of the dice makes it possible")


def _is_open(points: list[int], source: int, dice: tuple[int, ...]) -> bool:
    """Some order of ``dice`` lands a checker from ``source`` on open points only (B-3)."""
    for order in permutations(dice):
        here = source
        for die in order:
            here -= die
            if here > OFF and points[here] < -1:
                break
        else:
            return True
    return False
