"""The proofs: each one an invariant of the book, read again from the rows and from nothing else.

Anyone who may read the tables can run them. All of a run see one moment of the book (REPEATABLE READ). A proof is a
query for the rows that break it and a figure for what it looked at. Other apps add theirs through settings.BOOK_PROOFS.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Final

from django.conf import settings
from django.db import connection
from django.utils.module_loading import import_string

from ledger import chart, money, seals
from ledger.moment import one_moment


@dataclass(frozen=True, slots=True)
class Proof:
    """What one proof found: a ``figure`` for people, and in ``fault`` the first row that breaks it, if any does."""

    name: str
    figure: str
    fault: str | None = None

    @property
    def holds(self) -> bool:
        return self.fault is None


Check = Callable[[], Proof]

_SIGNED: Final = "CASE WHEN e.side = a.grows_on THEN e.amount ELSE -e.amount END"


def trial_balance() -> Proof:
    """Debits are credits in each currency, over the whole book."""
    rows = _rows(
        """
        SELECT a.currency, coalesce(sum(e.amount) FILTER (WHERE e.side = 'DR'), 0),
               coalesce(sum(e.amount) FILTER (WHERE e.side = 'CR'), 0)
        FROM ledger_entry e JOIN ledger_account a ON a.id = e.account_id GROUP BY a.currency ORDER BY a.currency
        """
    )
    off = [f"{code}: debits {debited}, credits {credited}" for code, debited, credited in rows if debited != credited]
    figure = ", ".join(f"{code} {debited}" for code, debited, _ in rows) or "empty"
    return Proof("trial_balance", figure, off[0] if off else None)


def zones_apart() -> Proof:
    """No journal, and no account, meets both play money and real money."""
    return _none(
        "zones_apart",
        "SELECT count(DISTINCT currency) || ' currencies' FROM ledger_account",
        """
        SELECT 'journal ' || e.journal_id || ' moves ' || string_agg(DISTINCT a.currency, ' and ')
        FROM ledger_entry e
        JOIN ledger_account a ON a.id = e.account_id
        LEFT JOIN ledger_currency c ON c.code = a.currency
        GROUP BY e.journal_id HAVING count(DISTINCT c.zone) <> 1
        """,
    )


def journals_balance() -> Proof:
    """Every journal has entries, and debits are credits in each of its currencies."""
    return _none(
        "journals_balance",
        "SELECT count(*) || ' journals' FROM ledger_journal",
        """
        (SELECT 'journal ' || j.id || ' has no entries' FROM ledger_journal j
         WHERE NOT EXISTS (SELECT FROM ledger_entry e WHERE e.journal_id = j.id) LIMIT 1)
        UNION ALL
        (SELECT 'journal ' || e.journal_id || ' is off by '
                || sum(CASE e.side WHEN 'DR' THEN e.amount ELSE -e.amount END) || ' ' || a.currency
         FROM ledger_entry e JOIN ledger_account a ON a.id = e.account_id GROUP BY e.journal_id, a.currency
         HAVING sum(CASE e.side WHEN 'DR' THEN e.amount ELSE -e.amount END) <> 0 LIMIT 1)
        """,
    )


def entries_belong() -> Proof:
    """Every entry has its journal and its account."""
    return _none(
        "entries_belong",
        "SELECT count(*) || ' entries' FROM ledger_entry",
        """
        SELECT 'entry ' || e.account_id || '/' || e.version || ' of journal ' || e.journal_id || ' has no '
               || CASE WHEN j.id IS NULL THEN 'journal' ELSE 'account' END
        FROM ledger_entry e
        LEFT JOIN ledger_journal j ON j.id = e.journal_id
        LEFT JOIN ledger_account a ON a.id = e.account_id
        WHERE j.id IS NULL OR a.id IS NULL
        """,
    )


def amounts_exact() -> Proof:
    """Every amount is a number above zero and under 1e12, no finer than its currency's minor unit."""
    return _none(
        "amounts_exact",
        "SELECT (SELECT count(*) FROM ledger_entry) + (SELECT count(*) FROM ledger_hold) || ' amounts'",
        """
        (SELECT 'entry ' || e.account_id || '/' || e.version || ' moves ' || e.amount || ' ' || a.currency
         FROM ledger_entry e
         JOIN ledger_account a ON a.id = e.account_id
         LEFT JOIN ledger_currency c ON c.code = a.currency
         WHERE (e.amount > 0 AND e.amount < 1e12 AND scale(e.amount) <= c.minor_digits) IS NOT TRUE LIMIT 1)
        UNION ALL
        (SELECT 'hold ' || h.id || ' holds ' || h.amount || ' ' || h.currency
         FROM ledger_hold h LEFT JOIN ledger_currency c ON c.code = h.currency
         WHERE (h.amount > 0 AND h.amount < 1e12 AND scale(h.amount) <= c.minor_digits) IS NOT TRUE LIMIT 1)
        """,
    )


