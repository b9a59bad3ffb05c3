"""GET /v1/games/{id}/stream: a seated player follows the table, as Server-Sent Events (games/live/hub.py).

The head is an answer like any other, given by DRF: credential, rate, what is not theirs, Last-Event-ID. The body is an
asynchronous iterator, which Django reads in the event loop. Under WSGI, which has none, the body is the table as it
stands now and ends, so that its client comes back for the next.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterator
from contextlib import aclosing
from functools import partial
from typing import Any, Final
from uuid import UUID, uuid4

from asgiref.sync import SyncToAsync, sync_to_async
from django.core.handlers.asgi import ASGIRequest
from django.db import close_old_connections
from django.http import StreamingHttpResponse
from django.utils import timezone
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, extend_schema
from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.views import APIView

from games.access import permissions
from games.access.authentication import player_token
from games.access.permissions import IsPlayer
from games.access.selectors import one_of_theirs
from games.live import rows, selectors, sse
from games.live.editions import Edition, edition
from games.live.heartbeats import Seat
from games.live.hub import STREAMS_MAX, Goodbye, hub
from games.live.services import CONNECTIONS_MAX
from games.models import Table
from games.rules.sides import Side

KEEP_ALIVE_S: Final = 15.0
"""After so long without an event a comment is sent, so that nobody on the way takes the connection for dead."""

RETRY_MS: Final = (500, 3000)
"""Between these each stream is told when to come back, so that not all of a server that stops come at once."""

MISSED_MOST: Final = 200
"""Actions in one event of those that were missed."""

HEADERS: Final = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}  # the second asks nginx to hold nothing back

EXAMPLE: Final = """\
retry: 1830

id: 8
event: actions
data: {"actions":[{"sequence":8,"version":2,"game":1,"side":1,"kind":"play","at":"2026-03-01T12:00:20Z", …}]}

id: 9
event: state
data: {"table":"1a4c081d-9ca4-4299-bdfa-ce829fb39135","version":3,"sequence":9,"viewer":2, …}

:

id: 10
event: presence
data: {"table":"1a4c081d-9ca4-4299-bdfa-ce829fb39135","version":3,"sequence":10,"presence":[…],"clocks":[…],"due":…}
"""

DESCRIPTION: Final = f"""\
Answers with `text/event-stream` and stays open. The events, the data of each as the schema that is named:

* `state`, `StreamState`, with the table's sequence as its id: the whole state as you may see it, once at the start and
  after each change. One may be skipped when they come faster than you read: the newest is what counts.
* `presence`, `StreamPresence`, with the sequence as its id: somebody came or went, and nothing else changed. Lay its
  members over the state that you have.
* `actions`, `StreamActions`, with the sequence of its last as its id, only after a `Last-Event-ID`: what happened
  since, as in the state's `last`, at most {MISSED_MOST} in one event, before the first `state`.
* `end`, `StreamEnd`, without an id, says in `reason` why the stream closes: `over`, the contest has ended and the state
  before it is the last; `restart`, the server stops, come back; `credential`, your token has expired or was revoked;
  `replaced`, you have opened more than {CONNECTIONS_MAX} streams at the table, or {STREAMS_MAX} at all, and this was
  the oldest: do not come back with it.

