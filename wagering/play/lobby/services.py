"""From an offer to a table: offered, perhaps countered once, agreed on; then both sit down, or neither.

Whoever changes an offer or its counter-proposals locks the offer's row first, before anything of the table that
comes of it. Nothing is held until both agree (S-1).
"""

from datetime import datetime, timedelta
from functools import partial
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.db.models import Q, QuerySet

from games import services as games
from games.live import services as live
from games.live.models import Live
from games.live.selectors import pace_of
from games.models import Player, Room, Table
from ledger import book, money
from ratings import selectors as ratings
from ratings.rules import Zone
from wagering.commission import selectors as commission
from wagering.commission.rules import CurrencyNotInTariff
from wagering.play.lobby.rules import UNLIMITED, Agreement, RatingLimits, check_counter
from wagering.play.lobby.seats import MayNotStake, check_cover, may_sit, may_stake
from wagering.play.models import AgreementRow, CounterProposal, Offer
from wagering.play.wallet.services import welcome
from wagering.protection.refusals import Protected
from wagering.rest import sweeps
from wagering.stakes import services as stakes
from wagering.stakes.models import Stake


class TooManyOffers(Exception):
    """A player has only so many offers standing at once."""

    def __init__(self, *, limit: int) -> None:
        super().__init__(f"You have {limit} offers standing, the most there may be; withdraw one first.")
        self.limit = limit


class TooManyCounters(Exception):
    """A player has only so many counter-proposals waiting at once: each keeps an offer from everybody else."""

    def __init__(self, *, limit: int) -> None:
        super().__init__(f"You have {limit} counter-proposals waiting, the most there may be; withdraw one first.")
        self.limit = limit


class OfferClosed(Exception):
    """The offer stands no more: others have agreed on it, it was withdrawn, or it has expired."""

    def __init__(self, state: str) -> None:
        super().__init__(f"This offer is {state}.")
        self.state = state


class OfferCountered(Exception):
    """A counter-proposal waits for the maker's answer. Until then nobody else can agree on the offer."""

    def __init__(self) -> None:
        super().__init__("A counter-proposal waits for the maker's answer.")


class OwnOffer(Exception):
    """Nobody sits at both sides of a table."""

    def __init__(self) -> None:
        super().__init__("This offer is your own: it is for somebody else to take.")


class NotTheMaker(Exception):
    """Only the maker of the offer decides this."""

    def __init__(self) -> None:
        super().__init__("Only the maker of the offer can do this.")


class RatingOutsideLimits(Exception):
    """The offer is for players of other strength."""

    def __init__(self) -> None:
        super().__init__("Your rating is outside the limits of this offer.")


class CounteredBefore(Exception):
    """A player makes one counter-proposal to an offer (S-1)."""

    def __init__(self) -> None:
        super().__init__("You have made your one counter-proposal to this offer.")


class CounterClosed(Exception):
    """The counter-proposal has been answered or withdrawn."""

    def __init__(self, state: str) -> None:
        super().__init__(f"This counter-proposal is {state}.")
        self.state = state


class OpponentCannotPay(Exception):
    """The other player's wallet holds less than the seat asks for (S-4). How much it holds is theirs to know."""

    def __init__(self) -> None:
        super().__init__("The other player's wallet holds less than this table asks for.")


class OpponentMayNotSit(Exception):
    """The other player may not take this seat any more."""

    def __init__(self) -> None:
        super().__init__("The other player can no longer take a seat at this table.")


class NotFinished(Exception):
    """A rematch follows a contest that is over."""

    def __init__(self) -> None:
        super().__init__("The contest at this table is not over.")


# --- Offering ---------------------------------------------------------------------------------------------------------


def make(*, maker: Player, room: Room, agreement: Agreement, at: datetime, limits: RatingLimits = UNLIMITED) -> Offer:
    """Put a table on offer. Nothing is held, but the maker's wallet must cover the seat now.

    Raises MayNotStake, TooManyOffers, ExposureTooLarge, RoomHasNoTariff, UnknownTariff, CurrencyNotInTariff,
    NotCovered.
    """
    stakes.check_exposure(agreement.terms)
    with transaction.atomic():
        _welcomed(maker, agreement, at)
        # Counted under the maker's row, so that requests at once do not slip past the limit together.
        Player.objects.select_for_update(no_key=True).get(pk=maker.pk)
        most = settings.OFFERS_STANDING_MAX
        if Offer.objects.filter(maker=maker, state__in=Offer.STANDING).count() >= most:
            raise TooManyOffers(limit=most)
        lasts = timedelta(seconds=settings.OFFER_LASTS_S)
        return _made(maker, room, agreement, at, lasts, rating_min=limits.least, rating_max=limits.most)


