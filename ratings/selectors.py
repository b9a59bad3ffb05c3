"""Reading ratings."""

from games.models import Player
from ratings.models import Rating
from ratings.rules import FIRST, Standing, Zone


def snapshot(*, player: Player, zone: Zone) -> Standing:
    """How ``player`` stands in ``zone`` now, exactly as stored; who never played there stands at the start (R).

    A page shows ``rules.shown(standing.rating)``.
    """
    row = Rating.objects.filter(player=player, zone=zone).first()
    return FIRST if row is None else Standing(rating=row.rating, experience=row.experience)
