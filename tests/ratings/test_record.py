"""Rating a contest: both ratings, once, whoever else is at it (R)."""

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from decimal import Decimal
from itertools import pairwise
from uuid import UUID, uuid4

import psycopg
import pytest
from django.db import DatabaseError, IntegrityError, connection, transaction

from games.models import Player
from ratings import selectors, services
from ratings.models import Rating, RatingChange
from ratings.rules import FIRST, Standing, Zone
from ratings.services import RatedContest

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
PROFESSIONALS, AMATEURS = Zone.PROFESSIONALS, Zone.AMATEURS


@pytest.fixture
def ann(db: None) -> Player:
    return Player.objects.create(name="ann")


@pytest.fixture
def bob(db: None) -> Player:
    return Player.objects.create(name="bob")


def record(
    winner: Player, loser: Player, *, contest: UUID | None = None, length: int = 5, zone: Zone = PROFESSIONALS
) -> RatedContest:
    return services.record(contest=contest or uuid4(), zone=zone, winner=winner, loser=loser, length=length, at=NOW)


def standing(player: Player, zone: Zone = PROFESSIONALS) -> Standing:
    return selectors.snapshot(player=player, zone=zone)


def test_a_contest_changes_both_ratings_and_says_how(ann: Player, bob: Player) -> None:
    """R's second row: 1500 v 1500, 5 points, no experience: 22.3607, kept to six decimals."""
    rated = record(ann, bob)
    assert standing(ann) == Standing(rating=Decimal("1522.360680"), experience=5)
    assert standing(bob) == Standing(rating=Decimal("1477.639320"), experience=5)
    assert (rated.winner.rating_before, rated.winner.rating_after) == (FIRST.rating, Decimal("1522.360680"))
    assert (rated.loser.experience_before, rated.loser.experience_after) == (0, 5)
    assert list(RatingChange.objects.values_list("player__name", "won")) == [("ann", True), ("bob", False)]


def test_who_never_played_stands_at_the_start(ann: Player) -> None:
    assert standing(ann) == FIRST
    assert not Rating.objects.exists()


def test_the_two_zones_rate_apart(ann: Player, bob: Player) -> None:
    record(ann, bob, zone=AMATEURS)
    assert standing(ann, PROFESSIONALS) == FIRST
    assert standing(ann, AMATEURS).rating > FIRST.rating


def test_the_same_contest_again_is_the_first_answer(ann: Player, bob: Player) -> None:
    contest = uuid4()
    first, after = record(ann, bob, contest=contest), standing(ann)
    again = record(ann, bob, contest=contest)
    assert (again.winner, again.loser, standing(ann)) == (first.winner, first.loser, after)
    assert RatingChange.objects.count() == 2


def test_the_same_contest_with_another_result_is_refused(ann: Player, bob: Player) -> None:
    contest, carl, dora = uuid4(), Player.objects.create(name="carl"), Player.objects.create(name="dora")
    record(ann, bob, contest=contest)
    after = [standing(player) for player in (ann, bob)]
    for other in (
        {"winner": bob, "loser": ann},
        {"winner": ann, "loser": carl},
        {"winner": carl, "loser": dora},
        {"winner": ann, "loser": bob, "length": 7},
        {"winner": ann, "loser": bob, "zone": AMATEURS},
    ):
        with pytest.raises(services.RatedOtherwise, match=str(contest)):
            record(**other, contest=contest)
    assert [standing(player) for player in (ann, bob)] == after


def test_nobody_is_rated_against_themselves(ann: Player) -> None:
    with pytest.raises(services.RatedAgainstOneself):
        record(ann, ann)


def test_a_settlement_that_fails_leaves_the_ratings_alone(ann: Player, bob: Player) -> None:
    """The caller settles in the same transaction."""

    class SettlementFailed(Exception):
        pass

    def settle() -> None:
        record(ann, bob)
        raise SettlementFailed

    with pytest.raises(SettlementFailed), transaction.atomic():
        settle()
    assert (standing(ann), RatingChange.objects.count()) == (FIRST, 0)


def test_a_change_is_never_edited_or_deleted(ann: Player, bob: Player) -> None:
    change = record(ann, bob).winner
    for attack in (
        lambda: RatingChange.objects.filter(pk=change.pk).update(rating_after=Decimal(3000)),
        change.delete,
    ):
        with pytest.raises(IntegrityError, match="rating_change_is_final"), transaction.atomic():
            attack()


@pytest.mark.parametrize("rating", ["NaN", "10000", "-10000"])
def test_what_is_no_rating_is_refused_by_the_database(ann: Player, rating: str) -> None:
    """Cases 42: numeric accepts NaN, and NaN passes every lower bound."""
    with pytest.raises(DatabaseError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO ratings_rating (player_id, zone, rating, experience) VALUES (%s, 'amateurs', %s::numeric, 0)",
            [ann.pk, rating],
        )


def test_a_third_zone_or_a_second_rating_is_refused(ann: Player) -> None:
    Rating.objects.create(player=ann, zone=AMATEURS)
    for zone, name in (("rated", "rating_is_in_a_zone"), (AMATEURS, "player_has_one_rating_a_zone")):
        with pytest.raises(IntegrityError, match=name), transaction.atomic():
            Rating.objects.create(player=ann, zone=zone)


@pytest.mark.parametrize(
    ("won", "after", "played", "name"),
    [
        (True, "1499", 5, "rating_rises_by_a_win_and_falls_by_a_loss"),
        (False, "1501", 5, "rating_rises_by_a_win_and_falls_by_a_loss"),
        (True, "1501", 6, "experience_grows_by_the_length"),
    ],
)
def test_a_change_that_contradicts_itself_is_refused(
    ann: Player, won: bool, after: str, played: int, name: str
) -> None:
    with pytest.raises(IntegrityError, match=name), transaction.atomic():
        RatingChange.objects.create(
            contest=uuid4(),
            player=ann,
            zone=AMATEURS,
            won=won,
            length=5,
            rating_before=FIRST.rating,
            rating_after=Decimal(after),
            experience_before=0,
            experience_after=played,
            at=NOW,
        )


@pytest.mark.django_db(transaction=True)
def test_contests_at_once_lose_nothing_and_never_deadlock() -> None:
    """Ann beats bob while bob beats ann, again and again, one contest told four times: as if one after the other."""
    ann, bob = Player.objects.create(name="ann"), Player.objects.create(name="bob")
    same = uuid4()

    def play(n: int) -> None:
        try:
            if n % 4 == 0:
                record(ann, bob, contest=same, length=1)
            elif n % 2:
                record(ann, bob, length=1)
            else:
                record(bob, ann, length=1)
        finally:
            connection.close()

    with ThreadPoolExecutor(max_workers=4) as threads:
        list(threads.map(play, range(16)))
    assert RatingChange.objects.count() == 2 * 13
    for player in ann, bob:
        changes = list(RatingChange.objects.filter(player=player).order_by("experience_before"))
        assert [change.experience_before for change in changes] == list(range(13))
        for before, after in pairwise(changes):
            assert before.rating_after == after.rating_before
        assert standing(player) == Standing(rating=changes[-1].rating_after, experience=13)


@pytest.mark.django_db(transaction=True)
def test_even_the_owner_is_refused_by_name(owner_connection: psycopg.Connection) -> None:
    record(Player.objects.create(name="ann"), Player.objects.create(name="bob"))
    for statement in ("UPDATE ratings_ratingchange SET length = 1", "DELETE FROM ratings_ratingchange"):
        with pytest.raises(psycopg.errors.RestrictViolation, match="rating_change_is_final"):
            owner_connection.execute(statement)
