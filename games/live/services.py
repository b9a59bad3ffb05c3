"""A table played here, move by move: the server is the referee.

Each service locks the table's row first, before the table itself and whatever money hangs on it, and asks ``now``
when it has it. An action names the version of the state it was thought of at: what comes twice is the same, what
comes late is refused with the present state.
"""

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final
from uuid import UUID

import structlog
from django.db import InterfaceError, OperationalError, transaction

from games.analysis import sage
from games.live.models import Action, Connection, Live, Pulse, Secret
from games.live.pricing import Price
from games.live.rules import snapshot
from games.live.rules.course import check_time, lapsed, thrown
from games.live.rules.events import Event, Kind
from games.live.rules.pace import Pace
from games.live.rules.seeding import gives_hash, gives_seed
from games.live.rules.stand import Due, Status, due, opened
from games.live.rules.wishes import CLAIM, Wish
from games.live.selectors import agreed_of, pace_of
from games.live.sitting import PULSE_GAP_MAX, Now, Sitting, sitting
from games.models import Record, Table
from games.rules.actions import PlayCheckers
from games.rules.dice import SEED_BYTES, hash_of
from games.rules.endings import Outcome
from games.rules.game import Game, GameOver, Phase
from games.rules.game import act as referee
from games.rules.ids import write_position_id
from games.rules.notation import find_play
from games.rules.refusals import RuleBroken
from games.rules.series import Series
from games.rules.sides import SIDES, Side

log = structlog.get_logger(__name__)

LEASE: Final = timedelta(seconds=30)
"""A connection that has not been seen for so long is gone."""
CONNECTIONS_MAX: Final = 8
"""Of one side at one table: more tabs and devices than a player has."""


class StartedOtherwise(ValueError):
    """The table is played here already, at another pace; or its record was reported, so it was played elsewhere."""

    def __init__(self, table: UUID) -> None:
        super().__init__(f"table: {table} is played otherwise already")
        self.table = table


class StaleVersion(ValueError):
    """The action was thought of at another state than the present one, which ``state`` is."""

    def __init__(self, *, named: int, state: dict[str, Any]) -> None:
        super().__init__(f"version: {named} is named, the table's is {state['version']}")
        self.named, self.state = named, state


class NothingToClaim(RuleBroken):
    """The other side still has time."""

    rule = "B-15, A-1"
    reason = "the other side's time is not up"


@dataclass(frozen=True, slots=True)
class Abandoned:
    """A contest that was left: who was away, and what there is to analyse (A-2)."""

    absent: tuple[Side, ...]
    game: Game
    series: Series


@dataclass(frozen=True, slots=True)
class Done:
    """What a service did. ``state`` is the document for whoever asked.

    At most one of ``contest_over``, ``abandoned`` and ``voided`` says that the contest has ended, and how; it says so
    again when the same is asked again. ``replayed`` tells that nothing was done, since it had been done before.
    """

    table: UUID
    version: int
    sequence: int
    state: dict[str, Any]
    contest_over: Outcome | None = None
    abandoned: Abandoned | None = None
    voided: bool = False
    replayed: bool = False


# --- Before the first throw ----------------------------------------------------------------------------------


def start(*, table: Table, pace: Pace, at: datetime) -> Live:
    """The table is played here from now on: the server commits itself to its seed and waits for the sides' hashes.

    The same again returns the same. Raises StartedOtherwise.
    """
    with transaction.atomic():
        seed = secrets.token_bytes(SEED_BYTES)
        begun = opened(agreed_of(table), pace)
        live = Live(
            table=table,
            move_s=pace.move_s,
            reserve_s=pace.reserve_s,
            days=pace.days,
            status=begun.status.value,
            snapshot=snapshot.to_json(begun),
            started_at=at,
            changed_at=at,
        )
        # A rival has committed by the time the insert gives way to it.
        Live.objects.bulk_create([live], ignore_conflicts=True)
        found = Live.objects.select_for_update().get(pk=table.pk)
        if found.sequence:
            if pace_of(found) != pace:
                raise StartedOtherwise(table.pk)
            return found
        if Record.objects.filter(table=table).exists():
            raise StartedOtherwise(table.pk)
        Secret.objects.create(live=found, seed=seed.hex())
        with sitting(table=table.pk, now=lambda: at) as begins:
            begins.happens(Kind.COMMITMENT, None, {"hash": hash_of(seed=seed).hex()})
            begins.written()
            return begins.live


def commit_seed(*, table: UUID, side: Side, digest: str, now: Now) -> Done:
    """``side`` binds itself to its seed by its SHA-256, in hexadecimal; the same again changes nothing (F).

    Raises NotLive, SeedsCameTooLate and what ``gives_hash`` raises.
    """
    with sitting(table=table, now=now) as sits:
        if not gives_hash(sits.stand, side, digest):
            return _done(sits, side, replayed=True)
        _is_heard(sits, side)
        sits.happens(Kind.SEED_HASH, side, {"hash": digest})
        sits.written()
        return _done(sits, side)


