"""Paying a contest, through the whole way: from wallets to wallets, once, whatever ended it (S-2, S-5, C, R)."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from uuid import uuid4

import psycopg
import pytest
from django.db import IntegrityError, connection, transaction

from games.models import Game, Record, Table
from games.rules.endings import Ending, Outcome, Win, voided
from games.services import RecordDiffers, RecordRefused, RecordUnfinished, ReportedOtherwise
from ledger import book, postings, proofs
from ratings.models import Rating, RatingChange
from ratings.rules import FIRST, Zone
from ratings.selectors import snapshot
from tests.factories import (
    NOON,
    RoomFactory,
    TableFactory,
    earned,
    escrow,
    fund,
    rated,
    seated,
    terms,
    wallet,
    won,
)
from tests.games import texts
from wagering.commission.models import RoomTariff
from wagering.commission.services import publish
from wagering.settlement.models import Settlement
from wagering.settlement.services import SettledOtherwise, SettlementReversed, settle, settle_record, void
from wagering.stakes.models import Stake
from wagering.stakes.rules import Terms
from wagering.stakes.services import StakeClosed, sit_down, stand_up

pytestmark = pytest.mark.django_db

LATER = NOON + timedelta(hours=1)


def nets(stake: Stake, *, funds: str = "1000") -> tuple[str, str]:
    """What the contest brought each seat's wallet. What was lost is somewhere: nothing comes from nowhere."""
    one, two = (wallet(player, stake.currency) - Decimal(funds) for player in stake.table.seats)
    assert one + two + earned(stake.table.room, stake.currency) == 0
    return str(one), str(two)


def assert_proven() -> None:
    assert [(proof.name, proof.fault) for proof in proofs.run() if not proof.holds] == []


def assert_nothing_happened(stake: Stake) -> None:
    """The stake is held as it was; no result, no rating, no money."""
    assert Stake.objects.get(pk=stake.pk).state == Stake.State.HELD
    assert not Settlement.objects.filter(stake=stake).exists()
    assert not Record.objects.filter(table=stake.table).exists()
    assert not Game.objects.filter(table=stake.table).exists()
    assert not RatingChange.objects.filter(contest=stake.table_id).exists()
    assert {hold.id for hold in book.open_holds()} == {stake.hold_1, stake.hold_2}
    assert [escrow(player, stake.currency) for player in stake.table.seats] == [hold.amount for hold in stake.holds]


# --- Worked figures ---------------------------------------------------------------------------------------------------

GAMMON_2 = won(1, Win.GAMMON, cube=2)


