"""All streams of one process: one connection that listens, one heartbeat, one look at a table for each change.

Everything here runs in the event loop, and nothing waits there: what asks the database does so in threads of its own,
which borrow a connection from the pool for as long as they need it. A stream borrows none.
"""

from __future__ import annotations

import asyncio
import contextvars
import signal
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, Final, Literal, Protocol, TypeVar
from uuid import UUID

import structlog
from django.db import InterfaceError, OperationalError, close_old_connections
from django.utils import timezone

from games.live import heartbeats, services
from games.live.editions import Edition, edition
from games.live.heartbeats import Seat
from games.live.listener import listen

log = structlog.get_logger(__name__)

T = TypeVar("T")

Goodbye = Literal["over", "restart", "credential", "replaced"]
"""Why a stream closes."""

BEAT_S: Final = 6.0
"""How often the streams say that they are there, and tokens are looked at; LEASE is five times as long."""

FRESH_S: Final = 1.0
"""A stream that opens is told of the table by a look at it that is not older than this."""

STUCK_S: Final = 20.0
"""A client that has taken nothing for so long is not there. What it was to be told waits in the sockets' buffers."""

STREAMS_MAX: Final = 50
"""Of one player in a process, at all tables together; one more ends the oldest."""

AGAIN_S: Final = 1.0
"""After the database did not answer."""

HANDS: Final = 2
"""Threads in which connections come and go. Those of one table keep to one, so that nobody goes before it has come."""

NO_ANSWER: Final = (OperationalError, InterfaceError)


class Listener(Protocol):
    """A stream, as far as the hub knows it."""

    seat: Seat
    player: UUID
    token: UUID

    def put(self, latest: Edition) -> None:
        """Something to tell. What it has not told yet is dropped for it."""

    def end(self, reason: Goodbye) -> None:
        """Tell why, and close."""

    def stuck_for(self, *, at: float) -> float:
        """For how long (s, by the loop's clock) the client has taken nothing."""

    def cut(self) -> None:
        """Close without a word."""


class Feed:
    """One table and whoever is told of it."""

    def __init__(self, table: UUID) -> None:
        self.table = table
        self.listeners: dict[Listener, None] = {}
        """The oldest first."""
        self.latest: Edition | None = None
        self.looked_at = 0.0
        self.is_wanted = False
        self.task: asyncio.Task[None] | None = None


