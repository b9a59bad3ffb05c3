"""A batch has exactly the outcome of its vouchers one by one; what stands or falls in it does so alone."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from hashlib import sha256
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.db import DatabaseError, transaction
from hypothesis import HealthCheck, event, given, settings
from hypothesis import strategies as st

from ledger import book, chart
from ledger.book import HoldClosed, HoldExists, InsufficientFunds, KeyReused, Receipt, Refused, UnknownHold
from ledger.chart import AccountRef
from ledger.models import Account, Journal
from ledger.models import Hold as HoldRow
from ledger.vouchers import Hold, Line, Voucher, credit, debit
from tests.ledger.people import (
    ANNS_ESCROW,
    ANNS_WALLET,
    BOB,
    CLEARING,
    NOON,
    deposited,
    hold,
    seated,
    stood_up,
    taken,
    won,
)
from tests.ledger.proving import prove

pytestmark = pytest.mark.django_db


def names(answers: Sequence[Receipt | Refused]) -> list[str]:
    return [
        answer.code if isinstance(answer, Refused) else "replayed" if answer.replayed else "posted"
        for answer in answers
    ]


def test_each_voucher_stands_or_falls_alone() -> None:
    answers = book.post_many([taken("1.00"), deposited("10.00"), taken("6.00"), taken("6.00"), taken("4.00")])
    assert names(answers) == ["insufficient_funds", "posted", "posted", "insufficient_funds", "posted"]
    assert [dict(answer.balances)[ANNS_WALLET] for answer in answers if isinstance(answer, Receipt)] == [
        Decimal("10.00"),
        Decimal("4.00"),
        Decimal("0.00"),
    ]
    assert book.balance(ANNS_WALLET) == 0
    prove()


def test_a_batch_again_is_replayed() -> None:
    batch = [deposited("10.00"), taken("6.00"), deposited("1.00", player=BOB)]
    first = book.post_many(batch)
    again = book.post_many(batch)
    assert names(again) == ["replayed"] * 3
    assert again == [replace(receipt, replayed=True) for receipt in first if isinstance(receipt, Receipt)]
    assert Journal.objects.count() == 3


def test_nothing_makes_an_empty_answer() -> None:
    assert book.post_many([]) == []
    assert book.post_many(iter(())) == []


def test_vouchers_may_come_one_at_a_time() -> None:
    assert names(book.post_many(deposited("1.00") for _ in range(3))) == ["posted"] * 3


@pytest.mark.parametrize("count", [999, 1000, 1001, 2500])
def test_a_thousand_vouchers_are_one_call_and_more_are_several(count: int) -> None:
    answers = book.post_many([deposited("0.01") for _ in range(count)])
    assert names(answers) == ["posted"] * count
    assert [dict(answer.balances)[ANNS_WALLET] for answer in answers if isinstance(answer, Receipt)] == [
        Decimal(place).scaleb(-2) for place in range(1, count + 1)
    ]
    assert book.balance(ANNS_WALLET) == book.balance(CLEARING) == Decimal(count).scaleb(-2)
    prove()


@pytest.mark.django_db(transaction=True)
def test_after_a_failure_half_way_the_same_again_finishes(monkeypatch: pytest.MonkeyPatch) -> None:
    vouchers = [deposited("0.01") for _ in range(1001)]
    real = book._call

    def second_fails(batch: Sequence[Voucher]) -> list[Receipt | Refused]:
        if len(batch) == 1:
            raise DatabaseError("the server is gone")
        return real(batch)

    monkeypatch.setattr(book, "_call", second_fails)
    with pytest.raises(DatabaseError):
        book.post_many(vouchers)
    assert Journal.objects.count() == 1000
    monkeypatch.undo()
    assert names(book.post_many(vouchers)) == ["replayed"] * 1000 + ["posted"]


def test_a_key_twice_in_a_batch_posts_once() -> None:
    deposit = uuid4()
    answers = book.post_many(
        [deposited("5.00", deposit=deposit), deposited("5.00", deposit=deposit), deposited("6.00", deposit=deposit)]
    )
    assert names(answers) == ["posted", "replayed", "key_reused"]
    assert isinstance(answers[2], KeyReused)
    assert book.balance(ANNS_WALLET) == Decimal("5.00")


def test_a_key_refused_first_may_succeed_later_in_the_batch() -> None:
    adjustment = uuid4()
    answers = book.post_many(
        [taken("5.00", adjustment=adjustment), deposited("5.00"), taken("5.00", adjustment=adjustment)]
    )
    assert names(answers) == ["insufficient_funds", "posted", "posted"]


def test_a_hold_opens_and_closes_in_one_batch() -> None:
    ann, bob = hold("5.00"), hold("5.00", player=BOB)
    settle = won(ann, bob, lost="5.00", commission="0.49")
    answers = book.post_many(
        [
            settle,
            deposited("5.00"),
            deposited("5.00", player=BOB),
            seated(ann, bob),
            seated(ann),
            settle,
            stood_up(ann),
            settle,
        ]
    )
    assert names(answers) == [
        "unknown_hold",
        "posted",
        "posted",
        "posted",
        "hold_exists",
        "posted",
        "hold_closed",
        "replayed",
    ]
    assert book.balances([ANNS_WALLET, ANNS_ESCROW]) == {ANNS_WALLET: Decimal("9.51"), ANNS_ESCROW: Decimal("0.00")}
    prove()


def test_a_hold_refused_first_may_open_and_close_later_in_the_batch() -> None:
    """The id was named before, by a voucher that left nothing."""
    one = hold("5.00")
    answers = book.post_many([seated(one), deposited("5.00"), seated(one), stood_up(one)])
    assert names(answers) == ["insufficient_funds", "posted", "posted", "posted"]


def test_a_hold_refused_first_opens_once_later_in_the_batch() -> None:
    one = hold("5.00")
    answers = book.post_many([seated(one), deposited("20.00"), seated(one), seated(one)])
    assert names(answers) == ["insufficient_funds", "posted", "posted", "hold_exists"]
    assert book.open_holds() == [one]


def test_many_accounts_in_one_batch_keep_apart() -> None:
    """More lines than are looked up one by one."""
    players = [uuid4() for _ in range(40)]
    answers = book.post_many(deposited(f"{place}.00", player=player) for place, player in enumerate(players, 1))
    assert names(answers) == ["posted"] * 40
    assert [book.balance(chart.wallet(player, "USD")) for player in players] == [Decimal(n) for n in range(1, 41)]
    assert names(book.post_many(taken("20.00", player=player) for player in players)) == (
        ["insufficient_funds"] * 19 + ["posted"] * 21
    )
    prove()


def test_a_refusal_in_a_batch_says_what_it_would_alone() -> None:
    book.post(deposited("5.00"))
    one, missing = hold("1.00"), hold("1.00")
    batch = [taken("6.00"), seated(one), seated(one), stood_up(missing), stood_up(one), stood_up(one)]
    answers = book.post_many(batch)
    assert [type(answer) for answer in answers] == [
        InsufficientFunds,
        Receipt,
        HoldExists,
        UnknownHold,
        Receipt,
        HoldClosed,
    ]
    assert [answer.key for answer in answers] == [voucher.key for voucher in batch]
    short = answers[0]
    assert isinstance(short, InsufficientFunds)
    assert (short.account, short.balance, short.needed) == (ANNS_WALLET, Decimal("5.00"), Decimal("6.00"))


# --- Batches against their twins ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Twin:
    """A set of accounts, holds and keys of its own. Two of them differ in ids only, which sort alike in both."""

    half: int = field(default_factory=lambda: uuid4().int >> 64)
    names: dict[UUID, str] = field(default_factory=dict)

    def id(self, name: str) -> UUID:
        made = UUID(int=(self.half << 64) + int.from_bytes(sha256(name.encode()).digest()[:8]))
        self.names[made] = name
        return made


Op = tuple[Any, ...]
PLAYERS = ("ann", "bob", "cid")
_player = st.sampled_from(PLAYERS)
_key = st.integers(0, 40)  # now and then one comes again
_amount = st.sampled_from(["0.01", "1.00", "5.00", "7.00", "20.00"])
_hold = st.integers(0, 3)
_holds = st.lists(_hold, min_size=1, max_size=2, unique=True)

_SIT = st.tuples(st.just("hold"), _key, _holds)
_CLOSE = st.tuples(st.just("capture"), _key, _holds, _player) | st.tuples(st.just("release"), _key, _holds)
OPS = st.one_of(
    st.tuples(st.just("in"), _key, _player, _amount),
    st.tuples(st.just("out"), _key, _player, _amount),
    st.tuples(st.just("swap"), _key, _player, _player, _amount),
    _SIT,
    _SIT,
    _SIT,
    _CLOSE,
    _CLOSE,
    st.tuples(st.just("roll"), _key, _hold, _hold),
    st.tuples(st.just("wrong"), _key, _hold),
)


def _of(number: int) -> tuple[str, Decimal]:
    """Whose hold a number is, and of how much; so that those who close it are mostly right."""
    return PLAYERS[number % 3], Decimal(("3.00", "5.00", "12.00")[number % 3])


def _voucher(op: Op, twin: Twin) -> Voucher | None:
    kind, key, *rest = op

    def of(code: str, name: str) -> AccountRef:
        return chart.account(code, twin.id(name), "USD")

    def made(lines: Sequence[Line], **holds: Any) -> Voucher:
        return Voucher(event=kind, key=f"e:{twin.id(f'key {key}')}", occurred_at=NOON, lines=lines, **holds)

    def holds(numbers: Sequence[int]) -> list[Hold]:
        return [Hold(twin.id(f"hold {n}"), twin.id(_of(n)[0]), "USD", _of(n)[1]) for n in numbers]

    def set_aside(numbers: Sequence[int]) -> list[Line]:
        owned = [_of(n) for n in numbers]
        return [debit(of("wallet", player), amount) for player, amount in owned] + [
            credit(of("escrow", player), amount) for player, amount in owned
        ]

    def paid(numbers: Sequence[int], *, to: str | None = None) -> list[Line]:
        owned = [_of(n) for n in numbers]
        fee = Decimal("0.10") if to else Decimal(0)
        lines = [debit(of("escrow", player), amount) for player, amount in owned]
        if to is None:
            return lines + [credit(of("wallet", player), amount) for player, amount in owned]
        total = sum((amount for _, amount in owned), Decimal(0))
        return [*lines, credit(of("wallet", to), total - fee), credit(of("commission", "room"), fee)]

    match kind, rest:
        case "in", [player, amount]:
            return made(
                [debit(of("clearing", "provider"), Decimal(amount)), credit(of("wallet", player), Decimal(amount))]
            )
        case "out", [player, amount]:
            return made(
                [debit(of("wallet", player), Decimal(amount)), credit(of("bank_customers", "bank"), Decimal(amount))]
            )
        case "swap", [giver, taker, amount] if giver != taker:
            return made([debit(of("wallet", giver), Decimal(amount)), credit(of("wallet", taker), Decimal(amount))])
        case "hold", [numbers]:
            return made(set_aside(numbers), opens=holds(numbers))
        case "capture", [numbers, winner]:
            return made(paid(numbers, to=winner), captures=[one.id for one in holds(numbers)])
        case "release", [numbers]:
            return made(paid(numbers), releases=[one.id for one in holds(numbers)])
        case "roll", [old, new] if old != new:
            return (
                made([*paid([old]), *set_aside([new])], releases=[holds([old])[0].id], opens=holds([new]))
                if _of(old) != _of(new)
                else None
            )
        case "wrong", [number]:
            player, _ = _of(number)
            lines = [debit(of("escrow", player), Decimal(1)), credit(of("wallet", player), Decimal(1))]
            return made(lines, releases=[holds([number])[0].id])
    return None


def _one_by_one(vouchers: Sequence[Voucher]) -> list[Receipt | Refused]:
    answers: list[Receipt | Refused] = []
    for voucher in vouchers:
        try:
            answers.append(book.post(voucher))
        except Refused as refusal:
            answers.append(refusal)
    return answers


def _told(answer: Receipt | Refused, twin: Twin) -> tuple[Any, ...]:
    """An answer by the names that the twins share."""
    if isinstance(answer, Receipt):
        after = {(ref.code, twin.names[ref.owner]): amount for ref, amount in answer.balances.items()}
        return ("replayed" if answer.replayed else "posted", answer.event, after)
    text = str(answer)
    for known, name in twin.names.items():
        text = text.replace(str(known), name)
    return (answer.code, text)


def _standing(twin: Twin) -> dict[str, Any]:
    """Everything that is in the book of this twin."""
    rows = Account.objects.filter(owner__in=list(twin.names))
    refs = [AccountRef(row.code, row.owner, row.currency) for row in rows]
    found: dict[str, Any] = {f"{ref.code} {twin.names[ref.owner]}": book.balance(ref) for ref in refs}
    for ref in refs:
        lines = book.statement(ref).lines
        found[f"lines {ref.code} {twin.names[ref.owner]}"] = [
            (line.event, twin.names[UUID(line.key[2:])], line.side, line.amount, line.balance_after) for line in lines
        ]
    holds = HoldRow.objects.filter(id__in=list(twin.names))
    return found | {twin.names[row.id]: (twin.names[row.owner], row.amount, row.state) for row in holds}


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    before=st.lists(OPS, max_size=4),
    ops=st.lists(OPS, min_size=15, max_size=40),
    funds=st.sampled_from(["0.00", "4.00", "9.00", "50.00"]),
)
def test_a_batch_is_its_vouchers_one_by_one(before: list[Op], ops: list[Op], funds: str) -> None:
    first, second = Twin(), Twin()
    opening: list[Op] = [("in", 100 + place, player, funds) for place, player in enumerate(PLAYERS) if funds != "0.00"]
    with transaction.atomic():
        for twin in (first, second):
            _one_by_one([voucher for op in opening + before if (voucher := _voucher(op, twin))])
        batch = book.post_many([voucher for op in ops if (voucher := _voucher(op, first))])
        single = _one_by_one([voucher for op in ops if (voucher := _voucher(op, second))])
        assert [_told(answer, first) for answer in batch] == [_told(answer, second) for answer in single]
        assert _standing(first) == _standing(second)
        prove()
        for name in set(names(batch)):
            event(name)
        transaction.set_rollback(True)
