"""For each proof a corruption that turns it red, with the others that must then be red as well: what each one is for.

Done as a superuser with triggers off. A proof without a corruption here fails the last test.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

from ledger import proofs
from tests.ledger import small_book


@dataclass(frozen=True, slots=True)
class Corruption:
    """``sql`` turns ``proof`` red, which says ``says``; and ``beside`` it exactly these."""

    proof: str
    what: str
    sql: str
    says: str
    beside: tuple[str, ...] = ()


# Most are done to {last}, ann's last deposit, which is not sealed: the seals see nearly everything, and would hide
# which other proof sees it too.
CORRUPTIONS = (
    Corruption(
        "trial_balance",
        "a side that is neither debit nor credit",
        """
        ALTER TABLE ledger_entry DROP CONSTRAINT ledger_entry_side;
        UPDATE ledger_entry SET side = 'XX' WHERE journal_id = {last} AND account_id = {ann}
        """,
        "USD: debits ",
        beside=("balances_chain", "balances_rebuilt", "customer_money_apart", "fingerprints_match"),
    ),
    Corruption(
        "zones_apart",
        "the euros in a wallet become play money",
        "UPDATE ledger_account SET currency = 'PLAY', owner = '{nobody}' WHERE id = {ann_eur}",
        "moves EUR and PLAY",
        beside=("journals_balance", "trial_balance", "customer_money_apart", "fingerprints_match", "seals_verify"),
    ),
    Corruption(
        "zones_apart",
        "an account in a currency nobody knows",
        "UPDATE ledger_account SET currency = 'XXX' WHERE currency = 'EUR'",
        "moves XXX",
        beside=("amounts_exact", "chart_kept", "fingerprints_match", "seals_verify"),
    ),
    Corruption(
        "journals_balance",
        "a journal without entries, and nobody misses them",
        """
        DELETE FROM ledger_entry WHERE journal_id = {last};
        UPDATE ledger_balance b SET amount = e.balance_after, version = e.version, posted_at = j.posted_at
        FROM ledger_entry e JOIN ledger_journal j ON j.id = e.journal_id
        WHERE b.account_id = {ann} AND e.account_id = {ann} AND e.version = b.version - 1
        """,
        "journal {last} has no entries",
        beside=("fingerprints_match",),
    ),
    Corruption(
        "journals_balance",
        "two journals that are off by the same amount",
        """
        UPDATE ledger_entry SET amount = amount + 1 WHERE account_id = {clearing} AND journal_id = {last};
        UPDATE ledger_entry SET amount = amount - 1 WHERE account_id = {clearing} AND journal_id = {bobs_last};
        """,
        "is off by ",
        beside=("fingerprints_match",),
    ),
    Corruption(
        "entries_belong",
        "a journal is gone",
        "DELETE FROM ledger_journal WHERE id = {last}",
        "of journal {last} has no journal",
        beside=("time_runs_forward",),
    ),
    Corruption(
        "entries_belong",
        "an account is gone",
        "DELETE FROM ledger_account WHERE id = {ann_escrow_play}",
        "entry {ann_escrow_play}/1 of journal ",
        beside=(
            *("trial_balance", "journals_balance", "balances_rebuilt", "customer_money_apart"),
            *("holds_equal_escrow", "fingerprints_match"),
        ),
    ),
    Corruption(
        "amounts_exact",
        "a tenth of a cent on both sides",
        """
        UPDATE ledger_entry SET amount = amount + 0.001 WHERE journal_id = {last};
        UPDATE ledger_entry SET balance_after = balance_after + 0.001 WHERE journal_id = {last};
        UPDATE ledger_balance SET amount = amount + 0.001 WHERE account_id = {ann};
        """,
        "moves 1.001 USD",
        beside=("fingerprints_match",),
    ),
    Corruption(
        "versions_unbroken",
        "ann's last version is skipped",
        """
        UPDATE ledger_entry SET version = version + 1 WHERE journal_id = {last} AND account_id = {ann};
        UPDATE ledger_balance SET posted_at = NULL WHERE account_id = {ann};
        """,
        "account {ann} has ",
    ),
    Corruption(
        "versions_unbroken",
        "a hot entry under a version of its own",
        "UPDATE ledger_entry SET version = {absent} WHERE journal_id = {last} AND account_id = {clearing}",
        "entry {clearing}/{absent} of a hot account is of journal {last}",
    ),
    Corruption(
        "balances_chain",
        "an entry says a balance that it does not leave",
        "UPDATE ledger_entry SET balance_after = 77.00 WHERE journal_id = {last} AND account_id = {ann}",
        "says 77.00",
    ),
    Corruption(
        "balances_rebuilt",
        "a cold balance is edited",
        "UPDATE ledger_balance SET amount = 77.00 WHERE account_id = {bob}",
        "account {bob} stands at 77.00, its entries say ",
    ),
    Corruption(
        "balances_rebuilt",
        "a hot balance forgets what was folded into it",
        "UPDATE ledger_balance SET version = 0 WHERE account_id = {clearing}",
        "account {clearing} stands at ",
    ),
    Corruption(
        "never_overdrawn",
        "a wallet in the red by entries that add up",
        """
        ALTER TABLE ledger_balance DROP CONSTRAINT ledger_balance_never_overdrawn;
        UPDATE ledger_entry SET amount = 501.00, balance_after = balance_after - 502.00,
               side = CASE side WHEN 'DR' THEN 'CR' ELSE 'DR' END WHERE journal_id = {last};
        UPDATE ledger_balance b SET amount = e.balance_after FROM ledger_entry e
        WHERE e.journal_id = {last} AND e.account_id = {ann} AND b.account_id = {ann};
        """,
        "account {ann} stands at -",
        beside=("fingerprints_match",),
    ),
    Corruption(
        "chart_kept",
        "an account that is no longer guarded",
        """
        UPDATE ledger_account SET guarded = false WHERE id = {ann};
        UPDATE ledger_balance SET guarded = false WHERE account_id = {ann};
        """,
        "account {ann} (wallet, USD) is not what the chart says",
    ),
    Corruption(
        "chart_kept",
        "an account outside its kind's zones",
        """
        INSERT INTO ledger_account VALUES ({absent}, 'clearing', '{nobody}', 'PLAY', 'DR', 2, false, true);
        INSERT INTO ledger_balance VALUES ({absent}, false, true, 0, 0, NULL)
        """,
        "account {absent} (clearing, PLAY) is not what the chart says",
    ),
    Corruption(
        "chart_kept",
        "an account with finer units than its currency",
        "UPDATE ledger_account SET minor_digits = 4 WHERE id = {ann}",
        "account {ann} (wallet, USD) is not what the chart says",
    ),
    Corruption(
        "chart_kept",
        "a kind that the code does not know",
        "INSERT INTO ledger_kind VALUES ('pocket', 'CR', false, false, true, true)",
        "kind pocket is not in the database what it is in the code",
    ),
    Corruption(
        "customer_money_apart",
        "a player's euros become the operator's",
        """
        UPDATE ledger_account SET code = 'revenue', guarded = false WHERE id = {ann_eur};
        UPDATE ledger_balance SET guarded = false WHERE account_id = {ann_eur};
        """,
        "EUR: 73.00 more is there than is owed",
        beside=("fingerprints_match", "seals_verify"),
    ),
    Corruption(
        "holds_equal_escrow",
        "a hold that nobody opened",
        "INSERT INTO ledger_hold VALUES ('{nobody}', '{nobody}', 'USD', 5, 'OPEN', {absent}, NULL)",
        "escrow of {nobody} holds 0 USD, its open holds say 5",
    ),
    Corruption(
        "keys_unique",
        "two deposits under one key",
        """
        ALTER TABLE ledger_journal DROP CONSTRAINT ledger_journal_key_once;
        UPDATE ledger_journal SET key = '{last_key}' WHERE id = {bobs_last};
        """,
        "key {last_key} has 2 journals",
    ),
    Corruption(
        "fingerprints_match",
        "another event by the same lines",
        "UPDATE ledger_journal SET event = 'play_money_issued' WHERE id = {last}",
        "journal {last} is not the voucher that was posted as {last_key}",
    ),
    Corruption(
        "time_runs_forward",
        "a deposit recorded before there was a book",
        """
        UPDATE ledger_journal SET posted_at = '1999-01-01' WHERE id = {last};
        UPDATE ledger_balance SET posted_at = '1999-01-01' WHERE account_id = {ann};
        """,
        "was recorded before its predecessor",
    ),
    Corruption(
        "time_runs_forward",
        "a balance that moved without an entry",
        "UPDATE ledger_balance SET posted_at = now() WHERE account_id = {ann}",
        "account {ann} says that it moved last at ",
    ),
    Corruption(
        "reversals_mirror",
        "a reversal of nothing of the kind",
        "UPDATE ledger_journal SET reverses = {first} WHERE id = {last}",
        "journal {last} does not mirror journal {first}",
    ),
    Corruption(
        "journals_numbered",
        "a journal that the seal passed by",
        "DELETE FROM ledger_sealed WHERE number = 2",
        " was never numbered",
        beside=("seals_verify",),
    ),
    Corruption(
        "journals_numbered",
        "two journals that are numbered the other way round",
        """
        UPDATE ledger_sealed SET journal_id = -journal_id WHERE number IN (2, 3);
        UPDATE ledger_sealed n SET journal_id = -o.journal_id FROM ledger_sealed o
        WHERE n.number IN (2, 3) AND o.number = 5 - n.number;
        """,
        " is numbered out of order",
        beside=("seals_verify",),
    ),
    Corruption(
        "journals_numbered",
        "a journal that is never to be sealed",
        small_book.NEVER_DRAWN,
        "journal {absent} has an id that was never drawn",
    ),
    Corruption(
        "seals_verify",
        "a sealed journal says another reason",
        'UPDATE ledger_journal SET detail = \'{{"reason": "none"}}\' WHERE id = {slip}',
        "journal {slip} is not what was sealed",
    ),
)


@pytest.mark.parametrize("corruption", CORRUPTIONS, ids=lambda corruption: f"{corruption.proof}: {corruption.what}")
def test_a_corruption_turns_its_proof_red(
    corruption: Corruption, committed: dict[str, Any], superuser_dsn: str
) -> None:
    with small_book.acting_as(superuser_dsn):
        small_book.run_sql("SET LOCAL session_replication_role = replica;" + corruption.sql.format(**committed))
        failing = small_book.failing()
    assert corruption.says.format(**committed) in failing.get(corruption.proof, "it holds")
    assert set(failing) == {corruption.proof, *corruption.beside}


def test_every_proof_has_a_corruption_that_turns_it_red() -> None:
    assert {corruption.proof for corruption in CORRUPTIONS} == {check.__name__ for check in proofs.PROOFS}


def test_a_book_with_nothing_in_it_proves(committed: dict[str, Any], owner_dsn: str) -> None:
    with small_book.acting_as(owner_dsn):
        small_book.run_sql("TRUNCATE " + ", ".join(f"ledger_{name}" for name in small_book.WRITTEN))
        assert small_book.failing() == {}
        figures = {check.__name__: check().figure for check in proofs.PROOFS}
    assert figures["trial_balance"] == "empty"
    assert figures["journals_numbered"] == "0 sealed, 0 waiting"
