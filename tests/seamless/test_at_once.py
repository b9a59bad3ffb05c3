"""The same and the contrary, at the same moment: one outcome, and everything proves."""

from __future__ import annotations

from collections import Counter
from uuid import uuid4

import pytest

from ledger import book
from tests.factories import escrow, wallet
from tests.seamless.callers import Aggregator, at_once, let_in, player
from wagering.seamless.models import Message, Round

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def server(transactional_db: None) -> Aggregator:
    from tests.seamless.callers import aggregator

    return aggregator()


def copies(server: Aggregator, number: int) -> list[Aggregator]:
    """The same server's other workers."""
    from tests.access.callers import RoomClient

    return [
        Aggregator(server.room, RoomClient(key=server.client.key, secret=server.client.secret)) for _ in range(number)
    ]


def test_one_bet_four_times_at_once(server: Aggregator) -> None:
    ann, bet = player("ann"), uuid4()
    token = let_in(server.room, ann)
    answers = at_once(*[lambda each=each: each.bet(token, transaction_uuid=bet) for each in copies(server, 4)])
    assert {(answer["status"], answer["balance"]) for answer in answers} == {("RS_OK", "90.00")}
    assert (Message.objects.count(), str(escrow(ann))) == (1, "10.00")


def test_one_id_for_two_rounds_at_once(server: Aggregator) -> None:
    ann, bet = player("ann"), uuid4()
    token = let_in(server.room, ann)
    answers = at_once(
        *[lambda each=each, n=n: each.bet(token, transaction_uuid=bet, round=str(n)) for n, each in
          enumerate(copies(server, 4))]
    )  # fmt: skip
    assert Counter(answer["status"] for answer in answers) == {"RS_OK": 1, "RS_ERROR_DUPLICATE_TRANSACTION": 3}


def test_money_for_one_bet_case_1(server: Aggregator) -> None:
    ann = player("ann", "10.00")
    token = let_in(server.room, ann)
    answers = at_once(*[lambda each=each: each.bet(token) for each in copies(server, 5)])
    assert Counter(answer["status"] for answer in answers) == {"RS_OK": 1, "RS_ERROR_NOT_ENOUGH_MONEY": 4}
    assert str(wallet(ann)) == "0.00"


@pytest.mark.parametrize("again", range(5))
def test_a_bet_and_its_rollback_at_once(server: Aggregator, again: int) -> None:
    """Either the bet came first and went back, or it was refused; it never stays."""
    ann, bet = player("ann"), uuid4()
    token = let_in(server.room, ann)
    one, two = copies(server, 2)
    staked, undone = at_once(lambda: one.bet(token, transaction_uuid=bet), lambda: two.rollback(bet))
    if undone["status"] == "RS_OK":
        assert staked["status"] == "RS_OK"
    else:
        assert undone["status"] == "RS_ERROR_TRANSACTION_DOES_NOT_EXIST"
        assert staked["status"] == "RS_ERROR_TRANSACTION_ROLLED_BACK"
    assert (str(wallet(ann)), book.open_holds()) == ("100.00", [])


@pytest.mark.parametrize("again", range(3))
def test_both_claim_to_have_won_and_one_bet_goes_back_at_once(server: Aggregator, again: int) -> None:
    ann, bob = player("ann"), player("bob")
    bets = uuid4(), uuid4()
    for each, bet in zip((ann, bob), bets, strict=True):
        server.bet(let_in(server.room, each), transaction_uuid=bet)
    one, two, three, four = copies(server, 4)
    answers = at_once(
        lambda: one.win(bets[0]),
        lambda: two.win(bets[1]),
        lambda: three.rollback(bets[0]),
        lambda: four.refund(bets[1]),
    )
    assert "RS_OK" in {answer["status"] for answer in answers}
    assert str(wallet(ann) + escrow(ann) + wallet(bob) + escrow(bob) + (Round.objects.get().commission or 0)) == (
        "200.00"
    )


def test_the_first_bets_of_a_round_at_once(server: Aggregator) -> None:
    people = [player(name) for name in ("ann", "bob", "ann", "bob")]
    tokens = [let_in(server.room, each) for each in people]
    answers = at_once(
        *[lambda each=each, token=token: each.bet(token) for each, token in
          zip(copies(server, 4), tokens, strict=True)]
    )  # fmt: skip
    assert {answer["status"] for answer in answers} == {"RS_OK"}
    assert Round.objects.count() == 1
    assert len(book.open_holds()) == 4
