"""A sweep goes through everything that waits: rows that fail are told and passed over, however many stand before."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from unittest import mock

import pytest
from celery.exceptions import SoftTimeLimitExceeded

from games.live import heart, services
from games.live.models import Connection, Live, Pulse
from games.models import Player
from tests.factories import PlayerFactory
from tests.live.tables import Parlour, parlour
from tests.play.lobbying import Guest, emerald
from wagering.play.lobby import services as lobby
from wagering.play.models import Offer
from wagering.rest import sweeps

pytestmark = pytest.mark.django_db


def breaks(*tables: Parlour) -> None:
    """What stands in their rows cannot be read."""
    Live.objects.filter(pk__in=[table.pk for table in tables]).update(snapshot={})


@pytest.fixture(autouse=True)
def _short_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sweeps, "PAGE", 2)


def test_each_row_comes_once_past_those_that_fail() -> None:
    for name in ("ann", "ann", "ann", "bob", "bob", "cid"):
        PlayerFactory.create(name=name)
    rows = Player.objects.filter(name__in=["ann", "bob", "cid"])
    met: list[Any] = []

    def do(player: Any) -> None:
        met.append(player)
        if Player.objects.get(pk=player).name != "cid":
            raise ZeroDivisionError

    assert sweeps.each(rows, do, by="name", what="test") == 1
    assert met == list(rows.order_by("name", "pk").values_list("pk", flat=True))
    assert len(met) == 6


def test_a_sweep_whose_time_is_up_ends() -> None:
    PlayerFactory.create()
    with pytest.raises(SoftTimeLimitExceeded):
        sweeps.each(Player.objects.all(), mock.Mock(side_effect=SoftTimeLimitExceeded), by="name", what="test")


def test_an_offer_that_cannot_be_closed_keeps_no_other_open() -> None:
    ann, room = Guest("ann"), emerald()
    offers = [ann.offered(room=room) for _ in range(6)]
    end = Offer.objects.get(pk=offers[-1]).expires_at
    closes = lobby._close

    def closes_the_last(offer: Offer, state: Offer.State, at: Any) -> None:
        if str(offer.pk) != str(offers[-1]):
            raise ZeroDivisionError
        closes(offer, state, at)

    with mock.patch.object(lobby, "_close", closes_the_last):
        assert lobby.expire(at=end) == 1
    assert Offer.objects.get(pk=offers[-1]).state == "expired"


def test_a_connection_at_a_broken_table_keeps_no_other_from_lapsing() -> None:
    tables = [parlour() for _ in range(4)]
    breaks(*tables[:3])
    for table in tables:
        table.wait(seconds=31)
    assert services.lapse(now=tables[3].now) == 2
    assert not Connection.objects.filter(live=tables[3].pk).exists()


def test_a_broken_table_does_not_stop_the_heart() -> None:
    broken, table = parlour(), parlour()
    breaks(broken)
    services.pulse(now=table.now)
    table.wait(minutes=10)
    assert services.pulse(now=table.now) == timedelta(minutes=10)
    assert Pulse.objects.get().beat_at == table.at
    assert table.state()["clocks"][table.side - 1]["reserve_ms"] == 120_000


def test_the_heart_beats_on_whatever_goes_wrong() -> None:
    with mock.patch.object(services, "pulse", side_effect=ZeroDivisionError):
        heart._beat()
