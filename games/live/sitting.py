"""One change at one table: begun under the lock, decided by the rules, written at the end.

The time is asked once the lock is held. What a side did counts from when it was heard, and the other's time begins
when it is done, so that waiting for the lock costs nobody anything.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Final
from uuid import UUID

from django.db import connection, transaction

from games import services as games
from games.live import rows
from games.live.models import Live
from games.live.rules import snapshot
from games.live.rules.course import after, follows
from games.live.rules.events import ASIDE, Event, Kind, utc
from games.live.rules.stand import Stand, Status, due
from games.live.selectors import document_of, events_of, judged, record_of, stand_of
from games.rules import dice
from games.rules.sides import Side

Now = Callable[[], datetime]
"""Asks the clock. Called when the table's row is locked, not before."""

RECENT: Final = 12
"""Actions that the state document tells."""

PULSE_GAP_MAX: Final = timedelta(seconds=5)
"""A heart that beats every two seconds and has not been heard for so long was not beating: the service was down."""


@dataclass
class Sitting:
    """The table's row under its lock, how it stands, and what happens to it."""

    live: Live
    stand: Stand
    at: datetime
    heard_at: datetime
    seed: str = field(repr=False)
    happened: list[tuple[Event, int, str]] = field(default_factory=list)
    """Each event, the game in which it happened, and what was asked for."""

    def happens(self, kind: Kind, side: Side | None, payload: dict[str, Any] | None = None, *, asked: str = "") -> None:
        """Something happens now. Raises what the rules raise."""
        self.takes(Event(kind, side, self.at, self.heard_at, payload or {}), asked=asked)

    def takes(self, event: Event, *, asked: str = "") -> None:
        """``event`` happens. Raises what the rules raise."""
        self.stand = after(self.stand, event)
        self.happened.append((event, self.stand.number, asked))

    def goes_on(self) -> None:
        """What plays itself happens: opening throws, dances before a closed board, the next game, the last seed."""
        while event := follows(self.stand, throw=self.throw, server_seed=self.seed, at=self.at):
            self.takes(event)

    def throw(self, counter: int) -> tuple[int, int]:
        """The dice of ``counter`` (F)."""
        first, second = (bytes.fromhex(seed) for seed in self.stand.seeds)
        seeds = dice.Seeds(server=bytes.fromhex(self.seed), clients=(first, second))
        return dice.throw(seeds, counter=counter)

    def state(self, viewer: Side | None) -> dict[str, Any]:
        """The state document as it is now."""
        return document_of(self.live, self.stand, viewer=viewer, at=self.at)

    def written(self) -> None:
        """Keep what happened, tell those who listen, and report a contest that is over (games.services)."""
        if not self.happened:
            return
        live, was_final = self.live, Status(self.live.status).is_final
        live.version += any(event.kind not in ASIDE for event, _, _ in self.happened)
        happened = [
            rows.Happened(sequence, live.version, game, event, asked)
            for sequence, (event, game, asked) in enumerate(self.happened, start=live.sequence + 1)
        ]
        comes = due(self.stand)
        live.sequence = happened[-1].sequence
        live.status = self.stand.status.value
        live.to_act = self.stand.to_act
        live.due_at = None if comes is None else comes.at
        live.snapshot = snapshot.to_json(self.stand)
        live.recent = [*live.recent, *(each.as_told() for each in happened)][-RECENT:]
        live.changed_at = self.at
        rows.write(live, happened)
        self.happened = []
        if self.stand.status is Status.OVER and not was_final:
            self._report()

    def _report(self) -> None:
        """A table played here is not believed either: its record is replayed like one from elsewhere."""
        text = record_of(self.live, events_of(self.live))
        table = self.live.table
        outcome = games.report(table=table, text=text, at=self.at, judged=judged(table=table.pk))
        assert outcome == self.stand.outcome, f"{outcome} by the record, {self.stand.outcome} by the referee"


@contextmanager
def sitting(*, table: UUID, now: Now, heard_at: datetime | None = None) -> Iterator[Sitting]:
    """The table under its lock, in the transaction that is open or one of its own. Raises NotLive.

    Time in which the service was down is made up for first (A-1). Nothing is kept unless ``written`` is called.
    """
    with nullcontext() if connection.in_atomic_block else transaction.atomic():
        found, seed, beat_at = rows.locked(table=table)
        # Two machines' clocks may differ by a little: time at a table never goes back.
        at = max(now(), found.changed_at)
        heard = at if heard_at is None else min(heard_at, at)
        begun = Sitting(live=found, stand=stand_of(found), at=at, heard_at=heard, seed=seed)
        _make_up(begun, beat_at)
        yield begun


def _make_up(begun: Sitting, beat_at: datetime | None) -> None:
    if beat_at is None or begun.at - beat_at <= PULSE_GAP_MAX:
        return
    if due(begun.stand) is not None:
        begun.happens(Kind.SERVICE_DOWN, None, {"since": utc(beat_at)})
