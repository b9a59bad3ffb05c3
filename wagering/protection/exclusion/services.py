"""Keeping somebody out: at once, by their own word or an operator's, or since a register names them."""

from datetime import datetime, timedelta

from django.db import transaction

from games.models import Player, User
from wagering.protection.exclusion import selectors
from wagering.protection.exclusion.rules import (
    COOLING_OFF,
    HOURS_MAX,
    MONTHS_MAX,
    MONTHS_MIN,
    Standing,
    months_later,
)
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
        digest = _digest(person)
        named = {entry.source for entry in selectors.named(digest=digest, at=at)} if digest else set()
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
    call themselves afterwards.
    """
    with transaction.atomic():
        person = locked(player)
        digest = _digest(person)
        own = [row.standing for row in Exclusion.objects.filter(person=person)]
        if digest:
            for entry in selectors.named(digest=digest, at=at):
                if not any(each.source == entry.source and each.holds(at=at) for each in own):
                    _by_register(person, entry.source, entry.until, at)
            others = Exclusion.objects.filter(person__in=Identity.objects.filter(digest=digest).values("person"))
            for row in others.exclude(person=person):
                if row.standing.holds(at=at) and not _covers(own, row, at):
                    _same_person(person, row)
        return selectors.standing(player=player, digest=digest, at=at)


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


def _digest(person: Person) -> str | None:
    found = Identity.objects.filter(person=person).first()
    return found.digest if found else None