def versions_unbroken() -> Proof:
    """A cold account's versions run from 1 without a gap; a hot one's are its journals' ids."""
    return _none(
        "versions_unbroken",
        "SELECT count(DISTINCT account_id) || ' accounts' FROM ledger_entry",
        """
        (SELECT 'account ' || a.id || ' has ' || count(*) || ' entries, its last version is ' || max(e.version)
         FROM ledger_entry e JOIN ledger_account a ON a.id = e.account_id WHERE NOT a.hot
         GROUP BY a.id HAVING min(e.version) <> 1 OR max(e.version) <> count(*) LIMIT 1)
        UNION ALL
        (SELECT 'entry ' || e.account_id || '/' || e.version || ' of a hot account is of journal ' || e.journal_id
         FROM ledger_entry e JOIN ledger_account a ON a.id = e.account_id
         WHERE a.hot AND e.version <> e.journal_id LIMIT 1)
        """,
    )


def balances_chain() -> Proof:
    """Along a cold account each entry's balance is the one before plus or minus its amount."""
    return _none(
        "balances_chain",
        "SELECT count(*) || ' entries' FROM ledger_entry WHERE balance_after IS NOT NULL",
        f"""
        SELECT 'entry ' || x.account_id || '/' || x.version || ' says ' || coalesce(x.balance_after::text, 'nothing')
        FROM (SELECT e.account_id, e.version, e.balance_after, a.hot,
                     coalesce(lag(e.balance_after) OVER (PARTITION BY e.account_id ORDER BY e.version), 0)
                     + {_SIGNED} AS expected
              FROM ledger_entry e JOIN ledger_account a ON a.id = e.account_id) AS x
        WHERE CASE WHEN x.hot THEN x.balance_after IS NOT NULL ELSE x.balance_after IS DISTINCT FROM x.expected END
        """,
    )


def balances_rebuilt() -> Proof:
    """Every balance is what its account's entries sum to; a hot one's, those up to the one that was folded in last."""
    return _none(
        "balances_rebuilt",
        "SELECT count(*) || ' balances' FROM ledger_balance",
        f"""
        SELECT 'account ' || coalesce(b.account_id, s.account_id) || ' stands at '
               || coalesce(b.amount::text, 'nothing') || ', its entries say ' || coalesce(s.amount, 0)
        FROM ledger_balance b
        FULL JOIN (SELECT e.account_id,
                          coalesce(sum({_SIGNED}) FILTER (WHERE NOT a.hot OR e.version <= f.version), 0) AS amount,
                          CASE WHEN bool_or(a.hot) THEN max(e.version) FILTER (WHERE e.version <= f.version)
                               ELSE count(*) END AS version
                   FROM ledger_entry e JOIN ledger_account a ON a.id = e.account_id
                   LEFT JOIN ledger_balance f ON f.account_id = e.account_id GROUP BY e.account_id) AS s
             ON s.account_id = b.account_id
        WHERE b.amount IS DISTINCT FROM coalesce(s.amount, 0) OR b.version IS DISTINCT FROM coalesce(s.version, 0)
        """,
    )


def never_overdrawn() -> Proof:
    """No guarded account is, or ever was, below zero."""
    return _none(
        "never_overdrawn",
        "SELECT count(*) || ' guarded accounts' FROM ledger_account WHERE guarded",
        """
        (SELECT 'account ' || b.account_id || ' stands at ' || b.amount FROM ledger_balance b
         JOIN ledger_account a ON a.id = b.account_id WHERE a.guarded AND NOT b.amount >= 0 LIMIT 1)
        UNION ALL
        (SELECT 'entry ' || e.account_id || '/' || e.version || ' leaves ' || e.balance_after
         FROM ledger_entry e JOIN ledger_account a ON a.id = e.account_id
         WHERE a.guarded AND NOT e.balance_after >= 0 LIMIT 1)
        """,
    )


