"""The heart of a process that serves players."""

import pytest
from django.db import connection

from games.live.heart import Heart
from games.live.models import Pulse


@pytest.mark.django_db(transaction=True)
def test_the_heart_beats_while_others_hold_every_connection() -> None:
    assert not Pulse.objects.exists()
    connection.close()
    pool = connection.pool  # type: ignore[attr-defined]
    held = [pool.getconn() for _ in range(pool.max_size)]
    heart = Heart()
    try:
        heart.start()
    finally:
        for each in held:
            pool.putconn(each)
        heart.stop()
    assert Pulse.objects.exists()
