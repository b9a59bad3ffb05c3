"""The book against a model of a few dictionaries, over long random lives; at the end of each everything proves."""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.db import transaction
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from ledger import book, chart, seals
from ledger.book import HoldClosed, InsufficientFunds, KeyReused, NotReversible, Receipt, Refused
from ledger.chart import KINDS, AccountRef
from ledger.vouchers import Hold, Voucher
from tests.ledger.people import ANN, BOB, CLEARING, COMMISSION, NOON, deposited, seated, stood_up, taken, won
from tests.ledger.proving import prove

PLAYERS = (ANN, BOB, UUID(int=0xC1D))
AMOUNTS = st.sampled_from(["0.01", "0.10", "1.00", "4.99", "5.00", "20.00", "100.00"])
players = st.sampled_from(PLAYERS)
places = st.integers(0, 10**6)


@dataclass
class Known:
    """A voucher that the book took, and what it answered."""

    voucher: Voucher
    receipt: Receipt
    undone: bool = False


class Life(RuleBasedStateMachine):
    """Rules do a thing to the book and to the model; the invariant compares the two."""

    def __init__(self) -> None:
        super().__init__()
        self.savepoint = transaction.atomic()
        self.savepoint.__enter__()
        self.standing: dict[AccountRef, Decimal] = {}
        self.holds: dict[UUID, tuple[Hold, bool]] = {}
        self.known: list[Known] = []
        self.past: dict[datetime, dict[AccountRef, Decimal]] = {}  # a batch is recorded at one instant

    def teardown(self) -> None:
        try:
            book.roll_up()
            self._compare()
            for at, then in list(self.past.items())[:: max(1, len(self.past) // 5)]:
                assert {account: book.balance_at(account, at) for account in then} == then
            prove()
        finally:
            transaction.set_rollback(True)
            self.savepoint.__exit__(None, None, None)

    # --- The model ---

    def _effects(self, voucher: Voucher) -> dict[AccountRef, Decimal]:
        return {
            line.account: line.amount if KINDS[line.account.code].grows_on == line.side else -line.amount
            for line in voucher.lines
        }

    def _short(self, voucher: Voucher) -> set[AccountRef]:
        """Guarded accounts that the voucher would overdraw."""
        return {
            account
            for account, effect in self._effects(voucher).items()
            if KINDS[account.code].guarded and self.standing.get(account, Decimal(0)) + effect < 0
        }

    def _closed(self, voucher: Voucher) -> bool:
        return any(not self.holds[one][1] for one in (*voucher.captures, *voucher.releases))

    def _took(self, voucher: Voucher, receipt: Receipt) -> None:
        assert (receipt.key, receipt.event, receipt.replayed) == (voucher.key, voucher.event, False)
        for account, effect in self._effects(voucher).items():
            self.standing[account] = self.standing.get(account, Decimal(0)) + effect
        cold = {line.account for line in voucher.lines if not KINDS[line.account.code].hot}
        assert receipt.balances == {account: self.standing[account] for account in cold}
        for one in voucher.opens:
            self.holds[one.id] = (one, True)
        for closed in (*voucher.captures, *voucher.releases):
            self.holds[closed] = (self.holds[closed][0], False)
        self.known.append(Known(voucher, receipt))
        self.past[receipt.posted_at] = dict(self.standing)

    def _answered(self, voucher: Voucher, answer: Receipt | Refused) -> None:
        """The book said what the model says."""
        if self._closed(voucher):
            assert isinstance(answer, HoldClosed)
        elif short := self._short(voucher):
            assert isinstance(answer, InsufficientFunds)
            assert answer.account in short
            assert answer.balance == self.standing.get(answer.account, Decimal(0))
        else:
            assert isinstance(answer, Receipt), answer
            self._took(voucher, answer)

    def _post(self, voucher: Voucher) -> None:
        try:
            answer: Receipt | Refused = book.post(voucher)
        except Refused as refusal:
            answer = refusal
        self._answered(voucher, answer)

    def _hold(self, place: int) -> Hold:
        """Any hold ever opened; mostly one that is still open."""
        some = [one for one, is_open in self.holds.values() if is_open or place % 5 == 0]
        some = some or [one for one, _ in self.holds.values()]
        return some[place % len(some)]

    def _compare(self) -> None:
        assert book.balances(self.standing) == self.standing
        standing_open = [one for one, is_open in self.holds.values() if is_open]
        assert book.open_holds() == sorted(standing_open, key=lambda one: one.id)

    # --- What may happen ---

    @initialize(amount=AMOUNTS)
    def everyone_has_something(self, amount: str) -> None:
        for player in PLAYERS:
            self._post(deposited(amount, player=player))

    @rule(player=players, amount=AMOUNTS)
    def pay_in(self, player: UUID, amount: str) -> None:
        self._post(deposited(amount, player=player))

    @rule(player=players, amount=AMOUNTS)
    def take_out(self, player: UUID, amount: str) -> None:
        self._post(taken(amount, player=player))

    @rule(first=players, second=players, amount=AMOUNTS, other=AMOUNTS)
    def sit_down(self, first: UUID, second: UUID, amount: str, other: str) -> None:
        holds = [Hold(uuid4(), first, "USD", Decimal(amount))]
        if second != first:
            holds.append(Hold(uuid4(), second, "USD", Decimal(other)))
        self._post(seated(*holds))

    @precondition(lambda self: self.holds)
    @rule(place=places)
    def stand_up(self, place: int) -> None:
        self._post(stood_up(self._hold(place)))

    @precondition(lambda self: len(self.holds) > 1)
    @rule(place=places, other=places, fee=st.sampled_from(["0", "0.01"]))
    def settle(self, place: int, other: int, fee: str) -> None:
        winner, loser = self._hold(place), self._hold(other)
        if winner.id != loser.id:
            self._post(won(winner, loser, lost=str(loser.amount), commission=fee))

    @precondition(lambda self: self.known)
    @rule(place=places)
    def ask_again(self, place: int) -> None:
        before = self.known[place % len(self.known)]
        again = replace(before.voucher, occurred_at=NOON + timedelta(days=1))
        assert book.post(again) == replace(before.receipt, replayed=True)

    @precondition(lambda self: self.known)
    @rule(place=places, amount=AMOUNTS)
    def use_a_key_for_something_else(self, place: int, amount: str) -> None:
        before = self.known[place % len(self.known)].voucher
        other = replace(deposited(amount, player=uuid4()), key=before.key)
        with pytest.raises(KeyReused):
            book.post(other)

    @precondition(lambda self: self.known)
    @rule(place=places)
    def reverse(self, place: int) -> None:
        before = self.known[place % len(self.known)]
        voucher = before.voucher
        try:
            receipt = book.reverse(key=voucher.key, reason="a mistake", at=NOON)
        except NotReversible:
            assert voucher.event == "reversal" or voucher.opens
            return
        except InsufficientFunds:
            return
        assert not voucher.opens
        if before.undone:
            assert receipt.replayed
            return
        before.undone = True
        closed = [self.holds[one][0] for one in (*voucher.captures, *voucher.releases)]
        mirror = replace(
            voucher,
            event="reversal",
            key=receipt.key,
            lines=[replace(line, side="CR" if line.side == "DR" else "DR") for line in voucher.lines],
            opens=[replace(one, id=book.reopened(one.id)) for one in sorted(closed, key=lambda one: one.id)],
            captures=(),
            releases=(),
        )
        self._took(mirror, receipt)

    @rule(wants=st.lists(st.tuples(st.booleans(), players, AMOUNTS, places), min_size=2, max_size=8))
    def post_many(self, wants: list[tuple[bool, UUID, str, int]]) -> None:
        batch = [
            deposited(amount, player=player)
            if pays_in
            else stood_up(self._hold(place))
            if place % 2 and self.holds
            else taken(amount, player=player)
            for pays_in, player, amount, place in wants
        ]
        answers = book.post_many(batch)
        for voucher, answer in zip(batch, answers, strict=True):
            self._answered(voucher, answer)

    @rule()
    def roll_up(self) -> None:
        book.roll_up()
        assert book.roll_up() == 0

    @rule(at_most=st.integers(1, 5))
    def seal(self, at_most: int) -> None:
        seals.seal(at_most=at_most)

    @rule(account=st.sampled_from([chart.wallet(ANN, "USD"), chart.escrow(BOB, "USD"), CLEARING, COMMISSION]))
    def read_a_statement(self, account: AccountRef) -> None:
        lines = [
            (one.voucher.key, line.side, line.amount)
            for one in self.known
            for line in one.voucher.lines
            if line.account == account
        ]
        page: Any = book.statement(account, limit=1000)
        assert [(line.key, line.side, line.amount) for line in page.lines] == lines
        assert (page.opening, page.closing) == (0, self.standing.get(account, Decimal(0)))

    @invariant()
    def the_book_is_the_model(self) -> None:
        self._compare()

    @invariant()
    def no_customer_money_is_missing(self) -> None:
        """P-4: what we hold is what we owe."""
        total = {"bank_customers": 1, "clearing": 1, "wallet": -1, "escrow": -1, "commission": -1}
        assert sum(total.get(account.code, 0) * amount for account, amount in self.standing.items()) == 0


@pytest.mark.django_db
def test_a_random_life_of_the_book_is_what_the_model_says() -> None:
    run_state_machine_as_test(
        Life,
        settings=settings(
            max_examples=20,
            stateful_step_count=35,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
