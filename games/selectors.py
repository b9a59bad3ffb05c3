"""What there is to play at."""

from games.models import Room


class NoSuchRoom(LookupError):
    """No room has that name; GET /v1/rooms has them all."""

    field = "room"

    def __init__(self) -> None:
        super().__init__("room: there is no such room; GET /v1/rooms has them all")


def room_named(slug: str) -> Room:
    """Raises NoSuchRoom."""
    room = Room.objects.filter(slug=slug).first()
    if room is None:
        raise NoSuchRoom
    return room