def chart_kept() -> Proof:
    """The database has the chart of the code, and every account is what its kind and currency say it is."""
    kinds = {(kind.code, kind.grows_on, kind.guarded, kind.hot): kind for kind in chart.KINDS.values()}
    fault = _chart_differs()
    rows = _rows(
        """
        SELECT a.id, a.code, a.grows_on, a.guarded, a.hot, a.currency, a.minor_digits, b.guarded, b.hot
        FROM ledger_account a LEFT JOIN ledger_balance b ON b.account_id = a.id ORDER BY a.id
        """
    )
    for account, code, grows_on, guarded, hot, unit, digits, guarded_too, hot_too in rows:
        kind = kinds.get((code, grows_on, guarded, hot))
        known = money.CURRENCIES.get(unit)
        if (
            kind is None
            or known is None
            or known.zone not in kind.zones
            or known.minor_digits != digits
            or (guarded, hot) != (guarded_too, hot_too)
        ):
            fault = f"account {account} ({code}, {unit}) is not what the chart says"
            break
    return Proof("chart_kept", f"{len(rows)} accounts", fault)


def _chart_differs() -> str | None:
    """The first kind or currency that is one thing in the code and another, or nothing, in the database."""
    stored: set[tuple[object, ...]] = {
        ("kind", *row) for row in _rows("SELECT code, grows_on, guarded, hot, professionals, amateurs FROM ledger_kind")
    }
    stored |= {("currency", *row) for row in _rows("SELECT code, minor_digits, zone FROM ledger_currency")}
    meant: set[tuple[object, ...]] = {
        ("kind", k.code, k.grows_on, k.guarded, k.hot, "professionals" in k.zones, "amateurs" in k.zones)
        for k in chart.KINDS.values()
    }
    meant |= {("currency", c.code, c.minor_digits, c.zone) for c in money.CURRENCIES.values()}
    differing = sorted(f"{sort} {code}" for sort, code, *_ in stored ^ meant)
    return f"{differing[0]} is not in the database what it is in the code" if differing else None


def customer_money_apart() -> Proof:
    """In each currency the players' bank account and what providers owe are what is owed to players (P-4).

    Bank + clearing = wallets + escrows + pending payouts + bonus + unclaimed + suspense + commission not yet swept
    - receivables - dispute differences; of play money, what was ever issued.
    """
    parts = {code: kind.customers for code, kind in chart.KINDS.items() if kind.customers}
    rows = _rows(
        f"""
        SELECT a.currency, a.code, sum({_SIGNED})
        FROM ledger_entry e JOIN ledger_account a ON a.id = e.account_id GROUP BY a.currency, a.code
        """
    )
    there: dict[str, Decimal] = {}
    over: dict[str, Decimal] = {}
    for currency, code, amount in rows:
        part = parts.get(code, 0) * amount
        over[currency] = over.get(currency, Decimal(0)) + part
        there[currency] = there.get(currency, Decimal(0)) + max(part, Decimal(0))
    off = [
        f"{currency}: {abs(amount)} {'more' if amount > 0 else 'less'} is there than is owed"
        for currency, amount in sorted(over.items())
        if amount
    ]
    figure = ", ".join(f"{currency} {amount}" for currency, amount in sorted(there.items())) or "empty"
    return Proof("customer_money_apart", figure, off[0] if off else None)


