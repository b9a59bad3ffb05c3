"""The door: everything that goes into the book, and what others may read of it.

A voucher goes in by one call of ``ledger_post`` (``ledger/sql/post.sql``), one round trip. A transaction posts once,
and last: the locks it takes are then held for a moment only. Refusals come in the order of precedence that post.sql
lists.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any, Final, Literal
from uuid import UUID, uuid5

from django.db import connection

from ledger import money, postings, wire
from ledger.chart import AccountRef, Side
from ledger.vouchers import Hold, Line, Voucher

BATCH: Final = 1000
"""Vouchers that go in by one call."""


class Refused(Exception):
    """The book said no; nothing of the voucher is in it and its key may be tried again."""

    code = "refused"

    def __init__(self, voucher_key: str, message: str) -> None:
        super().__init__(f"{voucher_key}: {message}")
        self.key = voucher_key


class InsufficientFunds(Refused):
    """A guarded account would fall below zero. ``account``, its ``balance`` and what was ``needed`` say by how much."""

    code = "insufficient_funds"

    def __init__(self, voucher_key: str, account: AccountRef, balance: Decimal, needed: Decimal) -> None:
        super().__init__(voucher_key, f"{account} holds {balance}, {needed} is needed")
        self.account, self.balance, self.needed = account, balance, needed


class KeyReused(Refused):
    """The key is in the book already, for something else."""

    code = "key_reused"


class UnknownHold(Refused):
    """The voucher closes a hold that was never opened."""

    code = "unknown_hold"


class HoldClosed(Refused):
    """The voucher closes a hold that is closed already."""

    code = "hold_closed"


class HoldExists(Refused):
    """The voucher opens a hold whose id is taken."""

    code = "hold_exists"


class HoldsDiffer(Refused):
    """An escrow account would move by more or less than the holds that the voucher opens and closes."""

    code = "holds_differ"


class UnknownKey(Refused):
    """No journal has this key."""

    code = "unknown_key"


class NotReversible(Refused):
    """A reversal is not reversed: what was right is posted anew, under a key of its own.

    Nor is what opened holds: those are released, by whoever keeps the table or the order that they are of.
    """

    code = "not_reversible"


@dataclass(frozen=True, slots=True)
class Receipt:
    """The book's answer. ``balances`` are those of the voucher's cold accounts just after it.

    ``replayed`` says that the event was in the book before; everything else is then as it was answered first.
    """

    key: str
    event: str
    posted_at: datetime
    balances: Mapping[AccountRef, Decimal]
    replayed: bool


@dataclass(frozen=True, slots=True)
class StatementLine:
    """One entry of an account, with the event that caused it. ``version`` orders them.

    ``undoes`` is the key of what a reversal reversed, None for any other event.
    """

    version: int
    event: str
    key: str
    occurred_at: datetime
    posted_at: datetime
    side: Side
    amount: Decimal
    balance_after: Decimal
    detail: Mapping[str, Any]
    undoes: str | None


@dataclass(frozen=True, slots=True)
class Statement:
    """A page of an account: ``opening`` plus and minus its ``lines`` is ``closing``.

    ``cursor`` is None on the last page.
    """

    account: AccountRef
    opening: Decimal
    lines: Sequence[StatementLine]
    closing: Decimal
    cursor: int | None


@dataclass(frozen=True, slots=True)
class Movement:
    """What one event did to what an owner has: ``amount`` is above zero if it grew.

    ``of`` is what it belongs to when things are counted: the event itself, or for a reversal what that undid.
    """

    key: str
    event: str
    of: str
    posted_at: datetime
    amount: Decimal


@dataclass(frozen=True, slots=True)
class TrialLine:
    """One kind of account in one currency: what went in on either side, and the ``balance`` on its own side."""

    currency: str
    kind: str
    debits: Decimal
    credits: Decimal
    balance: Decimal


@dataclass(frozen=True, slots=True)
class Posted:
    """A journal as it stands in the book: what a voucher became."""

    key: str
    event: str
    occurred_at: datetime
    posted_at: datetime
    lines: Sequence[Line]
    detail: Mapping[str, Any]
    reversed: bool


# --- Writing ----------------------------------------------------------------------------------------------------------


def post(voucher: Voucher) -> Receipt:
    """Record ``voucher`` once; the same again returns the first receipt.

    Raises InsufficientFunds, KeyReused, UnknownHold, HoldClosed, HoldExists, HoldsDiffer.
    """
    (answer,) = _call([voucher])
    if isinstance(answer, Refused):
        raise answer
    return answer


def post_many(vouchers: Iterable[Voucher]) -> list[Receipt | Refused]:
    """Record each voucher, or not, exactly as ``post`` would one by one, in their order; one answer a voucher.

    Goes in by batches of up to 1,000, each a transaction of its own unless the caller has one: locks are held for a
    batch only. After a failure half-way the same vouchers again finish the rest; what was recorded is replayed.
    """
    return [answer for batch in _batches(vouchers) for answer in _call(batch)]


def hold(voucher: Voucher) -> Receipt:
    """Set money aside: ``post`` for a voucher that opens holds."""
    assert voucher.opens and not voucher.captures and not voucher.releases, f"{voucher.key} does not only open holds"
    return post(voucher)


def capture(voucher: Voucher) -> Receipt:
    """Pay out what was set aside: ``post`` for a voucher that captures holds and empties exactly what they hold."""
    assert voucher.captures and not voucher.opens, f"{voucher.key} does not capture holds"
    return post(voucher)


def release(voucher: Voucher) -> Receipt:
    """Give back what was set aside: ``post`` for a voucher that releases holds."""
    assert voucher.releases and not voucher.opens, f"{voucher.key} does not release holds"
    return post(voucher)


def reverse(*, key: str, reason: str, at: datetime) -> Receipt:
    """Undo the journal of ``key`` by one that mirrors it, once; the same again returns the first receipt.

    Money that goes back into escrow does so under a new hold, ``reopened(old hold)``. Raises UnknownKey, NotReversible,
    InsufficientFunds if the money has gone on.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT id, reverses FROM ledger_journal WHERE key = %s",
            [key],
        )
        found = cursor.fetchone()
        if found is None:
            raise UnknownKey(key, "no journal has this key")
        journal, reverses = found
        if reverses is not None:
            raise NotReversible(key, "a reversal is not reversed; post what is right anew")
        cursor.execute("SELECT EXISTS (SELECT FROM ledger_hold WHERE opened_by = %s)", [journal])
        if cursor.fetchone()[0]:
            raise NotReversible(key, "it opened holds; release its holds instead: stand up or void")
        cursor.execute(
            "SELECT id, owner, currency, amount FROM ledger_hold WHERE closed_by = %s ORDER BY id", [journal]
        )
        closed = [Hold(reopened(row[0]), *row[1:]) for row in cursor.fetchall()]
    return post(
        postings.reversal(journal=journal, lines=_lines_of(journal), opens=closed, reason=reason, at=at),
    )


