"""Who plays, how well, and what has been played (B-18). Each page is made by a few queries, however long it is."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final, Literal
from uuid import UUID

from django.db.models import Count, F, OuterRef, Q, QuerySet, Subquery

from games.live.models import Live
from games.live.rules.stand import Status
from games.live.selectors import UNDER_WAY
from games.models import Game, Player, Table
from games.rules.endings import Ending, Win
from games.rules.sides import Side
from ratings.models import Rating, RatingChange
from ratings.rules import FIRST, Standing, Zone
from wagering.play.models import Offer, Profile
from wagering.settlement.models import Settlement
from wagering.stakes.models import Stake

OVER: Final = [status.value for status in Status if status.is_final]

_SPLIT: Final = Q(ending=Ending.ABANDONED.value, win="")

Result = Literal["won", "lost", "split", "void"]


@dataclass(frozen=True, slots=True)
class Record:
    """What a player has done in one zone, at tables that were played for stakes.

    Contests are single games and matches that have been paid; games are those of both. A split or a void contest is
    neither won nor lost.
    """

    zone: Zone
    standing: Standing
    contests: int = 0
    contests_won: int = 0
    contests_lost: int = 0
    games: int = 0
    games_won: int = 0
    gammons_won: int = 0
    backgammons_won: int = 0
    gammons_lost: int = 0
    backgammons_lost: int = 0


@dataclass(frozen=True, slots=True)
class ServerRecord:
    """What has been played in one zone, for stakes: all of it, and since a day ago."""

    zone: Zone
    contests: int = 0
    contests_of_a_day: int = 0
    games: int = 0
    gammons: int = 0
    backgammons: int = 0


@dataclass(frozen=True, slots=True)
class Server:
    """How much goes on here."""

    players: int
    tables_now: int
    offers_now: int
    zones: tuple[ServerRecord, ...]


def profile(*, player: Player) -> Profile | None:
    """What the player says of themselves; None who has never said anything."""
    return Profile.objects.filter(player=player).first()


def player(*, pk: UUID) -> Player:
    """With their profile, if they have one. Raises Player.DoesNotExist."""
    return Player.objects.select_related("profile").get(pk=pk)


def records(*, player: Player) -> tuple[Record, ...]:
    """What the player has done, zone by zone."""
    one, two = Q(stake__table__player_1=player), Q(stake__table__player_2=player)
    won, lost = (one & Q(winner=1)) | (two & Q(winner=2)), (one & Q(winner=2)) | (two & Q(winner=1))
    contests = (
        Settlement.objects.filter(one | two)
        .order_by()
        .values(zone=_zone("stake__table"))
        .annotate(
            contests=Count("pk"),
            contests_won=Count("pk", filter=won & ~_SPLIT),
            contests_lost=Count("pk", filter=lost & ~_SPLIT),
        )
    )
    one, two = Q(table__player_1=player), Q(table__player_2=player)
    won, lost = (one & Q(winner=1)) | (two & Q(winner=2)), (one & Q(winner=2)) | (two & Q(winner=1))
    games = (
        Game.objects.filter(one | two, table__stake__isnull=False)
        .order_by()
        .values(zone=_zone("table"))
        .annotate(
            games=Count("pk"),
            games_won=Count("pk", filter=won),
            gammons_won=Count("pk", filter=won & Q(win=Win.GAMMON.value)),
            backgammons_won=Count("pk", filter=won & Q(win=Win.BACKGAMMON.value)),
            gammons_lost=Count("pk", filter=lost & Q(win=Win.GAMMON.value)),
            backgammons_lost=Count("pk", filter=lost & Q(win=Win.BACKGAMMON.value)),
        )
    )
    standings = {
        row.zone: Standing(rating=row.rating, experience=row.experience) for row in Rating.objects.filter(player=player)
    }
    counted = _by_zone(contests, games)
    return tuple(Record(zone, standings.get(zone.value, FIRST), **counted.get(zone.value, {})) for zone in Zone)


def contests_of(*, player: Player) -> QuerySet[Table]:
    """The tables at which the player sat down for stakes, each with what became of it."""
    return _seen(_seated(player).filter(stake__isnull=False))


def tables_of(*, player: Player, going_on: bool | None = None) -> QuerySet[Table]:
    """The player's own tables, those against the machine too; only those that go on, or that are over, if asked."""
    found = _seen(_seated(player).filter(Q(live__isnull=False) | Q(stake__isnull=False)))
    if going_on is None:
        return found
    if going_on:
        played_on = Q(live__isnull=True) | Q(live__status__in=UNDER_WAY)
        return found.filter(played_on, Q(stake__isnull=True) | Q(stake__state=Stake.State.HELD))
    return found.filter(Q(live__status__in=OVER) | Q(stake__state__in=[Stake.State.RELEASED, Stake.State.SETTLED]))


