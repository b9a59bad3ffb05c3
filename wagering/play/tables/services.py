"""The door for whatever is done at a table that is played here: it happens, and what it ends is paid with it.

Both are one transaction: the table's live row is locked first, then the table, then the stake, and the book is last.
"""

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from datetime import datetime
from uuid import UUID

from django.db import connection, transaction

from games.live import selectors as lives
from games.live import services as live
from games.live.models import Action, Live
from games.live.pricing import Price
from games.live.rows import NotLive
from games.live.rules.document import match_state
from games.live.rules.events import ASIDE, Kind
from games.live.rules.stand import Stand
from games.live.rules.wishes import Wish
from games.live.services import Done
from games.live.sitting import Now
from games.models import Table
from games.rules.endings import Ending, Outcome
from games.rules.sides import Side
from wagering.settlement import services as settlement
from wagering.settlement.abandonment import services as abandonment
from wagering.settlement.abandonment.services import Unfinished
from wagering.stakes.models import Stake


class AlreadyThrown(ValueError):
    """Dice have been thrown: whoever goes now leaves a game behind. Resign, or the rules for absence hold."""

    def __init__(self) -> None:
        super().__init__("leave: dice have been thrown at this table, so it cannot be left as if nothing was played")


def act(*, table: UUID, side: Side, version: int, wish: Wish, now: Now, heard_at: datetime | None = None) -> Done:
    """``side`` does what it wishes, and if that ends the contest it is settled. Raises what ``live.act`` raises."""
    with _together():
        done = live.act(table=table, side=side, version=version, wish=wish, now=now, heard_at=heard_at)
        _settle_if_ended(done, now)
        return done


def commit_seed(*, table: UUID, side: Side, digest: str, now: Now) -> Done:
    """``side`` binds itself to its seed. Raises what ``live.commit_seed`` raises."""
    return live.commit_seed(table=table, side=side, digest=digest, now=now)


def reveal_seed(*, table: UUID, side: Side, seed: str, now: Now) -> Done:
    """``side`` tells its seed; the second one opens the game. Raises what ``live.reveal_seed`` raises."""
    return live.reveal_seed(table=table, side=side, seed=seed, now=now)


def leave(*, table: UUID, now: Now) -> Done:
    """A side leaves before the first throw: both stakes go back (A-8); again, the first answer.

    Raises NotLive, AlreadyThrown.
    """
    with _together():
        if not Live.objects.select_for_update().filter(pk=table).exists():
            raise NotLive(table)
        if lives.stand(table=table).thrown:
            raise AlreadyThrown
        return void(table=table, now=now)


def void(*, table: UUID, now: Now) -> Done:
    """The contest goes on no more, by an operator's word: void, or split by the score of a match (A-8); one that has
    ended stays. Raises NotLive.
    """
    with _together():
        done = live.void(table=table, now=now)
        _settle_if_ended(done, now)
        return done


def expire(*, table: UUID, now: Now) -> Done | None:
    """What time has brought about at the table, and what that costs; None if nothing. Raises NotLive."""
    with _together():
        done = live.expire(table=table, now=now)
        if done is not None:
            _settle_if_ended(done, now)
        return done


def price(*, table: UUID, price: Price, now: Now) -> Done | None:
    """The game that was lost by the clock costs ``price``, and if that decides the match it is settled; None if the
    table does not wait for it any more. Raises NotLive.
    """
    with _together():
        done = live.price(table=table, price=price, now=now)
        if done is not None:
            _settle_if_ended(done, now)
        return done


# --- What an end costs ------------------------------------------------------------------------------------------------


def _settle_if_ended(done: Done, now: Now) -> None:
    if done.replayed or (done.contest_over is None and done.abandoned is None and not done.voided):
        return
    stake = Stake.objects.select_related("table").filter(table=done.table).first()
    if stake is None:
        return  # nobody staked anything: against the machine, or in a tournament
    table, at = stake.table, now()
    if done.voided:
        abandonment.stopped(table=table, series=lives.stand(table=done.table).series, at=at)
    elif done.abandoned is not None:
        stand = lives.stand(table=done.table)
        needs = stand.series.needs(1), stand.series.needs(2)
        absent = done.abandoned.absent
        abandonment.left(table=table, absent=absent, game=_unfinished(stand), needs=needs, at=at)
    elif done.contest_over is not None and done.contest_over.ending is Ending.TIMED_OUT:
        _timed_out(table, done.contest_over, at)
    elif done.contest_over is not None:
        settlement.settle(table=table, outcome=done.contest_over, at=at)


def _timed_out(table: Table, outcome: Outcome, at: datetime) -> None:
    stand = lives.stand(table=table.pk)
    # B-15: An offer pending against the loser is a pass, whatever the position is worth.
    passed = stand.game.turn == outcome.winner or _beaver_was_pending(table.pk)
    abandonment.timed_out(table=table, outcome=outcome, game=None if passed else _unfinished(stand), at=at)


def _beaver_was_pending(table: UUID) -> bool:
    # The snapshot is of the game after its end, when the offer is gone; what was done last tells.
    aside = [str(kind) for kind in ASIDE | {Kind.TIME_OUT}]
    last = Action.objects.filter(live=table).exclude(kind__in=aside).order_by("-sequence").first()
    return last is not None and last.kind == Kind.BEAVER


def _unfinished(stand: Stand) -> Unfinished:
    """The game as it was left. An offered resignation is withdrawn (B-19)."""
    game, state = stand.game, match_state(stand)
    assert game.turn is not None and state is not None, "the opening throw was made, else it would be void"
    state = replace(state, dice=game.dice, resigning=0, stage="playing")
    return Unfinished(position=game.position, state=state, on_roll=game.turn)


@contextmanager
def _together() -> Iterator[None]:
    """In the transaction that is open, else in one of its own; a savepoint would cost two round trips a play."""
    with nullcontext() if connection.in_atomic_block else transaction.atomic():
        yield
