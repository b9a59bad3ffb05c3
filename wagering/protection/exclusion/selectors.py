"""Who is out, by all that is known of the person."""

from collections.abc import Sequence
from datetime import datetime

from django.db.models import Q, QuerySet

from games.models import Player
from wagering.protection.exclusion.rules import Standing, longest
from wagering.protection.models import Exclusion, Identity, RegisterEntry


def standing(*, player: Player, known: Identity | None, at: datetime) -> Standing | None:
    """What keeps the player out at ``at`` and lasts longest; None if nothing does.

    With what they told, ``known``, also what keeps out the same person, and the registers that name them.
    """
    theirs = Q(person=player.pk)
    found = []
    if known:
        theirs |= Q(person__in=same(known).values("person"))
        found = [entry.standing for entry in named(digests=known.digests, at=at)]
    return longest([*found, *(row.standing for row in Exclusion.objects.filter(theirs))], at=at)


def same(known: Identity) -> QuerySet[Identity]:
    """Other identities that count as the same person: of who is proven those that are proven too, for anybody can
    tell a name. Who is not proven may be anybody of that name, but for those whose word was rejected."""
    proven = Q(proven__overlap=known.digests)
    if not known.is_proven:
        proven |= alike(known.digests) & ~Q(state=Identity.State.REJECTED)
    return Identity.objects.filter(proven).exclude(pk=known.pk)


def claiming(known: Identity) -> QuerySet[Identity]:
    """Other identities that tell the same and do not count, for nobody has verified or rejected them."""
    pending = Identity.objects.filter(alike(known.digests)).exclude(state=Identity.State.REJECTED)
    return pending.exclude(pk=known.pk).exclude(pk__in=same(known).values("pk"))


def alike(digests: Sequence[str]) -> Q:
    """Whose spelling is one of these."""
    return Q(digest__in=digests) | Q(spellings__overlap=list(digests))


def to_release() -> QuerySet[Exclusion]:
    """Of which one operator has said that they are another's."""
    return Exclusion.objects.filter(disowned_at__isnull=False, released_at=None)


def named(*, digests: Sequence[str], at: datetime) -> list[RegisterEntry]:
    """The entries of registers that stand at ``at`` for who has one of those ``digests``."""
    standing = Q(until=None) | Q(until__gt=at)
    return list(RegisterEntry.objects.filter(alike(digests), standing, removed_at=None).order_by("source"))
