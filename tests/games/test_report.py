"""Tables are opened once, and their records replayed: what stands is kept, what does not leaves nothing."""

from dataclasses import replace
from uuid import uuid4

import pytest
from django.db import IntegrityError, connection, transaction

from games import services
from games.models import Game, Player, Record, Table
from games.rules.actions import Double, OpeningThrow, PlayCheckers, Roll, Take, TimeOut
from games.rules.endings import Ending, Outcome, Win
from games.rules.record import MatchRecord
from games.rules.record_writing import write
from games.rules.sides import opponent_of
from games.rules.terms import Terms
from games.services import (
    OpenedOtherwise,
    RecordDiffers,
    RecordRefused,
    RecordUnfinished,
    ReportedOtherwise,
    open_table,
    report,
)
from tests.factories import NOON, PlayerFactory, RoomFactory, TableFactory
from tests.games import texts
from tests.games.scribe import Scribe

pytestmark = pytest.mark.django_db

MATCH = texts.record(
    texts.game(texts.DROPPED),
    texts.game(texts.RESIGNED.replace("4 points", "2 points"), number=2, score=(1, 0)),
    length=3,
)
"""Ann wins 3 : 0: a dropped double, then a resigned single game with the cube on 2."""


def kept(table: Table) -> tuple[int, int]:
    return Record.objects.filter(table=table).count(), Game.objects.filter(table=table).count()


@pytest.mark.parametrize(
    ("body", "outcome"),
    [
        (texts.DROPPED, Outcome(winner=1, win=Win.SINGLE, cube=1, points=1, ending=Ending.DROPPED)),
        (texts.RESIGNED, Outcome(winner=1, win=Win.GAMMON, cube=2, points=4, ending=Ending.RESIGNED)),
        (texts.TIMED_OUT, Outcome(winner=2, win=Win.SINGLE, cube=1, points=1, ending=Ending.TIMED_OUT)),
    ],
)
def test_a_record_tells_the_outcome_and_is_kept(body: str, outcome: Outcome) -> None:
    table = TableFactory.create()
    assert report(table=table, text=texts.money(body), at=NOON) == outcome
    assert table.record.text == texts.money(body)
    told = table.games.get()
    assert (told.winner, told.win, told.points, told.ending) == (
        outcome.winner,
        outcome.win,
        outcome.points,
        outcome.ending,
    )


@pytest.mark.parametrize(("jacoby", "points"), [(True, 1), (False, 2)])
def test_the_tables_jacoby_counts_and_not_what_the_record_leaves_unsaid_b_11(jacoby: bool, points: int) -> None:
    """An undoubled gammon; the record ends with its result cut off, so that only the rules say what it was."""
    text = texts.shipped("money-gammon-undoubled")
    cut = "\n".join(line for line in text.splitlines() if "Wins" not in line)
    table = TableFactory.create(jacoby=jacoby)
    assert report(table=table, text=cut, at=NOON).points == points


def test_the_outcome_of_a_match_is_that_of_its_last_game() -> None:
    table = TableFactory.create(match_length=3)
    outcome = report(table=table, text=MATCH, at=NOON)
    assert outcome == Outcome(winner=1, win=Win.SINGLE, cube=2, points=2, ending=Ending.RESIGNED)
    assert [(game.number, game.points) for game in table.games.all()] == [(1, 1), (2, 2)]


def test_a_match_resigned_whole_has_no_kind_of_win_b_19() -> None:
    table = TableFactory.create(match_length=7)
    text = texts.record(texts.game(texts.DOUBLED + "      Wins 7 points\n"), length=7)
    assert report(table=table, text=text, at=NOON) == Outcome(
        winner=1, win=None, cube=2, points=7, ending=Ending.RESIGNED
    )
    assert table.games.get().win == ""


def test_the_same_record_again_changes_nothing() -> None:
    table = TableFactory.create()
    first = report(table=table, text=texts.money(texts.DROPPED), at=NOON)
    assert report(table=table, text=texts.money(texts.DROPPED), at=NOON) == first
    assert kept(table) == (1, 1)


def test_another_record_is_refused_and_the_first_stays() -> None:
    table = TableFactory.create()
    report(table=table, text=texts.money(texts.DROPPED), at=NOON)
    with pytest.raises(ReportedOtherwise, match=str(table.pk)):
        report(table=table, text=texts.money(texts.RESIGNED), at=NOON)
    assert table.record.text == texts.money(texts.DROPPED)
    assert kept(table) == (1, 1)