def reopened(hold: UUID) -> UUID:
    """The id of the hold that takes the place of ``hold`` when the journal that closed it is reversed."""
    return uuid5(hold, "reversed")


def roll_up() -> int:
    """Fold what hot accounts have gathered into their balances; how many entries were folded. Safe at any time."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT ledger_roll_up()")
        return int(cursor.fetchone()[0])


# --- Reading ----------------------------------------------------------------------------------------------------------


def balances(accounts: Iterable[AccountRef]) -> dict[AccountRef, Decimal]:
    """What each account holds now, all at one moment; zero for one that was never used."""
    wanted = list(accounts)
    with connection.cursor() as cursor:
        cursor.execute(
            """
            SELECT coalesce(b.amount, 0) + CASE WHEN b.hot THEN coalesce(
                       (SELECT sum(CASE WHEN e.side = a.grows_on THEN e.amount ELSE -e.amount END)
                        FROM ledger_entry e WHERE e.account_id = a.id AND e.version > b.version), 0) ELSE 0 END
            FROM unnest(%s::text[], %s::uuid[], %s::text[]) WITH ORDINALITY AS w (code, owner, currency, place)
            LEFT JOIN ledger_account a ON a.code = w.code AND a.owner = w.owner AND a.currency = w.currency
            LEFT JOIN ledger_balance b ON b.account_id = a.id
            ORDER BY w.place
            """,
            [[a.code for a in wanted], [a.owner for a in wanted], [a.currency for a in wanted]],
        )
        rows = cursor.fetchall()
    return {account: _at_minor_digits(amount, account) for account, (amount,) in zip(wanted, rows, strict=True)}


def balance(account: AccountRef) -> Decimal:
    """What one account holds now."""
    return balances([account])[account]


def owned(*, owner: UUID, kinds: Iterable[str]) -> dict[AccountRef, Decimal]:
    """What the accounts of these ``kinds`` hold that ``owner`` has ever used, by kind and currency; no hot ones."""
    with connection.cursor() as cursor:
        cursor.execute(
            """
            SELECT a.code, a.owner, a.currency, b.amount
            FROM ledger_account a JOIN ledger_balance b ON b.account_id = a.id
            WHERE a.code = ANY (%s) AND a.owner = %s AND NOT a.hot ORDER BY a.code, a.currency
            """,
            [list(kinds), owner],
        )
        accounts = [(AccountRef(*named), amount) for *named, amount in cursor.fetchall()]
    return {account: _at_minor_digits(amount, account) for account, amount in accounts}


def accounts(*, kind: str) -> list[AccountRef]:
    """Every account of that kind that was ever used, by currency and owner."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT code, owner, currency FROM ledger_account WHERE code = %s ORDER BY currency, owner", [kind]
        )
        return [AccountRef(*row) for row in cursor.fetchall()]


