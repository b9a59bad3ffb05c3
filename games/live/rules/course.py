"""The course of a live contest: how it stands after each event, and which events follow by themselves.

``after`` is the only way from one stand to the next. The service goes it when something is done, and whoever replays
a contest goes it again over the events that were written down.
"""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from typing import Any

from games.live.rules.events import Event, Kind, utc
from games.live.rules.stand import Due, Lapse, Stand, Status, away_for, due, is_closed_out, spent
from games.rules import clock as clocks
from games.rules import series as matches
from games.rules.actions import (
    AcceptBeaver,
    AcceptResignation,
    Action,
    Beaver,
    Concession,
    DeclineResignation,
    Double,
    OfferResignation,
    OpeningThrow,
    Pass,
    PlayCheckers,
    RefuseBeaver,
    Roll,
    Take,
    TimeOut,
)
from games.rules.clock import ZERO, TimeIsUp
from games.rules.endings import Win
from games.rules.game import Game, Phase, act, loss_is_open, new_game
from games.rules.ids import read_position_id
from games.rules.refusals import RuleBroken
from games.rules.sides import SIDES, Side

Throw = Callable[[int], tuple[int, int]]
"""The dice of a counter (F)."""


class AbsenceIsOver(RuleBroken):
    """A side has been away for as long as it may be in a game: the game is abandoned."""

    rule = "A-1"
    reason = "a side was away too long and the game is abandoned"


class SeedsCameTooLate(RuleBroken):
    """The seeds were not given in time: nothing is played."""

    rule = "A-8"
    reason = "the seeds were not given in time and nothing is played"


def after(stand: Stand, event: Event) -> Stand:
    """The contest after ``event``. Raises what the rules raise: a RuleBroken, ImpossibleDice."""
    side, payload = event.side, event.payload
    match event.kind:
        case Kind.COMMITMENT:
            return replace(stand, commitment=payload["hash"], since=event.at)
        case Kind.SEED_HASH:
            assert side is not None
            return replace(stand, hashes=_with(stand.hashes, side, payload["hash"]))
        case Kind.SEED:
            assert side is not None
            return replace(stand, seeds=_with(stand.seeds, side, payload["seed"]))
        case Kind.NEXT_GAME:
            return _next_game(stand, event.at)
        case Kind.CAME:
            assert side is not None
            return _came(stand, side, event)
        case Kind.WENT:
            assert side is not None
            return _went(stand, side, event.at)
        case Kind.SERVICE_DOWN:
            return _service_down(stand, since=datetime.fromisoformat(payload["since"]), until=event.at)
        case Kind.ABANDONED:
            return replace(stand, status=Status.ABANDONED, since=None, absent=tuple(payload["absent"]))
        case Kind.VOIDED:
            return replace(stand, status=Status.VOIDED, since=None, absent=tuple(payload["absent"]))
        case Kind.SERVER_SEED:
            return replace(stand, server_seed=payload["seed"])
        case Kind.TIME_OUT if payload.get("pricing"):
            return _to_be_priced(stand, event)
        case Kind.PRICED:
            assert stand.status is Status.PRICING, "nothing waits for a price"
            return _played(stand, event, act(stand.game, _action(event)))
        case _ if stand.status is Status.PRICING:
            raise TimeIsUp
        case _:
            return _played(stand, event, act(stand.game, _action(event)))


def check_time(stand: Stand, *, heard_at: datetime) -> None:
    """Nothing, if what is heard now still counts. Raises TimeIsUp, AbsenceIsOver, SeedsCameTooLate (B-15, A-1, A-8)."""
    comes = due(stand)
    if comes is None or heard_at < comes.at:
        return
    raise {Lapse.TIME_OUT: TimeIsUp, Lapse.ABSENCE: AbsenceIsOver, Lapse.NOTHING_THROWN: SeedsCameTooLate}[comes.lapse]


def lapsed(stand: Stand, comes: Due, *, at: datetime, priced: bool) -> Event:
    """What ``comes`` amounts to, found at ``at`` or later than it was due. With ``priced`` there is an engine that can
    say what a game of a match costs whose time ran out (B-15).
    """
    told: dict[str, Any] = {"due": utc(comes.at)}
    if comes.lapse is Lapse.TIME_OUT:
        if priced and stand.agreed.match_length and loss_is_open(stand.game):
            told["pricing"] = True
        return Event(Kind.TIME_OUT, comes.side, at, at, told)
    # Who was away at that instant, not who is now: nothing that came later counts.
    away = [
        side for side, since in zip(SIDES, stand.away_since, strict=True) if since is not None and since <= comes.at
    ]
    kind = Kind.ABANDONED if comes.lapse is Lapse.ABSENCE else Kind.VOIDED
    return Event(kind, None, at, at, {**told, "absent": away})


def follows(stand: Stand, *, throw: Throw, server_seed: str, at: datetime) -> Event | None:
    """What the referee does next by itself, None if it is the players' turn.

    A side that cannot move whatever it throws has its dice thrown for it, unless it may double before (B-9).
    """
    if stand.status.is_final:
        if stand.server_seed:
            return None
        return Event(Kind.SERVER_SEED, None, at, at, {"seed": server_seed})
    if not all(stand.seeds) or stand.status is Status.PRICING:
        return None
    if stand.game.phase is Phase.OVER:
        return Event(Kind.NEXT_GAME, None, at, at)
    if stand.game.phase is Phase.OPENING_THROW:
        return Event(Kind.OPENING_THROW, None, at, at, thrown(stand, throw))
    if is_closed_out(stand.game) and stand.game.concession is None and not _may_double(stand.game):
        return Event(Kind.ROLL, stand.game.turn, at, at, {**thrown(stand, throw), "forced": True})
    return None


