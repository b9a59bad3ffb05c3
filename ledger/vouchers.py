"""Vouchers: a business event in double entry, not yet in the book. Pure; balanced on construction.

Only ``ledger/postings.py`` builds vouchers, so that every way money can move is on that one page.
"""

import hashlib
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from operator import attrgetter
from types import MappingProxyType
from typing import Any, Final
from uuid import UUID

from ledger import money
from ledger.chart import AccountRef, Side, escrow

KEY: Final = re.compile(r"[a-z_]{1,40}:[A-Za-z0-9:_.-]{1,150}")


class UnbalancedVoucher(ValueError):
    """The lines do not balance in some currency, mix the zones, or say nothing at all."""


class InvalidVoucher(ValueError):
    """A key, time, detail or hold that the book would not take."""


@dataclass(frozen=True, slots=True)
class Line:
    """One side of an event: ``amount`` (zero or more, in the account's currency) on DR or CR of ``account``."""

    account: AccountRef
    side: Side
    amount: Decimal

    def __post_init__(self) -> None:
        try:
            exact = money.exact(self.amount, self.account.currency)
        except money.InvalidAmount as error:
            field = f"{self.side} {self.account}"
            raise money.InvalidAmount(field=field, value=error.value, rule=error.rule) from None
        object.__setattr__(self, "amount", exact)


def debit(account: AccountRef, amount: Decimal) -> Line:
    return Line(account, "DR", amount)


def credit(account: AccountRef, amount: Decimal) -> Line:
    return Line(account, "CR", amount)


@dataclass(frozen=True, slots=True)
class Hold:
    """Money set aside in ``owner``'s escrow, under an ``id`` that is closed once: captured or released.

    ``amount`` is brought to the currency's minor digits, as a line's is. Raises InvalidAmount.
    """

    id: UUID
    owner: UUID
    currency: str
    amount: Decimal

    def __post_init__(self) -> None:
        exact = money.exact(self.amount, self.currency, field=f"hold {self.id}")
        object.__setattr__(self, "amount", exact)


@dataclass(frozen=True, slots=True)
class Voucher:
    """What the book is asked to record.

    ``key`` makes the event happen once: ``"<event's word>:<business id>"``, no personal data. ``occurred_at`` is when
    it happened in the world. Lines of one account are merged into their difference; empty ones fall away.
    ``opens`` are holds that this event sets aside, ``captures`` and ``releases`` the holds that it closes.
    Raises UnbalancedVoucher, InvalidVoucher, InvalidAmount.
    """

    event: str
    key: str
    occurred_at: datetime
    lines: Sequence[Line]
    opens: Sequence[Hold] = ()
    captures: Sequence[UUID] = ()
    releases: Sequence[UUID] = ()
    reverses: int | None = None
    detail: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not KEY.fullmatch(self.key):
            raise InvalidVoucher(f"key: {self.key!r} is not '<event>:<business id>' in plain letters and digits")
        if self.occurred_at.tzinfo is None:
            raise InvalidVoucher(f"occurred_at: {self.occurred_at} has no time zone")
        object.__setattr__(self, "lines", _merged(self.lines))
        object.__setattr__(self, "detail", MappingProxyType(dict(self.detail)))
        self._check_detail()
        self._check_balance()
        self._check_holds()

    def _check_balance(self) -> None:
        if not self.lines:
            raise UnbalancedVoucher(f"{self.key}: no line moves anything")
        totals: dict[str, Decimal] = {}
        for line in self.lines:
            signed = line.amount if line.side == "DR" else -line.amount
            totals[line.account.currency] = totals.get(line.account.currency, Decimal(0)) + signed
        if len({money.currency(code).zone for code in totals}) > 1:
            raise UnbalancedVoucher(f"{self.key}: play money and real money never meet, {' and '.join(sorted(totals))}")
        for code, difference in totals.items():
            if difference:
                raise UnbalancedVoucher(f"{self.key}: debits less credits are {difference} {code}, not zero")

    def _check_detail(self) -> None:
        try:
            text = json.dumps(dict(self.detail), ensure_ascii=False, allow_nan=False)
            text.encode()
        except (TypeError, ValueError) as error:
            raise InvalidVoucher(f"detail: cannot be kept as JSON in UTF-8 ({error})") from None
        if "\\u0000" in text:
            raise InvalidVoucher("detail: has a character 0, which no text in the database may have")

    def _check_holds(self) -> None:
        named = [hold.id for hold in self.opens] + list(self.captures) + list(self.releases)
        if len(set(named)) < len(named):
            raise InvalidVoucher(f"{self.key}: names a hold twice")
        for hold in self.opens:
            if not hold.amount:
                raise InvalidVoucher(f"{self.key}: hold {hold.id} sets nothing aside")
        if self.opens and not (self.captures or self.releases):
            # What closing releases only the book knows, so a voucher that also closes is checked there alone.
            opened: dict[AccountRef, Decimal] = {}
            for hold in self.opens:
                ref = escrow(hold.owner, hold.currency)
                opened[ref] = opened.get(ref, Decimal(0)) + hold.amount
            credited = {line.account: line.amount for line in self.lines if line.account.code == "escrow"}
            if credited != opened:
                raise InvalidVoucher(f"{self.key}: the holds are not what the escrow lines set aside")

    @property
    def fingerprint(self) -> bytes:
        """SHA-256 of what the event moves: event, lines and holds; not its times, not its detail."""
        return fingerprint(
            event=self.event,
            lines=((line.side, line.account, line.amount) for line in self.lines),
            opens=self.opens,
            captures=self.captures,
            releases=self.releases,
        )


def fingerprint(
    *,
    event: str,
    lines: Iterable[tuple[Side, AccountRef, Decimal]],
    opens: Iterable[Hold],
    captures: Iterable[UUID],
    releases: Iterable[UUID],
) -> bytes:
    """SHA-256 of the canonical text of an event; the proofs compute it again from the rows of the book."""
    text = [f"{side} {ref.code} {ref.owner} {ref.currency} {amount}" for side, ref, amount in lines]
    text += [f"open {hold.id} {hold.owner} {hold.currency} {hold.amount}" for hold in opens]
    text += [f"capture {hold}" for hold in captures]
    text += [f"release {hold}" for hold in releases]
    return hashlib.sha256("\n".join([event, *sorted(text)]).encode()).digest()


_account: Final = attrgetter("account")


def _merged(lines: Iterable[Line]) -> tuple[Line, ...]:
    """One line an account, its debits and credits set against each other; in account order."""
    lines = list(lines)
    if len({line.account for line in lines}) == len(lines):
        return tuple(sorted([line for line in lines if line.amount], key=_account))
    totals: dict[AccountRef, Decimal] = {}
    for line in lines:
        signed = line.amount if line.side == "DR" else -line.amount
        totals[line.account] = totals.get(line.account, Decimal(0)) + signed
    return tuple(
        Line(account, "DR" if total > 0 else "CR", abs(total)) for account, total in sorted(totals.items()) if total
    )