@pytest.mark.parametrize(
    ("table", "text", "refusal", "reason"),
    [
        # Another contest than the table's.
        ({}, MATCH, RecordRefused, "of a match to 3, the table is for a money game"),
        ({"match_length": 3}, texts.money(texts.DROPPED), RecordRefused, "the table is for a match to 3"),
        ({"match_length": 5}, MATCH, RecordRefused, "the table is for a match to 5"),
        ({}, texts.money(texts.DROPPED, headers='; [Jacoby "On"]\n'), RecordRefused, "Jacoby off"),
        ({"jacoby": True}, texts.money(texts.DROPPED, headers='; [Jacoby "Off"]\n'), RecordRefused, "Jacoby on"),
        (
            {"match_length": 3, "crawford": False},
            '; [Crawford "On"]\n' + MATCH,
            RecordRefused,
            "played with Crawford off",
        ),
        ({}, texts.money(texts.DROPPED) + "\n" + texts.money(texts.DROPPED), RecordDiffers, "number of matches is 2"),
        (
            {},
            texts.record(texts.game(texts.DROPPED), texts.game(texts.DROPPED, number=2, score=(1, 0))),
            RecordDiffers,
            "number of games is 2",
        ),
        # Other rules than the table's.
        (
            {},
            texts.money(texts.OPENING + "  2)  Doubles => 2                Beavers => 4\n  3)  Takes\n"),
            RecordRefused,
            "B-10",
        ),
        (
            {"automatic_doubles": 1},
            texts.money('; [AutomaticDoubles "2"]\n' + texts.DROPPED.replace("=> 2", "=> 8").replace("1 p", "4 p")),
            RecordRefused,
            "B-13",
        ),
        ({}, texts.money(texts.DOUBLED + "  3) 61: 13/7 8/7\n  4)  Doubles => 4\n"), RecordRefused, "B-9"),
        # It does not begin at nil, does not end, does not stand, goes on too long.
        ({}, texts.record(texts.game(texts.DROPPED, score=(1, 0))), RecordRefused, "0 : 0"),
        (
            {"match_length": 3},
            texts.record(texts.game(texts.DROPPED, score=(2, 0)), length=3),
            RecordRefused,
            "the games before make it 0 : 0",
        ),
        ({}, texts.money(texts.UNFINISHED), RecordUnfinished, "game 1 has no result"),
        (
            {"match_length": 3},
            texts.record(texts.game(texts.DROPPED), length=3),
            RecordUnfinished,
            "the match to 3 stands at 1 : 0",
        ),
        ({}, texts.money("  1) 31: 8/4 6/5\n"), RecordRefused, "line 5"),
        (
            {"match_length": 3},
            MATCH + texts.game(texts.DROPPED, number=3, score=(3, 0)),
            RecordRefused,
            "already won",
        ),
        ({}, "", RecordRefused, ""),
        ({}, "no record at all\n", RecordRefused, ""),
        # What PostgreSQL or UTF-8 cannot keep (case 42's kin).
        ({}, texts.money(texts.DROPPED).replace("ann", "a\0n"), RecordRefused, "line 4: a character"),
        ({}, texts.money(texts.DROPPED, headers='; [Site "\ud800"]\n'), RecordRefused, "line 1: a character"),
    ],
)
def test_what_does_not_stand_is_refused_and_nothing_is_kept(
    table: dict[str, object], text: str, refusal: type[Exception], reason: str
) -> None:
    made = TableFactory.create(**table)
    with pytest.raises(refusal) as refused:
        report(table=made, text=text, at=NOON)
    assert reason in str(refused.value)
    assert kept(made) == (0, 0)


@pytest.mark.parametrize(("last", "stands"), [(64, True), (128, False)])
def test_a_cube_beyond_64_is_refused_b_9(last: int, stands: bool) -> None:
    """Some rooms let it go to 1024, and say so in their records; ours do not."""
    scribe = Scribe(Terms(cube_limit=1024))
    scribe.do(OpeningThrow((3, 1)))
    scribe.do(PlayCheckers(1, scribe.game.plays[0].position))
    while scribe.game.cube.value < last:
        turn = scribe.game.turn
        assert turn is not None
        scribe.do(Double(turn))
        scribe.do(Take(opponent_of(turn)))
        scribe.do(Roll(turn, (2, 1)))
        scribe.do(PlayCheckers(turn, scribe.game.plays[0].position))
    assert scribe.game.turn is not None
    scribe.do(TimeOut(scribe.game.turn))
    text = write(MatchRecord(length=0, headers=(("CubeLimit", "1024"),), games=(scribe.record(),)))
    table = TableFactory.create()
    if stands:
        assert report(table=table, text=text, at=NOON).points == 64
    else:
        with pytest.raises(RecordRefused, match="B-9"):
            report(table=table, text=text, at=NOON)
        assert kept(table) == (0, 0)


