"""What is odd about play for money: pure, one function a pattern, over frozen facts.

Whoever is ``loser`` gives, whoever is ``winner`` gets. A rule is asked about one pair, or one loser, in one currency,
and answers with its figures, or None. ``score`` is 50 at the threshold and 100 at twice as much.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from enum import StrEnum
from typing import Final
from uuid import UUID

from games.rules.endings import Ending, Win

DAY: Final = timedelta(days=1)
GIVEN_UP: Final = frozenset({Ending.RESIGNED, Ending.DROPPED, Ending.TIMED_OUT, Ending.ABANDONED})
"""Endings that are the loser's own doing."""


class Kind(StrEnum):
    """The patterns."""

    GIVEN_AWAY = "given_away"
    CHIP_DUMPING = "chip_dumping"
    ONE_WAY_FLOW = "one_way_flow"
    LOSS_SPEED = "loss_speed"
    RESIGN_DEPTH = "resign_depth"
    CASH_OUT_PATH = "cash_out_path"


@dataclass(frozen=True, slots=True)
class Thresholds:
    """From what on a pattern is one: the figures of ``thresholds.toml``, where each is explained."""

    look_back: timedelta
    quick_plays: int
    gift_share: Decimal
    dumping_within: timedelta
    dumping_games: int
    dumping_few_games: int
    dumping_share: Decimal
    flow_contests: int
    flow_share: Decimal
    speed_within: timedelta
    speed_share: Decimal
    depth_games: int
    depth_share: Decimal
    depth_plays: int
    path_new_for: timedelta
    path_share: Decimal
    amounts: Mapping[str, Decimal]
    gifts: Mapping[str, Decimal]

    def least(self, currency: str) -> Decimal:
        """Less than this is not looked at."""
        return self.amounts.get(currency, Decimal(0))

    def gift(self, currency: str) -> Decimal:
        """So much in one contest that was given away is looked at by itself."""
        return self.gifts.get(currency, Decimal(0))


@dataclass(frozen=True, slots=True)
class Played:
    """One game as it ended. ``plays`` are both sides'."""

    loser: UUID
    ending: Ending
    win: Win | None
    plays: int


@dataclass(frozen=True, slots=True)
class Contest:
    """What was played for at a table, and moved: ``moved`` from loser to winner, before commission."""

    stake: UUID
    loser: UUID
    winner: UUID
    currency: str
    moved: Decimal
    at: datetime
    games: Sequence[Played]

    def is_given_away(self, *, plays: int) -> bool:
        """Whether its loser ended it by their own doing, with no more than so many plays a game."""
        if not self.games or self.games[-1].ending not in GIVEN_UP:
            return False
        return sum(game.plays for game in self.games) <= plays * len(self.games)


@dataclass(frozen=True, slots=True)
class Deposit:
    """What came into a wallet; ``key`` is the journal's."""

    key: str
    at: datetime
    amount: Decimal


@dataclass(frozen=True, slots=True)
class Account:
    """What is known of the loser: since when, and what was paid in, in the currency that is looked at."""

    player: UUID
    since: datetime | None
    deposits: Sequence[Deposit]


@dataclass(frozen=True, slots=True)
class Finding:
    """A pattern that was found. ``evidence`` is figures and ids, as text."""

    kind: Kind
    loser: UUID
    winner: UUID | None
    currency: str
    score: int
    evidence: Mapping[str, str | Sequence[str]]


def given_away(there: Sequence[Contest], back: Sequence[Contest], loser: Account, by: Thresholds) -> Finding | None:
    """One contest is enough if much was given away in it: a large amount, or much of what had been paid in."""

    def is_much(contest: Contest) -> bool:
        had = _sum_of(deposit for deposit in loser.deposits if deposit.at <= contest.at)
        took_much = had > 0 and contest.moved >= max(by.gift_share * had, by.least(contest.currency))
        return took_much or contest.moved >= by.gift(contest.currency)

    found = [contest for contest in there if contest.is_given_away(plays=by.quick_plays) and is_much(contest)]
    if not found:
        return None
    plays = sum(game.plays for contest in found for game in contest.games)
    gift = by.gift(found[0].currency)
    score = max(_score(_sum(found), gift), 50) if gift else 100
    paid_in = [deposit for deposit in loser.deposits if deposit.at <= found[-1].at]
    return _found(Kind.GIVEN_AWAY, found, score, paid_in, plays=plays)


def chip_dumping(there: Sequence[Contest], back: Sequence[Contest], loser: Account, by: Thresholds) -> Finding | None:
    """Games given away to one player within an hour: many, or few that took much of what had been paid in."""
    given = [contest for contest in there if contest.is_given_away(plays=by.quick_plays)]
    found: list[tuple[int, Finding]] = []
    for within in _windows(given, by.dumping_within):
        moved, paid_in = _sum(within), _paid_in(loser, before=within[-1].at)
        took_much = bool(paid_in) and moved >= by.dumping_share * _sum_of(paid_in)
        games = by.dumping_few_games if took_much else by.dumping_games
        if moved < by.least(within[0].currency) or len(within) < games:
            continue
        score = max(_score(len(within), by.dumping_games), 50)
        plays = sum(game.plays for contest in within for game in contest.games)
        found.append((len(within), _found(Kind.CHIP_DUMPING, within, score, paid_in, plays=plays)))
    return max(found, key=lambda each: each[0])[1] if found else None