@pytest.mark.parametrize(
    ("charges", "agreed", "outcome", "winner", "loser"),
    [
        # The domain's own examples.
        ("gammonempire", terms("5"), won(1), "4.51", "-5.00"),  # C-0: 0.49 the pair
        ("gammonempire", terms("5"), won(1, Win.GAMMON), "9.02", "-10.00"),  # C-1, case 48
        ("gammonempire", terms("10", match_length=3), won(1), "8.82", "-10.00"),  # C-2
        ("sgames", terms("5", cap="15"), GAMMON_2, "13.50", "-15.00"),  # S-3, C-10, case 49
        ("gammonempire", terms("5", cap="15"), GAMMON_2, "13.53", "-15.00"),
        # Caps (S-2, S-6).
        ("gammonempire", terms("5", cap="5"), won(1, Win.BACKGAMMON, cube=64), "4.51", "-5.00"),
        ("gammonempire", terms("5", cap="7.50"), won(1, Win.GAMMON), "6.76", "-7.50"),  # 0.735: 0.74, half-even
        ("gammonempire", terms("5", cap="7.50"), won(1), "4.51", "-5.00"),
        ("gammonempire", terms("1"), won(1, Win.BACKGAMMON, cube=64), "180.86", "-192.00"),  # case 50
        ("gammonempire", terms("1", cap="500"), won(1, Win.BACKGAMMON, cube=64), "180.86", "-192.00"),
        # Cliffs (case 38, C-3).
        ("gammonempire", terms("20", cap="20"), won(1), "18.04", "-20.00"),
        ("gammonempire", terms("20.01", cap="20.01"), won(1), "18.45", "-20.01"),
        ("gammonempire", terms("100", cap="100"), won(1), "92.20", "-100.00"),
        ("gammonempire", terms("100.01", cap="100.01"), won(1), "94.21", "-100.01"),
        # Other moneys.
        ("gammonempire", terms("5", currency="PLAY"), won(1, Win.GAMMON), "9.02", "-10.00"),
        ("sgames", terms("5", cap="15", currency="EUR"), GAMMON_2, "13.50", "-15.00"),
        ("sgames", terms("50", cap="150", currency="JPY"), GAMMON_2, "135", "-150"),
        ("sgames", terms("5", currency="JPY"), won(1), "5", "-5"),  # 0.5 rounds to the even 0
        ("sgames", terms("15", currency="JPY", cap="15"), won(1), "13", "-15"),  # 1.5 rounds to the even 2
        ("sgames", terms("5", cap="15", currency="KWD"), GAMMON_2, "13.500", "-15.000"),
        ("sgames", terms("0.005", currency="KWD"), won(1), "0.005", "-0.005"),
        ("sgames", terms("0.015", currency="KWD"), won(1), "0.013", "-0.015"),
        # Of a series only the winner counts.
        ("sgames", terms("10", match_length=7), GAMMON_2, "9.00", "-10.00"),
        ("sgames", terms("10", match_length=1), won(1), "9.00", "-10.00"),
    ],
)
def test_wallets_move_by_the_published_figures(
    charges: str, agreed: Terms, outcome: Outcome, winner: str, loser: str
) -> None:
    stake = seated(agreed, charges=charges)
    settlement = settle(table=stake.table, outcome=outcome, at=LATER)
    assert nets(stake) == (winner, loser)
    assert [str(settlement.lost), str(settlement.commission)] == [
        loser.removeprefix("-"),
        str(earned(stake.table.room, agreed.currency)),
    ]
    assert [escrow(player, agreed.currency) for player in stake.table.seats] == [0, 0]
    assert not book.open_holds()
    assert_proven()


@pytest.mark.parametrize(
    ("ratings", "stake", "length", "pair"),
    [
        (("1580", "1640"), "10", 3, "1.36"),
        (("1380", "1560"), "10", 3, "1.95"),  # 1400* counts
        (("1500", "1800"), "10", 3, "3.72"),
        (("1540", "1400"), "10", 3, "1.18"),
        (("1710", "1800"), "10", 3, "0.59"),
        (("1660", "1680"), "500", 5, "10.00"),
    ],
)
@pytest.mark.parametrize("winner", [1, 2])
def test_the_pair_pays_by_its_ratings_at_sit_down_c_4_to_c_9(
    ratings: tuple[str, str], stake: str, length: int, pair: str, winner: int
) -> None:
    """The ratings change between sit-down and settlement; nothing of the commission does."""
    table = TableFactory.create(match_length=length)
    for player, rating in zip(table.seats, ratings, strict=True):
        rated(player, rating)
        fund(player, "1000")
    seat = sit_down(table=table, terms=terms(stake, match_length=length), at=NOON)
    for player in table.seats:
        rated(player, "2000")
    settlement = settle(table=table, outcome=won(1 if winner == 1 else 2), at=LATER)
    assert str(settlement.commission) == pair
    lost = Decimal(stake)
    expected = {str(lost - Decimal(pair)), f"-{lost}.00"}
    assert set(nets(seat)) == expected
    assert {change.rating_before for change in RatingChange.objects.all()} == {Decimal(2000)}
    assert_proven()


def test_the_trace_is_kept_as_it_was_told() -> None:
    stake = seated(terms("5"))
    settle(table=stake.table, outcome=won(1), at=LATER)
    charge = Settlement.objects.get().charge
    assert (charge["exact"], charge["commission"], charge["rate"]) == ("0.4900", "0.49", "0.049")
    assert any("0.2450" in step["sentence"] for step in charge["trace"])  # case 37


