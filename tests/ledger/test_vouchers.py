"""Vouchers: balanced on construction, or not at all; and the fingerprint that tells a retry from a clash."""

from collections.abc import Sequence
from dataclasses import FrozenInstanceError, replace
from datetime import datetime, timedelta
from decimal import Decimal
from hashlib import sha256
from typing import Any
from uuid import UUID, uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger import chart, money
from ledger.vouchers import Hold, InvalidVoucher, Line, UnbalancedVoucher, Voucher, credit, debit
from tests.ledger.people import ANN, ANNS_ESCROW, ANNS_WALLET, BOB, BOBS_ESCROW, BOBS_WALLET, CLEARING, NOON

FIVE = Decimal("5.00")


def voucher(lines: Sequence[Line], **others: Any) -> Voucher:
    return Voucher(**{"event": "test", "key": "test:1", "occurred_at": NOON, "lines": lines, **others})


# --- Lines --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("amount", "written"), [("5", "5.00"), ("5.000", "5.00"), ("5E+1", "50.00"), ("0", "0.00")])
def test_a_line_carries_its_currencys_digits(amount: str, written: str) -> None:
    assert str(debit(ANNS_WALLET, Decimal(amount)).amount) == written
    assert str(Hold(uuid4(), ANN, "USD", Decimal(amount)).amount) == written


@pytest.mark.parametrize(
    "amount",
    [Decimal("5.005"), Decimal("-5"), Decimal("NaN"), Decimal("Infinity"), Decimal("1e12"), 5.0, 5, "5"],
)
def test_what_is_no_exact_amount_makes_no_line_and_no_hold(amount: Any) -> None:
    with pytest.raises(money.InvalidAmount, match="DR wallet"):
        debit(ANNS_WALLET, amount)
    with pytest.raises(money.InvalidAmount, match="hold"):
        Hold(uuid4(), ANN, "USD", amount)


def test_lines_of_one_account_merge_into_their_difference() -> None:
    merged = voucher(
        [
            credit(ANNS_WALLET, Decimal(7)),
            debit(CLEARING, FIVE),
            debit(ANNS_WALLET, Decimal(2)),
            credit(BOBS_WALLET, FIVE),
            debit(BOBS_WALLET, FIVE),
        ]
    )
    assert list(merged.lines) == [debit(CLEARING, FIVE), credit(ANNS_WALLET, FIVE)]


def test_lines_come_in_account_order_however_they_were_given() -> None:
    lines = [credit(ANNS_WALLET, FIVE), credit(BOBS_WALLET, FIVE), debit(CLEARING, 2 * FIVE)]
    assert voucher(lines).lines == voucher(lines[::-1]).lines


def test_a_merged_line_of_a_million_million_is_refused() -> None:
    most = Decimal("999999999999.99")
    with pytest.raises(money.InvalidAmount):
        voucher([debit(CLEARING, most), debit(CLEARING, most), credit(ANNS_WALLET, most), credit(ANNS_WALLET, most)])


# --- Balance ------------------------------------------------------------------------------------------------------


def test_a_balanced_voucher_stands() -> None:
    assert voucher([debit(CLEARING, FIVE), credit(ANNS_WALLET, FIVE)]).lines


@pytest.mark.parametrize(
    ("lines", "difference"),
    [
        ([debit(CLEARING, FIVE)], r"5\.00 USD"),
        ([credit(ANNS_WALLET, FIVE)], r"-5\.00 USD"),
        ([debit(CLEARING, FIVE), debit(ANNS_WALLET, FIVE)], r"10\.00 USD"),
        ([debit(CLEARING, FIVE), credit(ANNS_WALLET, Decimal("4.99"))], r"0\.01 USD"),
        ([debit(CLEARING, FIVE), credit(chart.wallet(ANN, "EUR"), FIVE)], r"5\.00 USD|-5\.00 EUR"),
    ],
)
def test_an_unbalanced_voucher_is_refused(lines: list[Line], difference: str) -> None:
    with pytest.raises(UnbalancedVoucher, match=f"debits less credits are ({difference}), not zero"):
        voucher(lines)


@pytest.mark.parametrize(
    "lines",
    [
        [],
        [debit(CLEARING, Decimal(0)), credit(ANNS_WALLET, Decimal(0))],
        [debit(ANNS_WALLET, FIVE), credit(ANNS_WALLET, FIVE)],
    ],
)
def test_a_voucher_that_moves_nothing_is_refused(lines: list[Line]) -> None:
    with pytest.raises(UnbalancedVoucher, match="no line moves anything"):
        voucher(lines)


