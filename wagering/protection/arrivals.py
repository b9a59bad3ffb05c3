"""What happens when a player logs in."""

from datetime import datetime

from django.db import transaction

from games.models import Player
from wagering.protection import dormancy
from wagering.protection.exclusion import services as exclusion
from wagering.protection.exclusion.rules import Standing
from wagering.protection.persons import locked


def arrived(*, player: Player, at: datetime) -> Standing | None:
    """The player is here: whether they are excluded is looked up again, a session begins, an absence ends.

    What keeps them out, if anything does; to withdraw they may log in all the same.
    """
    with transaction.atomic():
        person = locked(player)
        person.seen_at = person.session_began_at = at
        person.checked_at = None
        person.save(update_fields=["seen_at", "session_began_at", "checked_at"])
        standing = exclusion.look_up(player=player, at=at)
        dormancy.back(player=player, at=at)
        return standing
