"""The hash chain: whatever is done to what was sealed is found, and the first row that is wrong is named.

The small book is sealed twice: numbers 1 to 6, and 7 to 12. Tampering is a superuser's with triggers off.
"""

from __future__ import annotations

import json
import subprocess
import sys
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from django.test import override_settings

from ledger import seals
from tests.ledger import small_book
from tests.ledger.small_book import acting_as, run_sql

OFF = "SET LOCAL session_replication_role = replica;"

# What is done, and the fault that names it.
TAMPERING = (
    # --- What was sealed is altered ---
    (
        "an amount, on both sides",
        """
        UPDATE ledger_entry SET amount = amount + 1 WHERE journal_id = {first};
        UPDATE ledger_entry SET balance_after = balance_after + 1 WHERE account_id = {ann};
        UPDATE ledger_balance SET amount = amount + 1 WHERE account_id IN ({ann}, {clearing});
        """,
        "number 1: journal {first} is not what was sealed",
    ),
    (
        "only an amount's digits",
        "UPDATE ledger_entry SET amount = 100.000 WHERE journal_id = {first} AND account_id = {clearing}",
        "number 1: journal {first} is not what was sealed",
    ),
    (
        "a detail",
        'UPDATE ledger_journal SET detail = detail || \'{{"reason": ""}}\' WHERE id = {slip}',
        "number 8: journal {slip} is not what was sealed",
    ),
    *(
        (f"a journal's {column}", f"UPDATE ledger_journal SET {column} = {value} WHERE id = {{first}}", "number 1: ")
        for column, value in {
            "key": "key || 'x'",
            "event": "'play_money_issued'",
            "fingerprint": "sha256('')",
            "occurred_at": "occurred_at + interval '1 microsecond'",
            "posted_at": "posted_at + interval '1 microsecond'",
            "reverses": "1",
        }.items()
    ),
    (
        "an entry is inserted",
        "INSERT INTO ledger_entry VALUES ({bob}, 99, {first}, 'CR', 7.00, 7.00)",
        "number 1: journal {first} is not what was sealed",
    ),
    ("an entry is deleted", "DELETE FROM ledger_entry WHERE journal_id = {first} AND side = 'CR'", "number 1: "),
    ("an account's owner", "UPDATE ledger_account SET owner = '{nobody}' WHERE id = {ann}", "number 1: "),
    (
        "an account's kind",
        "UPDATE ledger_account SET code = 'escrow', owner = '{nobody}' WHERE id = {ann}",
        "number 1: ",
    ),
    ("an account is gone", "DELETE FROM ledger_account WHERE id = {clearing}", "number 1: "),
    *(
        (f"a hold's {column}", f"UPDATE ledger_hold SET {column} = {value} WHERE id = '{{captured}}'", f"number {n}: ")
        for column, value, n in (
            ("id", "'{nobody}'", 6),
            ("owner", "'{nobody}'", 6),
            ("currency", "'EUR'", 6),
            ("amount", "16", 6),
            ("opened_by", "{first}", 1),
            ("closed_by", "{first}", 1),
            ("state", "'RELEASED'", 7),
        )
    ),
    (
        "a hold is inserted",
        "INSERT INTO ledger_hold VALUES ('{nobody}', '{bob_is}', 'USD', 5, 'OPEN', {first})",
        "number 1: ",
    ),
    ("a journal is gone", "DELETE FROM ledger_journal WHERE id = {slip}", "number 8: its journal {slip} is gone"),
    # --- The chain is relinked ---
    (
        "two journals change numbers",
        """
        UPDATE ledger_sealed SET journal_id = -journal_id WHERE number IN (3, 4);
        UPDATE ledger_sealed SET journal_id = CASE number WHEN 3 THEN journal_id - 1 ELSE journal_id + 1 END * -1
        WHERE number IN (3, 4);
        """,
        "number 3: ",
    ),
    (
        "two numbers change hashes",
        """
        UPDATE ledger_sealed a SET sha256 = b.sha256 FROM ledger_sealed b
        WHERE (a.number, b.number) IN ((3, 4), (4, 3))
        """,
        "number 3: ",
    ),
    (
        "a middle part is altered and its hashes made anew",
        """
        UPDATE ledger_journal SET occurred_at = '1999-01-01' WHERE id = {first};
        DO $$ DECLARE n int; hash bytea := ''; BEGIN FOR n IN 1 .. 12 LOOP
            hash := sha256(hash || convert_to(n || '|' || ledger_journal_text(
                (SELECT journal_id FROM ledger_sealed WHERE number = n)), 'UTF8'));
            UPDATE ledger_sealed SET sha256 = hash WHERE number = n;
        END LOOP; END $$
        """,
        "seal up to 6: is not what was sealed",
    ),
    ("a number is skipped", "UPDATE ledger_sealed SET number = 99 WHERE number = 12", "number 12 is missing, 99 is in"),
    (
        "a number before the first",
        "UPDATE ledger_sealed SET number = 0 WHERE number = 1",
        "number 1 is missing, 0 is in",
    ),
    ("a number is deleted", "DELETE FROM ledger_sealed WHERE number = 5", "number 5 is missing, 6 is in its place"),
    (
        "the first number is deleted",
        "DELETE FROM ledger_sealed WHERE number = 1",
        "number 1 is missing, 2 is in its place",
    ),
    (
        "the last number is deleted",
        "DELETE FROM ledger_sealed WHERE number = 12",
        "seal up to 12: the numbers end at 11",
    ),
    ("a number is added", "INSERT INTO ledger_sealed VALUES (13, {last}, 'x')", "number 13: "),
    (
        "a number is added with its hash",
        """
        INSERT INTO ledger_sealed SELECT 13, {last},
            sha256(sha256 || convert_to('13|' || ledger_journal_text({last}), 'UTF8'))
        FROM ledger_sealed WHERE number = 12
        """,
        "number 13 lies beyond the last seal",
    ),
    ("all numbers are gone", "TRUNCATE ledger_sealed", "seal up to 6: the numbers end at 0"),
    # --- The seals ---
    *(
        (f"a seal's {column}", f"UPDATE ledger_seal SET {column} = {value} WHERE last = 6", f"seal up to 6: {says}")
        for column, value, says in (
            ("first", "2", "does not follow"),
            ("count", "5", "does not follow"),
            ("previous", "'x'", "does not follow"),
            ("totals", """totals || '{{"hot": {{}}}}'""", "is not what was sealed"),
            ("posted_until", "posted_until - interval '1 second'", "is not what was sealed"),
            ("sealed_at", "sealed_at - interval '1 second'", "is not what was sealed"),
            ("sha256", "sha256('')", "is not what was sealed"),
        )
    ),
    ("a seal ends elsewhere", "UPDATE ledger_seal SET last = 5 WHERE last = 6", "seal up to 5: does not follow"),
    ("the first seal is deleted", "DELETE FROM ledger_seal WHERE last = 6", "seal up to 12: does not follow"),
    ("the last seal is deleted", "DELETE FROM ledger_seal WHERE last = 12", "number 12 lies beyond the last seal"),
    ("every seal is deleted", "DELETE FROM ledger_seal", "number 12 lies beyond the last seal"),
    (
        "a seal of nothing",
        "INSERT INTO ledger_seal SELECT 0, 1, 0, totals, posted_until, sealed_at, sha256 FROM ledger_seal LIMIT 1",
        "seal up to 0: ",
    ),
)