def test_play_money_never_meets_real_money() -> None:
    """Not even in a voucher that balances in each (Z)."""
    play = [debit(chart.house("play_issued", "PLAY"), FIVE), credit(chart.wallet(ANN, "PLAY"), FIVE)]
    with pytest.raises(UnbalancedVoucher, match="never meet, PLAY and USD"):
        voucher([debit(CLEARING, FIVE), credit(ANNS_WALLET, FIVE), *play])


def test_each_currency_balances_on_its_own() -> None:
    euros = [debit(chart.wallet(ANN, "EUR"), FIVE), credit(chart.wallet(BOB, "EUR"), FIVE)]
    assert len(voucher([debit(CLEARING, FIVE), credit(ANNS_WALLET, FIVE), *euros]).lines) == 4


@given(cents=st.lists(st.integers(-(10**9), 10**9), min_size=2, max_size=8))
def test_any_lines_balance_or_are_refused(cents: list[int]) -> None:
    """Every voucher that exists has debits equal to credits, one line an account, none of them empty."""
    accounts = (ANNS_WALLET, BOBS_WALLET, CLEARING, ANNS_ESCROW)
    lines = [
        (debit if cent > 0 else credit)(accounts[place % 4], Decimal(abs(cent)).scaleb(-2))
        for place, cent in enumerate(cents)
    ]
    net = [sum(cents[place::4]) for place in range(4)]
    if sum(cents) or not any(net):
        with pytest.raises(UnbalancedVoucher):
            voucher(lines)
        return
    made = {line.account: line.amount if line.side == "DR" else -line.amount for line in voucher(lines).lines}
    assert made == {ref: Decimal(cent).scaleb(-2) for ref, cent in zip(accounts, net, strict=True) if cent}


# --- Key and time -------------------------------------------------------------------------------------------------

BALANCED = (debit(CLEARING, FIVE), credit(ANNS_WALLET, FIVE))


@pytest.mark.parametrize("key", ["deposit_confirmed:1", "x:A-b_c.9", "e:a:b", f"e:{UUID(int=7)}", "e:" + "1" * 150])
def test_a_key_names_event_and_business_id(key: str) -> None:
    assert voucher(BALANCED, key=key).key == key


@pytest.mark.parametrize(
    "key",
    [
        "",
        "e",
        "e:",
        ":1",
        "E:1",
        "e: 1",
        "e:1\n",
        "e:ä",
        "e:１",
        "e1:1",
        "e:1 ",
        "e:" + "1" * 151,
        "e" * 41 + ":1",
        "e:\x00",
    ],
)
def test_another_key_is_refused(key: str) -> None:
    with pytest.raises(InvalidVoucher, match=r"^key: "):
        voucher(BALANCED, key=key)


def test_a_time_without_a_zone_is_refused() -> None:
    with pytest.raises(InvalidVoucher, match="has no time zone"):
        voucher(BALANCED, occurred_at=datetime(2026, 3, 1, 12))  # noqa: DTZ001


def test_a_voucher_does_not_change() -> None:
    made = voucher(BALANCED, detail={"reason": "because"})
    with pytest.raises(FrozenInstanceError):
        made.key = "other:1"  # type: ignore[misc]
    with pytest.raises(TypeError):
        made.detail["reason"] = "another"  # type: ignore[index]


# --- Holds --------------------------------------------------------------------------------------------------------

ASIDE = (debit(ANNS_WALLET, FIVE), credit(ANNS_ESCROW, FIVE))


def test_a_hold_is_what_its_escrow_line_sets_aside() -> None:
    one = Hold(uuid4(), ANN, "USD", FIVE)
    assert voucher(ASIDE, opens=(one,)).opens == (one,)
    halves = [Hold(uuid4(), ANN, "USD", Decimal("2.50")) for _ in range(2)]
    assert voucher(ASIDE, opens=halves)


@pytest.mark.parametrize(
    "holds",
    [
        [Hold(uuid4(), ANN, "USD", Decimal("4.99"))],
        [Hold(uuid4(), BOB, "USD", FIVE)],
        [Hold(uuid4(), ANN, "EUR", FIVE)],
        [Hold(uuid4(), ANN, "USD", FIVE), Hold(uuid4(), ANN, "USD", FIVE)],
    ],
)
def test_a_hold_that_its_escrow_line_does_not_set_aside_is_refused(holds: list[Hold]) -> None:
    with pytest.raises(InvalidVoucher, match="not what the escrow lines set aside"):
        voucher(ASIDE, opens=holds)


