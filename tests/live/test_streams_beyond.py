"""More streams than anybody has use for: they end, and those that stay keep nobody waiting."""

import asyncio
import threading
from collections.abc import Awaitable, Callable, Iterator
from datetime import datetime
from typing import Any
from uuid import UUID

import pytest
from django.utils import timezone

from games.live import heartbeats, hub, services
from games.live.models import Connection
from tests.factories import PlayerFactory
from tests.live.following import token_of
from tests.live.tables import parlour
from tests.live.test_stream_body import Client, in_a_loop, seated

pytestmark = pytest.mark.django_db(transaction=True)


class Door:
    """What the hub asks of the database, counted; who comes waits while it is shut."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.came: list[UUID] = []
        self.beats = 0
        self.open = threading.Event()
        self.open.set()
        came, beat = services.came, heartbeats.beat

        def comes(*, connection: UUID, **told: Any) -> bool:
            self.came.append(connection)
            assert self.open.wait(20)
            return came(connection=connection, **told)

        def beats(*arguments: Any, at: datetime) -> Any:
            self.beats += 1
            return beat(*arguments, at=at)

        monkeypatch.setattr(services, "came", comes)
        monkeypatch.setattr(heartbeats, "beat", beats)

    async def beat(self, times: int = 3) -> None:
        """Returns when there were so many whole beats."""
        end = self.beats + times + 1
        async with asyncio.timeout(20):
            while self.beats < end:
                await asyncio.sleep(0.02)

    async def settle(self) -> None:
        """From now on, who comes is counted."""
        await self.beat()
        self.came.clear()


@pytest.fixture
def door(monkeypatch: pytest.MonkeyPatch) -> Iterator[Door]:
    monkeypatch.setattr(hub, "BEAT_S", 0.1)
    found = Door(monkeypatch)
    yield found
    found.open.set()


def together(clients: list[Client], doing: Callable[[], Awaitable[None]]) -> None:
    """``doing`` while all of them follow."""

    async def all_of_it() -> None:
        tasks = []
        for client in clients:
            tasks.append(asyncio.create_task(client.opens()))
            await client.shows(lambda of=client: "event: state" in of.body)  # type: ignore[misc]
        await doing()
        for client in clients:
            client.goes()
        await asyncio.wait_for(asyncio.gather(*tasks), 20)

    in_a_loop(all_of_it)


async def forget(*, all_but: int) -> None:
    """The rows of the connections, but for some."""

    def deletes() -> None:
        kept = Connection.objects.order_by("id").values_list("id", flat=True)[:all_but]
        Connection.objects.exclude(id__in=list(kept)).delete()

    await hub.hub().ask(deletes)


def test_of_connections_that_were_forgotten_one_comes_anew_or_none_if_another_is_known(door: Door) -> None:
    table, token = seated()
    Connection.objects.all().delete()

    async def forgotten() -> None:
        await door.settle()
        await forget(all_but=1)
        await door.beat()
        assert len(door.came) == 0
        door.open.clear()
        await forget(all_but=0)
        await door.beat()
        assert len(door.came) == 1
        door.open.set()

    together([Client(table, token) for _ in range(4)], forgotten)


def test_who_waits_to_come_is_not_asked_to_come_again(door: Door) -> None:
    table, token = seated()
    Connection.objects.all().delete()

    async def shut() -> None:
        await door.settle()
        door.open.clear()
        await forget(all_but=0)
        await door.beat(times=5)
        assert len(door.came) == 1
        door.open.set()

    together([Client(table, token)], shut)


def test_who_left_before_it_could_come_does_not_come(door: Door) -> None:
    table, token = seated()
    Connection.objects.all().delete()
    late = Client(table, token)

    async def hasty() -> None:
        await door.settle()
        door.open.clear()
        await forget(all_but=0)
        await door.beat()  # somebody stands in the door
        task = asyncio.create_task(late.opens())
        await late.shows(lambda: len(late.messages) >= 2)
        late.goes()
        await asyncio.wait_for(task, 20)
        door.open.set()
        await door.beat()
        assert len(door.came) == 1

    together([Client(table, token)], hasty)


def test_a_player_with_too_many_streams_at_all_tables_loses_the_oldest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hub, "STREAMS_MAX", 2)
    ann, bob = PlayerFactory.create(), PlayerFactory.create(name="bob")
    tables = [parlour(at=timezone.now(), players=(ann, bob)) for _ in range(3)]
    other = Client(tables[0], token_of(bob))
    first, *others = [Client(table, token_of(ann)) for table in tables]

    async def replaced() -> None:
        await first.shows(lambda: first.body.endswith('event: end\ndata: {"reason":"replaced"}\n\n'))
        for client in (other, *others):
            assert "event: end" not in client.body

    together([other, first, *others], replaced)
