"""The lock that everything of one player is done under."""

from collections.abc import Iterable
from uuid import UUID

from games.models import Player
from wagering.protection.models import Person


def locked(player: Player) -> Person:
    """The player's person, made if need be, locked to the end of the transaction."""
    return all_locked([player])[player.pk]


def all_locked(players: Iterable[Player]) -> dict[UUID, Person]:
    """As ``locked`` for several players, in the order of their ids, so that nobody deadlocks."""
    ids = made(players)  # all are there before the first is locked
    rows = Person.objects.select_for_update(no_key=True).filter(pk__in=ids).order_by("pk")
    return {person.pk: person for person in rows}


def made(players: Iterable[Player]) -> list[UUID]:
    """See to it that every player has a person, and give the ids in order. A rival who makes the same is waited for."""
    ids = sorted({player.pk for player in players})
    Person.objects.bulk_create([Person(player_id=each) for each in ids], ignore_conflicts=True)
    return ids