def test_the_tariff_of_sit_down_prices_a_settlement_after_the_next_was_published() -> None:
    text = (
        'name = "trial"\nversion = {}\nvalid_from = {}\ncurrencies = "any"\n'
        '[[single.tiers]]\nrate = "{}"\n[[series.tiers]]\nrate = "0.05"\n'
    )
    publish(text=text.format(1, "2026-01-01", "0.05"), at=NOON)
    room = RoomFactory.create()
    RoomTariff.objects.create(room=room, tariff="trial")
    stake = seated(terms("10", cap="10"), room=room)
    publish(text=text.format(2, "2026-03-02", "0.40"), at=NOON)
    RoomTariff.objects.filter(room=room).update(tariff="nosuch")
    settlement = settle(table=stake.table, outcome=won(1), at=datetime(2026, 6, 1, tzinfo=UTC))
    assert (str(settlement.commission), settlement.charge["version"]) == ("1.00", 1)
    assert nets(stake) == ("9.00", "-10.00")


# --- Every ending -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ending", [Ending.BORNE_OFF, Ending.DROPPED, Ending.RESIGNED, Ending.TIMED_OUT])
@pytest.mark.parametrize("winner", [1, 2])
@pytest.mark.parametrize("length", [0, 5])
def test_every_ending_pays_the_same_way(ending: Ending, winner: int, length: int) -> None:
    stake = seated(terms("5", match_length=length))
    outcome = won(1 if winner == 1 else 2, ending=ending)
    settlement = settle(table=stake.table, outcome=outcome, at=LATER)
    assert (settlement.winner, settlement.win, settlement.ending) == (winner, "single", ending)
    first, second = (Decimal(net) for net in nets(stake))
    assert (first > 0, second > 0) == (winner == 1, winner == 2)
    assert min(first, second) == -5
    assert Stake.objects.get(pk=stake.pk).state == Stake.State.SETTLED
    assert RatingChange.objects.get(contest=stake.table_id, won=True).player == stake.table.seats[winner - 1]
    assert_proven()


def test_a_match_resigned_whole_costs_its_stake_b_19() -> None:
    stake = seated(terms("10", match_length=7), charges="sgames")
    settlement = settle_record(
        table=stake.table,
        text=texts.record(texts.game(texts.DOUBLED + "      Wins 7 points\n"), length=7),
        at=LATER,
    )
    assert (settlement.win, settlement.points, settlement.ending) == ("", 7, "resigned")
    assert nets(stake) == ("9.00", "-10.00")
    assert_proven()


@pytest.mark.parametrize("length", [0, 5])
def test_a_void_contest_gives_both_back_charges_nothing_and_is_not_rated_a_8(length: int) -> None:
    stake = seated(terms("5", match_length=length))
    settlement = void(table=stake.table, at=LATER)
    assert (settlement.winner, settlement.ending, settlement.charge) == (None, "voided", {})
    assert (settlement.lost, settlement.commission) == (0, 0)
    assert nets(stake) == ("0.00", "0.00")
    assert not RatingChange.objects.exists()
    assert not Rating.objects.exists()
    assert void(table=stake.table, at=LATER) == settlement
    assert settle(table=stake.table, outcome=voided(cube=4), at=LATER) == settlement
    assert_proven()


@pytest.mark.parametrize(
    ("name", "side_1", "side_2"),
    [
        ("money-single", "9.02", "-10.00"),  # cube on 2: C-1's sum by another road
        ("money-gammon-cube-2", "18.04", "-20.00"),  # C-3's edge
        ("money-gammon-undoubled", "-5.00", "4.51"),  # one point, by Jacoby
    ],
)
def test_real_records_pay(name: str, side_1: str, side_2: str) -> None:
    stake = seated(terms("5"), jacoby=True, beavers=True)
    settle_record(table=stake.table, text=texts.shipped(name), at=LATER)
    assert nets(stake) == (side_1, side_2)
    assert stake.table.record.text == texts.shipped(name)
    assert_proven()


def test_a_real_match_pays() -> None:
    stake = seated(terms("10", match_length=5))
    settlement = settle_record(table=stake.table, text=texts.shipped("match-to-5"), at=LATER)
    assert (settlement.winner, stake.table.games.count()) == (2, 6)
    assert nets(stake) == ("-10.00", "8.62")  # 6.9 % each, both under 1550
    changes = RatingChange.objects.order_by("-won")
    assert [str(change.rating_after) for change in changes] == ["1522.360680", "1477.639320"]  # R's second row
    assert_proven()