class Hub:
    """Of one event loop; see ``hub``."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._feeds: dict[UUID, Feed] = {}
        self._coming: set[Seat] = set()
        """Whose coming waits to be written."""
        self._eyes = ThreadPoolExecutor(1, "live-looks")
        self._heart = ThreadPoolExecutor(1, "live-beats")
        self._hands = [ThreadPoolExecutor(1, f"live-comes-{n}") for n in range(HANDS)]
        self._tasks: set[asyncio.Task[None]] = set()
        self._is_stopping = False
        self._starts(listen(heard=self._hear, connected=self._catch_up))
        self._starts(self._beat())
        self._stop_when_told()

    # --- Streams come and go -----------------------------------------------------------------------------------

    async def join(self, listener: Listener) -> None:
        """From now on ``listener`` is told: the table as it stands, and each change."""
        if self._is_stopping:
            listener.end("restart")
            return
        feed = self._feeds.setdefault(listener.seat.table, Feed(listener.seat.table))
        feed.listeners[listener] = None
        for beyond in self._beyond(listener, feed):
            beyond.end("replaced")
            self._loop.call_later(STUCK_S, beyond.cut)  # if it does not take even that
            self.leave(beyond)
        await self._comes(listener)
        if feed.latest is None or feed.task or self._loop.time() - feed.looked_at > FRESH_S:
            self._look(feed)
        else:
            listener.put(feed.latest)

    def leave(self, listener: Listener) -> None:
        """The stream is over. At a table that may mean an absence, but not when it was we who went."""
        feed = self._feeds.get(listener.seat.table)
        if feed is None or listener not in feed.listeners:
            return
        del feed.listeners[listener]
        if not feed.listeners:
            del self._feeds[feed.table]
        if not self._is_stopping:
            seat = listener.seat
            went = partial(services.went, table=seat.table, side=seat.side, connection=seat.connection)
            self._starts(self._quietly(self._hand(seat), partial(went, now=timezone.now)))

    def _beyond(self, listener: Listener, feed: Feed) -> set[Listener]:
        """The oldest of more streams than a side, or a player at all tables, has use for."""
        of_its_side = [each for each in feed.listeners if each.seat.side == listener.seat.side]
        theirs = [each for each in self._listeners() if each.player == listener.player]
        return {*of_its_side[: -services.CONNECTIONS_MAX], *theirs[:-STREAMS_MAX]}

    def _listeners(self) -> list[Listener]:
        return [listener for feed in self._feeds.values() for listener in feed.listeners]

    async def ask(self, question: Callable[[], T]) -> T:
        """Something that a stream wants to know of the database."""
        return await self._run(self._eyes, question)

    async def _comes(self, listener: Listener) -> None:
        seat = listener.seat
        if seat in self._coming:
            return
        came = partial(services.came, table=seat.table, side=seat.side, connection=seat.connection)
        came = partial(came, now=timezone.now, heard_at=timezone.now())

        def comes() -> None:
            if self._follows(listener):  # it may have left while others came
                came()

        self._coming.add(seat)
        try:
            await self._quietly(self._hand(seat), comes)
        finally:
            self._coming.remove(seat)

    def _follows(self, listener: Listener) -> bool:
        feed = self._feeds.get(listener.seat.table)
        return feed is not None and listener in feed.listeners

    def _hand(self, seat: Seat) -> ThreadPoolExecutor:
        return self._hands[seat.table.int % HANDS]

    # --- A table changes ---------------------------------------------------------------------------------------

    def _hear(self, payload: str) -> None:
        """What PostgreSQL tells. Whoever may connect may say anything there: what is no word of ours is passed over."""
        try:
            table, sequence, _version = payload.split(" ")
            feed = self._feeds.get(UUID(table))
            told = int(sequence)
        except ValueError:
            return
        if feed:
            self._told(feed, told)

    def _told(self, feed: Feed, sequence: int) -> None:
        if feed.latest is None or sequence > feed.latest.sequence:
            self._look(feed)

    def _catch_up(self) -> None:
        """The listener connects: nobody has told of what happened before."""
        for feed in self._feeds.values():
            self._look(feed)

    def _look(self, feed: Feed) -> None:
        feed.is_wanted = True
        if feed.task is None:
            feed.task = self._starts(self._looks(feed))

    async def _looks(self, feed: Feed) -> None:
        """As often as is wanted meanwhile; changes that come faster than this are told as one."""
        try:
            while feed.is_wanted and feed.listeners and not self._is_stopping:
                feed.is_wanted = False
                began = self._loop.time()
                try:
                    await self._look_once(feed)
                    feed.looked_at = began
                except NO_ANSWER as error:
                    log.warning("stream_without_database", reason=type(error).__name__)
                    feed.is_wanted = True
                    await asyncio.sleep(AGAIN_S)
        finally:
            feed.task = None

    async def _look_once(self, feed: Feed) -> None:
        tokens = {listener.token for listener in feed.listeners}
        at = timezone.now()

        def look() -> tuple[set[UUID], Edition]:
            return heartbeats.in_force(tokens, at=at), edition(table=feed.table, before=feed.latest, at=at)

        in_force, latest = await self._run(self._eyes, look)
        self._refuse(feed, tokens - in_force)
        if feed.latest is None or latest.sequence >= feed.latest.sequence:
            feed.latest = latest
        for listener in feed.listeners:
            listener.put(feed.latest)

    def _refuse(self, feed: Feed, tokens: set[UUID]) -> None:
        for listener in feed.listeners:
            if listener.token in tokens:
                listener.end("credential")

    # --- Time goes by ------------------------------------------------------------------------------------------

    async def _beat(self) -> None:
        while True:
            try:
                await self._beat_once()
            except NO_ANSWER as error:
                log.warning("heartbeat_without_database", reason=type(error).__name__)
            except Exception:
                log.exception("heartbeat_failed")  # the next may not, and without any everyone is taken for away
            await asyncio.sleep(BEAT_S)

    async def _beat_once(self) -> None:
        at = self._loop.time()
        listeners = self._listeners()
        stuck = [listener for listener in listeners if listener.stuck_for(at=at) > STUCK_S]
        for listener in stuck:
            listener.cut()
        there = [listener for listener in listeners if listener.stuck_for(at=at) <= BEAT_S]
        tokens = {listener.token for listener in listeners}
        sequences, in_force = await self._run(self._heart, partial(_beats, [each.seat for each in there], tokens))
        for feed in self._feeds.values():
            self._refuse(feed, tokens - in_force)
        # One connection is enough for a side to be there: others that were forgotten need not come anew.
        seen = {each.seat.place for each in there if each.seat.connection in sequences}
        for listener in there:
            its, seat = self._feeds.get(listener.seat.table), listener.seat
            if its is None or listener not in its.listeners:
                continue
            sequence = sequences.get(seat.connection)
            if sequence is None and seat.place not in seen:
                seen.add(seat.place)
                self._starts(self._comes(listener))
            elif sequence is not None and its.latest is not None:
                self._told(its, sequence)

    # --- The end -----------------------------------------------------------------------------------------------

    def stop(self) -> None:
        """The process ends: every stream says so and closes, and its client comes back to another one."""
        self._is_stopping = True
        for feed in self._feeds.values():
            for listener in feed.listeners:
                listener.end("restart")

    def _stop_when_told(self) -> None:
        """The server waits for its connections when it is told to stop, and tells them nothing: they have to know."""
        if threading.current_thread() is not threading.main_thread():
            return
        for number in (signal.SIGTERM, signal.SIGINT):
            handler = signal.getsignal(number)
            if callable(handler):
                signal.signal(number, partial(self._told_to_stop, handler))

    def _told_to_stop(self, handler: Callable[[int, Any], Any], number: int, frame: Any) -> None:
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self.stop)
        handler(number, frame)

    # --- How it is done ----------------------------------------------------------------------------------------

    def _starts(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """A task of the process: it knows nothing of the request that it happens to be started in."""
        task = self._loop.create_task(work, context=contextvars.Context())
        self._tasks.add(task)
        task.add_done_callback(self._ended)
        return task

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()):
            log.error("stream_task_failed", exc_info=error)

    async def _quietly(self, executor: ThreadPoolExecutor, work: Callable[[], Any]) -> None:
        """What a heartbeat, or a lease that runs out, makes up for."""
        try:
            await self._run(executor, work)
        except NO_ANSWER as error:
            log.warning("presence_without_database", reason=type(error).__name__)

    async def _run(self, executor: ThreadPoolExecutor, work: Callable[[], T]) -> T:
        return await self._loop.run_in_executor(executor, _and_give_back, work)


def _beats(seats: list[Seat], tokens: set[UUID]) -> tuple[dict[UUID, int], set[UUID]]:
    at = timezone.now()
    return dict(heartbeats.beat(seats, at=at)), heartbeats.in_force(tokens, at=at)


def _and_give_back(work: Callable[[], T]) -> T:
    """``work``, and its connection back to the pool."""
    try:
        return work()
    finally:
        close_old_connections()


_hubs: dict[asyncio.AbstractEventLoop, Hub] = {}


def hub() -> Hub:
    """The one of the loop that is running, which is the one of the process."""
    loop = asyncio.get_running_loop()
    if loop not in _hubs:
        _hubs[loop] = Hub()
    return _hubs[loop]
