"""Keeping somebody out: at once, by their own word or an operator's, or since a register names them."""

from datetime import datetime, timedelta

from django.db import transaction

from games.models import Player, User
from wagering.protection import aml
from wagering.protection.exclusion import selectors
from wagering.protection.exclusion.rules import (
    COOLING_OFF,
    HOURS_MAX,
    MONTHS_MAX,
    MONTHS_MIN,
    Standing,
    months_later,
)
from wagering.protection.identity import digests
from wagering.protection.models import Exclusion, Identity, Person
from wagering.protection.persons import locked

By = Exclusion.By
Kind = Exclusion.Kind


class TermRefused(ValueError):
    """A time-out is for an hour to six weeks, an exclusion for six months to five years, or for good."""

    def __init__(self, *, field: str, value: int, rule: str) -> None:
        super().__init__(f"{field}: {value} {rule}")
        self.field = field


class NotExcluded(ValueError):
    """There is no exclusion to lift."""


class TermNotOver(ValueError):
    """An exclusion is lifted after its term alone, whoever asks; ``retry_at`` is when it ends, None for never."""

    def __init__(self, retry_at: datetime | None) -> None:
        until = f"before {retry_at:%Y-%m-%d %H:%M} UTC" if retry_at else "ever"
        super().__init__(f"exclusion: it is not lifted {until}, by nobody")
        self.retry_at = retry_at


class NotAnothers(ValueError):
    """Nobody else has the exclusion, or who would release it has said so, or not been told."""


def take_time_out(
    *, player: Player, hours: int, at: datetime, operator: User | None = None, reason: str = ""
) -> Exclusion:
    """Out for so many hours, from now on. Raises TermRefused."""
    if not 1 <= hours <= HOURS_MAX:
        raise TermRefused(field="hours", value=hours, rule=f"is not from 1 to {HOURS_MAX}: six weeks")
    return _out(player, Kind.TIME_OUT, at + timedelta(hours=hours), at, operator, reason)


def exclude(
    *, player: Player, months: int | None, at: datetime, operator: User | None = None, reason: str = ""
) -> Exclusion:
    """Out for so many months, None for good, from now on. Raises TermRefused."""
    if months is not None and not MONTHS_MIN <= months <= MONTHS_MAX:
        rule = f"is not from {MONTHS_MIN} to {MONTHS_MAX}, nor null for good"
        raise TermRefused(field="months", value=months, rule=rule)
    return _out(player, Kind.EXCLUSION, months_later(at, months) if months else None, at, operator, reason)


def ask_to_lift(*, player: Player, at: datetime) -> Standing:
    """The player would play again: every exclusion ends a day from now, if the terms of all are over.

    Again, the first answer. Raises NotExcluded, TermNotOver.
    """
    with transaction.atomic():
        person = locked(player)
        holding = [row for row in Exclusion.objects.filter(person=person) if row.standing.holds(at=at)]
        rows = [row for row in holding if row.kind == Kind.EXCLUSION]
        if not rows:
            raise NotExcluded("exclusion: there is none that could be lifted")
        known = _identity(person)
        named = {entry.source for entry in selectors.named(digests=known.digests, at=at)} if known else set()
        waiting = [row for row in rows if not _may_be_lifted(row, named, at)]
        if waiting:
            ends = [row.ends_at for row in waiting]
            raise TermNotOver(None if None in ends else max(each for each in ends if each))
        for row in rows:
            if row.lift_asked_at is None:
                row.lift_asked_at, row.lifts_at = at, at + COOLING_OFF
                row.save(update_fields=["lift_asked_at", "lifts_at"])
        return max((row.standing for row in rows), key=lambda each: each.lifts_at or at)


def look_up(*, player: Player, at: datetime) -> Standing | None:
    """Look again whether the player is out, and keep what registers and their other accounts say of them.

    At every log-in and whenever somebody tells who they are: whoever was excluded as somebody stays so, whatever they
    call themselves afterwards. Only of accounts that are proven to be one person's is anything kept at the other;
    whoever else tells the same and is excluded is shown to an operator.
    """
    with transaction.atomic():
        person = locked(player)
        known = _identity(person)
        if known is not None:
            digests.renew(known)
            own = [row.standing for row in Exclusion.objects.filter(person=person)]
            for entry in selectors.named(digests=known.digests, at=at):
                if not any(each.source == entry.source and each.holds(at=at) for each in own):
                    _by_register(person, entry.source, entry.until, at)
            if known.is_proven:
                _take_over(person, known, own, at)
                _show(player, known, at)
        return selectors.standing(player=player, known=known, at=at)