# --- Once -------------------------------------------------------------------------------------------------------------


def test_settled_twice_is_the_first_answer_case_9_and_2() -> None:
    stake = seated(terms("5", cap="15"))
    first = settle(table=stake.table, outcome=GAMMON_2, at=NOON)
    again = settle(table=stake.table, outcome=GAMMON_2, at=LATER)
    assert (again, again.settled_at, Settlement.objects.count()) == (first, NOON, 1)
    assert nets(stake) == ("13.53", "-15.00")
    assert RatingChange.objects.count() == 2


def test_the_same_record_twice_is_the_first_answer() -> None:
    stake = seated(terms("5"))
    first = settle_record(table=stake.table, text=texts.money(texts.DROPPED), at=NOON)
    assert settle_record(table=stake.table, text=texts.money(texts.DROPPED), at=LATER) == first
    assert settle(table=stake.table, outcome=won(1, ending=Ending.DROPPED), at=LATER) == first
    assert nets(stake) == ("4.51", "-5.00")


@pytest.mark.parametrize(
    "other",
    [
        won(2),
        won(1, Win.GAMMON),
        won(1, cube=2),
        won(1, ending=Ending.RESIGNED),
        voided(),
        Outcome(winner=1, win=Win.GAMMON, cube=1, points=1, ending=Ending.BORNE_OFF),
    ],
)
def test_another_outcome_is_refused_and_the_first_stays(other: Outcome) -> None:
    stake = seated(terms("5"))
    first = settle(table=stake.table, outcome=won(1), at=NOON)
    with pytest.raises(SettledOtherwise, match=str(stake.table_id)):
        settle(table=stake.table, outcome=other, at=LATER)
    assert Settlement.objects.get() == first
    assert nets(stake) == ("4.51", "-5.00")
    assert_proven()


@pytest.mark.parametrize("outcome", [won(1), won(2), voided()])
def test_what_was_reversed_is_not_answered_as_paid(outcome: Outcome) -> None:
    """Whatever is reported then, the money waits for an operator; what he posts closes the holds."""
    stake, other = seated(terms("5")), seated(terms("5"))
    first, beside = (settle(table=one.table, outcome=won(1), at=NOON) for one in (stake, other))
    book.reverse(key=first.key, reason="the wrong table", at=LATER)
    for _ in range(2):
        with pytest.raises(SettlementReversed, match="waits in escrow under reopened holds") as refused:
            settle(table=stake.table, outcome=outcome, at=LATER)
        assert refused.value.settlement == first
    assert [escrow(player) for player in stake.table.seats] == [hold.amount for hold in stake.holds]
    assert settle(table=other.table, outcome=won(1), at=LATER) == beside
    assert_proven()


def test_neither_a_void_nor_a_record_answers_for_what_was_reversed() -> None:
    stake = seated(terms("5"))
    key = void(table=stake.table, at=NOON).key
    book.reverse(key=key, reason="it did count", at=LATER)
    with pytest.raises(SettlementReversed, match=str(stake.table_id)):
        void(table=stake.table, at=LATER)
    with pytest.raises(SettlementReversed):
        settle_record(table=stake.table, text=texts.money(texts.DROPPED), at=LATER)
    assert not Record.objects.exists()


def test_a_record_that_comes_after_another_outcome_was_paid_is_not_kept() -> None:
    stake = seated(terms("5"))
    settle(table=stake.table, outcome=won(2), at=NOON)
    with pytest.raises(SettledOtherwise):
        settle_record(table=stake.table, text=texts.money(texts.DROPPED), at=LATER)
    assert not Record.objects.exists()
    assert not Game.objects.exists()


def test_another_record_of_the_same_result_is_refused() -> None:
    stake = seated(terms("5"))
    settle_record(table=stake.table, text=texts.money(texts.DROPPED), at=NOON)
    with pytest.raises(ReportedOtherwise):
        settle_record(table=stake.table, text=texts.money(texts.DROPPED) + "\n", at=LATER)
    assert nets(stake) == ("4.51", "-5.00")


