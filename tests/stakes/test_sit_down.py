"""Sitting down and standing up: both or neither, by terms, tariff and ratings of that moment (S-1 to S-6)."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

import psycopg
import pytest
from django.db import IntegrityError, connection, transaction

from games.models import Table
from ledger import book, money
from ledger.book import InsufficientFunds
from ratings.rules import FIRST
from tests.factories import NOON, RoomFactory, TableFactory, escrow, fund, rated, seated, terms, wallet
from wagering.commission.models import RoomTariff
from wagering.commission.rules import CurrencyNotInTariff
from wagering.commission.schedule import UnknownTariff
from wagering.commission.selectors import RoomHasNoTariff, tariff_of
from wagering.commission.services import publish
from wagering.stakes.models import Stake
from wagering.stakes.rules import CapMissing, Terms, exposure
from wagering.stakes.services import (
    ExposureTooLarge,
    SatDownOtherwise,
    StakeClosed,
    WrongCube,
    WrongMatchLength,
    WrongZone,
    sit_down,
    stand_up,
)

pytestmark = pytest.mark.django_db


def standing(table: Table, currency: str = "USD") -> list[tuple[str, str]]:
    """Wallet and escrow of both seats."""
    return [(str(wallet(player, currency)), str(escrow(player, currency))) for player in table.seats]


UNTOUCHED = [("1000.00", "0.00")] * 2
HELD_15 = [("985.00", "15.00")] * 2


def trial(*, version: int = 1, day: str = "2026-01-01", rate: str = "0.05") -> str:
    return (
        f'name = "trial"\nversion = {version}\nvalid_from = {day}\ncurrencies = "any"\n'
        f'[[single.tiers]]\nrate = "{rate}"\n[[series.tiers]]\nrate = "{rate}"\n'
    )


@pytest.mark.parametrize(
    ("agreed", "held"),
    [
        (terms("5", cap="15"), "15.00"),  # S-3
        (terms("5", cap="5"), "5.00"),
        (terms("5", cap="7.50"), "7.50"),  # S-6: no multiple of the stake
        (terms("1"), "192.00"),  # S-1: the uncapped table (case 50)
        (terms("1", cap="500"), "192.00"),  # nobody can lose more
        (terms("10", match_length=3), "10.00"),  # S-2: a match costs its stake
        (terms("10", match_length=25), "10.00"),
        (terms("0.01", cap="0.01"), "0.01"),
        (terms("5", cap="15", currency="PLAY"), "15.00"),
    ],
)
def test_each_seats_exposure_goes_into_escrow_s_4(agreed: Terms, held: str) -> None:
    stake = seated(agreed)
    assert stake.state == Stake.State.HELD
    assert [hold.amount for hold in stake.holds] == [Decimal(held)] * 2
    assert standing(stake.table, agreed.currency) == [(str(1000 - Decimal(held)), held)] * 2
    assert {hold.id for hold in book.open_holds()} == {stake.hold_1, stake.hold_2}


def test_without_a_cube_nobody_holds_more_than_three_stakes_s_1() -> None:
    stake = seated(replace(terms("5"), cube=False), cube=False)
    assert standing(stake.table) == [("985.00", "15.00")] * 2
    stored = Stake.objects.get(pk=stake.pk)
    assert (stored.terms.cube, [str(hold.amount) for hold in stored.holds]) == (False, ["15.00"] * 2)


@pytest.mark.parametrize(
    ("code", "stake", "cap", "held"),
    [("EUR", "5", "15", "15.00"), ("JPY", "500", "1500", "1500"), ("KWD", "0.005", "0.015", "0.015")],
)
def test_any_currency_at_its_own_digits(code: str, stake: str, cap: str, held: str) -> None:
    """Case 27: a yen has no hundredths, a dinar has thousandths."""
    made = seated(terms(stake, cap=cap, currency=code), charges="sgames", funds="2000")
    stored = Stake.objects.get(pk=made.pk)
    assert [str(hold.amount) for hold in stored.holds] == [held] * 2
    assert stored.terms == made.terms
    assert [str(escrow(player, code)) for player in made.table.seats] == [held] * 2


def test_a_game_without_a_cap_does_not_start() -> None:
    """Case 50: it could cost 192 stakes unasked."""
    with pytest.raises(CapMissing, match="cap: is missing: a single game names the most that it can cost; 192"):
        Terms(currency="USD", stake=Decimal(1), match_length=0)


@pytest.mark.parametrize("short", [0, 1])
def test_both_or_neither_s_4(short: int) -> None:
    """One of them is a cent short: nothing is held, nothing is kept, and the cap does not shrink to the balance."""
    table = TableFactory.create()
    for side, player in enumerate(table.seats):
        fund(player, "14.99" if side == short else "15.00")
    with pytest.raises(InsufficientFunds, match=r"holds 14\.99, 15\.00 is needed"):
        sit_down(table=table, terms=terms("5", cap="15"), at=NOON)
    assert not Stake.objects.exists()
    assert not book.open_holds()
    assert sorted(standing(table)) == [("14.99", "0.00"), ("15.00", "0.00")]
    fund(table.seats[short], "0.01")
    assert sit_down(table=table, terms=terms("5", cap="15"), at=NOON).state == Stake.State.HELD
    assert standing(table) == [("0.00", "15.00")] * 2


def test_what_is_held_is_not_there_for_another_table() -> None:
    """Case 31: 50.00 and tables at 10.00; the sixth is refused."""
    room = RoomFactory.create(charges="gammonempire")
    first = TableFactory.create(room=room)
    fund(first.player_1, "50.00")
    fund(first.player_2, "500.00")
    tables = [first, *(TableFactory.create(room=room, players=first.seats) for _ in range(5))]
    for table in tables[:5]:
        sit_down(table=table, terms=terms("10", cap="10"), at=NOON)
    with pytest.raises(InsufficientFunds):
        sit_down(table=tables[5], terms=terms("10", cap="10"), at=NOON)
    assert standing(first) == [("0.00", "50.00"), ("450.00", "50.00")]


def test_the_same_terms_again_are_the_same_stake() -> None:
    """Case 5: the same holds, nothing held twice; 15 and 15.00 are the same cap."""
    stake = seated(terms("5", cap="15"))
    again = sit_down(table=stake.table, terms=terms("5.00", cap="15.00"), at=NOON + timedelta(minutes=1))
    assert (again.pk, again.holds, again.sat_down_at) == (stake.pk, stake.holds, NOON)
    assert standing(stake.table) == HELD_15


@pytest.mark.parametrize(
    "other", [terms("5", cap="20"), terms("6", cap="15"), terms("5"), terms("5", cap="15", currency="EUR")]
)
def test_other_terms_are_refused(other: Terms) -> None:
    stake = seated(terms("5", cap="15"))
    with pytest.raises(SatDownOtherwise, match=str(stake.table_id)):
        sit_down(table=stake.table, terms=other, at=NOON)
    assert standing(stake.table) == HELD_15


class TestRefusedTerms:
    """Nothing is held and no stake is written; the refusal names the field."""

    @pytest.fixture
    def refused(self) -> Callable[..., Exception]:
        def refused(kind: type[Exception], agreed: Terms, *, table: Table | None = None, **made: Any) -> Exception:
            table = table or TableFactory.create(**made)
            for player in table.seats:
                fund(player, "1000", agreed.currency)
            with pytest.raises(kind) as refusal:
                sit_down(table=table, terms=agreed, at=NOON)
            assert not Stake.objects.exists()
            assert not book.open_holds()
            assert standing(table, agreed.currency) == UNTOUCHED
            return refusal.value

        return refused

    @pytest.mark.parametrize(("zone", "code"), [("professionals", "PLAY"), ("amateurs", "USD"), ("amateurs", "EUR")])
    def test_money_of_the_other_zone(self, refused: Callable[..., Exception], zone: str, code: str) -> None:
        told = refused(WrongZone, terms(currency=code), zone=zone)
        assert str(told).startswith(f"currency: {code} is of the ")
        assert f"the table of the {zone}" in str(told)

    @pytest.mark.parametrize(("length", "agreed"), [(0, 3), (3, 0), (3, 5)])
    def test_another_length(self, refused: Callable[..., Exception], length: int, agreed: int) -> None:
        told = refused(WrongMatchLength, terms(match_length=agreed), match_length=length)
        assert str(told) == f"match_length: {agreed} is not the table's {length}"

    @pytest.mark.parametrize("cube", [True, False])
    def test_another_cube(self, refused: Callable[..., Exception], cube: bool) -> None:
        told = refused(WrongCube, replace(terms(), cube=not cube), cube=cube)
        assert str(told) == f"cube: {not cube} is not the table's {cube}"

    def test_a_room_without_a_tariff(self, refused: Callable[..., Exception]) -> None:
        room = RoomFactory.create()
        assert str(refused(RoomHasNoTariff, terms(), room=room)) == f"room: {room} has no tariff"

    def test_a_tariff_that_is_not_published(self, refused: Callable[..., Exception]) -> None:
        room = RoomFactory.create()
        RoomTariff.objects.create(room=room, tariff="nosuch")
        assert "nosuch" in str(refused(UnknownTariff, terms(), room=room))

    def test_a_tariff_that_is_not_in_force_yet(self, refused: Callable[..., Exception]) -> None:
        publish(text=trial(day="2026-03-02"), at=NOON)
        room = RoomFactory.create()
        RoomTariff.objects.create(room=room, tariff="trial")
        assert "trial" in str(refused(UnknownTariff, terms(), room=room))

    def test_a_currency_that_the_tariff_does_not_price(self, refused: Callable[..., Exception]) -> None:
        """C: a tariff without a currency refuses its tables."""
        assert "EUR" in str(refused(CurrencyNotInTariff, terms(currency="EUR")))


# The most that 192 stakes may be so that both seats together stay under 1e12.
MOST = money.LIMIT / 2 / 192


@pytest.mark.parametrize(
    "agreed",
    [
        terms("500000000000", match_length=3),
        terms("999999999999.99", match_length=3),
        terms("400000000000", cap="500000000000"),
        terms(str(int(MOST) + 1)),
        terms("10000000000"),  # 192 of it are over 1e12 themselves
    ],
)
def test_what_no_winner_could_be_paid_is_not_staked(agreed: Terms) -> None:
    """Each seat's part would fit, but one player gets both back: the book has no such amount."""
    table = TableFactory.create(match_length=agreed.match_length)
    with pytest.raises(ExposureTooLarge, match=r"stake: .* sets aside"):
        sit_down(table=table, terms=agreed, at=NOON)
    assert not Stake.objects.exists()


