"""Reading published tariffs."""

from datetime import datetime
from functools import lru_cache

from games.models import Room
from wagering.commission import schedule
from wagering.commission.models import RoomTariff, TariffVersion
from wagering.commission.tariff import Tariff


class RoomHasNoTariff(LookupError):
    """The operator has not said by which tariff the room charges, so it makes no tables."""

    def __init__(self, room: Room) -> None:
        super().__init__(f"room: {room} has no tariff")
        self.room = room


def tariff_of_room(*, room: Room, at: datetime) -> TariffVersion:
    """The version by which ``room`` makes tables at ``at``. Raises RoomHasNoTariff, UnknownTariff."""
    chosen = RoomTariff.objects.filter(room=room).first()
    if chosen is None:
        raise RoomHasNoTariff(room)
    return tariff_at(name=chosen.tariff, at=at)


def tariff_at(*, name: str, at: datetime) -> TariffVersion:
    """The version of ``name`` with which a table made at ``at`` is made, and which it keeps. Raises UnknownTariff."""
    valid = TariffVersion.objects.filter(valid_from__lte=at)
    found = valid.filter(name=name).order_by("-valid_from").first()
    if found is None:
        known = list(valid.order_by("name").values_list("name", flat=True).distinct())
        raise schedule.UnknownTariff(name=name, known=known)
    return found


def tariff_of(version: TariffVersion) -> Tariff:
    """The tariff that ``version`` published, for the rules."""
    return _read(version.text, f"{version}")


@lru_cache(maxsize=256)
def _read(text: str, source: str) -> Tariff:
    return schedule.load(text, source=source)