def side_of(table: Table, player: Player) -> Side:
    """Where the player sits."""
    return 1 if table.player_1_id == player.pk else 2


def result_of(table: Table, *, side: Side) -> Result | None:
    """What became of the contest for ``side``; None while nothing has."""
    stake: Stake | None = getattr(table, "stake", None)
    settled: Settlement | None = getattr(stake, "settlement", None)
    if stake is None:  # against the machine
        winner = table.won_by  # type: ignore[attr-defined]  # annotated by those who read tables here
        return None if winner is None else "won" if winner == side else "lost"
    if settled is None:
        return "void" if stake.state == Stake.State.RELEASED else None
    if settled.is_split:
        return "split"
    if settled.winner is None:
        return "void"
    return "won" if settled.winner == side else "lost"


def ladder(*, zone: Zone) -> QuerySet[Rating]:
    """Everybody who has been rated in ``zone``."""
    return Rating.objects.filter(zone=zone, experience__gt=0).select_related("player")


def history(*, player: Player, zone: Zone) -> QuerySet[RatingChange]:
    """Every change of the player's rating in ``zone``."""
    return RatingChange.objects.filter(player=player, zone=zone)


def server(*, at: datetime) -> Server:
    """How much goes on, and has gone on."""
    since = at - timedelta(days=1)
    contests = (
        Settlement.objects.filter(winner__isnull=False)
        .order_by()
        .values(zone=_zone("stake__table"))
        .annotate(contests=Count("pk"), contests_of_a_day=Count("pk", filter=Q(settled_at__gte=since)))
    )
    games = (
        Game.objects.filter(table__stake__isnull=False)
        .order_by()
        .values(zone=_zone("table"))
        .annotate(
            games=Count("pk"),
            gammons=Count("pk", filter=Q(win=Win.GAMMON.value)),
            backgammons=Count("pk", filter=Q(win=Win.BACKGAMMON.value)),
        )
    )
    counted = _by_zone(contests, games)
    return Server(
        players=Player.objects.filter(user__isnull=False).count(),
        tables_now=Live.objects.filter(status__in=UNDER_WAY).count(),
        offers_now=Offer.objects.filter(state=Offer.State.OPEN, opponent=None).count(),
        zones=tuple(ServerRecord(zone, **counted.get(zone.value, {})) for zone in Zone),
    )


def _zone(table: str) -> Any:
    return F(f"{table}__zone")


def _seated(player: Player) -> QuerySet[Table]:
    return Table.objects.filter(Q(player_1=player) | Q(player_2=player))


def _seen(tables: QuerySet[Table]) -> QuerySet[Table]:
    games = Game.objects.filter(table=OuterRef("pk")).order_by("-number")
    return (
        tables.select_related("room", "player_1", "player_2", "live", "stake__settlement")
        .defer("live__snapshot", "live__recent")
        # Of a finished table the number of the last game is how many there were, and its winner won the contest.
        .annotate(games_count=Subquery(games.values("number")[:1]), won_by=Subquery(games.values("winner")[:1]))
    )


def _by_zone(*counts: Any) -> dict[str, dict[str, int]]:
    found: dict[str, dict[str, int]] = {}
    for rows in counts:
        for row in rows:
            zone = row.pop("zone")
            found.setdefault(zone, {}).update(row)
    return found
