"""Play money: given out on first use, and again to who has run low, a few times a day (Z)."""

from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any, Final
from uuid import UUID, uuid5

from django.conf import settings
from django.db import transaction

from games.models import Player
from ledger import book, chart, postings
from ledger.book import Receipt
from wagering.play.models import PlayMoneyIssue

PLAY: Final = "PLAY"


class EnoughPlayMoney(Exception):
    """Play money is given again only to who has less than the floor, what is held at tables counted in."""

    def __init__(self, *, owned: Decimal, floor: Decimal) -> None:
        super().__init__(f"You own {owned} PLAY, at tables included; more is given below {floor} PLAY.")
        self.owned, self.floor = owned, floor


class PlayMoneySpent(Exception):
    """Play money is given again only so many times a day, in UTC."""

    def __init__(self, *, limit: int) -> None:
        super().__init__(f"Play money is given {limit} times a day; ask again after midnight UTC.")
        self.limit = limit


def welcome(*, player: Player, at: datetime) -> bool:
    """Give ``player`` play money if it never was before; says whether it was now. Any number of times at once."""
    if PlayMoneyIssue.objects.filter(player=player, number=0).exists():
        return False
    with transaction.atomic():
        # A rival waits here for our end, and then finds ours.
        _, created = PlayMoneyIssue.objects.get_or_create(
            player=player, number=0, defaults=_given(player, 0, settings.PLAY_MONEY_FIRST, at)
        )
        if created:
            _post(PlayMoneyIssue.objects.get(player=player, number=0))
        return created


def ask_again(*, player: Player, at: datetime) -> Decimal:
    """Give ``player`` play money again; how much was given. Who never had any gets what everybody gets first.

    Raises EnoughPlayMoney, PlayMoneySpent.
    """
    with transaction.atomic():
        if welcome(player=player, at=at):
            return settings.PLAY_MONEY_FIRST
        # The first issue stands for the player: whoever asks at the same time waits.
        PlayMoneyIssue.objects.select_for_update().get(player=player, number=0)
        owned = sum(book.balances([chart.wallet(player.pk, PLAY), chart.escrow(player.pk, PLAY)]).values(), Decimal(0))
        floor, limit, again = settings.PLAY_MONEY_FLOOR, settings.PLAY_MONEY_TIMES_A_DAY, settings.PLAY_MONEY_AGAIN
        if owned >= floor:
            raise EnoughPlayMoney(owned=owned, floor=floor)
        issues = PlayMoneyIssue.objects.filter(player=player, number__gte=1)
        if issues.filter(day=_day(at)).count() >= limit:
            raise PlayMoneySpent(limit=limit)
        number = 1 + issues.count()
        _post(PlayMoneyIssue.objects.create(player=player, number=number, **_given(player, number, again, at)))
        return again


def _given(player: Player, number: int, amount: Decimal, at: datetime) -> dict[str, Any]:
    return {"id": _id(player, number), "amount": amount, "day": _day(at), "issued_at": at}


def _id(player: Player, number: int) -> UUID:
    """The same for the same issue, whoever asks for it, so that the book's key makes it happen once as well."""
    return uuid5(player.pk, f"play money {number}")


def _day(at: datetime) -> date:
    return at.astimezone(UTC).date()


def _post(issue: PlayMoneyIssue) -> Receipt:
    return book.post(
        postings.play_money_issued(issue=issue.pk, player=issue.player_id, amount=issue.amount, at=issue.issued_at)
    )