REHASHED = """
    UPDATE ledger_seal SET {{change}} WHERE last = 12;
    UPDATE ledger_seal s SET sha256 = sha256(s.previous || n.sha256 || convert_to(concat_ws('|', s.first, s.last,
        s.totals::text, to_char(s.posted_until AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'),
        to_char(s.sealed_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US')), 'UTF8'))
        FROM ledger_sealed n WHERE s.last = 12 AND n.number = 12;
    """


@pytest.mark.parametrize(
    "change",
    [
        "totals = jsonb_set(totals, '{hot,%(clearing)s}', '\"777777.00\"')",
        "totals = totals #- '{debits,USD}'",
        "totals = totals || '{\"more\": 1}'",
        "posted_until = posted_until - interval '1 day'",
        "posted_until = posted_until + interval '1 day'",
    ],
)
def test_totals_forged_with_the_hash_of_the_last_seal_are_found(
    change: str, committed: dict[str, Any], superuser_dsn: str
) -> None:
    """The formula is public; the totals are summed anew. A hot account's past is read from them."""
    with acting_as(superuser_dsn):
        run_sql(OFF + REHASHED.replace("{{change}}", "sealed_at = sealed_at"))
        assert seals.verify().fault is None
        run_sql(OFF + REHASHED.replace("{{change}}", change % committed))
        assert seals.verify().fault == "seal up to 12: its totals are not those of the book"