def test_the_largest_stake_there_is_can_be_staked() -> None:
    stake = seated(terms("499999999999.99", match_length=3), funds="499999999999.99")
    assert escrow(stake.table.player_1) == Decimal("499999999999.99")


# --- Fixed at sit-down -----------------------------------------------------------------------------------------------


def test_the_tariff_version_is_that_of_the_moment_and_stays() -> None:
    publish(text=trial(rate="0.05"), at=NOON)
    publish(text=trial(version=2, day="2026-06-01", rate="0.04"), at=NOON)
    room = RoomFactory.create()
    RoomTariff.objects.create(room=room, tariff="trial")
    before, after = datetime(2026, 5, 31, 23, 59, 59, tzinfo=UTC), datetime(2026, 6, 1, tzinfo=UTC)
    rates = []
    for at in before, after:
        table = TableFactory.create(room=room)
        for player in table.seats:
            fund(player, "15")
        sit_down(table=table, terms=terms("5", cap="15"), at=at)
        again = sit_down(table=table, terms=terms("5", cap="15"), at=after)
        rates.append((again.tariff.version, str(tariff_of(again.tariff).single[0].rate)))
    assert rates == [(1, "0.05"), (2, "0.04")]


def test_the_ratings_are_those_of_the_moment_and_of_the_zone_r() -> None:
    table = TableFactory.create()
    rated(table.player_1, "1650.123456", experience=77)
    rated(table.player_2, "1380")
    for player in table.seats:
        fund(player, "15")
    stake = sit_down(table=table, terms=terms("5", cap="15"), at=NOON)
    rated(table.player_1, "1700")
    kept = Stake.objects.get(pk=stake.pk).standings
    assert [(str(one.rating), one.experience) for one in kept] == [("1650.123456", 77), ("1380.000000", 400)]
    play = TableFactory.create(players=table.seats, zone="amateurs", room=table.room)
    for player in play.seats:
        fund(player, "15", "PLAY")
    fresh = sit_down(table=play, terms=terms("5", cap="15", currency="PLAY"), at=NOON)
    assert fresh.standings == (FIRST, FIRST)


