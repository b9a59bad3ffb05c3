"""What tables and book say of each other: each corruption turns its proof red, each honest event leaves it green."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import timedelta
from hashlib import sha256
from uuid import UUID, uuid4

import pytest
from django.db import connection
from pytest_django import DjangoDbBlocker

from games.rules.endings import Win
from ledger import book, postings
from tests.conftest import empty_the_tables
from tests.factories import NOON, RoomFactory, seated, terms, won
from tests.games import texts
from tests.ledger.small_book import acting_as, failing, run_sql
from wagering.audit import proofs
from wagering.settlement.services import settle, settle_record, void
from wagering.stakes.models import Stake
from wagering.stakes.services import stand_up

LATER = NOON + timedelta(hours=1)

PROOFS = (
    proofs.open_stakes_are_held,
    proofs.settlements_are_posted,
    proofs.settlements_compute_again,
    proofs.stakes_are_told,
)


def red() -> dict[str, str]:
    """Ours that do not hold, by name, with what they say."""
    return {proof.name: proof.fault for proof in (check() for check in PROOFS) if proof.fault is not None}


def figures() -> list[str]:
    return [check().figure for check in PROOFS]


# --- Honest events ----------------------------------------------------------------------------------------------------


@pytest.mark.django_db
class TestHolds:
    def test_an_empty_house(self) -> None:
        assert (red(), figures()) == ({}, ["0 seats", "0 settlements", "0 settlements", "0 stakes"])

    def test_a_table_of_each_kind(self) -> None:
        seated(terms("5", cap="15"))
        seated(terms("10", match_length=3, currency="PLAY"))
        stand_up(table=seated(terms("5", cap="7.50")).table, at=LATER)
        void(table=seated(terms("5")).table, at=LATER)
        settle(table=seated(terms("5", cap="5")).table, outcome=won(2, Win.GAMMON), at=LATER)
        settle_record(table=seated(terms("5")).table, text=texts.money(texts.RESIGNED), at=LATER)
        settle(table=seated(terms("5", currency="JPY"), charges="sgames").table, outcome=won(1), at=LATER)
        assert (red(), figures()) == ({}, ["4 seats", "4 settlements", "4 settlements", "7 stakes"])

    @pytest.mark.parametrize("how", ["won", "void", "stood up"])
    def test_a_reversal_reopens_what_was_held(self, how: str) -> None:
        """The mistake is undone: the money waits in escrow for what is right, and the proofs say that it does."""
        stake = seated(terms("5", cap="15"))
        match how:
            case "won":
                key = settle(table=stake.table, outcome=won(1), at=LATER).key
            case "void":
                key = void(table=stake.table, at=LATER).key
            case _:
                key = f"stake_released:{stand_up(table=stake.table, at=LATER).pk}"
        book.reverse(key=key, reason="the wrong table", at=LATER)
        assert red() == {}
        assert figures()[0] == "0 seats, 2 held again"
        settled = "0 settlements" if how == "stood up" else "1 settlements, 1 reversed"
        assert figures()[1] == settled
        # What is right is posted under a key of its own, and closes what was opened again.
        again = [replace(hold, id=book.reopened(hold.id)) for hold in stake.holds]
        post = postings.stake_released if how == "void" else postings.stake_voided
        book.release(post(stake=stake.pk, holds=again, at=LATER))
        assert red() == {}
        assert figures()[0] == "0 seats"

    def test_a_reversal_of_one_table_excuses_no_other(self) -> None:
        reversed_, other = seated(terms("5", cap="15")), seated(terms("5", cap="15"))
        for stake in reversed_, other:
            settle(table=stake.table, outcome=won(1), at=LATER)
        book.reverse(key=f"single_settled:{reversed_.pk}", reason="the wrong table", at=LATER)
        stray = replace(other.holds[0], id=book.reopened(other.holds[0].id))
        book.hold(postings.stake_held(stake=uuid4(), holds=[stray], at=LATER))
        assert red()["open_stakes_are_held"] == f"hold {stray.id} of 15.00 USD is of no open stake"

    def test_a_sit_down_is_undone_by_standing_up_alone(self) -> None:
        """A reversal would leave a table that believes it has its stakes, and can never be closed."""
        stake = seated(terms("5", cap="15"))
        with pytest.raises(book.NotReversible, match="stand up or void"):
            book.reverse(key=f"stake_held:{stake.pk}", reason="by mistake", at=LATER)
        assert (red(), figures()[0]) == ({}, "2 seats")
        stand_up(table=stake.table, at=LATER)
        assert (red(), figures()[0]) == ({}, "0 seats")

    def test_holds_released_behind_the_tables_back_are_found(self) -> None:
        """Standing up is how stakes go back; the book alone leaves a table that believes it has them."""
        stake = seated(terms("5", cap="15"))
        book.release(postings.stake_released(stake=stake.pk, holds=stake.holds, at=LATER))
        assert red() == {
            "open_stakes_are_held": f"table {stake.table_id} holds 15.00 USD of {stake.table.player_1_id}, "
            "the book nothing"
        }

    def test_a_hold_of_no_table_is_found(self) -> None:
        stake = seated(terms("5", cap="15"))
        stray = replace(stake.holds[0], id=uuid4())
        book.hold(postings.stake_held(stake=uuid4(), holds=[stray], at=LATER))
        assert red()["open_stakes_are_held"] == f"hold {stray.id} of 15.00 USD is of no open stake"


# --- Corruptions ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class House:
    """What is committed once for all attacks, which roll back: three tables, and other rows to point at."""

    held: Stake
    settled: Stake
    released: Stake
    series: Stake
    room: UUID

    @property
    def names(self) -> dict[str, object]:
        return {
            "held": self.held.pk,
            "settled": self.settled.pk,
            "released": self.released.pk,
            "series": self.series.pk,
            "settled_table": self.settled.table_id,
            "room": self.room,
            "hold": self.settled.hold_1,
            "reopened": book.reopened(self.settled.hold_1),
            "ann": self.settled.table.player_1_id,
        }


@pytest.fixture(scope="module")
def house(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[House]:
    with django_db_blocker.unblock():
        made = House(
            held=seated(terms("5", cap="15")),
            settled=seated(terms("5", cap="15")),
            released=seated(terms("5", cap="15")),
            series=seated(terms("10", match_length=3)),
            room=RoomFactory.create(charges="sgames").pk,
        )
        settle_record(table=made.settled.table, text=texts.money(texts.RESIGNED), at=LATER)
        stand_up(table=made.released.table, at=LATER)
        settle(table=made.series.table, outcome=won(1), at=LATER)
        yield made
        connection.close()
        empty_the_tables()


HELD, POSTED, AGAIN, TOLD = (check.__name__ for check in PROOFS)


def forged_record(text: str) -> str:
    """The attack that puts ``text`` in the place of the record, with the hash that it should have."""
    return (
        f"UPDATE games_record SET text = '{text}', sha256 = '{sha256(text.encode()).hexdigest()}'"
        " WHERE table_id = '{settled_table}'"
    )


@pytest.mark.parametrize(
    ("attack", "proof", "told"),
    [
        # An open stake that is not what the book holds.
        ("UPDATE stakes_stake SET cap = 14 WHERE id = '{held}'", HELD, "holds 14.00 USD"),
        ("UPDATE stakes_stake SET currency = 'EUR' WHERE id = '{held}'", HELD, "holds 15.00 EUR"),
        ("UPDATE stakes_stake SET currency = 'XYZ' WHERE id = '{held}'", HELD, "XYZ"),
        ("UPDATE stakes_stake SET stake = 5.001 WHERE id = '{held}'", HELD, "is finer than USD's 0.01"),
        ("UPDATE stakes_stake SET cap = NULL WHERE id = '{held}'", HELD, "cap: is missing"),
        ("UPDATE stakes_stake SET hold_1 = hold_2, hold_2 = hold_1 WHERE id = '{held}'", HELD, "of {ann_of_held}"),
        ("UPDATE stakes_stake SET hold_1 = gen_random_uuid() WHERE id = '{held}'", HELD, "the book nothing"),
        ("DELETE FROM stakes_stake WHERE id = '{held}'", HELD, "is of no open stake"),
        # A state that the book does not know of.
        ("UPDATE stakes_stake SET state = 'released' WHERE id = '{held}'", HELD, "is of no open stake"),
        ("UPDATE stakes_stake SET state = 'settled' WHERE id = '{held}'", POSTED, "nothing tells how"),
        ("UPDATE stakes_stake SET state = 'held' WHERE id = '{released}'", HELD, "the book nothing"),
        ("UPDATE stakes_stake SET state = 'settled' WHERE id = '{released}'", POSTED, "nothing tells how"),
        ("UPDATE stakes_stake SET state = 'held' WHERE id = '{settled}'", HELD, "the book nothing"),
        ("UPDATE stakes_stake SET state = 'released' WHERE id = '{settled}'", POSTED, "was settled and says released"),
        # A hold under the id that a reversal would give it, without the reversal.
        (
            "UPDATE ledger_hold SET id = '{reopened}', state = 'OPEN', closed_by = NULL WHERE id = '{hold}'",
            HELD,
            "is of no open stake",
        ),
        (
            """UPDATE stakes_stake SET cap = 15.001, state = 'released' WHERE id = '{settled}';
               DELETE FROM stakes_stake WHERE id = '{held}'""",
            HELD,
            "is of no open stake",
        ),
        # A settlement that is not what the book moved.
        ("UPDATE settlement_settlement SET commission = 1.48 WHERE stake_id = '{settled}'", POSTED, "something else"),
        ("UPDATE settlement_settlement SET back_1 = 28.54 WHERE stake_id = '{settled}'", POSTED, "something else"),
        ("UPDATE settlement_settlement SET back_2 = 0.01 WHERE stake_id = '{settled}'", POSTED, "something else"),
        (
            "UPDATE settlement_settlement SET back_1 = back_2, back_2 = back_1 WHERE stake_id = '{settled}'",
            POSTED,
            "something else",
        ),
        ("UPDATE settlement_settlement SET key = 'single_settled:x' WHERE stake_id = '{settled}'", POSTED, "nothing"),
        (
            "UPDATE settlement_settlement SET key = 'stake_held:{settled}' WHERE stake_id = '{settled}'",
            POSTED,
            "something else",
        ),
        ("DELETE FROM settlement_settlement WHERE stake_id = '{settled}'", POSTED, "nothing tells how"),
        ("UPDATE games_table SET room_id = '{room}' WHERE id = '{settled_table}'", POSTED, "something else"),
        ("UPDATE stakes_stake SET currency = 'EUR' WHERE id = '{settled}'", POSTED, "something else"),
        ("UPDATE stakes_stake SET cap = 15.001 WHERE id = '{settled}'", POSTED, "is finer than USD's 0.01"),
        ("UPDATE games_table SET player_1_id = player_2_id, player_2_id = player_1_id WHERE id = '{settled_table}'",
         POSTED, "something else"),
        # A contest of which only the book still knows, and one of which only the table does.
        (
            """DELETE FROM settlement_settlement WHERE stake_id = '{settled}';
               DELETE FROM stakes_stake WHERE id = '{settled}'""",
            TOLD,
            "no table tells of that stake",
        ),
        ("DELETE FROM stakes_stake WHERE id = '{released}'", TOLD, "stake_held:{released}, no table"),
        ("UPDATE stakes_stake SET state = 'released' WHERE id = '{held}'", TOLD, "tells of stake_released:{held}"),
        # A settlement whose story is not the one that was paid.
        ("UPDATE settlement_settlement SET lost = 14 WHERE stake_id = '{settled}'", AGAIN, "lost computes to 15.00"),
        ("UPDATE settlement_settlement SET winner = 2 WHERE stake_id = '{series}'", AGAIN, "back to side 1 computes"),
        ("UPDATE settlement_settlement SET winner = NULL WHERE stake_id = '{series}'", AGAIN, "has a winner"),
        ("UPDATE settlement_settlement SET points = 3 WHERE stake_id = '{settled}'", AGAIN, "came out otherwise"),
        ("UPDATE settlement_settlement SET ending = 'dropped' WHERE stake_id = '{settled}'", AGAIN, "out otherwise"),
        ("UPDATE settlement_settlement SET ending = 'bored' WHERE stake_id = '{settled}'", AGAIN, "bored"),
        # Games that are not what was reported.
        ("UPDATE games_game SET winner = 2 WHERE table_id = '{settled_table}'", AGAIN, "replays to other games"),
        ("UPDATE games_game SET plays = 7 WHERE table_id = '{settled_table}'", AGAIN, "replays to other games"),
        ("DELETE FROM games_game WHERE table_id = '{settled_table}'", AGAIN, "replays to other games"),
        ("DELETE FROM games_record WHERE table_id = '{settled_table}'", AGAIN, "has games and no record"),
        (
            "UPDATE games_record SET text = text || chr(10) WHERE table_id = '{settled_table}'",
            AGAIN,
            "is not the one that was reported",
        ),
        ("UPDATE games_record SET sha256 = '' WHERE table_id = '{settled_table}'", AGAIN, "not the one that was"),
        (forged_record(texts.money(texts.DROPPED)), AGAIN, "replays to other games"),
        (forged_record(texts.money(texts.UNFINISHED)), AGAIN, "has no result"),
        (forged_record("nonsense"), AGAIN, "record: "),
        ("UPDATE games_table SET match_length = 7 WHERE id = '{settled_table}'", AGAIN, "record: "),
        ("UPDATE settlement_settlement SET charge = '{{}}' WHERE stake_id = '{settled}'", AGAIN, "told otherwise"),
        (
            """UPDATE settlement_settlement SET charge = jsonb_set(charge, '{{rate}}', '"0.039"')
               WHERE stake_id = '{settled}'""",
            AGAIN,
            "told otherwise",
        ),
        ("UPDATE stakes_stake SET stake = 3 WHERE id = '{settled}'", AGAIN, "lost computes to 12.00, not 15.00"),
        ("UPDATE stakes_stake SET rating_1 = 1700 WHERE id = '{series}'", AGAIN, "commission computes to"),
        (
            """UPDATE stakes_stake SET tariff_id = (SELECT id FROM commission_tariffversion WHERE name = 'sgames')
               WHERE id = '{settled}'""",
            AGAIN,
            "commission computes to 1.50, not 1.47",
        ),
    ],
)  # fmt: skip
def test_a_corruption_turns_its_proof_red(
    house: House, superuser_dsn: str, django_db_blocker: DjangoDbBlocker, attack: str, proof: str, told: str
) -> None:
    names = {**house.names, "ann_of_held": house.held.table.player_1_id}
    with django_db_blocker.unblock(), acting_as(superuser_dsn):
        assert red() == {}
        run_sql("SET LOCAL session_replication_role = replica; " + attack.format(**names))
        assert told.format(**names) in red()[proof]


def test_a_journal_on_the_wrong_side_turns_the_proof_red(
    house: House, superuser_dsn: str, django_db_blocker: DjangoDbBlocker
) -> None:
    """Amounts as they were, debits for credits: the book's own proofs see it, and ours does too."""
    with django_db_blocker.unblock(), acting_as(superuser_dsn):
        run_sql(
            "SET LOCAL session_replication_role = replica;"
            " UPDATE ledger_entry SET side = CASE side WHEN 'DR' THEN 'CR' ELSE 'DR' END WHERE journal_id ="
            f" (SELECT id FROM ledger_journal WHERE key = 'single_settled:{house.settled.pk}')"
        )
        assert "something else" in red()[POSTED]
        assert "fingerprints_match" in failing()


def test_the_house_itself_proves(house: House, superuser_dsn: str, django_db_blocker: DjangoDbBlocker) -> None:
    with django_db_blocker.unblock(), acting_as(superuser_dsn):
        assert (red(), figures()) == ({}, ["2 seats", "2 settlements", "2 settlements", "4 stakes"])
        assert failing() == {}
        assert [check().name for check in PROOFS] == [HELD, POSTED, AGAIN, TOLD]


def test_a_reopened_hold_of_another_amount_is_a_stray(
    house: House, superuser_dsn: str, django_db_blocker: DjangoDbBlocker
) -> None:
    """The reversal is real, the hold is no longer the one it opened."""
    with django_db_blocker.unblock(), acting_as(superuser_dsn):
        book.reverse(key=f"single_settled:{house.settled.pk}", reason="the wrong table", at=LATER)
        assert red() == {}
        run_sql(
            "SET LOCAL session_replication_role = replica;"
            f" UPDATE ledger_hold SET amount = 14 WHERE id = '{house.names['reopened']}'"
        )
        assert "of 14.00 USD is of no open stake" in red()[HELD]
