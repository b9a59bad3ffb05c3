"""Sitting down and standing up: the stakes of both players go into escrow together, and come back together."""

from datetime import datetime

from django.db import transaction

from games.models import Table
from ledger import book, money, postings
from ratings import selectors as ratings
from ratings.rules import Zone
from wagering.commission import selectors as commission
from wagering.commission.models import TariffVersion
from wagering.commission.rules import CurrencyNotInTariff
from wagering.protection import gate
from wagering.stakes.models import Stake
from wagering.stakes.rules import InvalidTerms, Terms, exposure


class WrongZone(InvalidTerms):
    """Play money is staked among amateurs, real money among professionals (Z)."""


class WrongMatchLength(InvalidTerms):
    """The terms are for another contest than the table's."""


class WrongCube(InvalidTerms):
    """The terms are with a cube and the table without one, or the other way round."""


class ExposureTooLarge(InvalidTerms):
    """Both seats together set aside more than any amount can be (1e12): nobody could ever be paid it."""


class SatDownOtherwise(ValueError):
    """The players sat down at this table before, under other terms."""

    def __init__(self, stake: Stake) -> None:
        super().__init__(f"terms: the players sat down at table {stake.table_id} before, under other terms")
        self.stake = stake


class StakeClosed(ValueError):
    """The stakes have been paid out or given back; ``state`` says which."""

    def __init__(self, stake: Stake) -> None:
        super().__init__(f"stake: the stakes of table {stake.table_id} are {stake.state} already")
        self.stake = stake


def sit_down(*, table: Table, terms: Terms, at: datetime, tariff: TariffVersion | None = None) -> Stake:
    """Put each player's exposure into escrow, both or neither (S-4), and fix tariff version and ratings.

    ``tariff`` is the version with which the table was offered; without it, the room's at ``at``. The same terms again
    return the same stake, unless the players have stood up since. Raises WrongZone, WrongMatchLength, WrongCube,
    ExposureTooLarge, SatDownOtherwise, StakeClosed, RoomHasNoTariff, UnknownTariff, CurrencyNotInTariff,
    Protected, InsufficientFunds.
    """
    zone = money.currency(terms.currency).zone
    if zone != table.zone:
        raise WrongZone(field="currency", value=terms.currency, rule=f"is of the {zone}, the table of the {table.zone}")
    if terms.match_length != table.match_length:
        rule = f"is not the table's {table.match_length}"
        raise WrongMatchLength(field="match_length", value=terms.match_length, rule=rule)
    if terms.cube != table.cube:
        raise WrongCube(field="cube", value=terms.cube, rule=f"is not the table's {table.cube}")
    check_exposure(terms)
    with transaction.atomic():
        Table.objects.select_for_update().get(pk=table.pk)
        if earlier := Stake.objects.filter(table=table).first():
            if earlier.terms != terms:
                raise SatDownOtherwise(earlier)
            if earlier.state == Stake.State.RELEASED:
                raise StakeClosed(earlier)
            return earlier
        version = tariff or commission.tariff_of_room(room=table.room, at=at)
        charges = commission.tariff_of(version)
        if not charges.serves(terms.currency):
            raise CurrencyNotInTariff(tariff=charges, currency=terms.currency)
        gate.check_stakes(players=table.seats, exposure=exposure(terms), currency=terms.currency, at=at)
        one, two = (ratings.snapshot(player=player, zone=Zone(zone)) for player in table.seats)
        stake = Stake.objects.create(
            table=table,
            currency=terms.currency,
            stake=terms.stake,
            cap=terms.cap,
            abandonment=terms.abandonment.value,
            penalty=terms.penalty,
            tariff=version,
            rating_1=one.rating,
            rating_2=two.rating,
            experience_1=one.experience,
            experience_2=two.experience,
            sat_down_at=at,
        )
        book.hold(postings.stake_held(stake=stake.pk, holds=stake.holds, at=at))
        return stake


def check_exposure(terms: Terms) -> None:
    """Raises ExposureTooLarge."""
    if 2 * exposure(terms) >= money.LIMIT:
        rule = f"sets aside {exposure(terms)} a seat, more than anyone can be paid: both together reach {money.LIMIT}"
        raise ExposureTooLarge(field="stake", value=terms.stake, rule=rule)


def stand_up(*, table: Table, at: datetime) -> Stake:
    """Give both stakes back before the contest starts; again, the first answer.

    Raises StakeClosed, Stake.DoesNotExist.
    """
    with transaction.atomic():
        stake = locked(table=table)
        if stake.state == Stake.State.RELEASED:
            return stake
        if stake.state != Stake.State.HELD:
            raise StakeClosed(stake)
        stake.state = Stake.State.RELEASED
        stake.save(update_fields=["state"])
        book.release(postings.stake_released(stake=stake.pk, holds=stake.holds, at=at))
        return stake


def locked(*, table: Table) -> Stake:
    """The table's stake, locked: whoever closes it comes through here, one by one. Raises Stake.DoesNotExist."""
    return (
        Stake.objects.select_for_update(of=("self",))
        .select_related("table__room", "table__player_1", "table__player_2", "tariff")
        .get(table=table)
    )