def balance_at(account: AccountRef, at: datetime, *, clock: Literal["book", "world"] = "book") -> Decimal:
    """What the account held at the instant ``at``, that instant included.

    By the ``book``'s clock: what had been recorded by then (a search, fast at any size). By the ``world``'s: what had
    happened by then, recorded since or not (a sum over the account's entries).
    """
    known = _find(account)
    if known is None:
        return _at_minor_digits(Decimal(0), account)
    with connection.cursor() as cursor:
        if clock == "book":
            cursor.execute("SELECT ledger_balance_at(%s, %s)", [known[0], at])
        else:
            cursor.execute(
                """
                SELECT coalesce(sum(CASE WHEN e.side = a.grows_on THEN e.amount ELSE -e.amount END), 0)
                FROM ledger_entry e JOIN ledger_account a ON a.id = e.account_id
                JOIN ledger_journal j ON j.id = e.journal_id
                WHERE e.account_id = %s AND j.occurred_at <= %s
                """,
                [known[0], at],
            )
        return _at_minor_digits(cursor.fetchone()[0], account)


def movements(
    *, owner: UUID, currency: str, kinds: Iterable[str], since: datetime | None = None, until: datetime | None = None
) -> list[Movement]:
    """Every event that changed what ``owner`` has in accounts of these cold ``kinds`` taken together, in book order.

    Recorded after the instant ``since``, up to and with ``until``. What only went from one of the accounts to another
    is no movement: over a wallet and an escrow the events of play are what was won and lost.
    """
    beyond = datetime.max.replace(tzinfo=UTC)
    with connection.cursor() as cursor:
        cursor.execute(
            """
            SELECT j.key, j.event, coalesce(u.event, j.event), j.posted_at,
                   sum(CASE WHEN e.side = a.grows_on THEN e.amount ELSE -e.amount END)
            FROM ledger_account a
            CROSS JOIN LATERAL (SELECT CASE WHEN %(since)s::timestamptz IS NULL THEN 0
                                            ELSE ledger_version_at(a.id, %(since)s) END OFFSET 0) AS before (version)
            JOIN ledger_entry e ON e.account_id = a.id AND e.version > before.version
            JOIN ledger_journal j ON j.id = e.journal_id
            LEFT JOIN ledger_journal u ON u.id = j.reverses
            WHERE a.owner = %(owner)s AND a.currency = %(currency)s AND a.code = ANY (%(kinds)s) AND NOT a.hot
                AND j.posted_at <= %(until)s
            GROUP BY j.id, u.event HAVING sum(CASE WHEN e.side = a.grows_on THEN e.amount ELSE -e.amount END) <> 0
            ORDER BY j.posted_at, j.id
            """,
            {"owner": owner, "currency": currency, "kinds": list(kinds), "since": since, "until": until or beyond},
        )
        unit = money.currency(currency).minor_unit
        return [Movement(key, event, of, at, amount.quantize(unit)) for key, event, of, at, amount in cursor.fetchall()]


