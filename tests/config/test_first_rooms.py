"""An installation that has no room yet opens two, and keeps what an operator has made of them."""

from __future__ import annotations

import pytest
from django.utils import timezone

from games.models import Room
from wagering.commission.models import RoomTariff
from wagering.config.first_rooms import open_first_rooms

pytestmark = pytest.mark.django_db


def test_they_are_opened_once_and_stay_as_they_are() -> None:
    first = list(open_first_rooms(at=timezone.now()))
    assert any(line == "Sapphire Room open, charging by sgames" for line in first)
    assert set(RoomTariff.objects.values_list("room__slug", "tariff")) == {
        ("emerald", "gammonempire"),
        ("sapphire", "sgames"),
    }
    Room.objects.filter(slug="emerald").update(name="Green Room")
    again = list(open_first_rooms(at=timezone.now()))
    assert (Room.objects.count(), Room.objects.get(slug="emerald").name) == (2, "Green Room")
    assert not any("published" in line for line in again)