def test_who_stood_up_is_not_paid_and_who_was_paid_does_not_stand_up_case_32() -> None:
    stood = seated(terms("5"))
    stand_up(table=stood.table, at=NOON)
    with pytest.raises(StakeClosed, match="are released already"):
        settle(table=stood.table, outcome=won(1), at=LATER)
    with pytest.raises(StakeClosed, match="are released already"):
        void(table=stood.table, at=LATER)
    with pytest.raises(StakeClosed, match="are released already"):
        settle_record(table=stood.table, text=texts.money(texts.DROPPED), at=LATER)
    assert nets(stood) == ("0.00", "0.00")
    assert not Record.objects.exists()
    for outcome in won(1), voided():
        paid = seated(terms("5"))
        settle(table=paid.table, outcome=outcome, at=NOON)
        with pytest.raises(StakeClosed, match="are settled already"):
            stand_up(table=paid.table, at=LATER)
        assert sit_down(table=paid.table, terms=paid.terms, at=LATER) == paid
    assert not book.open_holds()
    assert_proven()


def test_a_table_nobody_sat_down_at_is_not_paid() -> None:
    table = TableFactory.create()
    with pytest.raises(Stake.DoesNotExist):
        settle_record(table=table, text=texts.money(texts.DROPPED), at=NOON)
    assert not Record.objects.exists()


# --- All or nothing ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "text", "refusal"),
    [
        ({}, texts.record(texts.game(texts.DROPPED), length=3), RecordRefused),
        ({}, texts.money(texts.DROPPED, headers='; [Jacoby "On"]\n'), RecordRefused),
        ({}, texts.record(texts.game(texts.DROPPED, score=(1, 0))), RecordRefused),
        ({}, texts.money("  1) 31: 8/4 6/5\n"), RecordRefused),
        ({}, texts.money(texts.UNFINISHED), RecordUnfinished),
        ({}, texts.money(texts.DROPPED) + texts.money(texts.DROPPED), RecordDiffers),
        ({"match_length": 3}, texts.record(texts.game(texts.DROPPED), length=3), RecordUnfinished),
    ],
)
def test_a_record_that_is_refused_pays_nothing(options: dict[str, int], text: str, refusal: type[Exception]) -> None:
    stake = seated(terms("5", match_length=options.get("match_length", 0)))
    with pytest.raises(refusal):
        settle_record(table=stake.table, text=text, at=LATER)
    assert_nothing_happened(stake)
    assert snapshot(player=stake.table.player_1, zone=Zone.PROFESSIONALS) == FIRST


def test_what_the_book_refuses_did_not_happen_at_all() -> None:
    """Ratings, games and the settlement were written before the book said no: the hold was released by another door."""
    stake = seated(terms("5"))
    book.release(postings.stake_released(stake=uuid4(), holds=stake.holds, at=NOON))
    with pytest.raises(book.HoldClosed):
        settle_record(table=stake.table, text=texts.money(texts.DROPPED), at=LATER)
    assert Stake.objects.get().state == Stake.State.HELD
    assert not Settlement.objects.exists()
    assert not Record.objects.exists()
    assert not RatingChange.objects.exists()
    assert not Rating.objects.exists()
    assert nets(stake) == ("0.00", "0.00")
    with pytest.raises(book.HoldClosed):
        stand_up(table=stake.table, at=LATER)
    assert Stake.objects.get().state == Stake.State.HELD


def test_a_settlement_that_rolls_back_leaves_nothing_case_13() -> None:
    class Elsewhere(Exception):
        pass

    def both() -> None:
        settle_record(table=stake.table, text=texts.money(texts.DROPPED), at=LATER)
        raise Elsewhere

    stake = seated(terms("5"))
    with pytest.raises(Elsewhere), transaction.atomic():
        both()
    assert_nothing_happened(stake)
    settle_record(table=stake.table, text=texts.money(texts.DROPPED), at=LATER)
    assert nets(stake) == ("4.51", "-5.00")


def test_the_largest_stake_there_is_can_be_paid() -> None:
    """Both stakes together are just under what an amount can be, and one player gets them back."""
    stake = seated(terms("499999999999.99", match_length=3), charges="sgames", funds="499999999999.99")
    settlement = settle(table=stake.table, outcome=won(1), at=LATER)
    assert (str(settlement.back_1), str(settlement.commission)) == ("949999999999.98", "50000000000.00")
    assert_proven()


