"""``ledger_post`` called by the service with what no Voucher says: each call is refused or harmless, never half done.

A row is what it changes of an honest deposit of 7.00 dollars to ann, as SQL for the function's named parameters, and
what comes of it: the outcomes, a voucher each, or the error that undoes the whole call.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import pytest
from django.db import DatabaseError, connection, transaction

from tests.ledger import small_book
from tests.ledger.crafted import HONEST, called

HONEST_LINES: Final = {name: sql for name, sql in HONEST.items() if name.startswith("line")}
NEW: Final = "'00000000-0000-4000-8000-0000000c4af7'"
NEWER: Final = "'00000000-0000-4000-8000-0000000c4af8'"
UNEVEN: Final = "arrays have one dimension and begin at 1"
MISPLACED: Final = "lines and holds come in the order of the vouchers"

TWO: Final = {
    "keys": "ARRAY['crafted:1', 'crafted:2']",
    "events": "ARRAY['crafted', 'crafted']",
    "fingerprints": "ARRAY['x', 'x']::bytea[]",
    "occurred": "ARRAY[now(), now()]",
    "details": "ARRAY['{{}}', '{{}}']::jsonb[]",
    "reverse_of": "ARRAY[NULL, NULL]::bigint[]",
}
ANN_SITS_DOWN: Final = {
    "line_code": "ARRAY['wallet', 'escrow']",
    "line_owner": "ARRAY['{ann_is}', '{ann_is}']::uuid[]",
    "open_voucher": "ARRAY[1]",
    "open_id": f"ARRAY[{NEW}]::uuid[]",
    "open_owner": "ARRAY['{ann_is}']::uuid[]",
    "open_currency": "ARRAY['USD']",
    "open_amount": "ARRAY[7.00]",
}
FOUR_LINES: Final = {  # of which ann's first is not what the second says
    "line_voucher": "ARRAY[1, 1, 2, 2]",
    "line_owner": "ARRAY['{ann_is}', '{ann_is}', '{provider}', '{bob_is}']::uuid[]",
    "line_currency": "ARRAY['USD', 'USD', 'USD', 'USD']",
    "line_side": "ARRAY['DR', 'CR', 'DR', 'CR']",
    "line_amount": "ARRAY[20.00, 20.00, 20.00, 20.00]",
}
TWICE: Final = {name: f"{ANN_SITS_DOWN[name]} || {ANN_SITS_DOWN[name]}" for name in ("open_owner", "open_currency")}
ANN_STANDS_UP: Final = {
    "line_code": "ARRAY['escrow', 'wallet']",
    "line_owner": "ARRAY['{ann_is}', '{ann_is}']::uuid[]",
    "line_amount": "ARRAY[20.00, 20.00]",
    "close_voucher": "ARRAY[1]",
    "close_id": "ARRAY['{opened}']::uuid[]",
    "close_state": "ARRAY['RELEASED']",
}


class Call(NamedTuple):
    name: str
    changes: dict[str, str]
    comes_to: list[str] | str


def _lines(*lines: tuple[str, str, str, str, str]) -> dict[str, str]:
    """Each (kind, owner, currency, side, amount), all of voucher 1."""
    names = ("line_code", "line_owner", "line_currency", "line_side")
    quoted = {
        name: "ARRAY[" + ", ".join(f"'{line[place]}'" for line in lines) + "]" for place, name in enumerate(names)
    }
    quoted["line_owner"] += "::uuid[]"
    return {
        **quoted,
        "line_voucher": f"ARRAY{[1] * len(lines)}",
        "line_amount": "ARRAY[" + ", ".join(line[4] for line in lines) + "]::numeric[]",
    }


CALLS: Final = (
    Call("an honest deposit", {}, ["posted"]),
    Call("an honest hold", {**ANN_SITS_DOWN, "fingerprints": "ARRAY['x'::bytea]"}, ["posted"]),
    Call("an honest release", {**ANN_STANDS_UP, "fingerprints": "ARRAY['x'::bytea]"}, ["posted"]),
    # --- Arrays of different lengths ---
    *(
        Call(f"{name} is empty", {name: f"({HONEST[name]})[2:1]"}, "null value in column")
        for name in ("events", "fingerprints", "occurred", "details")
    ),
    Call("keys is empty, and lines are there", {"keys": "ARRAY[]::text[]"}, MISPLACED),
    Call("keys is null", {"keys": "NULL"}, "dimension values cannot be null"),
    Call("nothing at all", {name: f"({sql})[2:1]" for name, sql in HONEST.items()}, []),
    Call("line_voucher is short", {"line_voucher": "ARRAY[1]"}, ["unbalanced"]),
    Call("line_voucher is long", {"line_voucher": "ARRAY[1, 1, 1]"}, ["invalid_amount"]),
    Call("line_voucher is null", {"line_voucher": "NULL"}, "null"),
    *(
        Call(f"{name} is short", {name: f"({HONEST[name]})[1:1]"}, [outcome])
        for name, outcome in {
            "line_code": "unknown_account",
            "line_owner": "unknown_account",
            "line_currency": "unknown_account",
            "line_side": "invalid_amount",
            "line_amount": "invalid_amount",
        }.items()
    ),
    Call("open_voucher is short", {**ANN_SITS_DOWN, "open_voucher": "ARRAY[]::int[]"}, ["holds_differ"]),
    Call("open_id is short", {**ANN_SITS_DOWN, "open_id": "ARRAY[]::uuid[]"}, "null value in column"),
    Call("open_amount is short", {**ANN_SITS_DOWN, "open_amount": "ARRAY[]::numeric[]"}, ["invalid_amount"]),
    Call("close_voucher is short", {**ANN_STANDS_UP, "close_voucher": "ARRAY[]::int[]"}, ["holds_differ"]),
    Call("close_id is short", {**ANN_STANDS_UP, "close_id": "ARRAY[]::uuid[]"}, ["unknown_hold"]),
    Call("close_state is short", {**ANN_STANDS_UP, "close_state": "ARRAY[]::text[]"}, "null value in column"),
    # --- Nulls in arrays ---
    Call("a key is null", {"keys": "ARRAY[NULL]::text[]"}, "null value in column"),
    Call("a line's voucher is null", {"line_voucher": "ARRAY[1, NULL]"}, MISPLACED),
    Call("an amount is null", {"line_amount": "ARRAY[7.00, NULL]"}, ["invalid_amount"]),
    Call("all amounts are null", {"line_amount": "ARRAY[NULL, NULL]::numeric[]"}, ["invalid_amount"]),
    Call("a side is null", {"line_side": "ARRAY['DR', NULL]"}, ["invalid_amount"]),
    Call("an owner is null", {"line_owner": "ARRAY['{provider}', NULL]::uuid[]"}, ["unknown_account"]),
    Call("a close is null", {**ANN_STANDS_UP, "close_id": "ARRAY[NULL]::uuid[]"}, ["unknown_hold"]),
    Call("a hold's owner is null", {**ANN_SITS_DOWN, "open_owner": "ARRAY[NULL]::uuid[]"}, ["holds_differ"]),
    # --- Arrays that begin elsewhere, or have rows ---
    # Of one voucher without holds each array is read from its first element on, wherever that stands.
    Call("lines begin at 0", {"line_voucher": "'[0:1]={{1,1}}'::int[]"}, ["posted"]),
    Call("lines are a table", {"line_voucher": "ARRAY[[1, 1]]"}, ["posted"]),
    Call("amounts begin at 0", {"line_amount": "'[0:1]={{7.00,7.00}}'::numeric[]"}, ["posted"]),
    Call("lines with holds begin at 0", {**ANN_SITS_DOWN, "line_voucher": "'[0:1]={{1,1}}'::int[]"}, MISPLACED),
    Call(
        "the hold to close stands at 0",
        {**ANN_STANDS_UP, "close_id": "('[0:0]={{' || '{opened}' || '}}')::uuid[]"},
        UNEVEN,
    ),
    Call(
        "the hold to close stands in a table",
        {**ANN_STANDS_UP, "close_id": "ARRAY[ARRAY['{opened}']]::uuid[]"},
        UNEVEN,
    ),
    Call(
        "the hold to open stands at 0",
        {**ANN_SITS_DOWN, "open_id": f"('[0:0]={{{{' || {NEW} || '}}}}')::uuid[]"},
        "null value in column",
    ),
    *(
        Call(
            f"two vouchers whose {name} begin at 0",
            {
                **TWO,
                **FOUR_LINES,
                "line_code": "'[1:5]={{wallet,wallet,clearing,wallet,wallet}}'::text[]",
                "line_currency": "'[1:5]={{USD,USD,USD,USD,USD}}'::text[]",
                name: arrays,
            },
            UNEVEN,
        )
        for name, arrays in (
            ("line_code", "'[0:4]={{escrow,wallet,clearing,wallet,wallet}}'::text[]"),
            ("line_currency", "'[0:4]={{EUR,USD,USD,USD,USD}}'::text[]"),
            ("line_currency", "'{{{{EUR,USD,USD,USD}}}}'::text[]"),
        )
    ),
    Call(
        "a hold that two vouchers close, behind another at 0",
        {
            **TWO,
            **FOUR_LINES,
            "line_code": "ARRAY['escrow', 'wallet', 'escrow', 'wallet']",
            "line_owner": "ARRAY['{ann_is}', '{ann_is}', '{ann_is}', '{ann_is}']::uuid[]",
            "close_voucher": "ARRAY[1, 2]",
            "close_id": "('[0:2]={{' || '{bob_opened},{opened},{opened}' || '}}')::uuid[]",
            "close_state": "ARRAY['RELEASED', 'RELEASED']",
        },
        UNEVEN,
    ),
    # --- Lines and holds of no voucher, or out of order ---
    Call("lines of voucher 0", {"line_voucher": "ARRAY[0, 0]"}, MISPLACED),
    Call("lines of voucher 5", {"line_voucher": "ARRAY[5, 5]"}, MISPLACED),
    Call(
        "a line of voucher 5 after an honest one's",
        {
            **_lines(
                ("clearing", "{provider}", "USD", "DR", "7.00"),
                ("wallet", "{ann_is}", "USD", "CR", "7.00"),
                ("wallet", "{bob_is}", "USD", "CR", "7.00"),
            ),
            "line_voucher": "ARRAY[1, 1, 5]",
        },
        MISPLACED,
    ),
    Call("lines in the wrong order", {**TWO, "line_voucher": "ARRAY[2, 1]"}, MISPLACED),
    Call(
        "a hold that an honest voucher would close unseen",
        {
            **ANN_STANDS_UP,
            **HONEST_LINES,
            "close_voucher": "ARRAY[9, 1]",
            "close_id": "ARRAY['{bob_opened}', '{opened}']::uuid[]",
            "close_state": "ARRAY['RELEASED', 'RELEASED']",
        },
        MISPLACED,
    ),
    Call(
        "a hold that an honest voucher would open unseen",
        {
            **ANN_SITS_DOWN,
            **HONEST_LINES,
            **TWICE,
            "open_voucher": "ARRAY[9, 1]",
            "open_id": f"ARRAY[{NEW}, {NEWER}]::uuid[]",
            "open_amount": "ARRAY[7.00, 7.00]",
        },
        MISPLACED,
    ),
    # --- One account twice ---
    Call(
        "a cold account twice",
        _lines(
            ("clearing", "{provider}", "USD", "DR", "9.00"),
            ("wallet", "{ann_is}", "USD", "CR", "2.00"),
            ("wallet", "{ann_is}", "USD", "CR", "7.00"),
        ),
        "duplicate key|stands twice in one voucher",
    ),
    Call(
        "a hot account twice",
        _lines(
            ("clearing", "{provider}", "USD", "DR", "2.00"),
            ("clearing", "{provider}", "USD", "DR", "7.00"),
            ("wallet", "{ann_is}", "USD", "CR", "9.00"),
        ),
        "duplicate key|stands twice in one voucher",
    ),
    Call(
        "a wallet that dips into the red between two lines",
        _lines(
            ("wallet", "{ann_is}", "USD", "DR", "80.00"),
            ("wallet", "{ann_is}", "USD", "DR", "80.00"),
            ("wallet", "{ann_is}", "USD", "CR", "160.00"),
        ),
        "duplicate key|stands twice in one voucher",
    ),
    Call(
        "an escrow named twice covers bob's hold",
        {
            **_lines(
                ("wallet", "{ann_is}", "USD", "DR", "14.00"),
                ("escrow", "{ann_is}", "USD", "CR", "7.00"),
                ("escrow", "{ann_is}", "USD", "CR", "7.00"),
            ),
            "open_voucher": "ARRAY[1, 1]",
            "open_id": f"ARRAY[{NEW}, {NEWER}]::uuid[]",
            "open_owner": "ARRAY['{ann_is}', '{bob_is}']::uuid[]",
            "open_currency": "ARRAY['USD', 'USD']",
            "open_amount": "ARRAY[7.00, 7.00]",
        },
        "stands twice in one voucher",
    ),
    # --- Amounts ---
    *(
        Call(f"amounts of {amount}", {"line_amount": f"ARRAY[{amount}, {amount}]::numeric[]"}, ["invalid_amount"])
        for amount in ("-7.00", "0", "'NaN'", "'Infinity'", "'-Infinity'", "1e12", "7.001")
    ),
    Call("a side that is neither", {"line_side": "ARRAY['DR', 'XX']"}, ["invalid_amount"]),
    # --- Accounts ---
    Call("a kind that is not in the chart", {"line_code": "ARRAY['clearing', 'pocket']"}, ["unknown_account"]),
    Call("a currency that is not in the chart", {"line_currency": "ARRAY['USD', 'XXX']"}, ["unknown_account"]),
    Call("a real provider of play money", {"line_currency": "ARRAY['PLAY', 'PLAY']"}, ["unknown_account"]),
    Call("dollars to play money", {"line_currency": "ARRAY['USD', 'PLAY']"}, ["unbalanced"]),
    Call(
        "dollars exchanged for play money",
        _lines(
            ("wallet", "{ann_is}", "USD", "DR", "7.00"),
            ("wallet", "{bob_is}", "USD", "CR", "7.00"),
            ("wallet", "{bob_is}", "PLAY", "DR", "70.00"),
            ("wallet", "{ann_is}", "PLAY", "CR", "70.00"),
        ),
        ["zones_mixed"],
    ),
    # --- Holds ---
    Call("a hold closes as OPEN", {**ANN_STANDS_UP, "close_state": "ARRAY['OPEN']"}, "ledger_hold_closes_once"),
    Call(
        "a hold closes as nonsense",
        {**ANN_STANDS_UP, "close_state": "ARRAY['GONE']"},
        "ledger_hold_closed_by_a_journal",
    ),
    Call("a hold closes as null", {**ANN_STANDS_UP, "close_state": "ARRAY[NULL]::text[]"}, "null value in column"),
    Call(
        "a hold closes twice",
        {
            **ANN_STANDS_UP,
            "close_voucher": "ARRAY[1, 1]",
            "close_id": "ARRAY['{opened}', '{opened}']::uuid[]",
            "close_state": "ARRAY['RELEASED', 'RELEASED']",
        },
        ["hold_closed"],
    ),
    Call("a closed hold closes", {**ANN_STANDS_UP, "close_id": "ARRAY['{captured}']::uuid[]"}, ["hold_closed"]),
    Call("bob's hold pays ann", {**ANN_STANDS_UP, "close_id": "ARRAY['{bob_opened}']::uuid[]"}, ["holds_differ"]),
    Call("a hold closes and nothing moves", {**ANN_STANDS_UP, **HONEST_LINES}, ["holds_differ"]),
    Call("a hold closes for less", {**ANN_STANDS_UP, "line_amount": "ARRAY[19.00, 19.00]"}, ["holds_differ"]),
    Call(
        "a hold opens and closes in one voucher",
        {
            **ANN_SITS_DOWN,
            "close_voucher": "ARRAY[1]",
            "close_id": f"ARRAY[{NEW}]::uuid[]",
            "close_state": "ARRAY['RELEASED']",
        },
        ["unknown_hold"],
    ),
    Call(
        "a hold opens and nothing moves",
        {name: sql for name, sql in ANN_SITS_DOWN.items() if name.startswith("open")},
        ["holds_differ"],
    ),
    Call(
        "escrow without a hold",
        {name: sql for name, sql in ANN_SITS_DOWN.items() if name.startswith("line")},
        ["holds_differ"],
    ),
    Call("a hold for another currency", {**ANN_SITS_DOWN, "open_currency": "ARRAY['EUR']"}, ["holds_differ"]),
    Call("a hold for another owner", {**ANN_SITS_DOWN, "open_owner": "ARRAY['{bob_is}']::uuid[]"}, ["holds_differ"]),
    Call("a hold that exists", {**ANN_SITS_DOWN, "open_id": "ARRAY['{captured}']::uuid[]"}, ["hold_exists"]),
    *(
        Call(
            f"a pair of holds of {one} and {other}",
            {
                **ANN_SITS_DOWN,
                **TWICE,
                "open_voucher": "ARRAY[1, 1]",
                "open_id": f"ARRAY[{NEW}, {NEWER}]::uuid[]",
                "open_amount": f"ARRAY[{one}, {other}]::numeric[]",
            },
            ["invalid_amount"],
        )
        for one, other in (("10.00", "-3.00"), ("7.00", "0"), ("3.501", "3.499"), ("7.00", "NULL"), ("7.00", "'NaN'"))
    ),
    # --- Keys, details and times ---
    Call("a key in the book", {"keys": "ARRAY['{first_key}']"}, ["key_reused"]),
    Call("a key twice in one call", {**TWO, "keys": "ARRAY['crafted:1', 'crafted:1']"}, "stands twice in one call"),
    Call("a detail of ten million characters", {"details": "ARRAY[to_jsonb(repeat('x', 10000000))]"}, ["posted"]),
    Call(
        "a key of ten million characters",
        {"keys": "ARRAY[(SELECT string_agg(md5(n::text), '') FROM generate_series(1, 312500) AS n)]"},
        "index row",
    ),
    Call(
        "1,001 vouchers", {"keys": "ARRAY(SELECT 'crafted:' || n FROM generate_series(1, 1001) AS n)"}, "at most 1000"
    ),
)

FOUND_LATER: Final = (
    # The function believes these of whoever may call it; the proofs do not.
    ("a fingerprint of something else", {"fingerprints": "ARRAY['x'::bytea]"}, "fingerprints_match"),
    ("a reversal that mirrors nothing", {"reverse_of": "ARRAY[{first}]"}, "reversals_mirror"),
)


@pytest.mark.parametrize("call", CALLS, ids=lambda call: call.name)
def test_a_crafted_call_is_refused_or_harmless(call: Call, committed: dict[str, Any], app_dsn: str) -> None:
    with small_book.acting_as(app_dsn):
        before = _rows_of_the_book()
        if isinstance(call.comes_to, str):
            with pytest.raises(DatabaseError, match=call.comes_to), transaction.atomic():
                called(call.changes, committed)
        else:
            assert called(call.changes, committed) == call.comes_to
        if call.comes_to == ["posted"]:
            assert set(small_book.failing()) <= {"fingerprints_match"}
        else:
            assert _rows_of_the_book() == before
            assert small_book.failing() == {}


@pytest.mark.parametrize(("name", "changes", "proof"), FOUND_LATER, ids=[row[0] for row in FOUND_LATER])
def test_what_only_a_proof_can_see_is_found(
    name: str, changes: dict[str, str], proof: str, committed: dict[str, Any], app_dsn: str
) -> None:
    with small_book.acting_as(app_dsn):
        assert called(changes, committed) == ["posted"]
        assert list(small_book.failing()) == [proof]


def _rows_of_the_book() -> list[tuple[object, ...]]:
    """Everything but accounts: one that a refused voucher names stays open, empty."""
    with connection.cursor() as cursor:
        cursor.execute(
            """
            SELECT 'journal', md5(string_agg(j::text, '' ORDER BY id)) FROM ledger_journal j
            UNION ALL SELECT 'entry', md5(string_agg(e::text, '' ORDER BY account_id, version)) FROM ledger_entry e
            UNION ALL SELECT 'hold', md5(string_agg(h::text, '' ORDER BY id)) FROM ledger_hold h
            UNION ALL SELECT 'balance', md5(string_agg(b::text, '' ORDER BY account_id))
                      FROM ledger_balance b WHERE version > 0
            """
        )
        return list(cursor.fetchall())
