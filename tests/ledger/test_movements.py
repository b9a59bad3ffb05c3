"""What an owner's accounts gained and lost, event by event: what limits and statements are counted from."""

from datetime import timedelta
from decimal import Decimal

import pytest

from ledger import book
from tests.ledger.people import ANN, BOB, NOON, deposited, hold, seated, stood_up, taken, won

pytestmark = pytest.mark.django_db

MOMENT = timedelta(microseconds=1)


def told(**wanted: object) -> list[tuple[str, str]]:
    found = book.movements(owner=ANN, currency="USD", **wanted)  # type: ignore[arg-type]
    return [(movement.event, str(movement.amount)) for movement in found]


def test_play_is_what_was_won_and_lost() -> None:
    """What goes from the wallet into escrow and back is no movement of the two together."""
    book.post(deposited("100.00"))
    book.post(deposited("100.00", player=BOB))
    anns, bobs = hold("15.00"), hold("15.00", player=BOB)
    book.post(seated(anns, bobs))
    book.post(won(anns, bobs, lost="10.00", commission="0.98"))
    again, his = hold("15.00"), hold("15.00", player=BOB)
    book.post(seated(again, his))
    book.post(won(his, again, lost="5.00", commission="0.49"))
    left, gone = hold("15.00"), hold("15.00", player=BOB)
    book.post(seated(left, gone))
    book.post(stood_up(left, gone))
    assert told(kinds=("wallet", "escrow")) == [
        ("deposit_confirmed", "100.00"),
        ("single_settled", "9.02"),
        ("single_settled", "-5.00"),
    ]
    assert told(kinds=("escrow",)) == [
        *(("stake_held", "15.00"), ("single_settled", "-15.00")) * 2,
        *(("stake_held", "15.00"), ("stake_released", "-15.00")),
    ]


def test_a_reversal_counts_with_what_it_undid() -> None:
    slip = deposited("9.00")
    book.post(slip)
    book.reverse(key=slip.key, reason="another player's", at=NOON)
    found = book.movements(owner=ANN, currency="USD", kinds=("wallet",))
    assert [(movement.event, movement.of, str(movement.amount)) for movement in found] == [
        ("deposit_confirmed", "deposit_confirmed", "9.00"),
        ("reversal", "deposit_confirmed", "-9.00"),
    ]


def test_a_window_is_open_at_its_start_and_closed_at_its_end() -> None:
    times = [book.post(deposited(f"{amount}.00")).posted_at for amount in (1, 2, 3, 4)]
    amounts = [Decimal(n) for n in (1, 2, 3, 4)]
    for first, since in enumerate(times):
        for last, until in enumerate(times):
            found = book.movements(owner=ANN, currency="USD", kinds=("wallet",), since=since, until=until)
            assert [movement.amount for movement in found] == amounts[first + 1 : last + 1]
            assert [movement.posted_at for movement in found] == times[first + 1 : last + 1]
    assert len(book.movements(owner=ANN, currency="USD", kinds=("wallet",), since=times[0] - MOMENT)) == 4
    assert book.movements(owner=ANN, currency="USD", kinds=("wallet",), until=times[0] - MOMENT) == []


def test_others_other_currencies_and_other_kinds_are_not_told() -> None:
    book.post(deposited("7.00", currency="EUR"))
    book.post(deposited("8.00", player=BOB))
    assert told(kinds=("wallet", "escrow")) == []
    book.post(deposited("9.00"))
    book.post(taken("4.00"))
    assert told(kinds=("escrow",)) == []
    assert told(kinds=("wallet",)) == [("deposit_confirmed", "9.00"), ("manual_adjustment", "-4.00")]
    assert [str(m.amount) for m in book.movements(owner=ANN, currency="EUR", kinds=("wallet",))] == ["7.00"]
