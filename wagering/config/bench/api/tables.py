"""Tables that are being played: two players each with a token, sat down to a long match, their seeds told."""

import secrets
from dataclasses import dataclass
from typing import Any, Final
from uuid import uuid4

from django.utils import timezone

from games.access.models import PlayerToken
from games.live import selectors as live
from games.live import services as started
from games.live.rules.pace import Pace
from games.models import Player, Room, Table, User
from games.rules.dice import SEED_BYTES, hash_of
from games.rules.sides import SIDES
from games.services import open_table
from ledger import book, postings
from wagering.config.bench import population
from wagering.play.tables import services as tables
from wagering.stakes.rules import Terms
from wagering.stakes.services import sit_down

LENGTH: Final = 25
"""Points: no contest ends while it is measured."""


@dataclass(slots=True)
class Playing:
    """A table as its clients know it: the tokens of side 1 and side 2, and the state document."""

    table: str
    tokens: tuple[str, str]
    state: dict[str, Any]


def opened(count: int) -> list[Playing]:
    """So many tables, each at its first play."""
    room = Room.objects.get(pk=population.ROOM)
    return [_table(room) for _ in range(count)]


def _table(room: Room) -> Playing:
    at = timezone.now()
    (one, first), (two, second) = (_player() for _ in SIDES)
    table = open_table(room=room, zone=Table.Zone.PROFESSIONALS, players=(one, two), match_length=LENGTH, at=at)
    sit_down(
        table=table, terms=Terms(currency="USD", stake=population.FUNDS / 100, match_length=LENGTH, cap=None), at=at
    )
    started.start(table=table, pace=Pace(move_s=600, reserve_s=600), at=at)
    seeds = {side: secrets.token_bytes(SEED_BYTES) for side in SIDES}
    for side in SIDES:
        tables.commit_seed(table=table.pk, side=side, digest=hash_of(seed=seeds[side]).hex(), now=timezone.now)
    for side in SIDES:
        tables.reveal_seed(table=table.pk, side=side, seed=seeds[side].hex(), now=timezone.now)
    state = live.state(table=table.pk, viewer=None, at=timezone.now())
    return Playing(str(table.pk), (first, second), state)


def _player() -> tuple[Player, str]:
    user = User.objects.create(username=str(uuid4()))
    player = Player.objects.create(name=f"bench {user.pk}"[:30], user=user)
    _, token = PlayerToken.objects.create(user=user, label="bench")  # type: ignore[no-untyped-call]
    book.post(
        postings.deposit_confirmed(
            deposit=uuid4(), player=player.pk, provider=population.PROVIDER, amount=population.FUNDS, currency="USD",
            at=timezone.now(),
        )
    )  # fmt: skip
    return player, token