# --- Standing up -----------------------------------------------------------------------------------------------------


def test_standing_up_gives_both_back_and_again_is_the_first_answer() -> None:
    """Case 32: a second release is no second payment."""
    stake = seated(terms("5", cap="15"))
    first = stand_up(table=stake.table, at=NOON)
    again = stand_up(table=stake.table, at=NOON + timedelta(hours=1))
    assert (first.state, again.pk, again.state) == ("released", stake.pk, "released")
    assert standing(stake.table) == UNTOUCHED
    assert not book.open_holds()


def test_who_stood_up_does_not_sit_down_there_again() -> None:
    """Nothing is held any more, so the first answer would be a lie."""
    stake = seated(terms("5", cap="15"))
    stand_up(table=stake.table, at=NOON)
    with pytest.raises(StakeClosed, match="are released already"):
        sit_down(table=stake.table, terms=stake.terms, at=NOON)
    assert standing(stake.table) == UNTOUCHED


def test_nobody_stands_up_who_never_sat() -> None:
    with pytest.raises(Stake.DoesNotExist):
        stand_up(table=TableFactory.create(), at=NOON)


def test_a_sit_down_that_rolls_back_leaves_nothing() -> None:
    """Case 13."""

    class Elsewhere(Exception):
        pass

    def both() -> None:
        seated(terms("5", cap="15"), room=room)
        raise Elsewhere

    room = RoomFactory.create(charges="gammonempire")
    with pytest.raises(Elsewhere), transaction.atomic():
        both()
    assert (Stake.objects.count(), Table.objects.count(), book.open_holds()) == (0, 0, [])


