"""The rooms that an installation on the embedded database begins with; the demonstration plays in them."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Final
from uuid import UUID, uuid5

from games.models import Room
from wagering.commission.models import RoomTariff
from wagering.commission.services import publish_shipped

NAMESPACE: Final = UUID("0f0d7e2c-5a53-4c4e-9a86-0a7d9f3c1b11")
"""What they and the demonstration make has ids of its own, the same at every run."""

ROOMS: Final = {"emerald": ("Emerald Room", "gammonempire"), "sapphire": ("Sapphire Room", "sgames")}


def open_first_rooms(*, at: datetime) -> Iterator[str]:
    """Publish the shipped tariffs and open the rooms, a line for each. What is there stays as it is."""
    for published in publish_shipped(at=at):
        new = "published" if published.is_new else "in force"
        yield f"tariff {published.version} {new}, {len(published.cliffs)} cliffs (edges where the fee jumps)"
    for slug, (name, tariff) in ROOMS.items():
        room, _ = Room.objects.get_or_create(slug=slug, defaults={"id": uuid5(NAMESPACE, slug), "name": name})
        RoomTariff.objects.get_or_create(room=room, defaults={"tariff": tariff})
        yield f"{name} open, charging by {tariff}"