def withdraw(*, offer: UUID, player: Player, at: datetime) -> Offer:
    """Take the offer back; again, the first answer. Raises Offer.DoesNotExist, NotTheMaker, OfferClosed."""
    with transaction.atomic():
        found = _locked(offer, player)
        _check_maker(found, player)
        if found.state != Offer.State.WITHDRAWN:
            _check_standing(found, at)
            _close(found, Offer.State.WITHDRAWN, at)
        return found


def expire(*, at: datetime) -> int:
    """Offers that nobody took in time are over, their pending counter-proposals too; how many. Safe at any time."""
    overdue = Offer.objects.filter(state__in=Offer.STANDING, expires_at__lte=at)
    return sweeps.each(overdue, partial(_expire, at=at), by="expires_at", what="expire an offer")


def _expire(offer: UUID, *, at: datetime) -> None:
    with transaction.atomic():
        standing = Offer.objects.filter(pk=offer, state__in=Offer.STANDING).select_for_update(skip_locked=True)
        for found in standing:
            _close(found, Offer.State.EXPIRED, at)


# --- Agreeing ---------------------------------------------------------------------------------------------------------


def accept(*, offer: UUID, player: Player, at: datetime) -> Offer:
    """``player`` takes the offer as it stands, and both sit down: both exposures are held, or neither (S-4).

    Again, the first answer. Raises Offer.DoesNotExist, OwnOffer, OfferClosed, OfferCountered, RatingOutsideLimits,
    MayNotStake, OpponentMayNotSit, OpponentCannotPay, and what ``stakes.sit_down`` raises for ``player``.
    """
    with transaction.atomic():
        found = _locked(offer, player)
        if found.state == Offer.State.AGREED and found.taker_id == player.pk:
            return found
        _check_taker(found, player, at)
        if found.state == Offer.State.COUNTERED:
            raise OfferCountered
        _welcomed(player, found.agreement, at)
        return _agree(found, player, found, asker=player, at=at)


def counter(*, offer: UUID, player: Player, agreement: Agreement, at: datetime) -> Offer:
    """``player`` would play on other terms, and the maker is asked; once a player and offer (S-1).

    Raises Offer.DoesNotExist, OwnOffer, OfferClosed, OfferCountered, RatingOutsideLimits, CounteredBefore,
    MayNotStake, OtherCurrency, NothingChanged, ExposureTooLarge, NotCovered, TooManyCounters.
    """
    with transaction.atomic():
        found = _locked(offer, player)
        _check_taker(found, player, at)
        if CounterProposal.objects.filter(offer=found, player=player).exists():
            raise CounteredBefore
        if found.state == Offer.State.COUNTERED:
            raise OfferCountered
        check_counter(offered=found.agreement, proposed=agreement)
        stakes.check_exposure(agreement.terms)
        _welcomed(player, agreement, at)
        Player.objects.select_for_update(no_key=True).get(pk=player.pk)  # counted as offers are
        most = settings.COUNTERS_PENDING_MAX
        if CounterProposal.objects.filter(player=player, state=CounterProposal.State.PENDING).count() >= most:
            raise TooManyCounters(limit=most)
        CounterProposal.objects.create(
            offer=found, player=player, made_at=at, changed_at=at, **AgreementRow.columns(agreement)
        )
        return _moved(found, Offer.State.COUNTERED, at)


def accept_counter(*, offer: UUID, counter: UUID, player: Player, at: datetime) -> Offer:
    """The maker agrees to the counter-proposal, and both sit down under its terms. Again, the first answer.

    Raises Offer.DoesNotExist, CounterProposal.DoesNotExist, NotTheMaker, CounterClosed, OfferClosed, MayNotStake,
    OpponentMayNotSit, OpponentCannotPay, and what ``stakes.sit_down`` raises for ``player``.
    """
    with transaction.atomic():
        found = _locked(offer, player)
        proposed = _proposed(found, counter)
        _check_maker(found, player)
        if proposed.state == CounterProposal.State.ACCEPTED:
            return found
        _check_pending(proposed)
        _check_standing(found, at)
        _answered(proposed, CounterProposal.State.ACCEPTED, at)
        return _agree(found, proposed.player, proposed, asker=player, at=at)