def holds_equal_escrow() -> Proof:
    """The open holds set aside what the escrow accounts hold, and a journal opened and closed each hold."""
    return _none(
        "holds_equal_escrow",
        "SELECT count(*) FILTER (WHERE state = 'OPEN') || ' open of ' || count(*) || ' holds' FROM ledger_hold",
        """
        (SELECT 'escrow of ' || coalesce(h.owner, b.owner) || ' holds ' || coalesce(b.amount, 0) || ' '
                || coalesce(h.currency, b.currency) || ', its open holds say ' || coalesce(h.amount, 0)
         FROM (SELECT owner, currency, sum(amount) AS amount FROM ledger_hold WHERE state = 'OPEN'
               GROUP BY owner, currency) AS h
         FULL JOIN (SELECT a.owner, a.currency, b.amount
                    FROM ledger_account a JOIN ledger_balance b ON b.account_id = a.id
                    WHERE a.code = 'escrow') AS b ON b.owner = h.owner AND b.currency = h.currency
         WHERE coalesce(h.amount, 0) <> coalesce(b.amount, 0) LIMIT 1)
        UNION ALL
        (SELECT 'hold ' || h.id || ' is ' || h.state || ' without its journals' FROM ledger_hold h
         LEFT JOIN ledger_journal o ON o.id = h.opened_by LEFT JOIN ledger_journal c ON c.id = h.closed_by
         WHERE o.id IS NULL OR (h.state = 'OPEN') <> (h.closed_by IS NULL)
            OR (h.closed_by IS NOT NULL AND c.id IS NULL) LIMIT 1)
        """,
    )


def keys_unique() -> Proof:
    """No key is in the book twice. (The index says so; this reads the rows.)"""
    return _none(
        "keys_unique",
        "SELECT count(*) || ' keys' FROM ledger_journal",
        """
        SELECT 'key ' || min(key) || ' has ' || count(*) || ' journals' FROM ledger_journal
        GROUP BY key || '' HAVING count(*) > 1  -- no expression of the index, so that the rows are read
        """,
    )


def fingerprints_match() -> Proof:
    """Every journal's entries and holds are those of the voucher that was posted."""
    return _none(
        "fingerprints_match",
        "SELECT count(*) || ' fingerprints' FROM ledger_journal",
        """
        SELECT 'journal ' || j.id || ' is not the voucher that was posted as ' || j.key
        FROM ledger_journal j
        LEFT JOIN (
            SELECT p.journal_id, string_agg(p.part, E'\n' ORDER BY p.part COLLATE "C") AS parts
            FROM (SELECT e.journal_id, concat_ws(' ', e.side, a.code, a.owner, a.currency, e.amount) AS part
                  FROM ledger_entry e JOIN ledger_account a ON a.id = e.account_id
                  UNION ALL SELECT h.opened_by, concat_ws(' ', 'open', h.id, h.owner, h.currency, h.amount)
                  FROM ledger_hold h
                  UNION ALL SELECT h.closed_by, CASE h.state WHEN 'CAPTURED' THEN 'capture ' ELSE 'release ' END || h.id
                  FROM ledger_hold h WHERE h.closed_by IS NOT NULL) AS p
            GROUP BY p.journal_id) AS x ON x.journal_id = j.id
        WHERE sha256(convert_to(concat_ws(E'\n', j.event, x.parts), 'UTF8')) IS DISTINCT FROM j.fingerprint
        """,
    )


def time_runs_forward() -> Proof:
    """Along a cold account no entry was recorded before its predecessor, and the balance knows when the last was."""
    return _none(
        "time_runs_forward",
        "SELECT coalesce(max(posted_at)::text, 'empty') FROM ledger_journal",
        """
        (SELECT 'entry ' || x.account_id || '/' || x.version || ' was recorded before its predecessor'
        FROM (SELECT e.account_id, e.version, j.posted_at,
                     lag(j.posted_at) OVER (PARTITION BY e.account_id ORDER BY e.version) AS before
              FROM ledger_entry e
              JOIN ledger_journal j ON j.id = e.journal_id
              JOIN ledger_account a ON a.id = e.account_id
              WHERE NOT a.hot) AS x
         WHERE x.posted_at < x.before LIMIT 1)
        UNION ALL
        (SELECT 'account ' || b.account_id || ' says that it moved last at ' || coalesce(b.posted_at::text, 'no time')
         FROM ledger_balance b
         LEFT JOIN ledger_entry e ON e.account_id = b.account_id AND e.version = b.version AND NOT b.hot
         LEFT JOIN ledger_journal j ON j.id = e.journal_id
         WHERE b.posted_at IS DISTINCT FROM j.posted_at LIMIT 1)
        """,
    )


