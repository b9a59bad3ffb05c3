"""Telling who one is, and an operator's word on it."""

from collections.abc import Sequence
from datetime import date, datetime

from django.db import connection, transaction

from games.models import Player, User
from wagering.protection import aml, profile
from wagering.protection.exclusion import selectors as exclusions
from wagering.protection.exclusion import services as exclusion
from wagering.protection.identity.digests import digest_of, spellings_of
from wagering.protection.identity.rules import Told, check_name, years
from wagering.protection.identity.selectors import ADDRESS, BIRTH_DATE, NAME, opened
from wagering.protection.models import Identity, Review
from wagering.protection.persons import locked
from wagering.protection.refusals import CountryRefused
from wagering.vault import services as vault

State = Identity.State


class TooYoung(ValueError):
    """The player is younger than the profile's age."""

    field = "birth_date"

    def __init__(self, age: int) -> None:
        super().__init__(f"birth_date: one must be {age} to play here")


class BornInTheFuture(ValueError):
    """The date of birth is after today, or more than 130 years ago."""

    field = "birth_date"


class NotPending(ValueError):
    """There is nothing that an operator has to look at."""


def tell(*, player: Player, told: Told, at: datetime) -> Identity:
    """Keep what the player says of themselves, sealed, for an operator to verify; the same again changes nothing.

    Who is excluded is so as whoever they were before, and as whoever they are now. Another player who is the same
    person is shown to an operator. Raises NameUnclear, BornInTheFuture, TooYoung, CountryRefused, Erased.
    """
    check_name(told.name)
    rules = profile.of_country(told.country)
    age = years(birth_date=told.birth_date, at=at)
    if not 0 <= age <= 130:
        raise BornInTheFuture(f"birth_date: {told.birth_date} is no date of birth")
    if told.country in rules.refused:
        raise CountryRefused(player.pk, told.country)
    if age < rules.age:
        raise TooYoung(rules.age)
    with transaction.atomic():
        person = locked(player)
        before = Identity.objects.filter(person=person).first()
        if before is not None:
            if before.state in (State.PENDING, State.VERIFIED) and _same(before, told, player):
                return before
            exclusion.look_up(player=player, at=at)  # as whom they were until now
        digest = digest_of(name=told.name, birth_date=told.birth_date)
        spellings = spellings_of(name=told.name, birth_date=told.birth_date)
        _wait(sorted({digest, *spellings}))
        if before is not None and before.state != State.REJECTED:
            spellings = sorted({*spellings, before.digest, *before.spellings})
        identity, _ = Identity.objects.update_or_create(
            person=person,
            defaults={
                "state": State.PENDING,
                "country": told.country,
                "name": vault.seal(told.name, player=player, purpose=NAME),
                "birth_date": vault.seal(told.birth_date.isoformat(), player=player, purpose=BIRTH_DATE),
                "address": vault.seal(told.address, player=player, purpose=ADDRESS),
                "digest": digest,
                "spellings": spellings,
                "told_at": at,
                "judged_at": None,
            },
        )
        alike = Identity.objects.filter(exclusions.alike([digest, *spellings])).exclude(person=person)
        for same in alike.select_related("person__player"):
            aml.link(one=player, other=same.person.player, why="the same name and date of birth", at=at)
        exclusion.look_up(player=player, at=at)
        return identity


def judge(*, identity: Identity, verified: bool, reason: str, documents: str, by: User, at: datetime) -> Identity:
    """An operator verifies, or rejects, what was told. Raises NotPending, TooYoung, CountryRefused."""
    with transaction.atomic():
        player = identity.person.player
        locked(player)
        found = Identity.objects.select_for_update().get(pk=identity.pk)
        if found.state != State.PENDING or found.told_at != identity.told_at:
            raise NotPending(f"identity: it is {found.state}, or was told anew")
        if verified:
            _check(found, player, at)
        Review.objects.create(
            identity=found, verified=verified, reason=reason.strip(), documents=documents.strip(), operator=by, at=at
        )
        found.state, found.judged_at = State.VERIFIED if verified else State.REJECTED, at
        if verified:
            _prove(found, player)
        found.save()
        exclusion.look_up(player=player, at=at)
        return found


def _check(identity: Identity, player: Player, at: datetime) -> None:
    rules = profile.of_country(identity.country)
    if identity.country in rules.refused:
        raise CountryRefused(player.pk, identity.country)
    born = date.fromisoformat(vault.opened(bytes(identity.birth_date), player=player, purpose=BIRTH_DATE))
    if years(birth_date=born, at=at) < rules.age:
        raise TooYoung(rules.age)


def _prove(identity: Identity, player: Player) -> None:
    """From now on the person is whom the documents show, whatever else was told before that nobody verified."""
    told = opened(identity, player=player)
    identity.spellings = spellings_of(name=told["name"], birth_date=date.fromisoformat(told["birth_date"]))
    identity.proven = sorted({*identity.proven, identity.digest, *identity.spellings})
    identity.proven_country = identity.country


def _wait(digests: Sequence[str]) -> None:
    """Until a rival who tells the same is done: the second finds the first. In order, so that nobody deadlocks."""
    with connection.cursor() as cursor:
        for digest in digests:
            cursor.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", [f"identity\x1f{digest}"])


def _same(before: Identity, told: Told, player: Player) -> bool:
    kept = (
        vault.opened(bytes(before.name), player=player, purpose=NAME),
        vault.opened(bytes(before.birth_date), player=player, purpose=BIRTH_DATE),
        vault.opened(bytes(before.address), player=player, purpose=ADDRESS),
        before.country,
    )
    return kept == (told.name, told.birth_date.isoformat(), told.address, told.country)