def test_a_hold_of_nothing_is_refused() -> None:
    with pytest.raises(InvalidVoucher, match="sets nothing aside"):
        voucher(ASIDE, opens=[Hold(uuid4(), ANN, "USD", FIVE), Hold(uuid4(), ANN, "USD", Decimal(0))])


@pytest.mark.parametrize("others", [{"captures": 2}, {"releases": 2}, {"captures": 1, "releases": 1}])
def test_a_hold_is_named_once(others: dict[str, int]) -> None:
    one = uuid4()
    with pytest.raises(InvalidVoucher, match="names a hold twice"):
        voucher(
            [debit(ANNS_ESCROW, FIVE), credit(ANNS_WALLET, FIVE)],
            **{name: [one] * times for name, times in others.items()},
        )


def test_a_hold_is_not_opened_and_closed_at_once() -> None:
    one = Hold(uuid4(), ANN, "USD", FIVE)
    with pytest.raises(InvalidVoucher, match="names a hold twice"):
        voucher(ASIDE, opens=[one], releases=[one.id])


# --- Fingerprint --------------------------------------------------------------------------------------------------


def test_a_retry_has_the_same_fingerprint() -> None:
    one = Hold(uuid4(), ANN, "USD", FIVE)
    made = voucher(ASIDE, opens=[one])
    again = voucher(
        [credit(ANNS_ESCROW, Decimal("5.0")), debit(ANNS_WALLET, Decimal(5))],
        opens=[Hold(one.id, ANN, "USD", Decimal("5.0"))],
        key="another:1",
        occurred_at=NOON + timedelta(seconds=9),
        detail={"reason": "a retry"},
    )
    assert made.fingerprint == again.fingerprint


HOLD = Hold(uuid4(), ANN, "USD", FIVE)
CLOSING = voucher([debit(ANNS_ESCROW, FIVE), credit(ANNS_WALLET, FIVE)], captures=[HOLD.id])


@pytest.mark.parametrize(
    "other",
    [
        replace(CLOSING, event="other"),
        replace(CLOSING, captures=[uuid4()]),
        replace(CLOSING, captures=[], releases=[HOLD.id]),
        replace(CLOSING, captures=[]),
        replace(CLOSING, lines=[debit(ANNS_ESCROW, FIVE), credit(BOBS_WALLET, FIVE)]),
        replace(CLOSING, lines=[debit(BOBS_ESCROW, FIVE), credit(ANNS_WALLET, FIVE)]),
        replace(CLOSING, lines=[debit(ANNS_WALLET, FIVE), credit(ANNS_ESCROW, FIVE)]),
        replace(CLOSING, lines=[debit(ANNS_ESCROW, Decimal("5.01")), credit(ANNS_WALLET, Decimal("5.01"))]),
    ],
)
def test_another_content_has_another_fingerprint(other: Voucher) -> None:
    assert other.fingerprint != CLOSING.fingerprint


def test_the_fingerprint_stays_what_it_is() -> None:
    """Stored for ever, and computed again by a proof: a change here would make every retry across it a clash."""
    one = Hold(UUID(int=1), ANN, "USD", FIVE)
    text = f"""test
CR escrow {ANN} USD 5.00
DR wallet {ANN} USD 5.00
open 00000000-0000-0000-0000-000000000001 {ANN} USD 5.00"""
    assert voucher(ASIDE, opens=[one]).fingerprint == sha256(text.encode()).digest()
    closing = f"test\nCR wallet {ANN} USD 5.00\nDR escrow {ANN} USD 5.00\ncapture {HOLD.id}"
    assert CLOSING.fingerprint == sha256(closing.encode()).digest()


@pytest.mark.parametrize("text", ["a\x00b", "a\ud800b"], ids=["character 0", "half a surrogate pair"])
def test_a_detail_that_cannot_be_kept_is_refused(text: str) -> None:
    lines = [debit(CLEARING, FIVE), credit(ANNS_WALLET, FIVE)]
    with pytest.raises(InvalidVoucher, match=r"^detail: "):
        Voucher(
            event="deposit_confirmed", key="deposit_confirmed:1", occurred_at=NOON, lines=lines, detail={"why": text}
        )


def test_a_detail_that_is_no_json_is_refused() -> None:
    lines = [debit(CLEARING, FIVE), credit(ANNS_WALLET, FIVE)]
    with pytest.raises(InvalidVoucher, match=r"^detail: "):
        Voucher(
            event="deposit_confirmed", key="deposit_confirmed:1", occurred_at=NOON, lines=lines, detail={"why": {1}}
        )
