"""The outermost door: real deadlocks, waits and clashes, made on purpose with a rival connection."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator

import psycopg
import pytest
from django.db import IntegrityError, OperationalError, connection, transaction
from psycopg_pool import ConnectionPool

from games.models import Player
from wagering.rest.retries import TIMES, TryAgain, outermost, sqlstate

pytestmark = pytest.mark.django_db(transaction=True)


class Service:
    """Counts its runs; ``work`` is told which one it is, from 1."""

    def __init__(self, work: Callable[[int], None]) -> None:
        self.work, self.runs = work, 0

    def __call__(self) -> str:
        self.runs += 1
        self.work(self.runs)
        return "done"


@pytest.fixture
def ann() -> Player:
    return Player.objects.create(name="ann")


@pytest.fixture
def rival(superuser_dsn: str) -> Iterator[psycopg.Connection]:
    """Never the victim of a deadlock, since it does not look for one."""
    with psycopg.connect(superuser_dsn, options="-c deadlock_timeout=1h") as rival:
        yield rival


def lock(player: Player) -> None:
    Player.objects.select_for_update().get(pk=player.pk)


def name_of(player: Player) -> str:
    return Player.objects.get(pk=player.pk).name


def rename(player: Player, name: str) -> None:
    Player.objects.filter(pk=player.pk).update(name=name)


def lock_as(rival: psycopg.Connection, player: Player) -> None:
    rival.execute("SELECT FROM games_player WHERE id = %s FOR UPDATE", [player.pk])


def wait_until_waiting(rival: psycopg.Connection) -> None:
    with connection.cursor() as cursor:
        while True:
            cursor.execute("SELECT FROM pg_locks WHERE pid = %s AND NOT granted", [rival.info.backend_pid])
            if cursor.rowcount:
                return
            time.sleep(0.01)


def test_what_lost_a_deadlock_is_run_again_whole(ann: Player, rival: psycopg.Connection) -> None:
    bob = Player.objects.create(name="bob")
    lock_as(rival, bob)

    def cross() -> None:
        lock_as(rival, ann)
        rival.commit()

    crossing = threading.Thread(target=cross)

    def lock_both(run: int) -> None:
        with transaction.atomic():
            rename(ann, name_of(ann) + "!")
            if run == 1:
                crossing.start()
                wait_until_waiting(rival)
            lock(bob)

    service = Service(lock_both)
    assert outermost(service)() == "done"
    crossing.join()
    assert service.runs == 2
    assert name_of(ann) == "ann!"  # and not twice: the first run left nothing


def test_what_met_a_change_that_it_could_not_see_is_run_again(ann: Player, rival: psycopg.Connection) -> None:
    def repeatable_read(run: int) -> None:
        with transaction.atomic():
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
            before = name_of(ann)
            if run == 1:
                rival.execute("UPDATE games_player SET name = 'anna' WHERE id = %s", [ann.pk])
                rival.commit()
            rename(ann, before + "!")

    service = Service(repeatable_read)
    assert outermost(service)() == "done"
    assert service.runs == 2
    assert name_of(ann) == "anna!"


@pytest.mark.parametrize("freed_at", range(2, TIMES + 2))
def test_what_waited_too_long_for_a_lock_is_run_again(ann: Player, rival: psycopg.Connection, freed_at: int) -> None:
    lock_as(rival, ann)

    def impatient(run: int) -> None:
        if run == freed_at:
            rival.rollback()
        with transaction.atomic():
            wait_at_most("50ms")
            lock(ann)

    service = Service(impatient)
    assert outermost(service)() == "done"
    assert service.runs == freed_at


def test_after_the_last_run_the_caller_is_told_to_try_again(ann: Player, rival: psycopg.Connection) -> None:
    lock_as(rival, ann)

    def impatient(run: int) -> None:
        with transaction.atomic():
            wait_at_most("20ms")
            lock(ann)

    service = Service(impatient)
    with pytest.raises(TryAgain, match="lock_not_available"):
        outermost(service)()
    assert service.runs == 1 + TIMES


def test_inside_a_transaction_nothing_is_run_again(ann: Player, rival: psycopg.Connection) -> None:
    """The transaction is spoilt; the door outside it runs everything again."""
    lock_as(rival, ann)
    inner = Service(lambda run: lock(ann))

    def outer(run: int) -> None:
        if run == 2:
            rival.rollback()
        with transaction.atomic():
            wait_at_most("20ms")
            outermost(inner)()

    service = Service(outer)
    assert outermost(service)() == "done"
    assert (service.runs, inner.runs) == (2, 2)


def test_another_error_passes_at_once(ann: Player) -> None:
    def again_ann(run: int) -> None:
        Player.objects.create(pk=ann.pk, name="ann")

    service = Service(again_ann)
    with pytest.raises(IntegrityError):
        outermost(service)()
    assert service.runs == 1


def test_a_lost_connection_passes_at_once(rival: psycopg.Connection) -> None:
    """What was asked may have been done: whoever holds the key asks again."""

    def lose_it(run: int) -> None:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_backend_pid()")
            rival.execute("SELECT pg_terminate_backend(%s, 10000)", cursor.fetchone())
            cursor.execute("SELECT 1")

    service = Service(lose_it)
    with pytest.raises(OperationalError) as lost:
        outermost(service)()
    connection.close()
    assert sqlstate(lost.value) in (None, "57P01")
    assert service.runs == 1


def test_without_a_connection_to_spare_the_caller_is_told_to_try_again(app_dsn: str) -> None:
    def want_two(run: int) -> None:
        with ConnectionPool(app_dsn, min_size=1, max_size=1, timeout=0.1) as pool, connection.wrap_database_errors:
            pool.wait()
            with pool.connection(), pool.connection():
                pass

    service = Service(want_two)
    with pytest.raises(TryAgain, match="in use"):
        outermost(service)()
    assert service.runs == 1


def wait_at_most(duration: str) -> None:
    """For this transaction."""
    with connection.cursor() as cursor:
        cursor.execute(f"SET LOCAL lock_timeout = '{duration}'")
