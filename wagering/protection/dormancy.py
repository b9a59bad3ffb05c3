"""Players who are long away: a notice, later their money is set apart as unclaimed, theirs again when they are back.

Away is who has not logged in, and whose wallet and escrow nothing has moved, for as long as the profile says.
"""

from collections.abc import Iterable
from datetime import datetime
from decimal import Decimal
from typing import Any

from django.db import transaction
from django.db.models import QuerySet

from games.models import Player
from ledger import book, chart, money, postings
from ledger.vouchers import Voucher
from wagering.notices import services as notices
from wagering.protection import profile
from wagering.protection.identity.selectors import identity_of, profile_of
from wagering.protection.models import Absence, Person
from wagering.protection.persons import locked


def away(*, at: datetime) -> QuerySet[Player]:
    """Who may be away: nobody has logged in for them of late."""
    since = at - min(each.dormant_after for each in profile.shipped().values())
    seen = Person.objects.filter(seen_at__gt=since).values("player")
    return Player.objects.filter(user__date_joined__lte=since).exclude(pk__in=seen)


def look(*, player: Player, at: datetime) -> None:
    """Tell a player who is away what will become of the money in each currency; when that is due, set it apart."""
    with transaction.atomic():
        person = locked(player)
        identity = identity_of(player)
        rules = profile_of(identity)
        since = at - rules.dormant_after
        if _seen_at(person) > since:
            return
        vouchers = []
        absences = {each.currency: each for each in Absence.objects.filter(person=person, ended_at=None)}
        for account, amount in book.owned(owner=player.pk, kinds=("wallet",)).items():
            currency, absence = account.currency, absences.get(account.currency)
            if amount <= 0 or _is_play(currency) or _moved(player, currency, since=since):
                continue
            if absence is None:
                absence = Absence.objects.create(
                    person=person, currency=currency, told_at=at, due_at=at + rules.unclaimed_after
                )
                told: dict[str, Any] = {
                    "absence": absence.pk,
                    "due_at": absence.due_at,
                    "amount": amount,
                    "currency": currency,
                }
                notices.tell(kind="balance_becomes_unclaimed", data=told, player=player, at=at)
            elif absence.unclaimed_at is None and at >= absence.due_at:
                vouchers.append(_set_apart(absence, amount, at))
        _post(vouchers)


def back(*, player: Player, at: datetime) -> None:
    """The player is here again, and has everything that was set apart. Any number of times."""
    with transaction.atomic():
        person = locked(player)
        vouchers = []
        for absence in Absence.objects.filter(person=person, ended_at=None):
            absence.ended_at = at
            absence.save(update_fields=["ended_at"])
            if absence.amount is not None:
                vouchers.append(
                    postings.unclaimed_recovered(
                        spell=absence.pk, player=player.pk, amount=absence.amount, currency=absence.currency, at=at
                    )
                )
        _post(vouchers)


def _set_apart(absence: Absence, amount: Decimal, at: datetime) -> Voucher:
    absence.amount, absence.unclaimed_at = amount, at
    absence.save(update_fields=["amount", "unclaimed_at"])
    return postings.balance_unclaimed(
        spell=absence.pk, player=absence.person_id, amount=amount, currency=absence.currency, at=at
    )


def _seen_at(person: Person) -> datetime:
    user = person.player.user
    assert user is not None, "whoever has no log-in cannot stay away"
    return max(user.date_joined, person.seen_at or user.date_joined)


def _moved(player: Player, currency: str, *, since: datetime) -> bool:
    if book.balance(chart.escrow(player.pk, currency)):
        return True
    return bool(book.movements(owner=player.pk, currency=currency, kinds=("wallet", "escrow"), since=since))


def _is_play(currency: str) -> bool:
    return money.currency(currency).zone == "amateurs"


def _post(vouchers: Iterable[Voucher]) -> None:
    for answer in book.post_many(vouchers):
        if isinstance(answer, book.Refused):
            raise answer