class TestOpen:
    def test_the_same_again_is_the_same_table(self) -> None:
        first = TableFactory.create(table=uuid4())
        again = open_table(
            room=first.room, zone=first.zone, players=first.seats, match_length=0, at=NOON, table=first.pk
        )
        assert again == first
        assert Table.objects.count() == 1

    @pytest.mark.parametrize("other", ["room", "players", "match_length", "jacoby", "zone", "automatic_doubles"])
    def test_an_id_of_another_table_is_refused(self, other: str) -> None:
        first = TableFactory.create(table=uuid4())
        one, two = first.seats
        same = {"room": first.room, "zone": first.zone, "players": (one, two), "match_length": 0, "table": first.pk}
        change = {
            "room": RoomFactory.create(),
            "players": (two, one),
            "match_length": 3,
            "jacoby": True,
            "zone": "amateurs",
            "automatic_doubles": 1,
        }[other]
        with pytest.raises(OpenedOtherwise, match=str(first.pk)):
            open_table(**{**same, other: change}, at=NOON)  # type: ignore[arg-type]
        assert services.rules_of(Table.objects.get()) == services.rules_of(first)

    @pytest.mark.parametrize(
        ("options", "rule"),
        [
            ({"zone": "beginners"}, "table_is_in_a_zone"),
            ({"match_length": 26}, "table_plays_to_25_at_most"),
            ({"match_length": 3, "jacoby": True}, "table_has_money_options_in_money_play"),
            ({"match_length": 3, "beavers": True}, "table_has_money_options_in_money_play"),
            ({"match_length": 3, "automatic_doubles": 1}, "table_has_money_options_in_money_play"),
        ],
    )
    @pytest.mark.parametrize("known", [False, True])
    def test_what_no_table_can_be_is_refused_by_name(self, options: dict[str, object], rule: str, known: bool) -> None:
        identity = {"table": uuid4()} if known else {}
        with pytest.raises(IntegrityError, match=rule), transaction.atomic():
            TableFactory.create(**options, **identity)

    def test_nobody_plays_against_themselves(self) -> None:
        ann: Player = PlayerFactory.create()
        with pytest.raises(IntegrityError, match="table_seats_two_players"), transaction.atomic():
            TableFactory.create(players=(ann, ann))


def test_a_game_is_of_one_table_once() -> None:
    table = TableFactory.create()
    report(table=table, text=texts.money(texts.DROPPED), at=NOON)
    game = table.games.get()
    game.pk = uuid4()
    with pytest.raises(IntegrityError, match="game_of_a_table_has_its_number"), transaction.atomic():
        game.save(force_insert=True)


def test_refused_names_line_and_reason() -> None:
    table = TableFactory.create()
    with pytest.raises(RecordRefused) as refused:
        report(table=table, text=texts.money("  1) 31: 8/4 6/5\n"), at=NOON)
    assert replace(refused.value.refused, reason="") == replace(refused.value.refused, game=1, line=5, reason="")


@pytest.mark.parametrize(
    ("attack", "refusal"),
    [
        ("UPDATE games_table SET match_length = 3", "table_is_final"),
        ("UPDATE games_table SET jacoby = NOT jacoby", "table_is_final"),
        ("UPDATE games_table SET room_id = gen_random_uuid()", "table_is_final"),
        ("UPDATE games_table SET player_1_id = player_2_id, player_2_id = player_1_id", "table_is_final"),
        ("UPDATE games_table SET opened_at = now()", "table_is_final"),
        ("DELETE FROM games_table", "table_is_final"),
        ("UPDATE games_record SET text = ''", "record_is_final"),
        ("UPDATE games_record SET sha256 = ''", "record_is_final"),
        ("DELETE FROM games_record", "record_is_final"),
        ("UPDATE games_game SET winner = 2", "record_is_final"),
        ("UPDATE games_game SET points = 3", "record_is_final"),
        ("DELETE FROM games_game", "record_is_final"),
    ],
)
def test_a_table_and_what_was_reported_of_it_are_final(attack: str, refusal: str) -> None:
    """Money follows both, after they were agreed to."""
    table = TableFactory.create()
    report(table=table, text=texts.money(texts.DROPPED), at=NOON)
    with pytest.raises(IntegrityError, match=refusal), transaction.atomic():
        connection.cursor().execute(attack)
    assert kept(table) == (1, 1)
