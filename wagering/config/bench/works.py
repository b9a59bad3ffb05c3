"""What a client of the service does over and over, and how long each time took.

What is posted is made beforehand, and its making is not counted: drawing two wallets and an amount by lot is the
bench's work, as pgbench's own is to draw its rows.
"""

import time
from collections.abc import Callable, Iterator
from datetime import datetime
from itertools import chain
from typing import Final

from django.utils import timezone

from games.models import Room
from ledger import book
from ledger.vouchers import Voucher
from wagering.config.bench import population

Work = Callable[[float], list[float]]
"""Given when to end, by the monotonic clock: the seconds each time took."""
Preparation = Callable[[float, int], Work]
"""Given how long the work will be and a size; whoever prepares is waited for."""
A_SECOND: Final = 600
"""Vouchers made beforehand, more than one client gets rid of; the rest would be made as they are needed."""


def _spread(seconds: float, size: int) -> Work:
    return _posting(population.spread, seconds)


def _hot(seconds: float, size: int) -> Work:
    return _posting(population.hot, seconds)


def _posting(make: Callable[..., Voucher], seconds: float) -> Work:
    vouchers = _stock(make, int(seconds * A_SECOND), at=timezone.now())
    return lambda end: _repeat(lambda: book.post(next(vouchers)), end)


def _stock(make: Callable[..., Voucher], count: int, *, at: datetime) -> Iterator[Voucher]:
    return chain([make(at=at) for _ in range(count)], iter(lambda: make(at=timezone.now()), None))


def _game(seconds: float, size: int) -> Work:
    room = Room.objects.get(pk=population.ROOM)
    return lambda end: _repeat(lambda: population.stake_a_game(room=room, at=timezone.now()), end)


def _many(seconds: float, size: int) -> Work:
    """Calls of ``size`` vouchers."""

    def work(end: float) -> list[float]:
        took = []
        while time.monotonic() < end:
            vouchers = [population.spread(at=timezone.now()) for _ in range(size)]
            began = time.monotonic()
            answers = book.post_many(vouchers)
            took.append(time.monotonic() - began)
            assert all(isinstance(answer, book.Receipt) for answer in answers), "everybody can pay"
        return took

    return work


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


WORKS: Final[dict[str, Preparation]] = {"spread": _spread, "hot": _hot, "game": _game, "many": _many}