# --- Ratings ----------------------------------------------------------------------------------------------------------


def test_each_zone_is_rated_by_its_own_contests() -> None:
    """A money game counts as a match to 1 (R): fresh accounts move by 10."""
    real = seated(terms("5"))
    play = seated(terms("5", currency="PLAY"), players=real.table.seats)
    settle(table=play.table, outcome=won(2, Win.GAMMON), at=LATER)
    ann = real.table.player_1
    assert snapshot(player=ann, zone=Zone.PROFESSIONALS) == FIRST
    assert str(snapshot(player=ann, zone=Zone.AMATEURS).rating) == "1490.000000"
    settle(table=real.table, outcome=won(1, Win.GAMMON), at=LATER)
    assert str(snapshot(player=ann, zone=Zone.PROFESSIONALS).rating) == "1510.000000"


# --- The database -----------------------------------------------------------------------------------------------------


def _update(settlement: Settlement) -> None:
    Settlement.objects.filter(pk=settlement.pk).update(lost=Decimal(0))


def _save(settlement: Settlement) -> None:
    settlement.commission = Decimal(0)
    settlement.save()


def _delete(settlement: Settlement) -> None:
    settlement.delete()


@pytest.mark.parametrize("attack", [_update, _save, _delete])
def test_a_settlement_is_final(attack: Callable[[Settlement], None]) -> None:
    stake = seated(terms("5"))
    settlement = settle(table=stake.table, outcome=won(1), at=LATER)
    with pytest.raises(IntegrityError, match="settlement_is_final"), transaction.atomic():
        attack(settlement)
    assert str(Settlement.objects.get().lost) == "5.00"


@pytest.mark.django_db(transaction=True)
def test_a_settlement_is_final_for_the_owner_too(owner_connection: psycopg.Connection) -> None:
    stake = seated(terms("5"))
    settle(table=stake.table, outcome=won(1), at=LATER)
    for statement in ("UPDATE settlement_settlement SET winner = 2", "DELETE FROM settlement_settlement"):
        with pytest.raises(psycopg.errors.RestrictViolation, match="settlement_is_final"):
            owner_connection.execute(statement)


@pytest.mark.parametrize(
    "forged",
    [
        {"winner": 3},
        {"lost": "-1"},
        {"lost": "NaN"},
        {"lost": "1e12"},
        {"commission": "5.01"},
        {"commission": "NaN"},
        {"back_1": "-0.01"},
        {"back_1": "NaN"},
        {"back_2": "Infinity"},
    ],
)
def test_what_is_no_settlement_is_refused_by_the_database_case_42(forged: dict[str, str | int]) -> None:
    row = {"winner": 1, "lost": "5", "commission": "0.49", "back_1": "9.51", "back_2": "0", **forged}
    stake = seated(terms("5"))
    with (
        pytest.raises(IntegrityError, match=r"settlement_(amounts|has)"),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(
            """
            INSERT INTO settlement_settlement (id, stake_id, winner, win, cube, points, ending, lost, commission,
                                               back_1, back_2, charge, key, settled_at)
            VALUES (gen_random_uuid(), %s, %s, 'single', 1, 1, 'borne_off', %s::numeric, %s::numeric,
                    %s::numeric, %s::numeric, '{}', 'single_settled:x', now())
            """,
            [stake.pk, *row.values()],
        )


def test_a_stake_is_settled_once() -> None:
    stake = seated(terms("5"))
    settlement = settle(table=stake.table, outcome=won(1), at=LATER)
    settlement.pk, settlement.key = uuid4(), "single_settled:other"
    with pytest.raises(IntegrityError, match="stake_id"), transaction.atomic():
        settlement.save(force_insert=True)


def test_a_tables_room_keeps_the_commission_and_no_other_does() -> None:
    stake = seated(terms("5"))
    other = RoomFactory.create(charges="gammonempire")
    settle(table=stake.table, outcome=won(1), at=LATER)
    assert (str(earned(stake.table.room)), str(earned(other))) == ("0.49", "0.00")
    assert Table.objects.filter(room=other).count() == 0
