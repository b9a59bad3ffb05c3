"""What a client of the service does over and over, and how long each time took."""

import time
from collections.abc import Callable
from typing import Final

from django.utils import timezone

from games.models import Room
from ledger import book
from wagering.config.bench import population

Work = Callable[[float, int], list[float]]
"""Given when to end, by the monotonic clock, and a size: the seconds each time took."""


def _spread(end: float, size: int) -> list[float]:
    return _repeat(lambda: book.post(population.spread(at=timezone.now())), end)


def _hot(end: float, size: int) -> list[float]:
    return _repeat(lambda: book.post(population.hot(at=timezone.now())), end)


def _game(end: float, size: int) -> list[float]:
    room = Room.objects.get(pk=population.ROOM)
    return _repeat(lambda: population.stake_a_game(room=room, at=timezone.now()), end)


def _many(end: float, size: int) -> list[float]:
    """Calls of ``size`` vouchers; those of a call are made before it, and their making is not counted."""
    took = []
    while time.monotonic() < end:
        vouchers = [population.spread(at=timezone.now()) for _ in range(size)]
        began = time.monotonic()
        answers = book.post_many(vouchers)
        took.append(time.monotonic() - began)
        assert all(isinstance(answer, book.Receipt) for answer in answers), "everybody can pay"
    return took


def _repeat(once: Callable[[], object], end: float) -> list[float]:
    took = []
    began = time.monotonic()
    while began < end:
        once()
        now = time.monotonic()
        if now <= end:  # what is not done in time does not count
            took.append(now - began)
        began = now
    return took


WORKS: Final[dict[str, Work]] = {"spread": _spread, "hot": _hot, "game": _game, "many": _many}
