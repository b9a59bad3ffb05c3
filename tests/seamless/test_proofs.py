"""The proofs find what the rounds and the book say differently. What is broken here is broken by hand."""

from __future__ import annotations

from decimal import Decimal
from uuid import UUID, uuid4

import pytest

from games.models import Player
from ledger import book, postings, proofs
from ledger.vouchers import Hold
from tests.factories import NOON
from tests.seamless.callers import Aggregator, aggregator, let_in, player
from wagering.seamless.models import Message, Round

pytestmark = pytest.mark.django_db


def faults() -> dict[str, str]:
    return {proof.name: proof.fault for proof in proofs.run() if proof.fault}


@pytest.fixture
def ann() -> Player:
    return player("ann")


@pytest.fixture
def house() -> Aggregator:
    return aggregator()


@pytest.fixture
def bet(house: Aggregator, ann: Player) -> Message:
    """Ann's bet of 10.00, which proves."""
    assert house.bet(let_in(house.room, ann))["status"] == "RS_OK"
    assert faults() == {}
    return Message.objects.get()


def told(like: Message, kind: str, amount: str = "10.00", *, reference: UUID | None = None) -> Message:
    """A message that nobody sent, in the round of another."""
    return Message.objects.create(
        room=like.room, transaction=uuid4(), kind=kind, round=like.round, player=like.player, amount=Decimal(amount),
        reference=reference, fingerprint="", status="RS_OK", at=NOON,
    )  # fmt: skip


def test_a_bet_that_is_not_in_the_book(bet: Message) -> None:
    forged = told(bet, "bet")
    found = faults()
    assert found.keys() == {"open_wagers_are_held", "wagers_are_told"}
    assert str(forged.pk) in found["open_wagers_are_held"]


def test_a_hold_that_nobody_bet(bet: Message, ann: Player) -> None:
    hold = Hold(uuid4(), ann.pk, "USD", Decimal("1.00"))
    book.hold(postings.wager_held(wager=hold.id, hold=hold, at=NOON))
    assert faults().keys() == {"open_stakes_are_held", "wagers_are_told"}


def test_a_bet_taken_back_in_words_only(bet: Message) -> None:
    told(bet, "rollback", reference=bet.transaction)
    found = faults()
    assert "still holds it" in found["open_wagers_are_held"]
    assert "wagers_are_told" in found


def test_a_round_closed_in_words_only(bet: Message) -> None:
    Round.objects.update(closed_at=NOON, commission=Decimal("0.00"))
    assert faults().keys() == {"open_wagers_are_held", "wagers_are_told", "rounds_compute_again"}


def test_a_round_that_paid_something_else(bet: Message, ann: Player) -> None:
    assert bet.round
    told(bet, "win", "10.00", reference=bet.transaction)
    bob = player("bob")
    book.post(
        postings.round_settled(
            round=bet.round.pk,
            holds=[bet.hold],
            wins=[postings.Win(bob.pk, Decimal("10.00"))],
            room=bet.room_id,
            commission=Decimal(0),
            currency="USD",
            at=NOON,
        )
    )
    Round.objects.update(closed_at=NOON, commission=Decimal("0.00"))
    assert faults() == {"rounds_compute_again": f"round {bet.round.pk}: the book moved something else"}
