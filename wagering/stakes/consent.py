"""Whether the players let a room's own server stake their money: what it names, it stakes without asking them again."""

from collections.abc import Sequence
from datetime import datetime

from games.models import Player, Room
from ledger.money import currency
from wagering.stakes.models import Session
from wagering.stakes.rules import Terms


class RoomNotLetIn(Exception):
    """A player has not let the room stake real money in this currency, or has ended that, or its time is over."""

    field = "players"

    def __init__(self, *, player: Player, currency: str) -> None:
        super().__init__(f"players: {player.pk} does not let this room stake {currency}")
        self.player, self.currency = player, currency


def check_let_in(*, room: Room, players: Sequence[Player], terms: Terms, at: datetime) -> None:
    """Each of the players lets the room stake for them at ``at``. Play money needs no such word.

    Asked before a stake is held, and never of what is held already. Raises RoomNotLetIn.
    """
    if currency(terms.currency).zone == "amateurs":
        return
    given = Session.objects.filter(room=room, currency=terms.currency, ended_at=None, expires_at__gt=at)
    let_in = set(given.filter(player__in=players).values_list("player_id", flat=True))
    for player in players:
        if player.pk not in let_in:
            raise RoomNotLetIn(player=player, currency=terms.currency)