def decline_counter(*, offer: UUID, counter: UUID, player: Player, at: datetime) -> Offer:
    """The maker does not agree: the offer stands again as it was made. Again, the first answer.

    Raises Offer.DoesNotExist, CounterProposal.DoesNotExist, NotTheMaker, CounterClosed.
    """
    with transaction.atomic():
        found = _locked(offer, player)
        proposed = _proposed(found, counter)
        _check_maker(found, player)
        return _open_again(found, proposed, CounterProposal.State.DECLINED, at)


def withdraw_counter(*, offer: UUID, counter: UUID, player: Player, at: datetime) -> Offer:
    """Whoever made the counter-proposal takes it back: the offer stands again. Again, the first answer.

    Raises Offer.DoesNotExist, CounterProposal.DoesNotExist, CounterClosed.
    """
    with transaction.atomic():
        found = _locked(offer, player)
        proposed = _proposed(found, counter)
        if proposed.player_id != player.pk:
            raise CounterProposal.DoesNotExist
        return _open_again(found, proposed, CounterProposal.State.WITHDRAWN, at)


# --- The table that came of it ----------------------------------------------------------------------------------------


def rematch(*, table: UUID, player: Player, at: datetime) -> Offer:
    """Offer the other player of a finished table the same again; if they have offered it, agree.

    Once agreed, the first answer: a table has one rematch. Raises Table.DoesNotExist, Stake.DoesNotExist,
    Live.DoesNotExist, NotFinished, and what ``accept`` and ``make`` raise.
    """
    with transaction.atomic():
        # Both may ask at once: the second finds the first's offer.
        played = _theirs(player).select_for_update(of=("self",), no_key=True).get(pk=table)
        stake = Stake.objects.get(table=played)
        clock = Live.objects.get(pk=played.pk)
        if stake.state != Stake.State.SETTLED:
            raise NotFinished
        agreed = Offer.objects.filter(rematch_of=played, state=Offer.State.AGREED).first()
        if agreed:
            return agreed
        standing = Offer.objects.filter(rematch_of=played, state__in=Offer.STANDING).first()
        if standing and standing.expires_at <= at:
            _close(_locked(standing.pk, player), Offer.State.EXPIRED, at)
            standing = None
        if standing:
            return standing if standing.maker_id == player.pk else accept(offer=standing.pk, player=player, at=at)
        agreement = Agreement(
            terms=stake.terms,
            pace=pace_of(clock),
            crawford=played.crawford,
            jacoby=played.jacoby,
            beavers=played.beavers,
            automatic_doubles=played.automatic_doubles,
        )
        _welcomed(player, agreement, at)
        opponent = played.player_2 if played.player_1_id == player.pk else played.player_1
        lasts = timedelta(seconds=settings.REMATCH_LASTS_S)
        return _made(player, played.room, agreement, at, lasts, opponent=opponent, rematch_of=played)


# --- Steps ------------------------------------------------------------------------------------------------------------


def _theirs(player: Player) -> QuerySet[Table]:
    seated = Table.objects.filter(Q(player_1=player) | Q(player_2=player))
    return seated.select_related("room", "player_1", "player_2")


def _welcomed(player: Player, agreement: Agreement, at: datetime) -> None:
    """``player`` may sit, and whoever needs play money for the first time gets it now."""
    may_sit(player=player, terms=agreement.terms, at=at)
    if money.currency(agreement.terms.currency).zone == "amateurs":
        welcome(player=player, at=at)
    check_cover(player=player, terms=agreement.terms)


