"""How tables stand that are played here, and what was played at them."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from django.db.models import QuerySet

from games.analysis import time_out
from games.live import rows
from games.live.models import Action, Live
from games.live.rules import snapshot
from games.live.rules.course import after
from games.live.rules.dice_told import transcript
from games.live.rules.document import document
from games.live.rules.events import Event, Kind
from games.live.rules.pace import Pace
from games.live.rules.scribe import text_of
from games.live.rules.stand import Agreed, Stand, Status, opened
from games.models import Player, Table
from games.rules.dice_json import transcript_as_json
from games.rules.endings import Win
from games.rules.sides import Side

UNDER_WAY: Final = [status.value for status in Status if not status.is_final]
"""What a table is at that has not come to its end."""


def state(*, table: UUID, viewer: Side | None, at: datetime) -> dict[str, Any]:
    """The state document of the table at ``at``, as ``viewer`` may see it. Raises NotLive."""
    live = rows.seen(table=table)
    return document_of(live, stand_of(live), viewer=viewer, at=at)


def stand(*, table: UUID) -> Stand:
    """How the contest stands, as a value: board, cube, score, clocks. Raises NotLive."""
    return stand_of(rows.seen(table=table))


def due(*, at: datetime) -> QuerySet[Live]:
    """Tables at which a time has run out by ``at``, since ``due_at``: ``services.expire`` them.

    A sweep that looks a second back lets an action through that was heard in time and waits for its table.
    """
    return Live.objects.filter(due_at__lte=at)


def to_be_priced() -> QuerySet[Live]:
    """Tables at which a game was lost by the clock and waits for what that costs (B-15)."""
    return Live.objects.filter(status=Status.PRICING.value)


def is_live(*, table: UUID) -> bool:
    """Whether the table is played here, so that nobody reports a result of it from elsewhere."""
    return Live.objects.filter(pk=table).exists()


def side_of(table: Table, player: Player) -> Side | None:
    """Where ``player`` sits, None if elsewhere."""
    if player.pk == table.player_1_id:
        return 1
    return 2 if player.pk == table.player_2_id else None


def judged(*, table: UUID) -> dict[int, Win]:
    """What analyses found lost by the clock at the table, by the number of the game (B-15); none where nobody plays
    here, or nobody was asked. Raises ValueError for a price that its record does not compute to again.
    """
    wins: dict[int, Win] = {}
    for game, told in prices(table=table).items():
        try:
            if told["record"] is not None:
                wins[game] = time_out.again(told["record"])
        except (ArithmeticError, AssertionError, LookupError, TypeError, ValueError) as error:
            raise ValueError(f"game {game}: its price does not compute again: {error!r}") from error
        if game in wins and wins[game] != told["win"]:
            raise ValueError(f"game {game}: its price computes to a {wins[game]}, not to a {told['win']}")
    return wins


def prices(*, table: UUID) -> dict[int, dict[str, Any]]:
    """What games cost that were lost by the clock, by number: ``win`` and ``record``, None where nobody could say."""
    return dict(Action.objects.filter(live=table, kind=Kind.PRICED).values_list("game", "payload"))


def dice(*, table: UUID) -> dict[str, Any]:
    """The transcript of the dice, which ``verify_dice`` reads. The server's seed is in it once the contest is over.

    Raises NotLive.
    """
    events = events_of(rows.seen(table=table))
    return transcript_as_json(transcript(events))


def record(*, table: UUID) -> str:
    """What has been played so far as a match record (``.mat``). Raises NotLive."""
    live = rows.seen(table=table)
    return record_of(live, events_of(live))


def actions(*, table: UUID, after: int = 0, most: int = 1000) -> list[dict[str, Any]]:
    """What happened at the table since the row ``after``, as the state document tells its last ones."""
    found = Action.objects.filter(live=table, sequence__gt=after).order_by("sequence").values_list(*_COLUMNS)
    return [rows.happened_of(values).as_told() for values in found[:most]]


# --- From rows to values -------------------------------------------------------------------------------------


_COLUMNS: Final = ("sequence", "version", "game", "side", "kind", "payload", "at", "heard_at")


def agreed_of(table: Table) -> Agreed:
    """What is played at the table."""
    return Agreed(
        match_length=table.match_length,
        crawford=table.crawford,
        jacoby=table.jacoby,
        beavers=table.beavers,
        automatic_doubles=table.automatic_doubles,
        cube=table.cube,
    )


def pace_of(live: Live) -> Pace:
    """How fast it is played."""
    return Pace(move_s=live.move_s, reserve_s=live.reserve_s, days=live.days)


def stand_of(live: Live) -> Stand:
    """How the contest stands, from the snapshot."""
    return snapshot.from_json(live.snapshot, agreed=agreed_of(live.table), pace=pace_of(live))


def events_of(live: Live) -> list[Event]:
    """Everything that happened at the table, from its rows."""
    found = Action.objects.filter(live=live.pk).order_by("sequence").values_list(*_COLUMNS)
    return [rows.happened_of(values).event for values in found]


def replayed(live: Live, events: Iterable[Event]) -> Stand:
    """How the contest stands by its events alone: what the snapshot has to be equal to."""
    found = opened(agreed_of(live.table), pace_of(live))
    for event in events:
        found = after(found, event)
    return found


def record_of(live: Live, events: Iterable[Event]) -> str:
    """The record of ``events``."""
    names = (live.table.player_1.name, live.table.player_2.name)
    begun = opened(agreed_of(live.table), pace_of(live))
    return text_of(begun, events, names=names, date=live.started_at.strftime("%Y.%m.%d"))


def document_of(live: Live, stand: Stand, *, viewer: Side | None, at: datetime) -> dict[str, Any]:
    """The state document of ``stand``, with what the row adds."""
    table = live.table
    return {
        "table": str(live.pk),
        "version": live.version,
        "sequence": live.sequence,
        "rules": {
            "match_length": table.match_length,
            "crawford": table.crawford,
            "jacoby": table.jacoby,
            "beavers": table.beavers,
            "automatic_doubles": table.automatic_doubles,
            "cube": table.cube,
            "move_s": live.move_s,
            "reserve_s": live.reserve_s,
            "days_a_move": live.days,
        },
        "sides": [
            {"side": n, "player": str(each.pk), "name": each.name} for n, each in enumerate(table.seats, start=1)
        ],
        **document(stand, viewer=viewer, at=at),
        "last": live.recent,
    }