@pytest.mark.parametrize(("what", "sql", "fault"), TAMPERING, ids=[row[0] for row in TAMPERING])
def test_tampering_is_found_from_the_rows_alone(
    what: str, sql: str, fault: str, committed: dict[str, Any], superuser_dsn: str
) -> None:
    with acting_as(superuser_dsn):
        run_sql(OFF + sql.format(**committed))
        found = seals.verify().fault
    assert found is not None
    assert found.startswith(fault.format(**committed))


# What leaves a chain that is sound in itself: only a checkpoint kept outside tells.
CUT = """
    DELETE FROM ledger_entry WHERE journal_id IN (SELECT journal_id FROM ledger_sealed WHERE number > 6);
    DELETE FROM ledger_journal WHERE id IN (SELECT journal_id FROM ledger_sealed WHERE number > 6);
    DELETE FROM ledger_sealed WHERE number > 6; DELETE FROM ledger_seal WHERE last > 6;
    """
ANEW = """
    UPDATE ledger_journal SET detail = '{{}}' WHERE id = {slip};
    TRUNCATE ledger_sealed, ledger_seal;
    SELECT ledger_seal(6); SELECT ledger_seal(6);
    """


@pytest.mark.parametrize(
    ("sql", "fault"),
    [
        (CUT, "checkpoint: the chain has no seal that ends at 12; it ends at 6"),
        (ANEW, "checkpoint: the seal up to 12 is not the one that was kept"),
        (ANEW.replace("(6)", "(5)"), "checkpoint: the chain has no seal that ends at 12; it ends at 10"),
        ("TRUNCATE ledger_sealed, ledger_seal", "checkpoint: the chain has no seal that ends at 12; it ends at 0"),
    ],
    ids=["the tail is cut off", "the chain is made anew", "the chain is made anew in other parts", "all of it is gone"],
)
def test_a_sound_chain_that_is_another_is_found_by_the_checkpoint(
    sql: str, fault: str, committed: dict[str, Any], superuser_dsn: str
) -> None:
    kept = seals.checkpoint()
    with acting_as(superuser_dsn):
        run_sql(OFF + sql.format(**committed))
        assert seals.verify().fault is None
        assert seals.verify(against=kept).fault == fault


def test_untouched_it_verifies_against_every_checkpoint_ever_kept(
    committed: dict[str, Any], superuser_dsn: str
) -> None:
    early = seals.Checkpoint(6, 6, _sha256_of_seal(6))
    late = seals.checkpoint()
    assert late == seals.Checkpoint(12, 12, _sha256_of_seal(12))
    assert seals.verify() == seals.verify(against=early) == seals.verify(against=late) == seals.Verified(12, 2)
    with acting_as(superuser_dsn):  # and after more has been sealed
        assert seals.seal(at_most=2) is not None
        assert seals.seal() is not None
        assert seals.seal() is None
        assert seals.verify(against=early) == seals.verify(against=late) == seals.Verified(17, 4)


def test_a_seal_keeps_the_totals_of_the_book(committed: dict[str, Any], app_dsn: str) -> None:
    with acting_as(app_dsn):
        while seals.seal(at_most=2):
            pass
        totals = json.loads(str(small_book.only("SELECT totals FROM ledger_seal ORDER BY last DESC LIMIT 1")))
        for currency, debits in totals["debits"].items():
            (sum_of_debits,) = (
                small_book.only(
                    f"SELECT sum(amount) FROM ledger_entry e JOIN ledger_account a ON a.id = e.account_id "
                    f"WHERE side = 'DR' AND currency = '{currency}'"
                ),
            )
            assert debits == str(sum_of_debits)
        for account, amount in totals["hot"].items():
            assert amount == str(
                small_book.only(
                    f"SELECT sum(CASE WHEN e.side = a.grows_on THEN amount ELSE -amount END) FROM ledger_entry e "
                    f"JOIN ledger_account a ON a.id = e.account_id WHERE a.id = {account}"
                )
            )
    assert set(totals["debits"]) == {"USD", "EUR", "PLAY"}
    assert str(committed["commission"]) in totals["hot"]