def _made(maker: Player, room: Room, agreement: Agreement, at: datetime, lasts: timedelta, **more: object) -> Offer:
    terms = agreement.terms
    version = commission.tariff_of_room(room=room, at=at)
    tariff = commission.tariff_of(version)
    if not tariff.serves(terms.currency):
        raise CurrencyNotInTariff(tariff=tariff, currency=terms.currency)
    return Offer.objects.create(
        room=room,
        zone=money.currency(terms.currency).zone,
        tariff=version,
        maker=maker,
        made_at=at,
        changed_at=at,
        expires_at=at + lasts,
        **AgreementRow.columns(agreement),
        **more,
    )


def _locked(offer: UUID, player: Player) -> Offer:
    """The offer under its lock, if it is ``player``'s to know of. Raises Offer.DoesNotExist."""
    mine = Q(maker=player) | Q(opponent=player) | Q(taker=player) | Q(opponent=None)
    return (
        Offer.objects.filter(mine)
        .select_for_update(of=("self",))
        .select_related("room", "maker__user", "tariff")
        .get(pk=offer)
    )


def _proposed(offer: Offer, counter: UUID) -> CounterProposal:
    return CounterProposal.objects.select_related("player__user").get(pk=counter, offer=offer)


def _check_maker(offer: Offer, player: Player) -> None:
    if offer.maker_id != player.pk:
        raise NotTheMaker


def _check_standing(offer: Offer, at: datetime) -> None:
    if offer.state not in Offer.STANDING:
        raise OfferClosed(offer.state)
    if offer.expires_at <= at:
        raise OfferClosed(Offer.State.EXPIRED.value)


def _check_taker(offer: Offer, player: Player, at: datetime) -> None:
    if offer.maker_id == player.pk:
        raise OwnOffer
    _check_standing(offer, at)
    standing = ratings.snapshot(player=player, zone=Zone(offer.zone))
    if not RatingLimits(offer.rating_min, offer.rating_max).admit(standing):
        raise RatingOutsideLimits


def _check_pending(proposed: CounterProposal) -> None:
    if proposed.state != CounterProposal.State.PENDING:
        raise CounterClosed(proposed.state)


def _agree(offer: Offer, taker: Player, terms: AgreementRow, *, asker: Player, at: datetime) -> Offer:
    """Both sit down under ``terms``, the maker as side 1, and the table is played here. Posts last."""
    agreed, other = terms.agreement, taker if asker.pk == offer.maker_id else offer.maker
    may_stake(player=asker, terms=agreed.terms)
    try:
        may_stake(player=other, terms=agreed.terms)
    except MayNotStake:
        raise OpponentMayNotSit from None
    table = games.open_table(
        room=offer.room,
        zone=offer.zone,
        players=(offer.maker, taker),
        match_length=agreed.terms.match_length,
        crawford=agreed.crawford,
        jacoby=agreed.jacoby,
        beavers=agreed.beavers,
        automatic_doubles=agreed.automatic_doubles,
        cube=agreed.terms.cube,
        at=at,
    )
    offer.taker, offer.table = taker, table
    _moved(offer, Offer.State.AGREED, at)
    live.start(table=table, pace=agreed.pace, at=at)
    try:
        stakes.sit_down(table=table, terms=agreed.terms, tariff=offer.tariff, at=at)
    except book.InsufficientFunds as refusal:
        if refusal.account.owner == asker.pk:
            raise
        raise OpponentCannotPay from None
    except Protected as refusal:
        if refusal.player == asker.pk:
            raise
        raise OpponentMayNotSit from None
    return offer


def _open_again(offer: Offer, proposed: CounterProposal, state: CounterProposal.State, at: datetime) -> Offer:
    if proposed.state == state:
        return offer
    _check_pending(proposed)
    _answered(proposed, state, at)
    return _moved(offer, Offer.State.OPEN, at)


def _close(offer: Offer, state: Offer.State, at: datetime) -> None:
    pending = CounterProposal.objects.filter(offer=offer, state=CounterProposal.State.PENDING)
    pending.update(state=CounterProposal.State.EXPIRED, changed_at=at)
    _moved(offer, state, at)


def _moved(offer: Offer, state: Offer.State, at: datetime) -> Offer:
    offer.state, offer.changed_at = state, at
    offer.save(update_fields=["state", "changed_at", "taker", "table"])
    return offer


def _answered(proposed: CounterProposal, state: CounterProposal.State, at: datetime) -> None:
    proposed.state, proposed.changed_at = state, at
    proposed.save(update_fields=["state", "changed_at"])
