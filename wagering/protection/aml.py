"""Sums over 180 days of what came in and went out, linked players together, and the lock until its source is known."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Final
from uuid import UUID

from django.db import transaction
from django.db.models import Q, QuerySet

from games.models import Player, User
from ledger import book
from wagering.protection.limits.selectors import DEPOSITS
from wagering.protection.models import FundsLock, Link
from wagering.protection.persons import locked, made
from wagering.protection.profile import Profile

PERIOD: Final = timedelta(days=180)


@dataclass(frozen=True, slots=True)
class Sums:
    """What came in and went out in one currency."""

    deposits: Decimal
    payouts: Decimal

    @property
    def larger(self) -> Decimal:
        return max(self.deposits, self.payouts)


def linked(player: UUID) -> set[UUID]:
    """The player, and all that are linked to them by any number of steps."""
    found, new = {player}, {player}
    while new:
        standing = Link.objects.filter(Q(one__in=new) | Q(other__in=new), none_at=None)
        pairs = standing.values_list("one", "other")
        new = {each for pair in pairs for each in pair} - found
        found |= new
    return found


def sums(*, players: Iterable[UUID], currency: str, since: datetime) -> Sums:
    """What the ``players`` have brought in and taken out together since then."""
    came, went = Decimal(0), Decimal(0)
    for player in players:
        for moved in book.movements(owner=player, currency=currency, kinds=("wallet",), since=since):
            came += moved.amount if moved.event in DEPOSITS else 0
        for moved in book.movements(owner=player, currency=currency, kinds=("payouts_pending",), since=since):
            went -= moved.amount if moved.event == "payout_paid" else 0
    return Sums(came, went)


def needs_identity(*, player: Player, profile: Profile, currency: str, more: Decimal, at: datetime) -> bool:
    """Whether ``more`` coming in, or going out, reaches the sum from which the identity must be verified."""
    edge = profile.sums.get(currency)
    if edge is None:
        return True
    return sums(players=linked(player.pk), currency=currency, since=at - PERIOD).larger + more >= edge.identity


def is_locked(*, player: Player, profile: Profile, at: datetime) -> bool:
    """Whether the source of the player's money has to be known first: by an operator's word or by the sums.

    Once a lock was lifted, the sums count from there.
    """
    rows = list(FundsLock.objects.filter(person=player.pk))
    if any(row.lifted_at is None for row in rows):
        return True
    return _passed(player, profile, rows, at) is not None


def standing() -> QuerySet[FundsLock]:
    """Whose source of money is to be known yet."""
    return FundsLock.objects.filter(lifted_at=None)


def unseen() -> QuerySet[Link]:
    """Who may be one person, and no operator has looked at it."""
    return Link.objects.filter(looked_at=None)


def look(*, player: Player, profile: Profile, at: datetime) -> FundsLock | None:
    """Write the lock that the sums ask for, once; the one that is open, if any."""
    with transaction.atomic():
        person = locked(player)
        rows = list(FundsLock.objects.filter(person=person))
        if standing := next((row for row in rows if row.lifted_at is None), None):
            return standing
        currency = _passed(player, profile, rows, at)
        if currency is None:
            return None
        reason = f"{profile.sums[currency].funds} {currency} within {PERIOD.days} days, by profile {profile.name}"
        return FundsLock.objects.create(person=person, reason=reason, set_at=at)


def lock(*, player: Player, by: User, reason: str, at: datetime) -> FundsLock:
    """An operator asks where the money comes from; again, the lock that stands."""
    with transaction.atomic():
        person = locked(player)
        standing = FundsLock.objects.filter(person=person, lifted_at=None).first()
        return standing or FundsLock.objects.create(person=person, operator=by, reason=reason, set_at=at)


def lift(*, lock: FundsLock, by: User, reason: str, at: datetime) -> FundsLock:
    """An operator has seen where it comes from; again, nothing more."""
    with transaction.atomic():
        locked(lock.person.player)
        found = FundsLock.objects.get(pk=lock.pk)
        if found.lifted_at is None:
            found.lifted_by, found.lifted_reason, found.lifted_at = by, reason, at
            found.save(update_fields=["lifted_by", "lifted_reason", "lifted_at"])
        return found


class NotUnlinked(ValueError):
    """The two stay linked: no reason, no word of an operator, or of one who is one of them."""


def link(*, one: Player, other: Player, why: str, at: datetime) -> None:
    """From now on the sums of both count together, and an operator is shown them. Again: nothing more.

    What an operator has found to be none is not found again for the same reason.
    """
    assert one.pk != other.pk, f"{one.pk} would be linked to itself"
    low, high = sorted((one.pk, other.pk))
    with transaction.atomic():
        made([one, other])
        if not Link.objects.filter(Q(none_at=None) | Q(why=why), one=low, other=high).exists():
            Link.objects.bulk_create([Link(one_id=low, other_id=high, why=why, found_at=at)], ignore_conflicts=True)


def unlink(*, link: Link, by: User, reason: str, at: datetime) -> Link:
    """An operator has found that they are two: their sums count apart. Again, nothing more. Raises NotUnlinked."""
    players = [link.one.player, link.other.player]
    if not (by.is_active and by.is_staff) or by.pk in [player.user_id for player in players]:
        raise NotUnlinked("by: players are told apart by operators who are active, and not one of them")
    if not reason.strip():
        raise NotUnlinked("none_reason: say how that is known")
    with transaction.atomic():
        found = Link.objects.select_for_update(of=("self",)).get(pk=link.pk)
        if found.none_at is None:
            found.none_by, found.none_reason, found.none_at = by, reason.strip(), at
            found.looked_at = found.looked_at or at
            found.save()
        return found


def _passed(player: Player, profile: Profile, rows: Iterable[FundsLock], at: datetime) -> str | None:
    """The currency in which the sums ask for the source, if they do."""
    since = max([at - PERIOD, *(row.lifted_at for row in rows if row.lifted_at)])
    players = linked(player.pk)
    used = {account.currency for each in players for account in book.owned(owner=each, kinds=("wallet",))}
    for currency in sorted(used & profile.sums.keys()):
        if sums(players=players, currency=currency, since=since).larger >= profile.sums[currency].funds:
            return currency
    return None