# --- Checkpoint files ---


def test_a_checkpoint_is_read_as_it_was_written(tmp_path: Path) -> None:
    kept = seals.Checkpoint(12, 12, "ab" * 32)
    kept.write(tmp_path / "kept.json")
    assert seals.Checkpoint.read(tmp_path / "kept.json") == kept


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"{",
        b"\xff\xfe",
        b"[]",
        b"12",
        b"null",
        b'{"number": 12, "count": 12}',
        b'{"number": "12", "count": 12, "sha256": "%s"}' % (b"ab" * 32),
        b'{"number": 12.0, "count": 12, "sha256": "%s"}' % (b"ab" * 32),
        b'{"number": true, "count": 12, "sha256": "%s"}' % (b"ab" * 32),
        b'{"number": 12, "count": null, "sha256": "%s"}' % (b"ab" * 32),
        b'{"number": 12, "count": 12, "sha256": "ab"}',
        b'{"number": 12, "count": 12, "sha256": 7}',
        b'{"number": 12, "count": 12, "sha256": "%s"}' % (b"xy" * 32),
    ],
)
def test_another_file_is_no_checkpoint(text: bytes, tmp_path: Path) -> None:
    (tmp_path / "kept.json").write_bytes(text)
    with pytest.raises(seals.InvalidCheckpoint, match="is no checkpoint"):
        seals.Checkpoint.read(tmp_path / "kept.json")


# --- The commands ---


def test_seal_seals_what_waits_and_keeps_a_checkpoint(committed: dict[str, Any], app_dsn: str, tmp_path: Path) -> None:
    file = tmp_path / "kept.json"
    with acting_as(app_dsn):
        said = _run("seal", "--checkpoint", str(file))
        kept = seals.checkpoint()
        assert kept is not None
        assert said == f"sealed journals 13 to 17: {kept.sha256}\ncheckpoint kept in {file}\n"
        assert seals.Checkpoint.read(file) == kept
        assert _run("seal") == f"nothing to seal: the chain ends at 17, {kept.sha256}\n"
        assert _run("seal", "--verify") == "17 journals under 3 seals verify\n"
        assert "17 journals under 3 seals verify, and " in _run("seal", "--verify", "--checkpoint", str(file))


def test_seal_says_the_first_row_that_does_not_verify(committed: dict[str, Any], superuser_dsn: str) -> None:
    with acting_as(superuser_dsn):
        run_sql(OFF + "UPDATE ledger_entry SET amount = amount + 1 WHERE journal_id = {first}".format(**committed))
        said, status = _fails("seal", "--verify")
    assert said == f"does not verify: number 1: journal {committed['first']} is not what was sealed\n"
    assert status == 1


def test_seal_says_that_the_tail_was_cut_off(committed: dict[str, Any], superuser_dsn: str, tmp_path: Path) -> None:
    kept = seals.checkpoint()
    assert kept is not None
    kept.write(tmp_path / "kept.json")
    with acting_as(superuser_dsn):
        run_sql(OFF + CUT)
        said, status = _fails("seal", "--verify", "--checkpoint", str(tmp_path / "kept.json"))
    assert said == "does not verify: checkpoint: the chain has no seal that ends at 12; it ends at 6\n"
    assert status == 1


@pytest.mark.parametrize("options", [[], ["--verify"]], ids=["to keep", "to verify against"])
def test_a_checkpoint_that_cannot_be_used_is_an_error_of_input(
    options: list[str], committed: dict[str, Any], app_dsn: str, tmp_path: Path
) -> None:
    with acting_as(app_dsn), pytest.raises(CommandError, match="checkpoint: ") as refusal:
        _run("seal", *options, "--checkpoint", str(tmp_path / "nowhere" / "kept.json"))
    assert refusal.value.returncode == 2


