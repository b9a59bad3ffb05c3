"""Tables at which the machine sits."""

from typing import Final
from uuid import UUID

from games.live.models import Live
from games.live.rules.stand import Status
from games.models import Player
from wagering.play.machine.players import IDS

SIDE: Final = 2
"""Where the machine sits, always."""

UNDER_WAY: Final = [Status.SEEDS.value, Status.PLAYING.value]


def waiting(*, most: int = 100) -> list[UUID]:
    """Tables at which the machine has something to do, or may have: the longest ones first."""
    found = Live.objects.filter(status__in=UNDER_WAY, table__player_2__in=list(IDS))
    found = found.filter(to_act=SIDE) | found.filter(status=Status.SEEDS.value)
    return list(found.order_by("changed_at").values_list("pk", flat=True)[:most])


def open_tables(*, player: Player) -> int:
    """How many games ``player`` has with the machine that are not over."""
    found = Live.objects.filter(status__in=UNDER_WAY, table__player_1=player, table__player_2__in=list(IDS))
    return found.count()
