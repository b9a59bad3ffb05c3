"""Reality checks: how long the player has been here, what it has cost, and when to show that again."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal

from django.db import transaction

from games.models import Player
from ledger import book, money
from wagering.protection.limits.selectors import won_and_lost
from wagering.protection.models import Person
from wagering.protection.persons import locked


@dataclass(frozen=True, slots=True)
class Session:
    """From ``began_at``, the log-in. ``net`` is what was won, below zero lost, in each currency of real money since."""

    began_at: datetime
    next_check_at: datetime
    net: Mapping[str, Decimal]


def session(*, player: Player) -> Session | None:
    """The session that goes on; None before the first log-in."""
    person = Person.objects.filter(pk=player.pk).first()
    if person is None or person.session_began_at is None:
        return None
    since = person.session_began_at
    shown_at = max(since, person.checked_at or since)
    used = sorted({account.currency for account in book.owned(owner=player.pk, kinds=("wallet",))})
    return Session(
        began_at=since,
        next_check_at=shown_at + timedelta(minutes=person.reality_check),
        net={
            currency: sum(
                (each.amount for each in won_and_lost(player=player.pk, currency=currency, since=since)),
                Decimal(0).quantize(money.currency(currency).minor_unit),
            )
            for currency in used
            if money.currency(currency).zone == "professionals"
        },
    )


def choose(*, player: Player, minutes: int) -> None:
    """Show it so often."""
    with transaction.atomic():
        person = locked(player)
        person.reality_check = minutes
        person.save(update_fields=["reality_check"])


def seen(*, player: Player, at: datetime) -> None:
    """The player has seen it; the next one is an interval from now."""
    with transaction.atomic():
        person = locked(player)
        person.checked_at = at
        person.save(update_fields=["checked_at"])
