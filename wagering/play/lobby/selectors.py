"""Reading the lobby: which offers a player may see, with all that is told of them in a few queries."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from uuid import UUID

from django.db.models import Prefetch, Q, QuerySet

from games.models import Player
from ratings.models import Rating
from ratings.rules import FIRST, Standing
from wagering.commission import selectors as commission
from wagering.play.lobby.rules import Example, quote
from wagering.play.models import AgreementRow, CounterProposal, Offer


@dataclass(frozen=True, slots=True)
class Filters:
    """Which offers are wanted; what is None is not asked for. ``kind`` is single, match, ``pace`` live or days."""

    room: str | None = None
    zone: str | None = None
    currency: str | None = None
    stake_min: Decimal | None = None
    stake_max: Decimal | None = None
    kind: str | None = None
    pace: str | None = None
    mine: bool = False


def offers(*, viewer: Player, filters: Filters, at: datetime) -> QuerySet[Offer]:
    """The open offers that ``viewer`` may take or has made; with ``mine`` all that they have a part in."""
    if filters.mine:
        found = _told(_parties(viewer))
    else:
        whom = Q(opponent=None) | Q(opponent=viewer) | Q(maker=viewer)
        found = _told(open_offers(at=at).filter(whom))
    if filters.room is not None:
        found = found.filter(room__slug=filters.room)
    if filters.zone is not None:
        found = found.filter(zone=filters.zone)
    if filters.currency is not None:
        found = found.filter(currency=filters.currency)
    if filters.stake_min is not None:
        found = found.filter(stake__gte=filters.stake_min)
    if filters.stake_max is not None:
        found = found.filter(stake__lte=filters.stake_max)
    if filters.kind is not None:
        found = found.filter(match_length=0) if filters.kind == "single" else found.filter(match_length__gte=1)
    if filters.pace is not None:
        found = found.filter(days__isnull=filters.pace == "live")
    return found


def open_offers(*, at: datetime) -> QuerySet[Offer]:
    """Everybody's that can still be taken."""
    return Offer.objects.filter(state=Offer.State.OPEN, expires_at__gt=at)


def offer(*, viewer: Player, pk: UUID) -> Offer:
    """One offer: while it stands everybody's whom it is for, afterwards its two players' alone.

    Raises Offer.DoesNotExist.
    """
    seen = Q(opponent=None, state__in=Offer.STANDING)
    return _told(Offer.objects.filter(seen | Q(pk__in=_parties(viewer).values("pk")))).get(pk=pk)


def _parties(viewer: Player) -> QuerySet[Offer]:
    countered = CounterProposal.objects.filter(player=viewer).values("offer")
    return Offer.objects.filter(Q(maker=viewer) | Q(opponent=viewer) | Q(taker=viewer) | Q(pk__in=countered))


def _told(found: QuerySet[Offer]) -> QuerySet[Offer]:
    counters = CounterProposal.objects.select_related("player")
    return found.select_related("room", "tariff", "maker", "opponent", "taker").prefetch_related(
        Prefetch("counters", queryset=counters)
    )


def counter_of(row: Offer, *, viewer: Player) -> CounterProposal | None:
    """The counter-proposal that ``viewer`` sees: its author their own, the maker the latest, others none."""
    told = list(row.counters.all())
    if viewer.pk == row.maker_id:
        return told[-1] if told else None
    return next((counter for counter in told if counter.player_id == viewer.pk), None)


def agreed_of(row: Offer) -> AgreementRow | None:
    """Whose terms the table is played on: the counter-proposal's that was agreed to, else the offer's; None before."""
    if row.state != Offer.State.AGREED:
        return None
    accepted = (counter for counter in row.counters.all() if counter.state == CounterProposal.State.ACCEPTED)
    return next(accepted, row)


def standings(*, players: Sequence[UUID], zone: str | None = None) -> Mapping[tuple[UUID, str], Standing]:
    """How players stand, by id and zone, in one query; who is not in it stands at the start."""
    rows = Rating.objects.filter(player__in=players)
    if zone is not None:
        rows = rows.filter(zone=zone)
    return {(row.player_id, row.zone): Standing(rating=row.rating, experience=row.experience) for row in rows}


def quoted(*, offer: Offer, terms: AgreementRow, viewer: Player) -> tuple[Example, ...]:
    """What playing under ``terms`` would move, by the offer's own tariff version.

    A match is adjusted by the ratings of both as they are now, if it is known who both are: the maker and whoever
    asks, or the taker.
    """
    agreed = terms.agreement.terms
    both = None
    other = offer.taker_id or offer.opponent_id or (viewer.pk if viewer.pk != offer.maker_id else None)
    if isinstance(terms, CounterProposal):
        other = terms.player_id
    if agreed.is_series and other is not None:
        found = standings(players=[offer.maker_id, other], zone=offer.zone)
        both = found.get((offer.maker_id, offer.zone), FIRST), found.get((other, offer.zone), FIRST)
    return quote(terms=agreed, tariff=commission.tariff_of(offer.tariff), standings=both)
