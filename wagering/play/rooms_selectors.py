"""What a room's own server is told of a table: the terms, what is held, what was played, what was paid and why."""

from __future__ import annotations

from typing import Any

from games.live import selectors as lives
from games.models import Game, Room, Table
from games.rules.sides import SIDES
from ledger import book
from wagering.play.tables.selectors import settlement_of
from wagering.rest.money_field import Money
from wagering.settlement.models import Settlement
from wagering.stakes.models import Stake
from wagering.stakes.rules import exposure


def table_of(*, room: Room, slug: str, table: Any) -> Table:
    """The table of ``room``, whose server asks under ``slug``. Another room's is not found.

    Raises Room.DoesNotExist, Table.DoesNotExist.
    """
    check_own(room=room, slug=slug)
    return Table.objects.select_related("room", "player_1", "player_2").get(pk=table, room=room)


def check_own(*, room: Room, slug: str) -> None:
    """Raises Room.DoesNotExist where ``slug`` is not the room's own: a key never acts in another."""
    if room.slug != slug:
        raise Room.DoesNotExist


def told(table: Table) -> dict[str, Any]:
    """All of it. Raises Stake.DoesNotExist for a table without stakes."""
    stake = Stake.objects.select_related("table", "tariff").get(table=table)
    terms, code = stake.terms, stake.currency
    settled = Settlement.objects.filter(stake=stake).first()
    posted = book.find(settled.key) if settled else None
    return {
        "id": table.pk,
        "room": table.room.slug,
        "zone": table.zone,
        "played_here": lives.is_live(table=table.pk),
        "players": [
            {"side": side, "player": player.pk, "name": player.name}
            for side, player in zip(SIDES, table.seats, strict=True)
        ],
        "match_length": table.match_length,
        "stake": Money(terms.stake, code),
        "cap": None if terms.cap is None else Money(terms.cap, code),
        "held": Money(exposure(terms), code),
        "abandonment": terms.abandonment.value,
        "crawford": table.crawford,
        "jacoby": table.jacoby,
        "beavers": table.beavers,
        "automatic_doubles": table.automatic_doubles,
        "cube": table.cube,
        "tariff": f"{stake.tariff.name} {stake.tariff.version}",
        "opened_at": table.opened_at,
        "sat_down_at": stake.sat_down_at,
        "state": stake.state,
        "reversed": bool(posted and posted.reversed),
        "games": [_game(game) for game in table.games.order_by("number")],
        "settlement": settlement_of(table=table.pk),
    }


def _game(game: Game) -> dict[str, Any]:
    return {
        "game": game.number,
        "winner": game.winner,
        "win": game.win or None,
        "cube": game.cube,
        "points": game.points,
        "ending": game.ending,
        "plays": game.plays,
    }
