"""Raw SQL against the book: one row an attack.

``sql`` names rows as ``small_book.write`` gives them. ``refused_by`` is the trigger or constraint that stops the owner;
None where nothing stops him (TRUNCATE). ``found_by`` is the proof that reports what is left when triggers are off, and
``reports`` a part of what it says. ``loosen`` takes away a constraint, which stops even a superuser until he does so.
"""

from dataclasses import dataclass
from typing import Final

from tests.ledger.small_book import NEVER_DRAWN

CHECKPOINT: Final = "checkpoint"
"""In place of a proof: the chain, verified against a checkpoint that was kept outside."""


@dataclass(frozen=True, slots=True)
class Attack:
    name: str
    sql: str
    refused_by: str | None
    found_by: str
    reports: str = ""
    loosen: str = ""


def _journal() -> str:
    return """
        INSERT INTO ledger_journal (id, key, event, fingerprint, occurred_at, posted_at, xact, detail)
        VALUES ({absent}, 'forged:1', 'forged', 'x', now(), clock_timestamp(), pg_current_xact_id(), '{{}}');"""


def _entries(*entries: str) -> str:
    """Each as 'account, version, journal, side, amount, balance_after'."""
    rows = ", ".join(f"({entry})" for entry in entries)
    return f"""
        INSERT INTO ledger_entry (account_id, version, journal_id, side, amount, balance_after) VALUES {rows};"""


def _next(account: str, side: str, amount: str, *, effect: str = "", journal: str = "{absent}") -> str:
    """The entry that continues a cold account as it should; ``effect`` is what it says it adds instead."""
    effect = effect or {"CR": "+", "DR": "-"}[side] + amount
    standing = f"FROM ledger_balance WHERE account_id = {account}"
    version, after = f"(SELECT version + 1 {standing})", f"(SELECT amount {effect} {standing})"
    return f"{account}, {version}, {journal}, '{side}', {amount}, {after}"


def _hot(account: str, side: str, amount: str) -> str:
    return f"{account}, {{absent}}, {{absent}}, '{side}', {amount}, NULL"


def _moved(account: str, effect: str) -> str:
    return f"""
        UPDATE ledger_balance SET amount = amount {effect}, version = version + 1,
               posted_at = (SELECT posted_at FROM ledger_journal WHERE id = {{absent}}) WHERE account_id = {account};"""


# Bob's dollars go to ann, and every row that belongs to it is made as the book would make it.
_FORGED: Final = (
    _journal()
    + _entries(_next("{bob}", "DR", "7.00"), _next("{ann}", "CR", "7.00"))
    + _moved("{bob}", "- 7.00")
    + _moved("{ann}", "+ 7.00")
)
_FORGED_WELL: Final = _FORGED.replace(
    "'x'",
    "sha256(E'forged\\nCR wallet {ann_is} USD 7.00\\nDR wallet {bob_is} USD 7.00'::bytea)",
)

