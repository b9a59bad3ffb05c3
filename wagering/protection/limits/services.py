"""Setting limits: less holds at once, more only a day later and by a second word."""

from datetime import datetime
from decimal import Decimal

from django.db import transaction
from django.db.models import QuerySet

from games.models import Player, User
from ledger import money
from wagering.protection.limits.rules import COOLING_OFF, is_decrease
from wagering.protection.limits.selectors import Sort
from wagering.protection.models import Limit, Person
from wagering.protection.persons import locked


class NoLimitOfPlayMoney(ValueError):
    """Play money costs nothing: there is nothing to limit."""

    field = "currency"


class NothingPending(ValueError):
    """No increase of this limit waits to be confirmed."""


class ConfirmedTooEarly(ValueError):
    """An increase is confirmed from ``retry_at`` on, 24 hours after it was asked for."""

    def __init__(self, retry_at: datetime) -> None:
        super().__init__(f"limit: the increase can be confirmed from {retry_at:%Y-%m-%d %H:%M:%S} UTC on")
        self.retry_at = retry_at


def set_limit(*, player: Player, sort: Sort, amount: Decimal | None, at: datetime) -> Limit:
    """The player's own limit: ``amount`` in the window, None for none. Whatever waited is withdrawn.

    Raises UnknownCurrency, NoLimitOfPlayMoney, InvalidAmount.
    """
    exact = _exact(sort, amount)
    with transaction.atomic():
        person = locked(player)
        holding = _holding(person, sort, Limit.By.PLAYER)
        at_once = is_decrease(new=exact, old=holding.amount if holding else None)
        due_at = at if at_once else at + COOLING_OFF
        return _say(person, sort, Limit.By.PLAYER, exact, at, due_at, confirmed_at=at if at_once else None)


def confirm(*, player: Player, sort: Sort, at: datetime) -> Limit:
    """The second word to an increase or a removal, which holds from now on.

    Raises NothingPending, ConfirmedTooEarly.
    """
    with transaction.atomic():
        pending = _of(locked(player), sort, Limit.By.PLAYER).filter(confirmed_at=None).first()
        if pending is None:
            raise NothingPending(f"limit: no increase of the {sort.kind} limit in {sort.window} waits")
        if at < pending.due_at:
            raise ConfirmedTooEarly(pending.due_at)
        pending.confirmed_at = at
        pending.save(update_fields=["confirmed_at"])
        return pending


def set_by_operator(
    *, player: Player, sort: Sort, amount: Decimal | None, by: User, reason: str, at: datetime
) -> Limit:
    """The operator's limit, beside the player's: it holds at once, either way, and the lower of the two binds."""
    exact = _exact(sort, amount)
    with transaction.atomic():
        person = locked(player)
        return _say(person, sort, Limit.By.OPERATOR, exact, at, at, confirmed_at=at, operator=by, reason=reason.strip())


def _say(
    person: Person,
    sort: Sort,
    by: Limit.By,
    amount: Decimal | None,
    at: datetime,
    due_at: datetime,
    **more: object,
) -> Limit:
    _of(person, sort, by).filter(confirmed_at=None).update(withdrawn_at=at)
    columns = {"kind": sort.kind.value, "window": sort.window.value, "currency": sort.currency}
    return Limit.objects.create(person=person, by=by, amount=amount, asked_at=at, due_at=due_at, **columns, **more)


def _holding(person: Person, sort: Sort, by: Limit.By) -> Limit | None:
    return _of(person, sort, by).filter(confirmed_at__isnull=False).order_by("-id").first()


def _of(person: Person, sort: Sort, by: Limit.By) -> QuerySet[Limit]:
    return Limit.objects.filter(
        person=person, kind=sort.kind.value, window=sort.window.value, currency=sort.currency, by=by, withdrawn_at=None
    )


def _exact(sort: Sort, amount: Decimal | None) -> Decimal | None:
    if money.currency(sort.currency).zone == "amateurs":
        raise NoLimitOfPlayMoney("currency: play money has no limits")
    return None if amount is None else money.exact(amount, sort.currency, field="amount")