Every {KEEP_ALIVE_S:.0f} seconds without an event there is a comment. After twice that without a byte the connection is
dead: come back with `Last-Event-ID`, after the `retry` that the stream began with. While the stream is open you are at
the table; its end is an absence (A-1), unless another stream of yours is open there.
"""


class EventStream(JSONRenderer):
    """For the description of what is given here; a refusal is a problem in JSON all the same."""

    media_type = sse.MEDIA_TYPE
    format = "events"


class WhateverIsAccepted(BaseContentNegotiation):
    """There is one form: a client that asks for JSON by habit gets it too."""

    def select_renderer(self, request: Request, renderers: Any, format_suffix: Any = None) -> tuple[Any, str]:
        return renderers[0], renderers[0].media_type


class Stream(APIView):
    """Following a table."""

    permission_classes = (IsPlayer,)
    renderer_classes = (EventStream,)
    content_negotiation_class = WhateverIsAccepted
    http_method_names = ["get", "options"]  # a HEAD would hold a stream that nobody reads
    refusals = {"get": (sse.BadLastEventId,)}

    @extend_schema(
        operation_id="follow_game",
        tags=["Play"],
        summary="Follow a table, live",
        description=DESCRIPTION,
        parameters=[
            OpenApiParameter(
                name="Last-Event-ID",
                type={"type": "integer", "minimum": 0, "maximum": sse.ID_MAX},
                location=OpenApiParameter.HEADER,
                description=(
                    "The id of the last event that you have seen: what happened since comes first. One that the table "
                    "has not reached yet is passed over."
                ),
            )
        ],
        responses={(200, sse.MEDIA_TYPE): {"type": "string", "description": "Server-Sent Events."}},
        examples=[
            OpenApiExample(
                "a stream", value=EXAMPLE, response_only=True, status_codes=["200"], media_type=sse.MEDIA_TYPE
            )
        ],
    )
    def get(self, request: Request, game: UUID) -> StreamingHttpResponse:
        table = one_of_theirs(Table.objects.all(), request, pk=game, players=("player_1", "player_2"))
        player = permissions.player(request)
        side = selectors.side_of(table, player)
        assert side is not None, "the table is theirs"
        if not selectors.is_live(table=table.pk):
            raise rows.NotLive(table.pk)
        after = sse.last_event_id(request.headers.get("Last-Event-ID"))
        body: Follower | Iterator[bytes]
        if isinstance(request._request, ASGIRequest):
            seat = Seat(table=table.pk, side=side, connection=uuid4())
            body = Follower(seat=seat, player=player.pk, token=player_token(request).id, after=after)
            close_old_connections()  # a request that kept one of the pool's would let the stream wait for another
        else:
            body = iter(list(once(table=table.pk, side=side, after=after)))
        # Django takes whatever has __aiter__, and calls its ``close`` at the end.
        content: Any = body
        return StreamingHttpResponse(content, content_type=f"{sse.MEDIA_TYPE}; charset=utf-8", headers=HEADERS)


class Follower:
    """One open stream: a client that reads, and at most one edition that it has not read yet."""

    def __init__(self, *, seat: Seat, player: UUID, token: UUID, after: int | None) -> None:
        self.seat, self.player, self.token = seat, player, token
        self._after = after
        self._told: int | None = None
        """The sequence up to which the client has been told."""
        self._next: Edition | None = None
        self._ends: Goodbye | None = None
        self._woken = asyncio.Event()
        self._task: asyncio.Task[Any] | None = None
        self._giving_since: float | None = None
        self._leave: Callable[[], object] | None = None

    # --- What the hub does (hub.Listener) ----------------------------------------------------------------------

    def put(self, latest: Edition) -> None:
        if self._told is None or latest.sequence > self._told:
            self._next = latest
            self._woken.set()

    def end(self, reason: Goodbye) -> None:
        self._ends = reason
        self._woken.set()

    def stuck_for(self, *, at: float) -> float:
        return 0.0 if self._giving_since is None else at - self._giving_since

    def cut(self) -> None:
        if self._task is not None:
            self._task.cancel()

    # --- What the client gets ----------------------------------------------------------------------------------

    async def __aiter__(self) -> AsyncIterator[bytes]:
        """The body; however it ends, the hub knows of it."""
        loop, here = asyncio.get_running_loop(), hub()
        self._leave = partial(loop.call_soon_threadsafe, here.leave, self)
        self._task = asyncio.current_task()
        try:
            await _let_thread_go()
            yield _hello()
            await here.join(self)
            async with aclosing(self._events()) as events:
                async for said in events:
                    self._giving_since = loop.time()
                    yield said
                    self._giving_since = None
        finally:
            here.leave(self)

    def close(self) -> None:
        """Django is done with the answer; the client may have gone while it was not reading, and nobody read on."""
        if self._leave is not None:
            self._leave()

    async def _events(self) -> AsyncGenerator[bytes, None]:
        latest = await self._latest()
        while latest is not None and self._after is not None and self._after < latest.sequence:
            missed = partial(_missed, self.seat.table, after=self._after, upto=latest.sequence)
            said, self._after = await hub().ask(missed)
            yield said
        while latest is not None:
            said = latest.states[self.seat.side]
            if latest.presence is not None and latest.since == self._told:
                said = latest.presence
            self._told = latest.sequence
            yield said
            if latest.final:
                self.end("over")
            while (latest := await self._latest_within(KEEP_ALIVE_S)) is None and self._ends is None:
                yield sse.COMMENT
        yield _goodbye(self._ends or "restart")

    async def _latest(self) -> Edition | None:
        """What there is to tell, None when the stream ends."""
        await self._woken.wait()
        self._woken.clear()
        latest, self._next = self._next, None
        return latest if self._ends is None else None

    async def _latest_within(self, seconds: float) -> Edition | None:
        """The same; None also when there is nothing after ``seconds``."""
        try:
            async with asyncio.timeout(seconds):
                return await self._latest()
        except TimeoutError:
            return None


def once(*, table: UUID, side: Side, after: int | None) -> Iterator[bytes]:
    """A stream that ends with the table as it stands now."""
    now = edition(table=table, before=None, at=timezone.now())
    yield _hello()
    while after is not None and after < now.sequence:
        said, after = _missed(table, after=after, upto=now.sequence)
        yield said
    yield now.states[side]
    if now.final:
        yield _goodbye("over")


def _missed(table: UUID, *, after: int, upto: int) -> tuple[bytes, int]:
    """An event with the next of what was missed, and the sequence of its last."""
    found = selectors.actions(table=table, after=after, most=min(MISSED_MOST, upto - after))
    last: int = found[-1]["sequence"]
    return sse.event("actions", {"actions": found}, sequence=last), last


def _hello() -> bytes:
    return sse.retry(random.randint(*RETRY_MS))


def _goodbye(reason: Goodbye) -> bytes:
    return sse.event("end", {"reason": reason})


async def _let_thread_go() -> None:
    """End the thread in which the head was answered, and give its connection back.

    Django keeps one thread for each request until it is done, and a stream is not done for hours. Whatever has to run
    in one afterwards gets a new one.
    """
    await sync_to_async(close_old_connections)()
    context = SyncToAsync.thread_sensitive_context.get(None)
    executor = None if context is None else SyncToAsync.context_to_thread_executor.pop(context, None)
    if executor is not None:
        executor.shutdown(wait=False)