def trial_balance() -> list[TrialLine]:
    """Every kind of account by currency: debits and credits ever posted, and what the accounts hold together."""
    with connection.cursor() as cursor:
        cursor.execute(
            """
            SELECT a.currency, a.code, sum(e.amount) FILTER (WHERE e.side = 'DR'),
                   sum(e.amount) FILTER (WHERE e.side = 'CR'),
                   sum(CASE WHEN e.side = a.grows_on THEN e.amount ELSE -e.amount END)
            FROM ledger_entry e JOIN ledger_account a ON a.id = e.account_id
            GROUP BY a.currency, a.code ORDER BY a.currency, a.code
            """
        )
        rows = cursor.fetchall()
    lines = []
    for code, kind, *amounts in rows:
        unit = money.currency(code).minor_unit
        debits, credits_, balance = ((amount or Decimal(0)).quantize(unit) for amount in amounts)
        lines.append(TrialLine(code, kind, debits, credits_, balance))
    return lines


def find(key: str) -> Posted | None:
    """The journal of ``key``, its lines in account order, or None; ``reversed`` if it was undone since."""
    with connection.cursor() as cursor:
        cursor.execute(
            """
            SELECT j.id, j.event, j.occurred_at, j.posted_at, j.detail,
                   EXISTS (SELECT FROM ledger_journal r WHERE r.key = 'reverse:' || j.id AND r.reverses = j.id)
            FROM ledger_journal j WHERE j.key = %s
            """,
            [key],
        )
        found = cursor.fetchone()
    if found is None:
        return None
    journal, event, occurred_at, posted_at, detail, undone = found
    return Posted(key, event, occurred_at, posted_at, _lines_of(journal), json.loads(detail), undone)


def keys_of(events: Iterable[str]) -> Iterator[str]:
    """The keys of every journal of these ``events``, in no order."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT key FROM ledger_journal WHERE event = ANY (%s)", [list(events)])
        while page := cursor.fetchmany(10_000):
            yield from (key for (key,) in page)


def open_holds() -> list[Hold]:
    """Everything that is set aside now, in the order of its id."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT id, owner, currency, amount FROM ledger_hold WHERE state = 'OPEN' ORDER BY id")
        return [Hold(*row) for row in cursor.fetchall()]


def statement(account: AccountRef, *, after: int = 0, limit: int = 100) -> Statement:
    """A page of up to ``limit`` entries of the account, beyond the cursor ``after``, in the order they were recorded.

    The versions of a hot account have gaps and may still fill behind the cursor; a cold account's never do.
    """
    known = _find(account)
    if known is None:
        zero = _at_minor_digits(Decimal(0), account)
        return Statement(account, zero, (), zero, None)
    account_id, hot = known
    with connection.cursor() as cursor:
        cursor.execute(
            """
            SELECT e.version, j.event, j.key, j.occurred_at, j.posted_at, e.side, e.amount, e.balance_after, j.detail,
                   CASE WHEN e.side = a.grows_on THEN e.amount ELSE -e.amount END, u.key
            FROM ledger_entry e
            JOIN ledger_account a ON a.id = e.account_id
            JOIN ledger_journal j ON j.id = e.journal_id
            LEFT JOIN ledger_journal u ON u.id = j.reverses
            WHERE e.account_id = %s AND e.version > %s ORDER BY e.version LIMIT %s
            """,
            [account_id, after, limit + 1],
        )
        rows = cursor.fetchall()
        more = len(rows) > limit
        rows = rows[:limit]
        opening = _standing_after(account_id, version=after, hot=hot)
    lines = []
    standing = opening
    for version, event, key, occurred_at, posted_at, side, amount, _, detail, effect, undoes in rows:
        standing += effect
        lines.append(
            StatementLine(
                version, event, key, occurred_at, posted_at, side, amount, standing, json.loads(detail), undoes
            )
        )
    return Statement(
        account=account,
        opening=_at_minor_digits(opening, account),
        lines=tuple(lines),
        closing=_at_minor_digits(standing, account),
        cursor=lines[-1].version if more else None,
    )