def reversals_mirror() -> Proof:
    """Every reversal is the mirror of the journal it names, and no journal is reversed twice."""
    return _none(
        "reversals_mirror",
        "SELECT count(*) || ' reversals' FROM ledger_journal WHERE reverses IS NOT NULL",
        """
        (SELECT 'journal ' || r.id || ' does not mirror journal ' || r.reverses
         FROM ledger_journal r WHERE r.reverses IS NOT NULL AND EXISTS (
             SELECT FROM (SELECT account_id, amount, side FROM ledger_entry WHERE journal_id = r.id) AS x
             FULL JOIN (SELECT account_id, amount, CASE side WHEN 'DR' THEN 'CR' ELSE 'DR' END AS side
                        FROM ledger_entry WHERE journal_id = r.reverses) AS y USING (account_id, amount, side)
             WHERE x IS NULL OR y IS NULL) LIMIT 1)
        UNION ALL
        (SELECT 'journal ' || reverses || ' is reversed ' || count(*) || ' times' FROM ledger_journal
         WHERE reverses IS NOT NULL GROUP BY reverses HAVING count(*) > 1 LIMIT 1)
        """,
    )


def journals_numbered() -> Proof:
    """Every journal up to the last sealed one has a number, in the order of the ids; what was drawn since waits."""
    return _none(
        "journals_numbered",
        """
        SELECT count(n.number) || ' sealed, ' || count(*) - count(n.number) || ' waiting'
        FROM ledger_journal j LEFT JOIN ledger_sealed n ON n.journal_id = j.id
        """,
        """
        (SELECT 'journal ' || coalesce(j.id, n.journal_id) || CASE WHEN j.id IS NULL THEN ' is numbered and gone'
                WHEN n.number IS NULL AND j.id < s.last THEN ' was never numbered'
                ELSE ' has an id that was never drawn' END
         FROM ledger_journal j FULL JOIN ledger_sealed n ON n.journal_id = j.id
         CROSS JOIN (SELECT max(journal_id) AS last FROM ledger_sealed) AS s
         CROSS JOIN (SELECT last_value FROM ledger_journal_id_seq) AS drawn
         WHERE j.id IS NULL OR j.id > drawn.last_value OR (n.number IS NULL AND j.id < s.last) LIMIT 1)
        UNION ALL
        (SELECT 'journal ' || x.journal_id || ' is numbered out of order'
         FROM (SELECT journal_id, lag(journal_id) OVER (ORDER BY number) AS before FROM ledger_sealed) AS x
         WHERE x.journal_id <= x.before LIMIT 1)
        """,
    )


def seals_verify() -> Proof:
    """The hash chain over the sealed journals computes again to what was sealed."""
    found = seals.verify()
    return Proof("seals_verify", _counted(f"{found.count} journals under {found.seals} seals"), found.fault)


PROOFS: Final[tuple[Check, ...]] = (
    trial_balance,
    zones_apart,
    journals_balance,
    entries_belong,
    amounts_exact,
    versions_unbroken,
    balances_chain,
    balances_rebuilt,
    never_overdrawn,
    chart_kept,
    customer_money_apart,
    holds_equal_escrow,
    keys_unique,
    fingerprints_match,
    time_runs_forward,
    reversals_mirror,
    journals_numbered,
    seals_verify,
)


def run() -> Iterator[Proof]:
    """Every proof, the book's first, in one moment of the book."""
    with one_moment():
        for check in (*PROOFS, *(import_string(path) for path in settings.BOOK_PROOFS)):
            yield check()


def _rows(query: str) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(query)
        return list(cursor.fetchall())


def _none(name: str, figure: str, broken: str) -> Proof:
    """A proof that ``broken``, a query for a sentence a row, finds nothing; ``figure`` is a query for one text."""
    ((counted,),) = _rows(figure)
    found = _rows(f"SELECT * FROM ({broken}) AS broken LIMIT 1")
    return Proof(name, _counted(str(counted)), str(found[0][0]) if found else None)


def _counted(figure: str) -> str:
    """The figure with "1 journal" in it, not "1 journals"."""
    return re.sub(r"\b1 ([a-z]+?)(ies|s)\b", lambda one: f"1 {one[1]}{'y' if one[2] == 'ies' else ''}", figure)