def reveal_seed(*, table: UUID, side: Side, seed: str, now: Now) -> Done:
    """``side`` tells its seed, in hexadecimal; with the second seed the first game opens (F).

    The same again changes nothing. Raises NotLive, SeedsCameTooLate and what ``gives_seed`` raises.
    """
    with sitting(table=table, now=now) as sits:
        if not gives_seed(sits.stand, side, seed):
            return _done(sits, side, replayed=True)
        _is_heard(sits, side)
        sits.happens(Kind.SEED, side, {"seed": seed})
        sits.goes_on()
        sits.written()
        return _done(sits, side)


# --- Playing -------------------------------------------------------------------------------------------------


def act(*, table: UUID, side: Side, version: int, wish: Wish, now: Now, heard_at: datetime | None = None) -> Done:
    """``side`` does what it wishes, thought of at ``version``; then all that follows by itself.

    ``heard_at`` is when the request came in: the side's time is measured to there. Raises NotLive, StaleVersion, what
    ``check_time`` raises, NothingToClaim, UnreadablePlay, and the rule's own refusal.
    """
    asked = f"{side}: {wish.text}"
    with sitting(table=table, now=now, heard_at=heard_at) as sits:
        if version != sits.live.version:
            if _was_done(sits.live, version=version, asked=asked):
                return _done(sits, side, replayed=True)
            raise StaleVersion(named=version, state=sits.state(side))
        if wish.kind == CLAIM:
            _claim(sits, side, asked)
        else:
            _is_heard(sits, side)
            sits.happens(Kind(wish.kind), side, _payload(sits, side, wish), asked=asked)
        sits.goes_on()
        sits.written()
        return _done(sits, side)


def claim(*, table: UUID, side: Side, version: int, now: Now) -> Done:
    """The other side's time is up, says ``side``. Raises NotLive, StaleVersion, NothingToClaim."""
    return act(table=table, side=side, version=version, wish=Wish(CLAIM), now=now)


def expire(*, table: UUID, now: Now) -> Done | None:
    """What time has brought about by itself, None if nothing: a clock run out, an absence used up, seeds not given.

    Raises NotLive.
    """
    with sitting(table=table, now=now) as sits:
        comes = due(sits.stand)
        expired = comes is not None and sits.at >= comes.at
        if comes is not None and expired:
            sits.takes(_lapsed(sits, comes))
            sits.goes_on()
        sits.written()
        return _done(sits, None) if expired else None


def price(*, table: UUID, price: Price, now: Now) -> Done | None:
    """The game that was lost by the clock costs ``price`` (B-15), and the match goes on; None if it does not wait for
    that any more. Raises NotLive.
    """
    with sitting(table=table, now=now) as sits:
        stand = sits.stand
        if stand.status is not Status.PRICING or stand.number != price.game:
            return None
        sits.happens(Kind.PRICED, stand.game.turn, {"win": price.win.value, "record": price.record})
        sits.goes_on()
        sits.written()
        return _done(sits, None)


def void(*, table: UUID, now: Now) -> Done:
    """Nothing that was played counts, by an operator's word. A contest that has ended stays as it is."""
    with sitting(table=table, now=now) as sits:
        if sits.stand.status.is_final:
            return _done(sits, None, replayed=True)
        away = [side for side in SIDES if sits.stand.is_away(side)]
        sits.happens(Kind.VOIDED, None, {"absent": away})
        sits.goes_on()
        sits.written()
        return _done(sits, None)


# --- Presence (A-1) ------------------------------------------------------------------------------------------


def came(*, table: UUID, side: Side, connection: UUID, now: Now, heard_at: datetime | None = None) -> bool:
    """``side`` is there, by this connection: a stream that opened, or a client that says so again.

    True when it had been away, and the game goes on as it was. ``heard_at`` is when it was heard: what waits for the
    lock is not away any more. Raises NotLive.
    """
    if Connection.objects.filter(live=table, side=side, client=connection).update(seen_at=now()):
        return False
    with sitting(table=table, now=now, heard_at=heard_at) as sits:
        Connection.objects.bulk_create(
            [Connection(live=sits.live, side=side, client=connection, seen_at=sits.at)], ignore_conflicts=True
        )
        _forget_beyond(sits.live, side)
        returns = sits.stand.is_away(side) and not sits.stand.status.is_final and not _is_out(sits)
        if returns:
            sits.happens(Kind.CAME, side)
            sits.written()
        return returns


def _forget_beyond(live: Live, side: Side) -> None:
    """Of more connections than anyone needs, those seen longest ago are forgotten."""
    seen = Connection.objects.filter(live=live, side=side).order_by("-seen_at", "-id")
    if beyond := list(seen.values_list("id", flat=True)[CONNECTIONS_MAX:]):
        Connection.objects.filter(id__in=beyond).delete()


def went(*, table: UUID, side: Side, connection: UUID, now: Now, unseen_since: datetime | None = None) -> bool:
    """This connection of ``side``'s is gone. True when it was the last: the five minutes run. Raises NotLive.

    With ``unseen_since`` only if it has not been seen since then.
    """
    with sitting(table=table, now=now) as sits:
        gone = Connection.objects.filter(live=table, side=side, client=connection)
        if unseen_since is not None:
            gone = gone.filter(seen_at__lt=unseen_since)
        if not gone.delete()[0] and unseen_since is not None:
            return False
        others = Connection.objects.filter(live=table, side=side).exists()
        leaves = not others and not sits.stand.is_away(side) and _absence_counts(sits) and not _is_out(sits)
        if leaves:
            sits.happens(Kind.WENT, side)
            sits.written()
        return leaves