def thrown(stand: Stand, throw: Throw) -> dict[str, Any]:
    """The next throw, as an event tells it."""
    return {"dice": list(throw(stand.thrown)), "counter": stand.thrown}


def _may_double(game: Game) -> bool:
    assert game.turn is not None
    try:
        act(game, Double(game.turn))
    except RuleBroken:
        return False
    return True


def _action(event: Event) -> Action:
    """What the referee is asked for."""
    side, payload = event.side, event.payload
    if event.kind is Kind.OPENING_THROW:
        return OpeningThrow(_dice(payload))
    assert side is not None
    match event.kind:
        case Kind.ROLL:
            return Roll(side, _dice(payload))
        case Kind.PLAY:
            return PlayCheckers(side, read_position_id(payload["to"]))
        case Kind.DOUBLE:
            return Double(side)
        case Kind.TAKE:
            return Take(side)
        case Kind.PASS:
            return Pass(side)
        case Kind.BEAVER:
            return Beaver(side)
        case Kind.ACCEPT_BEAVER:
            return AcceptBeaver(side)
        case Kind.REFUSE_BEAVER:
            return RefuseBeaver(side)
        case Kind.RESIGN:
            return OfferResignation(side, Concession(payload["concession"]))
        case Kind.ACCEPT_RESIGNATION:
            return AcceptResignation(side)
        case Kind.DECLINE_RESIGNATION:
            return DeclineResignation(side)
        case Kind.TIME_OUT:
            return TimeOut(side)
        case Kind.PRICED:
            return TimeOut(side, win=Win(payload["win"]))
        case _:
            raise AssertionError(f"{event.kind} is no action of a game")


def _dice(payload: Any) -> tuple[int, int]:
    first, second = payload["dice"]
    return first, second


# B-15: a time for each move, then a reserve. B-19: the clock of a side that offers to resign runs on.
def _played(stand: Stand, event: Event, game: Game) -> Stand:
    """The stand with ``game`` as it is after ``event``, the clock handed over when the other side has to think."""
    before, now = stand.game.on_the_clock, game.on_the_clock
    played = replace(stand, status=Status.PLAYING, game=game, thrown=stand.thrown + ("counter" in event.payload))
    if event.kind is Kind.OPENING_THROW:
        played = replace(played, thought=ZERO, since=None)
    elif event.kind not in (Kind.TIME_OUT, Kind.PRICED) and before is not None and before != now:
        moved = clocks.moved(stand.clock, side=before, spent=spent(stand, at=event.heard_at))
        played = replace(played, clock=moved)
    if now is not None and now != before:
        played = replace(played, thought=ZERO, since=None if played.is_away(now) else event.at)
    return _game_over(played) if game.phase is Phase.OVER else played


# B-15: what the game costs is for an analysis to say. An offered resignation is withdrawn (B-19), and absences no
# longer count.
def _to_be_priced(stand: Stand, event: Event) -> Stand:
    assert event.side == stand.game.on_the_clock, "whose clock stands has time"
    first, second = stand.away_since
    return replace(
        stand,
        status=Status.PRICING,
        game=replace(stand.game, concession=None),
        thought=spent(stand, at=event.at),
        since=None,
        away_since=(first and event.at, second and event.at),
        away_used=(away_for(stand, 1, at=event.at), away_for(stand, 2, at=event.at)),
    )


def _game_over(stand: Stand) -> Stand:
    outcome = stand.game.outcome
    assert outcome is not None
    series = matches.after(stand.series, outcome)
    ended = not series.length or series.winner is not None
    return replace(
        stand,
        status=Status.OVER if ended else Status.PLAYING,
        series=series,
        games=(*stand.games, outcome),
        thought=ZERO,
        since=None,
    )


# absences add up to 5:00 a side a game. B-15: reserves restart each game.
def _next_game(stand: Stand, at: datetime) -> Stand:
    first, second = stand.away_since
    return replace(
        stand,
        number=stand.number + 1,
        game=new_game(stand.agreed.terms(stand.series)),
        clock=stand.pace.new_clock(),
        away_since=(first and at, second and at),
        away_used=(ZERO, ZERO),
    )


# The absent side's move clock stops meanwhile.
def _went(stand: Stand, side: Side, at: datetime) -> Stand:
    gone = replace(stand, away_since=_with(stand.away_since, side, at))
    if _thinks(stand, side):
        return replace(gone, thought=spent(stand, at=at), since=None)
    return gone


def _came(stand: Stand, side: Side, event: Event) -> Stand:
    """``side`` was away until it was heard; its clock goes on when that is done."""
    assert stand.is_away(side)
    used = away_for(stand, side, at=event.heard_at)
    back = replace(stand, away_since=_with(stand.away_since, side, None), away_used=_with(stand.away_used, side, used))
    return replace(back, since=event.at) if _thinks(stand, side) else back


def _thinks(stand: Stand, side: Side) -> bool:
    return stand.status is Status.PLAYING and stand.game.on_the_clock == side


# Time when the service was down does not count.
def _service_down(stand: Stand, *, since: datetime, until: datetime) -> Stand:
    """All time that runs is stopped at ``since`` and goes on from ``until``."""
    away_since, away_used = stand.away_since, stand.away_used
    for side, left in zip(SIDES, away_since, strict=True):
        if left is not None:
            away_used = _with(away_used, side, away_used[side - 1] + max(ZERO, since - left))
            away_since = _with(away_since, side, max(left, until))
    stopped = replace(stand, away_since=away_since, away_used=away_used)
    if stand.since is None:
        return stopped
    return replace(stopped, thought=spent(stand, at=since), since=max(stand.since, until))


def _with(pair: tuple[Any, Any], side: Side, value: object) -> tuple[Any, Any]:
    return (value, pair[1]) if side == 1 else (pair[0], value)