def test_there_is_no_checkpoint_of_an_empty_book(committed: dict[str, Any], owner_dsn: str, tmp_path: Path) -> None:
    with acting_as(owner_dsn):
        run_sql("TRUNCATE " + ", ".join(f"ledger_{name}" for name in small_book.WRITTEN))
        assert _run("seal") == "nothing to seal\n"
        assert _run("seal", "--verify") == "0 journals under 0 seals verify\n"
        with pytest.raises(CommandError, match="checkpoint: nothing was ever sealed") as refusal:
            _run("seal", "--checkpoint", str(tmp_path / "kept.json"))
    assert refusal.value.returncode == 2
    assert not (tmp_path / "kept.json").exists()


def test_roll_up_folds_once(committed: dict[str, Any], app_dsn: str) -> None:
    with acting_as(app_dsn):
        waiting = small_book.only(
            """
            SELECT count(*) FROM ledger_entry e JOIN ledger_balance b ON b.account_id = e.account_id
            WHERE b.hot AND e.version > b.version
            """
        )
        assert _run("roll_up") == f"{waiting} entries folded into the balances of hot accounts\n"
        assert _run("roll_up") == "0 entries folded into the balances of hot accounts\n"
        assert small_book.failing() == {}


@override_settings(BOOK_PROOFS=[])
def test_prove_book_has_a_line_a_proof(committed: dict[str, Any], superuser_dsn: str) -> None:
    with acting_as(superuser_dsn):
        *lines, verdict = _run("prove_book").splitlines()
        said = [line.split(None, 2) for line in lines]
        assert verdict == f"The book proves: all {len(said)} hold."
        told = [json.loads(line) for line in _run("prove_book", "--json").splitlines()]
        assert {holds for holds, _, _ in said} == {"holds"}
        assert ["holds", "seals_verify", "12 journals under 2 seals"] in said
        assert told == [{"proof": p, "holds": True, "figure": figure, "fault": None} for _, p, figure in said]

        run_sql(OFF + small_book.NEVER_DRAWN.format(**committed))
        said_now, status = _fails("prove_book")
        assert status == 1
        fails = [line.split(None, 2) for line in said_now.splitlines() if line.startswith("FAILS")]
        assert fails == [
            ["FAILS", "journals_numbered", f"journal {committed['absent']} has an id that was never drawn"]
        ]
        told_now, status = _fails("prove_book", "--json")
        assert status == 1
        failed = [proof for proof in map(json.loads, told_now.splitlines()) if not proof["holds"]]
    assert failed == [
        {
            "proof": "journals_numbered",
            "holds": False,
            "figure": "12 sealed, 5 waiting",
            "fault": f"journal {committed['absent']} has an id that was never drawn",
        }
    ]


@pytest.mark.parametrize(
    ("arguments", "status", "said", "complained"),
    [
        (["seal", "--verify"], 0, "12 journals under 2 seals verify", ""),
        (["seal", "--verify", "--checkpoint", "/no/such/file"], 2, "", "checkpoint: "),
        (["prove_book"], 1, "FAILS  open_stakes_are_held", ""),  # these holds are of no stake
    ],
)
def test_scripts_can_rely_on_the_exit_status(
    arguments: list[str],
    status: int,
    said: str,
    complained: str,
    committed: dict[str, Any],
    child_environment: dict[str, str],
) -> None:
    done = subprocess.run(
        [sys.executable, "manage.py", *arguments],
        cwd=settings.BASE_DIR,
        env=child_environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == status
    assert said in done.stdout
    assert complained in done.stderr
    assert "Traceback" not in done.stderr


def _run(*arguments: str) -> str:
    said = StringIO()
    call_command(*arguments, stdout=said, no_color=True)
    return said.getvalue()


def _fails(*arguments: str) -> tuple[str, object]:
    said = StringIO()
    with pytest.raises(SystemExit) as left:
        call_command(*arguments, stdout=said, no_color=True)
    return said.getvalue(), left.value.code


def _sha256_of_seal(last: int) -> str:
    return str(small_book.only(f"SELECT encode(sha256, 'hex') FROM ledger_seal WHERE last = {last}"))