def lapse(*, now: Now) -> int:
    """Connections that nobody has seen for a while are gone, as if they had said so; how many.

    None while the service has only just come back: nobody could be seen before.
    """
    at = now()
    if Pulse.objects.filter(beat_at__lt=at - PULSE_GAP_MAX).exists():
        return 0
    unseen = Connection.objects.filter(seen_at__lt=at - LEASE).order_by("seen_at")
    gone = 0
    for table, side, connection in list(unseen.values_list("live_id", "side", "client")):
        with _told_and_passed_over(table):
            went(table=table, side=1 if side == 1 else 2, connection=connection, now=now, unseen_since=at - LEASE)
            gone += 1
    return gone


def pulse(*, now: Now) -> timedelta | None:
    """The service is alive: called by each process that serves players, every two seconds and before it serves anyone.

    A worker does not call it: while it runs alone, nobody can play. After a silence the service was down; then that
    time is taken off every clock and absence, and its length returned (A-1).
    """
    at = now()
    last, made = Pulse.objects.get_or_create(id=1, defaults={"beat_at": at})
    silence = at - last.beat_at
    if silence > PULSE_GAP_MAX and not made:
        # Who was connected has had no chance to come back yet.
        Connection.objects.update(seen_at=at)
        for table in Live.objects.filter(due_at__isnull=False).values_list("pk", flat=True):
            with _told_and_passed_over(table), sitting(table=table, now=now) as sits:
                sits.written()
    Pulse.objects.filter(beat_at__lt=at).update(beat_at=at)
    return silence if silence > PULSE_GAP_MAX else None


# --- How it is done ------------------------------------------------------------------------------------------


@contextmanager
def _told_and_passed_over(table: UUID) -> Iterator[None]:
    """What is wrong with one table keeps no other waiting; a database that is away is everybody's trouble."""
    try:
        yield
    except (OperationalError, InterfaceError):
        raise
    except Exception:
        log.exception("a table was passed over", table=str(table))


def _is_heard(sits: Sitting, side: Side) -> None:
    """``side`` acts, so it is there; unless it comes too late. Raises what ``check_time`` raises, and GameOver."""
    if sits.stand.status.is_final:
        raise GameOver
    check_time(sits.stand, heard_at=sits.heard_at)
    if sits.stand.is_away(side):
        sits.happens(Kind.CAME, side)


def _payload(sits: Sitting, side: Side, wish: Wish) -> dict[str, Any]:
    """What the event tells beside its kind: the dice thrown, the play found."""
    if wish.kind == Kind.ROLL:
        # Before the seeds are in there is nothing to throw, and the referee says so.
        return thrown(sits.stand, sits.throw) if all(sits.stand.seeds) else {"dice": [1, 1], "counter": 0}
    if wish.concession is not None:
        return {"concession": wish.concession.value}
    if wish.kind != Kind.PLAY:
        return {}
    game = sits.stand.game
    if game.phase is not Phase.TO_PLAY or game.awaits != side or game.dice is None:
        referee(game, PlayCheckers(side, game.position))
        raise AssertionError("the referee lets nobody play who may not")
    play = find_play(game.position, game.dice, wish.play)
    return {"play": str(play), "to": write_position_id(play.position)}


def _claim(sits: Sitting, side: Side, asked: str) -> None:
    comes = due(sits.stand)
    if comes is None or sits.at < comes.at or comes.side == side:
        raise NothingToClaim
    sits.takes(_lapsed(sits, comes), asked=asked)


def _lapsed(sits: Sitting, comes: Due) -> Event:
    """What ``comes`` amounts to; a price is waited for where there is somebody to say it."""
    return lapsed(sits.stand, comes, at=sits.at, priced=sage.is_installed())


def _was_done(live: Live, *, version: int, asked: str) -> bool:
    return Action.objects.filter(live=live, version=version + 1, asked=asked).exists()


def _is_out(sits: Sitting) -> bool:
    """Whether a time has run out that nobody has noticed yet: who comes or goes after it changes nothing."""
    comes = due(sits.stand)
    return comes is not None and sits.heard_at >= comes.at


def _absence_counts(sits: Sitting) -> bool:
    return sits.stand.pace.is_live and not sits.stand.status.is_final


def _done(sits: Sitting, side: Side | None, *, replayed: bool = False) -> Done:
    stand = sits.stand
    left = stand.status is Status.ABANDONED
    return Done(
        table=sits.live.pk,
        version=sits.live.version,
        sequence=sits.live.sequence,
        state=sits.state(side),
        contest_over=stand.outcome,
        abandoned=Abandoned(absent=stand.absent, game=stand.game, series=stand.series) if left else None,
        voided=stand.status is Status.VOIDED,
        replayed=replayed,
    )
