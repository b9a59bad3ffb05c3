"""Locks are taken in one order, whatever is mixed: processes that want the same rows from all sides never deadlock.

They do what the jackhammer's clients do, through the services and through the book, singly and in batches; but nobody
is killed, and nobody runs anything again: the first deadlock, time-out or other error of any of them ends the test.
"""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.ledger.hammer import LOOSE, Folder
from tests.ledger.judge import Judge
from tests.ledger.storm import Storm, prepare


@pytest.mark.django_db(transaction=True)
def test_players_meet_in_every_direction_and_nobody_deadlocks(
    tmp_path: Path, child_environment: dict[str, str]
) -> None:
    folder = Folder(tmp_path)
    prepare(folder)
    seed = random.SystemRandom().randbytes(4).hex()
    print(f"seed {seed}")
    with Storm(
        ["mixer1", "mixer2", "mixer3", "mixer4"], folder=folder, environment=child_environment, seed=seed
    ) as storm:
        storm.work(keys=250)
        storm.finish()
    judge = Judge(folder)
    assert folder.surprises.read_text() == ""
    assert judge.happened()["same_key_from_several"]
    judge.every_acknowledged_key_is_in_the_book_once()
    judge.balances_are_a_recount(judge.everything_in_the_book_was_meant())
    judge.every_stake_is_closed_once()
    judge.everything_proves(but=LOOSE)
    assert judge.faults == []