# --- The call ---------------------------------------------------------------------------------------------------------


def _call(vouchers: Sequence[Voucher]) -> list[Receipt | Refused]:
    return [_told(voucher, answer) for voucher, answer in zip(vouchers, wire.call(vouchers), strict=True)]


def _told(voucher: Voucher, answer: wire.Answer) -> Receipt | Refused:
    if answer.posted_at is None:
        return _refusal(voucher.key, answer.outcome, answer.refusal)
    lines = zip(voucher.lines, answer.balances, strict=True)
    after = {line.account: balance for line, balance in lines if balance is not None}
    return Receipt(voucher.key, voucher.event, answer.posted_at, after, answer.outcome == "replayed")


def _refusal(key: str, outcome: str, words: Sequence[str]) -> Refused:
    match outcome:
        case "insufficient_funds":
            code, owner, unit, held, needed = words
            return InsufficientFunds(key, AccountRef(code, UUID(owner), unit), Decimal(held), Decimal(needed))
        case "key_reused":
            return KeyReused(key, f"this key is in the book for another {words[0]}")
        case "unknown_hold":
            return UnknownHold(key, f"hold {words[0]} was never opened")
        case "hold_closed":
            return HoldClosed(key, f"hold {words[0]} is closed already ({words[1]})")
        case "hold_exists":
            return HoldExists(key, f"hold {words[0]} exists already")
        case "holds_differ":
            return HoldsDiffer(key, f"escrow would move by {words[3]}, its holds by {words[4]}")
    # A Voucher cannot be unbalanced, inexact or off the chart: we were wrong.
    raise AssertionError(f"{key}: the book refused a voucher that should not exist: {outcome} {list(words)}")


def _batches(vouchers: Iterable[Voucher]) -> list[list[Voucher]]:
    """Up to 1,000 a batch; a key that comes again starts the next, so that it meets what became of the first."""
    batches: list[list[Voucher]] = [[]]
    seen: set[str] = set()
    for voucher in vouchers:
        if len(batches[-1]) == BATCH or voucher.key in seen:
            batches.append([])
            seen.clear()
        batches[-1].append(voucher)
        seen.add(voucher.key)
    return batches


def _find(account: AccountRef) -> tuple[int, bool] | None:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT id, hot FROM ledger_account WHERE code = %s AND owner = %s AND currency = %s", list(account)
        )
        return cursor.fetchone()  # type: ignore[no-any-return]


def _lines_of(journal: int) -> tuple[Line, ...]:
    with connection.cursor() as cursor:
        cursor.execute(
            """
            SELECT a.code, a.owner, a.currency, e.side, e.amount
            FROM ledger_entry e JOIN ledger_account a ON a.id = e.account_id
            WHERE e.journal_id = %s ORDER BY a.code, a.owner, a.currency
            """,
            [journal],
        )
        return tuple(Line(AccountRef(*row[:3]), *row[3:]) for row in cursor.fetchall())


def _standing_after(account_id: int, *, version: int, hot: bool) -> Decimal:
    with connection.cursor() as cursor:
        if hot:
            cursor.execute(
                """
                SELECT coalesce(sum(CASE WHEN e.side = a.grows_on THEN e.amount ELSE -e.amount END), 0)
                FROM ledger_entry e JOIN ledger_account a ON a.id = e.account_id
                WHERE e.account_id = %s AND e.version <= %s
                """,
                [account_id, version],
            )
        else:
            cursor.execute(
                """
                SELECT balance_after FROM ledger_entry
                WHERE account_id = %s AND version <= %s ORDER BY version DESC LIMIT 1
                """,
                [account_id, version],
            )
        found = cursor.fetchone()
    return found[0] if found else Decimal(0)


def _at_minor_digits(amount: Decimal, account: AccountRef) -> Decimal:
    return amount.quantize(money.currency(account.currency).minor_unit)
