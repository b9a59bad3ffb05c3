"""Who plays in the scratch database, and what they post. The scripts for pgbench name the same accounts."""

import random
from datetime import datetime
from decimal import Decimal
from typing import Final
from uuid import UUID, uuid4

from games.access import names
from games.models import Player, Room, Table
from games.rules.endings import Ending, Outcome, Win
from games.services import open_table
from ledger import book, chart, postings
from ledger.chart import AccountRef
from ledger.vouchers import Voucher, credit, debit
from wagering.commission.models import RoomTariff
from wagering.commission.services import publish_shipped
from wagering.rest.retries import outermost
from wagering.settlement.services import settle
from wagering.stakes.rules import Terms
from wagering.stakes.services import sit_down

PLAYERS: Final = 1000
ROOM: Final = UUID("00000000-0000-4000-9000-000000000001")
PROVIDER: Final = UUID("00000000-0000-4000-a000-000000000001")
FUNDS: Final = Decimal(1_000_000)
TERMS: Final = Terms(currency="USD", stake=Decimal("0.10"), match_length=0, cap=Decimal("0.40"))


def player(number: int) -> UUID:
    """The id of player ``number``, from 1."""
    return UUID(f"00000000-0000-4000-8000-{100_000_000_000 + number}")


WALLETS: Final = [chart.wallet(player(n), "USD") for n in range(1, PLAYERS + 1)]
COMMISSION: Final = chart.commission(ROOM, "USD")


def settle_in(*, at: datetime) -> None:
    """A room with its tariff, and players with more money than they can lose."""
    publish_shipped(at=at)
    room = Room.objects.create(id=ROOM, slug="bench", name="Bench")
    RoomTariff.objects.create(room=room, tariff="gammonempire")
    called = {n: f"player {n}" for n in range(1, PLAYERS + 1)}
    Player.objects.bulk_create(Player(id=player(n), name=name, key=names.key(name)) for n, name in called.items())
    receipts = book.post_many(
        postings.deposit_confirmed(
            deposit=uuid4(), player=player(n), provider=PROVIDER, amount=FUNDS, currency="USD", at=at
        )
        for n in range(1, PLAYERS + 1)
    )
    assert all(isinstance(receipt, book.Receipt) for receipt in receipts), "a new book takes every deposit"


def spread(*, at: datetime) -> Voucher:
    """Money from one wallet to another: two accounts that hardly anybody else is using."""
    payer, payee = random.sample(WALLETS, 2)
    return _transfer(payer, payee, at)


def hot(*, at: datetime) -> Voucher:
    """Money from a wallet to the one account that everybody pays commission into."""
    return _transfer(random.choice(WALLETS), COMMISSION, at)


def _transfer(payer: AccountRef, payee: AccountRef, at: datetime) -> Voucher:
    # No posting of the auditor's page moves money so; none touches so few accounts.
    amount = Decimal(random.randint(10, 99)).scaleb(-2)
    return Voucher(
        event="bench_transfer",
        key=f"bench_transfer:{uuid4()}",
        occurred_at=at,
        lines=[debit(payer, amount), credit(payee, amount)],
    )


def stake_a_game(*, room: Room, at: datetime) -> None:
    """A table, two players who sit down, and a game that one of them wins: all that is written for a single game."""
    one, two = (Player(id=player(n)) for n in random.sample(range(1, PLAYERS + 1), 2))
    table = open_table(room=room, zone=Table.Zone.PROFESSIONALS, players=(one, two), match_length=0, jacoby=True, at=at)
    outermost(sit_down)(table=table, terms=TERMS, at=at)
    won = Outcome(winner=1, win=Win.SINGLE, cube=2, points=2, ending=Ending.DROPPED)
    outermost(settle)(table=table, outcome=won, at=at)