ATTACKS: Final = (
    # --- What was written is changed ---
    Attack(
        "an entry's amount is edited",
        "UPDATE ledger_entry SET amount = amount + 1 WHERE account_id = {ann} AND version = 1",
        refused_by="ledger_append_only",
        found_by="journals_balance",
        reports="journal {first} is off by -1.00 USD",
    ),
    Attack(
        "an entry changes sides",
        "UPDATE ledger_entry SET side = 'DR' WHERE account_id = {ann} AND version = 1",
        refused_by="ledger_append_only",
        found_by="balances_chain",
        reports="entry {ann}/1 says 100.00",
    ),
    Attack(
        "an entry moves to another account",
        "UPDATE ledger_entry SET account_id = {bob}, version = 99 WHERE account_id = {ann} AND version = 1",
        refused_by="ledger_append_only",
        found_by="fingerprints_match",
        reports="journal {first} ",
    ),
    Attack(
        "an entry's balance is edited",
        "UPDATE ledger_entry SET balance_after = balance_after + 1 WHERE account_id = {ann} AND version = 1",
        refused_by="ledger_append_only",
        found_by="balances_chain",
        reports="entry {ann}/1 says 101.00",
    ),
    Attack(
        "an entry is deleted",
        "DELETE FROM ledger_entry WHERE account_id = {ann} AND version = 1",
        refused_by="ledger_append_only",
        found_by="versions_unbroken",
        reports="account {ann} ",
    ),
    Attack(
        "a journal says that it happened earlier",
        "UPDATE ledger_journal SET occurred_at = occurred_at - interval '1 day' WHERE id = {first}",
        refused_by="ledger_append_only",
        found_by="seals_verify",
        reports="number 1: journal {first} is not what was sealed",
    ),
    Attack(
        "a journal says that it was recorded earlier",
        "UPDATE ledger_journal SET posted_at = posted_at - interval '1 day' WHERE id = {last}",
        refused_by="ledger_append_only",
        found_by="time_runs_forward",
        reports="entry {ann}/",
    ),
    Attack(
        "a journal becomes another event",
        "UPDATE ledger_journal SET event = 'manual_adjustment' WHERE id = {last}",
        refused_by="ledger_append_only",
        found_by="fingerprints_match",
        reports="journal {last} ",
    ),
    Attack(
        "a journal's detail is edited",
        'UPDATE ledger_journal SET detail = \'{{"reason": "none"}}\' WHERE id = {slip}',
        refused_by="ledger_append_only",
        found_by="seals_verify",
        reports="journal {slip} is not what was sealed",
    ),
    Attack(
        "a journal is deleted",
        "DELETE FROM ledger_journal WHERE id = {last}",
        refused_by="ledger_append_only",
        found_by="entries_belong",
        reports="of journal {last} has no journal",
    ),
    Attack(
        "a journal is deleted with its entries, and the balances follow",
        """
        DELETE FROM ledger_entry WHERE journal_id = {last}; DELETE FROM ledger_journal WHERE id = {last};
        UPDATE ledger_balance SET amount = amount - 1.00, version = version - 1 WHERE account_id = {ann};
        """,
        refused_by="ledger_append_only",
        found_by="time_runs_forward",
        reports="account {ann} says that it moved last at ",
    ),
    # --- Balances ---
    Attack(
        "a cold balance is edited",
        "UPDATE ledger_balance SET amount = amount + 1000 WHERE account_id = {ann}",
        refused_by="ledger_balance_from_entries",
        found_by="balances_rebuilt",
        reports="account {ann} stands at 1",
    ),
    Attack(
        "a hot balance is edited",
        "UPDATE ledger_balance SET amount = amount + 1000 WHERE account_id = {commission}",
        refused_by="ledger_by_function_only",
        found_by="balances_rebuilt",
        reports="account {commission} stands at 1000.",
    ),
    Attack(
        "a balance skips a version",
        "UPDATE ledger_balance SET version = version + 1 WHERE account_id = {ann}",
        refused_by="ledger_balance_from_entries",
        found_by="balances_rebuilt",
        reports="account {ann} ",
    ),
    Attack(
        "a balance's clock is put forward, and the next posting's with it",
        "UPDATE ledger_balance SET posted_at = posted_at + interval '1 year' WHERE account_id = {ann}",
        refused_by="ledger_balance_from_entries",
        found_by="time_runs_forward",
        reports="account {ann} ",
    ),
    Attack(
        "a balance is deleted",
        "DELETE FROM ledger_balance WHERE account_id = {ann}",
        refused_by="ledger_append_only",
        found_by="balances_rebuilt",
        reports="account {ann} stands at nothing",
    ),
    Attack(
        "a balance appears without an account",
        "INSERT INTO ledger_balance (account_id, guarded, hot, amount, version) VALUES ({absent}, true, false, 5, 0)",
        refused_by="ledger_balance_keeps_its_nature",
        found_by="balances_rebuilt",
        reports="account {absent} stands at 5",
    ),
    Attack(
        "a guarded balance falls below zero",
        "UPDATE ledger_balance SET amount = -1 WHERE account_id = {ann}",
        refused_by="ledger_balance_never_overdrawn",
        found_by="never_overdrawn",
        reports="account {ann} stands at -1",
        loosen="ALTER TABLE ledger_balance DROP CONSTRAINT ledger_balance_never_overdrawn",
    ),
    Attack(
        "a balance is no longer guarded",
        "UPDATE ledger_balance SET guarded = false WHERE account_id = {ann}",
        refused_by="ledger_balance_keeps_its_nature",
        found_by="chart_kept",
        reports="account {ann} ",
    ),
    Attack(
        "a hot balance says that more was folded into it",
        "UPDATE ledger_balance SET version = {last} WHERE account_id = {clearing}",
        refused_by="ledger_by_function_only",
        found_by="balances_rebuilt",
        reports="account {clearing} stands at ",
    ),
    Attack(
        "a hot balance is folded into a second time",
        "UPDATE ledger_balance SET version = 0 WHERE account_id = {clearing}",
        refused_by="ledger_by_function_only",
        found_by="balances_rebuilt",
        reports="account {clearing} stands at ",
    ),
    # --- Accounts and the chart ---
    Attack(
        "an account is no longer guarded",
        "UPDATE ledger_account SET guarded = false WHERE id = {ann}",
        refused_by="ledger_append_only",
        found_by="chart_kept",
        reports="account {ann} ",
    ),
    Attack(
        "an account goes to another owner",
        "UPDATE ledger_account SET owner = '{nobody}' WHERE id = {ann}",
        refused_by="ledger_append_only",
        found_by="fingerprints_match",
        reports="journal {first} ",
    ),
    Attack(
        "an account is deleted",
        "DELETE FROM ledger_account WHERE id = {ann}",
        refused_by="ledger_append_only",
        found_by="entries_belong",
        reports="of journal {first} has no account",
    ),
    Attack(
        "an account is opened by hand",
        """
        INSERT INTO ledger_account (id, code, owner, currency, grows_on, minor_digits, guarded, hot)
        VALUES ({absent}, 'wallet', '{nobody}', 'USD', 'CR', 2, false, false)
        """,
        refused_by="ledger_by_function_only",
        found_by="chart_kept",
        reports="account {absent} ",
    ),
    Attack(
        "the chart's wallets are no longer guarded",
        "UPDATE ledger_kind SET guarded = false WHERE code = 'wallet'",
        refused_by="ledger_chart_from_code",
        found_by="chart_kept",
        reports="wallet",
    ),
    Attack(
        "the chart gets a kind",
        "INSERT INTO ledger_kind VALUES ('pocket', 'CR', false, false, true, true)",
        refused_by="ledger_chart_from_code",
        found_by="chart_kept",
        reports="pocket",
    ),
    Attack(
        "play money becomes a currency of the professionals",
        "UPDATE ledger_currency SET zone = 'professionals' WHERE code = 'PLAY'",
        refused_by="ledger_chart_from_code",
        found_by="chart_kept",
        reports="PLAY",
    ),
    Attack(
        "a currency is deleted",
        "DELETE FROM ledger_currency WHERE code = 'USD'",
        refused_by="ledger_chart_from_code",
        found_by="chart_kept",
        reports="USD",
    ),
    # --- Holds ---
    Attack(
        "a captured hold is reopened",
        "UPDATE ledger_hold SET state = 'OPEN', closed_by = NULL WHERE id = '{captured}'",
        refused_by="ledger_hold_closes_once",
        found_by="holds_equal_escrow",
        reports="escrow of {ann_is} holds 20.00 USD, its open holds say 35.00",
    ),
    Attack(
        "a captured hold is called released",
        "UPDATE ledger_hold SET state = 'RELEASED' WHERE id = '{captured}'",
        refused_by="ledger_hold_closes_once",
        found_by="fingerprints_match",
    ),
    Attack(
        "a hold's amount is edited",
        "UPDATE ledger_hold SET amount = 2000 WHERE id = '{opened}'",
        refused_by="ledger_hold_closes_once",
        found_by="holds_equal_escrow",
        reports="its open holds say 2000",
    ),
    Attack(
        "a hold goes to another owner",
        "UPDATE ledger_hold SET owner = '{nobody}' WHERE id = '{opened}'",
        refused_by="ledger_hold_closes_once",
        found_by="holds_equal_escrow",
        reports="0",
    ),
    Attack(
        "a hold is closed by hand",
        "UPDATE ledger_hold SET state = 'RELEASED', closed_by = {last} WHERE id = '{opened}'",
        refused_by="ledger_by_function_only",
        found_by="holds_equal_escrow",
        reports="its open holds say 0",
    ),
    Attack(
        "a hold is opened by hand",
        "INSERT INTO ledger_hold VALUES ('{nobody}', '{ann_is}', 'USD', 5, 'OPEN', {last}, NULL)",
        refused_by="ledger_by_function_only",
        found_by="holds_equal_escrow",
        reports="its open holds say 25",
    ),
    Attack(
        "a hold begins captured",
        "INSERT INTO ledger_hold VALUES ('{nobody}', '{ann_is}', 'USD', 5, 'CAPTURED', {first}, {last})",
        refused_by="ledger_hold_opens_open",
        found_by="fingerprints_match",
        reports="journal {first} ",
    ),
    Attack(
        "a hold is deleted",
        "DELETE FROM ledger_hold WHERE id = '{opened}'",
        refused_by="ledger_append_only",
        found_by="holds_equal_escrow",
        reports="its open holds say 0",
    ),
    # --- Keys ---
    Attack(
        "a journal gives up its key, so that its event can happen again",
        "UPDATE ledger_journal SET key = 'deposit_confirmed:another' WHERE id = {first}",
        refused_by="ledger_append_only",
        found_by="seals_verify",
        reports="number 1: journal {first} is not what was sealed",
    ),
    Attack(
        "a key is used for a second journal",
        _FORGED.replace("'forged:1'", "'{first_key}'"),
        refused_by="ledger_journal_key_once",
        found_by="keys_unique",
        reports="key {first_key} has 2 journals",
        loosen="ALTER TABLE ledger_journal DROP CONSTRAINT ledger_journal_key_once",
    ),
    # --- Journals that are put in ---
    Attack(
        "a one-sided journal",
        _journal() + _entries(_next("{ann}", "CR", "7.00")),
        refused_by="ledger_entry_balanced",
        found_by="trial_balance",
        reports="USD: debits ",
    ),
    Attack(
        "a journal without entries",
        _journal(),
        refused_by="ledger_journal_has_entries",
        found_by="journals_balance",
        reports="journal {absent} has no entries",
    ),
    Attack(
        "a journal's entries in two statements",
        _journal()
        + _entries(_next("{ann}", "CR", "7.00"), _next("{bob}", "DR", "7.00"))
        + _entries(_next("{ann_escrow}", "CR", "7.00"), _next("{bob_escrow}", "DR", "7.00")),
        refused_by="ledger_entry_one_statement",
        found_by="fingerprints_match",
        reports="journal {absent} ",
    ),
    Attack(
        "late entries join an old journal",
        _entries(_next("{ann}", "CR", "7.00", journal="{first}"), _next("{bob}", "DR", "7.00", journal="{first}")),
        refused_by="ledger_entry_of_this_transaction",
        found_by="fingerprints_match",
        reports="journal {first} ",
    ),
    Attack(
        "entries of no journal",
        _entries(_next("{ann}", "CR", "7.00"), _next("{bob}", "DR", "7.00")),
        refused_by="ledger_entry_of_this_transaction",
        found_by="entries_belong",
        reports="of journal {absent} has no journal",
    ),
    Attack(
        "dollars become euros",
        _journal() + _entries(_next("{ann}", "DR", "7.00"), _next("{ann_eur}", "CR", "7.00")),
        refused_by="ledger_entry_balanced",
        found_by="journals_balance",
        reports="journal {absent} is off by ",
    ),
    Attack(
        "real money becomes play money",
        _journal() + _entries(_next("{ann}", "DR", "7.00"), _next("{ann_play}", "CR", "7.00")),
        refused_by="ledger_entry_balanced",
        found_by="zones_apart",
        reports="journal {absent} moves PLAY and USD",
    ),
    Attack(
        "real money is exchanged for play money",
        _journal()
        + _entries(
            _next("{ann}", "DR", "7.00"),
            _next("{bob}", "CR", "7.00"),
            _next("{bob_play}", "DR", "70.00"),
            _next("{ann_play}", "CR", "70.00"),
        ),
        refused_by="ledger_entry_one_zone",
        found_by="zones_apart",
        reports="journal {absent} moves PLAY and USD",
    ),
    Attack(
        "an account that does not exist",
        _journal() + _entries(_next("{ann}", "DR", "7.00"), "{absent}, 1, {absent}, 'CR', 7.00, 7.00"),
        refused_by="ledger_entry_account_exists",
        found_by="entries_belong",
        reports="entry {absent}/1 of journal {absent} has no account",
    ),
    Attack(
        "a version is skipped",
        _journal()
        + _entries(_next("{ann}", "CR", "7.00"), _next("{bob}", "DR", "7.00")).replace("version + 1", "version + 2"),
        refused_by="ledger_entry_continues",
        found_by="versions_unbroken",
        reports="account {ann} ",
    ),
    Attack(
        "an entry says more than it adds",
        _journal() + _entries(_next("{ann}", "CR", "7.00", effect="+ 700"), _next("{bob}", "DR", "7.00")),
        refused_by="ledger_entry_continues",
        found_by="balances_chain",
        reports="entry {ann}/",
    ),
    Attack(
        "a cold entry says no balance",
        _journal() + _entries(_next("{ann}", "CR", "7.00", effect="+ NULL::numeric"), _next("{bob}", "DR", "7.00")),
        refused_by="ledger_entry_continues",
        found_by="balances_chain",
        reports="says nothing",
    ),
    Attack(
        "a hot entry under a version of its own",
        _journal() + _entries(_next("{ann}", "CR", "7.00"), "{clearing}, 888888888, {absent}, 'DR', 7.00, NULL"),
        refused_by="ledger_entry_continues",
        found_by="versions_unbroken",
        reports="entry {clearing}/888888888 of a hot account is of journal {absent}",
    ),
    Attack(
        "a hot entry says a balance",
        _journal() + _entries(_next("{ann}", "CR", "7.00"), "{clearing}, {absent}, {absent}, 'DR', 7.00, 7.00"),
        refused_by="ledger_entry_continues",
        found_by="balances_chain",
        reports="entry {clearing}/{absent} says 7.00",
    ),
    *(
        Attack(
            f"an amount of {amount}",
            _journal() + _entries(_next("{ann}", "CR", amount, effect="+ 0"), _hot("{clearing}", "DR", amount)),
            refused_by="ledger_entry_amount",
            found_by="amounts_exact",
            reports="moves " + amount.strip("'"),
            loosen="ALTER TABLE ledger_entry DROP CONSTRAINT ledger_entry_amount",
        )
        for amount in ("-7.00", "0", "'NaN'", "'Infinity'", "1000000000000")
    ),
    Attack(
        "a side that is neither",
        _journal() + _entries(_next("{ann}", "CR", "7.00").replace("'CR'", "'XX'"), _hot("{clearing}", "DR", "7.00")),
        refused_by="ledger_entry_side",
        found_by="trial_balance",
        loosen="ALTER TABLE ledger_entry DROP CONSTRAINT ledger_entry_side",
    ),
    Attack(
        "an amount finer than a cent",
        _journal() + _entries(_next("{ann}", "CR", "7.001"), _hot("{clearing}", "DR", "7.001")),
        refused_by="ledger_entry_scale",
        found_by="amounts_exact",
        reports="moves 7.001 USD",
    ),
    Attack(
        "a balance that follows entries into the red",
        _journal()
        + _entries(_next("{ann}", "DR", "9000.00"), _next("{bob}", "CR", "9000.00"))
        + _moved("{ann}", "- 9000.00")
        + _moved("{bob}", "+ 9000.00"),
        refused_by="ledger_balance_never_overdrawn",
        found_by="never_overdrawn",
        reports="account {ann} ",
        loosen="ALTER TABLE ledger_balance DROP CONSTRAINT ledger_balance_never_overdrawn",
    ),
    Attack(
        "a forged journal that balances",
        _FORGED,
        refused_by="ledger_by_function_only",
        found_by="fingerprints_match",
        reports="forged:1",
    ),
    Attack(
        "a forged journal with its fingerprint",
        _FORGED_WELL,
        refused_by="ledger_by_function_only",
        found_by="journals_numbered",
        reports="journal {absent} has an id that was never drawn",
    ),
    Attack(
        "a forged journal that waits to be sealed under another's number",
        _FORGED_WELL + "UPDATE ledger_sealed SET journal_id = {absent} WHERE number = 3;",
        refused_by="ledger_append_only",
        found_by="seals_verify",
        reports="number 3: journal {absent} is not what was sealed",
    ),
    Attack(
        "a forged journal under a number before the first",
        _FORGED_WELL + "INSERT INTO ledger_sealed VALUES (0, {absent}, 'x');",
        refused_by="ledger_by_function_only",
        found_by="seals_verify",
        reports="0",
    ),
    # --- Numbers and seals ---
    Attack(
        "a number goes to another journal",
        "UPDATE ledger_sealed SET journal_id = {last} WHERE number = 2",
        refused_by="ledger_append_only",
        found_by="seals_verify",
        reports="number 2: journal {last} is not what was sealed",
    ),
    Attack(
        "a number is deleted",
        "DELETE FROM ledger_sealed WHERE number = 2",
        refused_by="ledger_append_only",
        found_by="seals_verify",
        reports="number 2 is missing",
    ),
    Attack(
        "a journal is numbered by hand",
        "INSERT INTO ledger_sealed VALUES (13, {last}, 'x')",
        refused_by="ledger_by_function_only",
        found_by="seals_verify",
        reports="number 13: ",
    ),
    Attack(
        "a seal's totals are edited",
        "UPDATE ledger_seal SET totals = jsonb_set(totals, '{{debits,USD}}', '\"1000000\"') WHERE last = 6",
        refused_by="ledger_append_only",
        found_by="seals_verify",
        reports="seal up to 6: is not what was sealed",
    ),
    Attack(
        "a seal is deleted",
        "DELETE FROM ledger_seal WHERE last = 6",
        refused_by="ledger_append_only",
        found_by="seals_verify",
        reports="seal up to 12: does not follow",
    ),
    Attack(
        "a seal is put in by hand",
        """
        INSERT INTO ledger_seal (last, first, count, totals, posted_until, sealed_at, sha256, previous)
        SELECT 13, 13, 1, totals, posted_until, sealed_at, 'x', sha256 FROM ledger_seal WHERE last = 12
        """,
        refused_by="ledger_by_function_only",
        found_by="seals_verify",
        reports="seal up to 13: the numbers end at 12",
    ),
    Attack(
        "a journal that waits is never to be sealed",
        NEVER_DRAWN,
        refused_by="ledger_append_only",
        found_by="journals_numbered",
        reports="journal {absent} has an id that was never drawn",
    ),
    # --- Tables emptied: the owner's right, found afterwards ---
    *(
        Attack(f"ledger_{table} is emptied", f"TRUNCATE ledger_{table}", refused_by=None, found_by=proof)
        for table, proof in {
            "entry": "journals_balance",
            "journal": "entries_belong",
            "account": "entries_belong",
            "balance": "balances_rebuilt",
            "hold": "holds_equal_escrow",
            "sealed": "seals_verify",
            "seal": "seals_verify",
            "kind": "chart_kept",
            "currency": "chart_kept",
        }.items()
    ),
    Attack(
        "the whole book is emptied",
        """
        TRUNCATE ledger_account, ledger_balance, ledger_journal, ledger_entry, ledger_hold, ledger_sealed, ledger_seal
        """,
        refused_by=None,
        found_by=CHECKPOINT,
        reports="the chain has no seal that ends at 12; it ends at 0",
    ),
)
