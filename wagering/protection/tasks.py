"""What is looked at by the clock: who is long away, and whose sums ask for the source of the money."""

from __future__ import annotations

from uuid import UUID

from celery import shared_task
from django.utils import timezone

from games.models import Player
from wagering.protection import aml, dormancy
from wagering.protection.identity.selectors import identity_of, profile_of
from wagering.protection.models import FundsLock, Person
from wagering.rest import sweeps
from wagering.rest.retries import outermost


@shared_task
def look_for_the_absent() -> None:
    """Who is away is told, and what is due is set apart."""
    sweeps.each(dormancy.away(at=timezone.now()), _absent, by="id", what="absence")


@shared_task
def look_at_the_sums() -> None:
    """Whose deposits or payouts have reached the profile's sum is locked, so that an operator sees it.

    Of those who have been here within the time that counts.
    """
    locked = FundsLock.objects.filter(lifted_at=None).values("person")
    here = Person.objects.filter(seen_at__gt=timezone.now() - aml.PERIOD).exclude(pk__in=locked)
    sweeps.each(here, _sums, by="player", what="sums")


def _absent(player: UUID) -> None:
    outermost(dormancy.look)(player=Player.objects.get(pk=player), at=timezone.now())


def _sums(person: UUID) -> None:
    player = Player.objects.get(pk=person)
    identity = identity_of(player)
    rules = profile_of(identity)
    outermost(aml.look)(player=player, profile=rules, at=timezone.now())
