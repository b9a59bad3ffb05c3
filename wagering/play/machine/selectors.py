"""Tables at which the machine sits."""

from typing import Final

from django.db.models import Q, QuerySet

from games.live.models import Live
from games.live.rules.stand import Status
from games.live.selectors import UNDER_WAY
from games.models import Player
from games.rules.sides import SIDES
from wagering.play.machine.players import IDS

SIDE: Final = 2
"""Where the machine sits, always."""


def waiting() -> QuerySet[Live]:
    """Tables at which the machine has something to do: its seed to give, or its turn."""
    found = Live.objects.filter(due_at__isnull=False, table__player_2__in=list(IDS))  # a time runs wherever it does
    gives_seed = Q(status=Status.SEEDS.value, **{f"snapshot__seeds__{SIDE - 1}": ""})
    for side in SIDES:
        gives_seed &= ~Q(**{f"snapshot__hashes__{side - 1}": ""})
    return found.filter(Q(to_act=SIDE) | gives_seed)


def open_tables(*, player: Player) -> int:
    """How many games ``player`` has with the machine that are not over."""
    found = Live.objects.filter(status__in=UNDER_WAY, table__player_1=player, table__player_2__in=list(IDS))
    return found.count()
