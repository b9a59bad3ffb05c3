"""Who plays where and for what, for tests that need the database.

Players and rooms are plain rows; all else is made by the services that make it: tables are opened, wallets filled by
the book, stakes held by sitting down.
"""

from datetime import UTC, datetime
from decimal import Decimal
from typing import Any, Final
from uuid import UUID, uuid4

import factory
from factory.django import DjangoModelFactory

from games.models import Player, Room, Table, User
from games.rules.endings import Ending, Outcome, Win
from games.rules.sides import Side
from games.services import open_table
from ledger import book, chart, money, postings
from ratings.models import Rating
from ratings.rules import Zone
from wagering.commission import schedule
from wagering.commission.models import RoomTariff
from wagering.commission.services import publish
from wagering.stakes.models import Stake
from wagering.stakes.rules import Terms
from wagering.stakes.services import sit_down

NOON: Final = datetime(2026, 3, 1, 12, tzinfo=UTC)
PROVIDER: Final = UUID("00000000-0000-4000-8000-0000000000aa")


class PlayerFactory(DjangoModelFactory[Player]):
    """A row: who has no log-in, and is called ann unless it is said otherwise. Many may be, each under another key."""

    class Meta:
        model = Player

    name = "ann"
    key = factory.LazyFunction(lambda: uuid4().hex)  # type: ignore[no-untyped-call, attr-defined]


class RoomFactory(DjangoModelFactory[Room]):
    """A room that charges by the shipped tariff ``charges``; None for one that nobody has given a tariff."""

    class Meta:
        model = Room
        skip_postgeneration_save = True

    slug = factory.Sequence("room-{}".format)  # type: ignore[no-untyped-call, attr-defined]
    name = factory.Sequence("Room {}".format)  # type: ignore[no-untyped-call, attr-defined]

    @factory.post_generation  # type: ignore[attr-defined, untyped-decorator]
    def charges(self: Room, create: bool, name: str | None, **_: Any) -> None:
        if name is not None:
            publish(text=schedule.shipped()[name], at=NOON)
            RoomTariff.objects.create(room=self, tariff=name)


class TableFactory(DjangoModelFactory[Table]):
    """A table for a single game among professionals, in a room that charges by ``gammonempire``."""

    class Meta:
        model = Table

    room = factory.SubFactory(RoomFactory, charges="gammonempire")  # type: ignore[no-untyped-call, attr-defined]
    zone = "professionals"
    players = factory.LazyFunction(lambda: (PlayerFactory.create(), PlayerFactory.create(name="bob")))  # type: ignore[no-untyped-call, attr-defined]
    match_length = 0
    at = NOON

    @classmethod
    def _create(cls, model_class: type[Table], *args: Any, **kwargs: Any) -> Table:
        return open_table(**kwargs)


def person(name: str = "ann", funds: str | None = "100.00", currency: str = "USD") -> Player:
    """A player who can log in, and has that much in the wallet."""
    made: Player = PlayerFactory.create(name=name, user=User.objects.create(username=uuid4().hex))
    if funds is not None:
        fund(made, funds, currency)
    return made


def fund(player: Player, amount: str, currency: str = "USD") -> None:
    """``amount`` more in the player's wallet."""
    if currency == "PLAY":
        voucher = postings.play_money_issued(issue=uuid4(), player=player.pk, amount=Decimal(amount), at=NOON)
    else:
        voucher = postings.deposit_confirmed(
            deposit=uuid4(),
            player=player.pk,
            provider=PROVIDER,
            amount=Decimal(amount),
            currency=currency,
            at=NOON,
        )
    book.post(voucher)


def terms(stake: str = "5", *, cap: str | None = None, currency: str = "USD", match_length: int = 0) -> Terms:
    """What a table is played for; a single game without a ``cap`` is capped at what it can cost at all."""
    amount = money.parse(stake, currency)
    if match_length:
        return Terms(currency=currency, stake=amount, match_length=match_length)
    return Terms(currency=currency, stake=amount, match_length=0, cap=Decimal(cap) if cap else 192 * amount)


def seated(agreed: Terms, *, charges: str = "gammonempire", funds: str = "1000", **options: Any) -> Stake:
    """A new table whose players have each been given ``funds`` and have sat down; ``options`` are the table's."""
    if "room" not in options:
        options["room"] = RoomFactory.create(charges=charges)
    zone = money.currency(agreed.currency).zone
    table = TableFactory.create(zone=zone, match_length=agreed.match_length, **options)
    for player in table.seats:
        fund(player, funds, agreed.currency)
    return sit_down(table=table, terms=agreed, at=NOON)


def rated(player: Player, rating: str, *, experience: int = 400, zone: Zone = Zone.PROFESSIONALS) -> None:
    """The player stands there from now on."""
    standing = {"rating": Decimal(rating), "experience": experience}
    Rating.objects.update_or_create(player=player, zone=zone, defaults=standing)


def wallet(player: Player, currency: str = "USD") -> Decimal:
    """What the player can dispose of."""
    return book.balance(chart.wallet(player.pk, currency))


def escrow(player: Player, currency: str = "USD") -> Decimal:
    """What the player has set aside."""
    return book.balance(chart.escrow(player.pk, currency))


def earned(room: Room, currency: str = "USD") -> Decimal:
    """The commission of the room."""
    return book.balance(chart.commission(room.pk, currency))


def won(winner: Side, win: Win = Win.SINGLE, *, cube: int = 1, ending: Ending = Ending.BORNE_OFF) -> Outcome:
    """The outcome of a game that counted in full."""
    return Outcome(winner=winner, win=win, cube=cube, points=cube * win.factor, ending=ending)