# --- The database ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("column", "forged"),
    [
        ("stake", "NaN"),
        ("stake", "Infinity"),
        ("stake", "0"),
        ("stake", "-5"),
        ("stake", "1e12"),
        ("cap", "NaN"),
        ("cap", "Infinity"),
        ("cap", "4.99"),
        ("cap", "1e12"),
        ("state", "lost"),
    ],
)
def test_what_is_no_stake_is_refused_by_the_database(column: str, forged: str) -> None:
    """Case 42."""
    seated(terms("5", cap="15"))
    with pytest.raises(IntegrityError, match=r"stake_(is|cap)"), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO stakes_stake"
            " SELECT (jsonb_populate_record(s, jsonb_build_object(%s::text, %s::text))).* FROM stakes_stake s",
            [column, forged],
        )


TERMS_ARE_FINAL = [
    "UPDATE stakes_stake SET stake = 6",
    "UPDATE stakes_stake SET stake = 5.000",
    "UPDATE stakes_stake SET cap = 14",
    "UPDATE stakes_stake SET cap = NULL",
    "UPDATE stakes_stake SET currency = 'EUR'",
    "UPDATE stakes_stake SET rating_1 = 1700",
    "UPDATE stakes_stake SET experience_2 = 1",
    "UPDATE stakes_stake SET hold_1 = hold_2, hold_2 = hold_1",
    "UPDATE stakes_stake SET sat_down_at = now()",
    "UPDATE stakes_stake SET state = 'settled', cap = 14",
    "DELETE FROM stakes_stake",
]


@pytest.mark.parametrize("attack", TERMS_ARE_FINAL)
def test_what_was_agreed_at_sit_down_is_final(attack: str) -> None:
    """Terms that could still change would be paid as changed, and prove."""
    stake = seated(terms("5", cap="15"))
    with pytest.raises(IntegrityError, match="stake_terms_are_final"), transaction.atomic():
        connection.cursor().execute(attack)
    kept = Stake.objects.get()
    assert (kept.terms, kept.standings, kept.holds) == (stake.terms, stake.standings, stake.holds)
    assert stand_up(table=stake.table, at=NOON).state == Stake.State.RELEASED


@pytest.mark.parametrize("state", ["held", "settled", "released"])
def test_stakes_that_went_back_are_not_at_stake_again(state: str) -> None:
    stake = seated(terms("5", cap="15"))
    stand_up(table=stake.table, at=NOON)
    with pytest.raises(IntegrityError, match="stake_terms_are_final"), transaction.atomic():
        Stake.objects.update(state=state)
    assert Stake.objects.get().state == Stake.State.RELEASED


@pytest.mark.django_db(transaction=True)
def test_what_was_agreed_is_final_for_the_owner_too(owner_connection: psycopg.Connection) -> None:
    seated(terms("5", cap="15"))
    for attack in TERMS_ARE_FINAL:
        with pytest.raises(psycopg.errors.RestrictViolation, match="stake_terms_are_final"):
            owner_connection.execute(attack)


def test_exposure_is_what_the_holds_say() -> None:
    stake = seated(terms("5", cap="7.50"))
    assert exposure(stake.terms) == stake.holds[0].amount == stake.holds[1].amount
