"""What players are told of a table beside how it stands: what has become of the stakes, and the record of the play."""

from datetime import datetime
from decimal import Decimal
from functools import lru_cache
from typing import Any, Final
from uuid import UUID

from django.db.models import Exists, OuterRef, QuerySet

from games.analysis.engines import ATTEMPTS_MAX, PATIENCE
from games.live import rows
from games.live import selectors as lives
from games.live.models import Action, Live
from games.live.rules.course import after
from games.live.rules.events import Kind
from games.live.rules.stand import Status, opened
from games.models import Player, Table
from games.prepared import Statement
from games.rules.ids import write_position_id
from games.rules.sides import SIDES, Side
from ratings.models import RatingChange
from ratings.rules import shown
from wagering.rest.money_field import Money
from wagering.settlement.models import Adjudication, Ruling, Settlement
from wagering.stakes.models import Stake
from wagering.stakes.rules import exposure

_SEATS: Final = Statement(
    name="seats",
    text="SELECT player_1_id, player_2_id FROM games_table WHERE id = $1 AND $2 IN (player_1_id, player_2_id)",
)


def under_way() -> QuerySet[Table]:
    """Tables that are played here and have not come to their end."""
    return Table.objects.filter(live__status__in=lives.UNDER_WAY)


def to_be_priced() -> QuerySet[Table]:
    """Tables at which a game of a match was lost by the clock and waits for what that costs (B-15)."""
    return Table.objects.filter(live__status=Status.PRICING.value)


def price_is_late(*, at: datetime) -> bool:
    """Whether one of them has waited for longer than it takes to give up an engine that never answers."""
    since = at - (ATTEMPTS_MAX + 1) * PATIENCE
    lost = Action.objects.filter(live=OuterRef("pk"), kind=Kind.TIME_OUT, at__gt=since)
    return to_be_priced().filter(~Exists(lost)).exists()


def seat_of(*, table: UUID, player: Player) -> tuple[Side, UUID]:
    """The side that ``player`` has at ``table``, and who sits on the other. Raises Table.DoesNotExist."""
    seats = _SEATS.one(table, player.pk)
    if seats is None:
        raise Table.DoesNotExist
    one, two = seats
    return (1, two) if one == player.pk else (2, one)


@lru_cache(maxsize=4096)
def stakes_of(*, table: UUID) -> dict[str, Any] | None:
    """What the table is played for, as JSON, which never changes once both sit there; None where nothing is staked."""
    stake = Stake.objects.select_related("tariff", "table__room").filter(table=table).first()
    if stake is None:
        return None

    def money(amount: Decimal) -> dict[str, str]:
        return Money(amount, stake.currency).as_json()

    return {
        "room": stake.table.room.slug,
        "stake": money(stake.stake),
        "cap": None if stake.cap is None else money(stake.cap),
        "held": money(exposure(stake.terms)),
        "tariff": stake.tariff.name,
        "tariff_version": stake.tariff.version,
        "abandonment": stake.abandonment,
    }


def settlement_of(*, table: UUID) -> dict[str, Any] | None:
    """What has become of the stakes, as JSON; None while the contest goes on, and where nothing is staked.

    Of an unfinished game that waits for its analysis or for an operator, only that it waits.
    """
    stake = Stake.objects.select_related("table", "settlement", "adjudication").filter(table=table).first()
    if stake is None:
        return None
    adjudication: Adjudication | None = getattr(stake, "adjudication", None)
    settled: Settlement | None = getattr(stake, "settlement", None)
    if stake.state == Stake.State.RELEASED:
        return _told(stake, status="void")
    if settled is None:
        if adjudication is None:
            return None
        waits = adjudication.state == Adjudication.State.OPERATOR
        return _told(stake, status="operator" if waits else "waiting", ending=adjudication.cause)
    ruling = Ruling.objects.filter(stake=stake, approved_at__isnull=False).first()
    told = _told(
        stake,
        status="void" if settled.winner is None and not settled.is_split else "settled",
        ending=settled.ending,
        winner=settled.winner,
        lost=settled.lost,
        commission=settled.commission,
        charge=settled.charge,
        backs=(settled.back_1, settled.back_2),
        adjudication=adjudication,
    )
    if ruling is not None and ruling.key != settled.key:
        assert ruling.commission is not None and ruling.back_1 is not None and ruling.back_2 is not None
        told |= _told(
            stake,
            status="corrected",
            ending=settled.ending,
            winner=ruling.receiver,
            lost=ruling.transfer,
            commission=ruling.commission,
            charge=ruling.charge,
            backs=(ruling.back_1, ruling.back_2),
            adjudication=adjudication,
        )
    return told


def mark_of(*, table: UUID, viewer: Side) -> tuple[object, ...]:
    """What changes when the state does that ``viewer`` is told, time aside; one look, or two at the end.

    Raises NotLive.
    """
    found = Live.objects.filter(pk=table).values_list("sequence", "status").first()
    if found is None:
        raise rows.NotLive(table)
    sequence, status = found
    if not Status(status).is_final:
        return table, viewer, sequence
    stakes = Stake.objects.filter(table=table)
    paid = stakes.values_list("state", "adjudication__state", "settlement__key", "rulings__approved_at")
    return table, viewer, sequence, sorted(map(str, paid))


def record_of(*, table: UUID, positions: bool) -> str:
    """The record of what has been played so far (``.mat``), with the Position ID after each action if asked.

    Those stand below the record, as remarks: game, what happened, side on turn, Position ID. Raises NotLive.
    """
    live = rows.seen(table=table)
    events = lives.events_of(live)
    text = lives.record_of(live, events)
    if not positions:
        return text
    lines, stand, before = [], opened(lives.agreed_of(live.table), lives.pace_of(live)), None
    for event in events:
        stand = after(stand, event)
        here = (stand.number, stand.game.turn, write_position_id(stand.game.position))
        if stand.game.turn is not None and here != before:
            lines.append(f"; {here[0]} {event.kind} side {here[1]} {here[2]}")
            before = here
    return text.rstrip("\n") + "\n\n" + "\n".join(lines) + "\n"


def _told(
    stake: Stake,
    *,
    status: str,
    ending: str | None = None,
    winner: int | None = None,
    lost: Decimal | None = None,
    commission: Decimal | None = None,
    charge: dict[str, Any] | None = None,
    backs: tuple[Decimal, Decimal] | None = None,
    adjudication: Adjudication | None = None,
) -> dict[str, Any]:
    def money(amount: Decimal | None) -> dict[str, str] | None:
        return None if amount is None else Money(amount, stake.currency).as_json()

    held = exposure(stake.terms)
    if status == "void" and backs is None:
        backs = held, held
    changes = {change.player_id: change for change in RatingChange.objects.filter(contest=stake.table_id)}
    sides = []
    for side, player in zip(SIDES, (stake.table.player_1_id, stake.table.player_2_id), strict=True):
        back = None if backs is None else backs[side - 1]
        change = changes.get(player)
        sides.append(
            {
                "side": side,
                "held": money(held),
                "back": money(back),
                "net": money(None if back is None else back - held),
                "rating_before": None if change is None else shown(change.rating_before),
                "rating_after": None if change is None else shown(change.rating_after),
            }
        )
    return {
        "status": status,
        "ending": ending,
        "winner": winner,
        "lost": money(lost),
        "commission": money(commission),
        "charge": charge or None,
        "adjudication": None if adjudication is None else adjudication.record,
        "sides": sides,
    }
