"""Who is out, by all that is known of the person."""

from datetime import datetime

from django.db.models import Q

from games.models import Player
from wagering.protection.exclusion.rules import Standing, longest
from wagering.protection.models import Exclusion, Identity, RegisterEntry


def standing(*, player: Player, digest: str | None, at: datetime) -> Standing | None:
    """What keeps the player out at ``at`` and lasts longest; None if nothing does.

    With the ``digest`` of what they told, also what keeps out whoever told the same, and the registers that name them.
    """
    theirs = Q(person=player.pk)
    found = []
    if digest:
        theirs |= Q(person__in=Identity.objects.filter(digest=digest).values("person"))
        found = [entry.standing for entry in named(digest=digest, at=at)]
    return longest([*found, *(row.standing for row in Exclusion.objects.filter(theirs))], at=at)


def named(*, digest: str, at: datetime) -> list[RegisterEntry]:
    """The entries of registers that stand at ``at`` for who has that ``digest``."""
    standing = Q(until=None) | Q(until__gt=at)
    return list(RegisterEntry.objects.filter(standing, digest=digest, removed_at=None).order_by("source"))