def may_be_anothers(row: Exclusion) -> bool:
    """Whether somebody else has the same exclusion, which was there first."""
    alike = Exclusion.objects.filter(kind=row.kind, by=row.by, source=row.source, operator=row.operator)
    return alike.filter(ends_at=row.ends_at, begins_at__lt=row.begins_at).exclude(person=row.person_id).exists()


def disown(*, exclusion: Exclusion, by: User, reason: str, at: datetime) -> Exclusion:
    """An operator says that it is another's, taken over because both told the same name; a second one releases it.

    Raises NotAnothers.
    """
    with transaction.atomic():
        locked(exclusion.person.player)
        found = Exclusion.objects.get(pk=exclusion.pk)
        if not may_be_anothers(found):
            raise NotAnothers("exclusion: nobody else has the same, begun before it")
        if found.disowned_at is not None:
            raise NotAnothers("exclusion: that was said before; another operator releases it")
        found.disowned_by, found.disowned_reason, found.disowned_at = by, reason.strip(), at
        found.save(update_fields=["disowned_by", "disowned_reason", "disowned_at"])
        return found


def release(*, exclusion: Exclusion, by: User, at: datetime) -> Exclusion:
    """A second operator agrees that it is another's: it holds no more. Again: nothing more. Raises NotAnothers."""
    with transaction.atomic():
        locked(exclusion.person.player)
        found = Exclusion.objects.get(pk=exclusion.pk)
        if found.disowned_at is None or found.disowned_by == by:
            raise NotAnothers("exclusion: one operator says that it is another's, and a second one agrees")
        if found.released_at is None:
            found.released_by, found.released_at = by, at
            found.save(update_fields=["released_by", "released_at"])
        return found


def _take_over(person: Person, known: Identity, own: list[Standing], at: datetime) -> None:
    others = Exclusion.objects.filter(person__in=selectors.same(known).values("person"))
    for row in others:
        if row.standing.holds(at=at) and not _covers(own, row, at):
            _same_person(person, row)


def _show(player: Player, known: Identity, at: datetime) -> None:
    for other in selectors.claiming(known).select_related("person__player"):
        if any(row.standing.holds(at=at) for row in Exclusion.objects.filter(person=other.person_id)):
            why = "the same name and date of birth; one of them is excluded and not verified"
            aml.link(one=player, other=other.person.player, why=why, at=at)


def _out(
    player: Player, kind: Exclusion.Kind, ends_at: datetime | None, at: datetime, operator: User | None, reason: str
) -> Exclusion:
    with transaction.atomic():
        return Exclusion.objects.create(
            person=locked(player),
            kind=kind,
            by=By.OPERATOR if operator else By.PLAYER,
            operator=operator,
            reason=reason.strip(),
            begins_at=at,
            ends_at=ends_at,
        )


def _by_register(person: Person, source: str, until: datetime | None, at: datetime) -> None:
    Exclusion.objects.create(
        person=person, kind=Kind.EXCLUSION, by=By.REGISTER, source=source, begins_at=at, ends_at=until
    )


def _same_person(person: Person, row: Exclusion) -> None:
    Exclusion.objects.create(
        person=person,
        kind=row.kind,
        by=row.by,
        source=row.source,
        operator=row.operator,
        reason=row.reason,
        begins_at=row.begins_at,
        ends_at=row.ends_at,
    )


def _covers(own: list[Standing], row: Exclusion, at: datetime) -> bool:
    theirs = row.standing
    return any(each.holds(at=at) and (each.kind, each.ends_at) == (theirs.kind, theirs.ends_at) for each in own)


def _may_be_lifted(row: Exclusion, named: set[str], at: datetime) -> bool:
    """A register's word also ends when the register names the person no more."""
    if row.by == By.REGISTER and row.source not in named:
        return True
    return row.standing.may_be_lifted(at=at)


def _identity(person: Person) -> Identity | None:
    return Identity.objects.select_related("person__player").filter(person=person).first()