def one_way_flow(there: Sequence[Contest], back: Sequence[Contest], loser: Account, by: Thresholds) -> Finding | None:
    """Over weeks nearly all that moves between two moves one way, more often than luck would have it."""
    moved, returned = _sum(there), _sum(back)
    if not there or len(there) + len(back) < by.flow_contests or moved - returned < by.least(there[0].currency):
        return None
    share = (moved - returned) / (moved + returned)
    if share < by.flow_share:
        return None
    score = _score(len(there) + len(back), by.flow_contests)
    return _found(Kind.ONE_WAY_FLOW, there, score, (), returned=returned, share=share.quantize(Decimal("0.01")))


def resign_depth(there: Sequence[Contest], back: Sequence[Contest], loser: Account, by: Thresholds) -> Finding | None:
    """Many games resigned to one player that were not lost yet: at the very start, or for a gammon that was none."""

    def too_early(game: Played) -> bool:
        if game.loser != loser.player or game.ending != Ending.RESIGNED:
            return False
        return game.plays <= (by.depth_plays if game.win in (Win.GAMMON, Win.BACKGAMMON) else by.quick_plays)

    lost = [game for contest in (*there, *back) for game in contest.games if game.loser == loser.player]
    early = [contest for contest in there if any(too_early(game) for game in contest.games)]
    number = sum(too_early(game) for game in lost)
    if number < by.depth_games or number < by.depth_share * len(lost) or not early:
        return None
    if _sum(early) < by.least(early[0].currency):
        return None
    score = _score(number, by.depth_games)
    return _found(Kind.RESIGN_DEPTH, early, score, (), resigned_early=number, lost_games=len(lost))


def cash_out_path(there: Sequence[Contest], back: Sequence[Contest], loser: Account, by: Thresholds) -> Finding | None:
    """A new account pays in, and what it paid in is soon with one other player."""
    if loser.since is None:
        return None
    new = [contest for contest in there if contest.at <= loser.since + by.path_new_for]
    paid_in = [deposit for deposit in loser.deposits if deposit.at <= loser.since + by.path_new_for]
    if not new or not paid_in:
        return None
    net = _sum(new) - _sum(contest for contest in back if contest.at <= loser.since + by.path_new_for)
    if net < by.least(new[0].currency) or net < by.path_share * _sum_of(paid_in):
        return None
    score = _score(net / _sum_of(paid_in), 2 * by.path_share)
    return _found(Kind.CASH_OUT_PATH, new, max(score, 50), paid_in, net=net, since=loser.since.isoformat())


def loss_speed(lost: Sequence[Contest], won: Sequence[Contest], loser: Account, by: Thresholds) -> Finding | None:
    """What was paid in within a day is gone within an hour, to whomever."""
    found: list[tuple[Decimal, Finding]] = []
    for within in _windows(lost, by.speed_within):
        back = _sum(contest for contest in won if within[0].at <= contest.at <= within[-1].at)
        net, paid_in = _sum(within) - back, _paid_in(loser, before=within[-1].at)
        if not paid_in or net < by.least(within[0].currency) or net < by.speed_share * _sum_of(paid_in):
            continue
        score = max(_score(net / _sum_of(paid_in), 2 * by.speed_share), 50)
        made = _found(Kind.LOSS_SPEED, within, score, paid_in, net=net)
        found.append((net, made))
    return max(found, key=lambda each: each[0])[1] if found else None


OF_A_PAIR: Final[Mapping[Kind, Callable[..., Finding | None]]] = {
    Kind.GIVEN_AWAY: given_away,
    Kind.CHIP_DUMPING: chip_dumping,
    Kind.ONE_WAY_FLOW: one_way_flow,
    Kind.RESIGN_DEPTH: resign_depth,
    Kind.CASH_OUT_PATH: cash_out_path,
}
"""Asked with what went from the loser to the winner (``there``) and what came ``back``, the earliest first."""


def _windows(contests: Sequence[Contest], length: timedelta) -> Iterable[Sequence[Contest]]:
    """For each contest, it and those before it within ``length``."""
    first = 0
    for last, contest in enumerate(contests):
        while contests[first].at < contest.at - length:
            first += 1
        yield contests[first : last + 1]


def _paid_in(account: Account, *, before: datetime) -> Sequence[Deposit]:
    return [deposit for deposit in account.deposits if before - DAY <= deposit.at <= before]


def _found(
    kind: Kind, contests: Sequence[Contest], score: int, paid_in: Sequence[Deposit], **figures: object
) -> Finding:
    some = contests[0]
    return Finding(
        kind=kind,
        loser=some.loser,
        winner=None if kind == Kind.LOSS_SPEED else some.winner,
        currency=some.currency,
        score=score,
        evidence={
            "contests": str(len(contests)),
            "moved": str(_sum(contests)),
            "from": contests[0].at.isoformat(),
            "to": contests[-1].at.isoformat(),
            "paid_in": str(_sum_of(paid_in)),
            **{name: str(figure) for name, figure in figures.items()},
            "stakes": [str(contest.stake) for contest in contests],
            "winners": sorted({str(contest.winner) for contest in contests}),
            "deposits": [deposit.key for deposit in paid_in],
        },
    )


def _sum(contests: Iterable[Contest]) -> Decimal:
    return sum((contest.moved for contest in contests), Decimal(0))


def _sum_of(deposits: Iterable[Deposit]) -> Decimal:
    return sum((deposit.amount for deposit in deposits), Decimal(0))


def _score(measured: Decimal | int, threshold: Decimal | int) -> int:
    return min(100, int(50 * measured / threshold))
