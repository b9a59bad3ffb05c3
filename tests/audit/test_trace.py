"""One contest on one sheet: what an operator, or a player who asks, is shown."""

from datetime import timedelta

import pytest

from games.rules.endings import Win
from ledger import book
from tests.factories import NOON, TableFactory, rated, seated, terms, won
from tests.games import texts
from wagering.audit.trace import as_text, trace
from wagering.settlement.models import Settlement
from wagering.settlement.services import settle, settle_record, void
from wagering.stakes.services import sit_down

pytestmark = pytest.mark.django_db

LATER = NOON + timedelta(hours=1)


def test_a_single_game_s_3() -> None:
    stake = seated(terms("5", cap="15", currency="EUR"), charges="sgames", jacoby=True, beavers=True)
    settle_record(table=stake.table, text=texts.shipped("money-gammon-cube-2"), at=LATER)
    sheet = trace(stake.table)
    assert [(seat.name, str(seat.held), str(seat.back), str(seat.net)) for seat in sheet.seats] == [
        ("ann", "15.00", "28.50", "13.50"),
        ("bob", "15.00", "0.00", "-15.00"),
    ]
    assert [posted.event for posted in sheet.posted] == ["stake_held", "single_settled"]
    text = as_text(sheet)
    for told in (
        f"{stake.table.room} · single game, cap 15.00 · stake 5.00 EUR · tariff sgames 1",
        "game 1: ann wins a gammon, cube 2, 4 points, borne off after",
        "+13.50 EUR   held 15.00, back 28.50   rating 1500.00 → 1510.00",
        "-15.00 EUR   held 15.00, back 0.00   rating 1500.00 → 1490.00",
        "1.50 EUR   of both players, paid by the winner",
        "A player: 15.00 x 0.05 = 0.7500.",
    ):
        assert told in text
    assert "reversed" not in text


def test_a_match_tells_each_game_and_every_step_of_the_commission() -> None:
    table = TableFactory.create(match_length=7)
    rated(table.player_1, "1380")
    rated(table.player_2, "1560")
    stake = seated(terms("10", match_length=7), players=table.seats)
    text = texts.record(
        texts.game(texts.DROPPED), texts.game(texts.DOUBLED + "      Wins 6 points\n", number=2, score=(1, 0)), length=7
    )
    with pytest.raises(Settlement.DoesNotExist):
        trace(stake.table)
    settle_record(table=stake.table, text=text, at=LATER)
    told = as_text(trace(stake.table))
    assert "match to 7 · stake 10.00 USD" in told
    assert "game 1: ann wins a single, cube 1, 1 point, dropped after 2 plays" in told
    assert "game 2: ann wins" in told
    assert "1400*" in told


def test_a_match_given_up_whole_is_won_as_the_match() -> None:
    stake = seated(terms("10", match_length=7))
    text = texts.record(texts.game(texts.DOUBLED + "      Wins 7 points\n"), length=7)
    settle_record(table=stake.table, text=text, at=LATER)
    assert "game 1: ann wins the match, cube 2, 7 points, resigned after 2 plays" in as_text(trace(stake.table))


def test_a_result_without_a_record_is_told_from_the_settlement() -> None:
    stake = seated(terms("5", cap="15"))
    settle(table=stake.table, outcome=won(2, Win.GAMMON), at=LATER)
    assert "  bob wins a gammon, cube 1, 2 points, borne off\n" in as_text(trace(stake.table))


def test_a_void_contest_says_so() -> None:
    stake = seated(terms("5", cap="15"))
    void(table=stake.table, at=LATER)
    sheet = trace(stake.table)
    assert [posted.event for posted in sheet.posted] == ["stake_held", "stake_voided"]
    assert [(str(seat.net), seat.rating_after) for seat in sheet.seats] == [("0.00", None)] * 2
    text = as_text(sheet)
    assert "void, both stakes go back" in text
    assert "rating" not in text


def test_a_reversed_payment_says_so() -> None:
    stake = seated(terms("5", cap="15"))
    settlement = settle(table=stake.table, outcome=won(2), at=LATER)
    book.reverse(key=settlement.key, reason="the wrong table", at=LATER)
    assert as_text(trace(stake.table)).endswith("the payment was reversed in the book since")


def test_a_sheet_is_of_its_own_table_only() -> None:
    stake = seated(terms("5", cap="15"))
    other = TableFactory.create(players=stake.table.seats, room=stake.table.room)
    sit_down(table=other, terms=terms("10", cap="10"), at=NOON)
    settle(table=other, outcome=won(2), at=LATER)
    settle(table=stake.table, outcome=won(1), at=LATER)
    assert [str(seat.net) for seat in trace(other).seats] == ["-10.00", "9.02"]
    assert [str(seat.net) for seat in trace(stake.table).seats] == ["4.51", "-5.00"]
