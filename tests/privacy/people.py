"""Somebody of whom everything is kept."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal
from typing import Final
from uuid import uuid4

from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.contenttypes.models import ContentType
from django.utils import timezone

from games.models import Player, User
from games.services import open_table
from ledger import book, postings
from tests.access.callers import log_in, register
from tests.cashier.outside import Outside
from tests.factories import RoomFactory, fund, terms, wallet
from tests.games import texts
from tests.protection.people import told
from wagering.cashier.deposits import services as deposits
from wagering.cashier.payouts import accounts
from wagering.play.people.services import write_biography
from wagering.play.wallet.services import welcome
from wagering.protection.exclusion import services as exclusion
from wagering.protection.identity import services as identity
from wagering.settlement.services import settle_record
from wagering.stakes.services import sit_down

NAME: Final = "Quillan"
FULL_NAME: Final = "Quillan Featherstonehaugh"
BORN: Final = "1987-03-29"
ADDRESS: Final = "1 Backgammon Row, Bern"
IBAN: Final = "DE89370400440532013000"
EMAIL: Final = "quillan@example.com"
BIOGRAPHY: Final = "Once played under the olive trees of Kyrenia"
PERSONAL: Final = (
    NAME,
    "Featherstonehaugh",
    BORN,
    "Backgammon Row",
    IBAN,
    IBAN[4:],
    EMAIL,
    "olive trees",
    "my old phone",
)


def operator(name: str = "operator") -> User:
    return User.objects.get_or_create(username=name, defaults={"is_staff": True, "is_superuser": True})[0]


def lived(world: Outside, *, opponent: Player) -> tuple[Player, str]:
    """Registered, told everything, deposited, played in both seats, asked for an account; and the token."""
    at = timezone.now()
    assert register(NAME).status_code == 201
    token = log_in(NAME, label="my old phone").json()["token"]
    player = Player.objects.get(name=NAME)
    assert player.user
    User.objects.filter(pk=player.user.pk).update(email=EMAIL, first_name=NAME, last_name="Featherstonehaugh")
    identity.tell(player=player, told=told(FULL_NAME, born=BORN), at=at)
    write_biography(player=player, text=BIOGRAPHY, at=at)
    accounts.add(player=player, iban=IBAN, holder=FULL_NAME, at=at)
    welcome(player=player, at=at)
    made = deposits.begin(player=player, amount=Decimal("20.00"), currency="USD", provider="sandbox", at=at)
    deposits.start(deposit=made.pk, at=at)
    made.refresh_from_db()
    world.is_paid(made)
    world.at = at
    world.delivers()
    fund(opponent, "100.00")
    room = RoomFactory.create(charges="gammonempire")
    for players in ((player, opponent), (opponent, player)):
        names = [each.name for each in players]
        text = texts.money(texts.DROPPED, headers='; [Player 1 "ann"]\n; [Player 2 "bob"]\n')
        text = text.replace("ann", "{}").replace("bob", "{}").format(*names, *names)
        table = open_table(room=room, zone="professionals", players=players, match_length=0, at=at)
        sit_down(table=table, terms=terms("5", cap="5"), at=at)
        settle_record(table=table, text=text, at=at)
    exclusion.exclude(player=player, months=6, at=at)
    LogEntry.objects.create(
        user=operator(),
        content_type=ContentType.objects.get_for_model(Player),
        object_id=str(player.pk),
        object_repr=str(player),
        action_flag=CHANGE,
        change_message=f"looked at {NAME}",
    )
    return player, token


def emptied(player: Player) -> None:
    """Nothing is in the wallet any more."""
    book.post(
        postings.manual_adjustment(
            adjustment=uuid4(), player=player.pk, direction="debit", amount=wallet(player), currency="USD",
            reason="paid in cash", operator=operator().pk, at=timezone.now(),
        )
    )  # fmt: skip


LATER: Final = timedelta(days=1827)
