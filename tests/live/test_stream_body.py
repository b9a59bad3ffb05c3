"""The body of a stream in one event loop, with clients that read as slowly as a test wants."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any
from uuid import uuid4

import pytest
from django.core.asgi import get_asgi_application
from django.utils import timezone

from games.live import hub, selectors, services, stream
from games.live.editions import Edition
from games.live.heartbeats import Seat
from games.live.models import Connection
from games.live.stream import Follower
from tests.live.following import token_of
from tests.live.tables import Parlour, parlour

Message = dict[str, Any]


class Client:
    """A client of the ASGI application: it takes messages until ``takes`` are there, and stays until it goes."""

    def __init__(self, table: Parlour, token: str, *, takes: int = 10**6) -> None:
        self._takes = takes
        self._path = f"/v1/games/{table.pk}/stream"
        self._token = token
        self.messages: list[Message] = []
        self.is_asked = False
        self._came = asyncio.Event()
        self._gone = asyncio.Event()

    @property
    def body(self) -> str:
        return b"".join(message.get("body", b"") for message in self.messages).decode()

    async def opens(self) -> None:
        """Returns when the server is done with the stream."""
        headers = [(b"host", b"localhost"), (b"authorization", f"Bearer {self._token}".encode())]
        scope = {"type": "http", "method": "GET", "path": self._path, "headers": headers, "query_string": b""}
        application: Any = get_asgi_application()
        await application(scope, self._receive, self._send)

    async def shows(self, what: Callable[[], bool]) -> None:
        async with asyncio.timeout(20):
            while not what():
                self._came.clear()
                await self._came.wait()

    def goes(self) -> None:
        self._gone.set()

    async def _receive(self) -> Message:
        if not self.is_asked:
            self.is_asked = True
            return {"type": "http.request"}
        await self._gone.wait()
        return {"type": "http.disconnect"}

    async def _send(self, message: Message) -> None:
        if len(self.messages) >= self._takes:
            await asyncio.Event().wait()
        self.messages.append(message)
        self._came.set()


def in_a_loop(doing: Callable[[], Awaitable[None]]) -> None:
    async def and_end() -> None:
        try:
            await doing()
        finally:
            hub.hub().stop()
            await asyncio.sleep(0.1)

    asyncio.run(and_end())


def seated() -> tuple[Parlour, str]:
    """A table, and what its first player shows."""
    table = parlour(at=timezone.now())
    return table, token_of(table.table.player_1)


def edition(sequence: int, *, since: int | None = None, final: bool = False) -> Edition:
    return Edition(
        sequence=sequence,
        states={1: b"state %d" % sequence, 2: b"not for side 1"},
        since=sequence - 1 if since is None else since,
        presence=b"presence %d" % sequence if since is not None else None,
        final=final,
    )


def follower() -> Follower:
    return Follower(seat=Seat(table=uuid4(), side=1, connection=uuid4()), player=uuid4(), token=uuid4(), after=None)


def test_of_what_a_slow_client_has_not_read_the_latest_wins() -> None:
    async def slowly() -> None:
        one = follower()
        events = one._events()
        one.put(edition(5))
        assert await anext(events) == b"state 5"
        for sequence in (6, 7, 8):
            one.put(edition(sequence))
        assert await anext(events) == b"state 8"

    asyncio.run(slowly())


def test_somebody_who_comes_is_told_in_short_only_to_those_who_know_the_rest() -> None:
    async def both() -> None:
        knows, missed = follower(), follower()
        for one, sent in ((knows, 6), (missed, 5)):
            events = one._events()
            one.put(edition(sent))
            await anext(events)
            one.put(edition(7, since=6))
            assert await anext(events) == (b"presence 7" if one is knows else b"state 7")

    asyncio.run(both())


@pytest.mark.django_db(transaction=True)
def test_a_stream_with_nothing_to_tell_says_that_it_is_alive(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stream, "KEEP_ALIVE_S", 0.2)
    table, token = seated()

    async def quiet() -> None:
        client = Client(table, token)
        task = asyncio.create_task(client.opens())
        await client.shows(lambda: client.body.endswith("\n\n:\n\n:\n\n"))
        client.goes()
        await asyncio.wait_for(task, 10)

    in_a_loop(quiet)


@pytest.mark.django_db(transaction=True)
def test_a_client_that_takes_nothing_is_cut_off_and_is_away(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hub, "STUCK_S", 0.5)
    monkeypatch.setattr(hub, "BEAT_S", 0.2)
    table, token = seated()
    Connection.objects.all().delete()

    async def stuck() -> None:
        client = Client(table, token, takes=2)  # the head, and the first line
        await asyncio.wait_for(client.opens(), 20)
        assert "event: state" not in client.body
        await asyncio.sleep(0.5)  # it goes when the stream is over

    in_a_loop(stuck)
    assert selectors.stand(table=table.pk).is_away(1)
    assert not Connection.objects.filter(live=table.pk).exists()


@pytest.mark.django_db(transaction=True)
def test_a_client_that_goes_while_its_stream_opens_leaves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    table, token = seated()
    Connection.objects.all().delete()

    async def hasty() -> None:
        for messages in (1, 2):
            client = Client(table, token)
            task = asyncio.create_task(client.opens())
            await client.shows(lambda seen=messages, of=client: len(of.messages) >= seen)  # type: ignore[misc]
            client.goes()
            await asyncio.wait_for(task, 10)
        await asyncio.sleep(0.5)
        assert not hub.hub()._feeds

    in_a_loop(hasty)
    assert not Connection.objects.filter(live=table.pk).exists()


@pytest.mark.django_db(transaction=True)
def test_of_more_streams_than_a_side_has_use_for_the_oldest_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(services, "CONNECTIONS_MAX", 2)
    table, token = seated()
    bob, *ann = [Client(table, each) for each in (token_of(table.table.player_2), token, token, token)]

    async def crowded() -> None:
        tasks = []
        for client in (bob, *ann):
            tasks.append(asyncio.create_task(client.opens()))
            await client.shows(lambda of=client: "event: state" in of.body)  # type: ignore[misc]
        await ann[0].shows(lambda: ann[0].body.endswith('event: end\ndata: {"reason":"replaced"}\n\n'))
        for client in (bob, *ann[1:]):
            assert "event: end" not in client.body
            client.goes()
        ann[0].goes()
        await asyncio.wait_for(asyncio.gather(*tasks), 10)

    in_a_loop(crowded)
