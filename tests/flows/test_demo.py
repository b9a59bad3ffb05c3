"""The main job, as a person runs it: `manage.py demo` in a process of its own, and once more."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from games.models import Player, Room, Table
from ledger import book, postings
from tests.factories import NOON, seated, terms
from wagering.settlement.models import Settlement

ROOT = Path(__file__).resolve().parents[2]

TOLD = """
Emerald Room · single game, cap 20.00 · stake 5.00 USD · tariff gammonempire 1
game 1: Ann Ace wins a single, cube 2, 2 points, borne off after 32 plays
Ann Ace +9.02 USD held 20.00, back 29.02 rating 1500.00 → 1510.00
Bob Bar -10.00 USD held 20.00, back 10.00 rating 1500.00 → 1490.00
commission 0.98 USD of both players, paid by the winner
C-0 A player: 10.00 x 0.049 = 0.4900.
game 1: Dan Dice wins a gammon, cube 1, 1 point, borne off after 43 plays
Emerald Room · match to 5 · stake 10.00 USD · tariff gammonempire 1
game 6: Cleo Cube wins a single, cube 2, 2 points, resigned after 43 plays
Sapphire Room · single game, cap 15.00 · stake 5.00 EUR · tariff sgames 1
game 1: Ann Ace wins a gammon, cube 2, 4 points, borne off after 48 plays
commission 1.50 EUR of both players, paid by the winner
Sapphire Room · match to 13 · stake 25.00 PLAY · tariff sgames 1
Ann Ace against the machine, for nothing:
left before its end and split by what it was worth:
holds seals_verify 26 journals
holds open_stakes_are_held 0 seats
holds settlements_are_posted 7 settlements
holds settlements_compute_again 7 settlements
Everything proves.
""".strip().splitlines()
"""Of a first demonstration, whatever its columns; bob's match is his third contest, cleo's her second."""


@pytest.fixture
def manage(child_environment: dict[str, str]) -> Callable[..., subprocess.CompletedProcess[str]]:
    def manage(*words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "manage.py", *words],
            cwd=ROOT,
            env=child_environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )

    return manage


@pytest.mark.django_db(transaction=True)
def test_it_plays_real_records_and_everything_proves_twice(
    manage: Callable[..., subprocess.CompletedProcess[str]],
) -> None:
    first = manage("demo")
    assert (first.returncode, first.stderr) == (0, "")
    said = [" ".join(line.split()) for line in first.stdout.splitlines()]
    assert [line for line in TOLD if not any(spoken.startswith(line) for spoken in said)] == []
    before, _, what_next = first.stdout.partition("\nEverything proves.\n")
    assert before and "python3 manage.py up" in what_next
    assert "Ann Ace, Bob Bar, Cleo Cube, Dan Dice have no log-in" in what_next
    assert (Settlement.objects.count(), Table.objects.count()) == (7, 8)
    assert [Player.objects.count(), Room.objects.count()] == [5, 2]

    second = manage("demo")
    assert (second.returncode, second.stderr) == (0, "")
    assert (Settlement.objects.count(), Table.objects.count()) == (14, 16)
    assert [Player.objects.count(), Room.objects.count()] == [5, 2]
    assert "settlements_compute_again 14 settlements" in " ".join(second.stdout.split())

    told = manage("prove_book").stdout.splitlines()
    assert told[-1] == f"The book proves: all {len(told) - 1} hold."
    proved = manage("prove_book", "--json")
    assert proved.returncode == 0
    assert {proof["holds"] for proof in map(json.loads, proved.stdout.splitlines())} == {True}


@pytest.mark.django_db(transaction=True)
def test_it_fails_when_something_does_not_prove(
    manage: Callable[..., subprocess.CompletedProcess[str]],
) -> None:
    """Another table claims to be at stake, and is not: what was there before is proven as well."""
    stake = seated(terms("5", cap="15"))
    book.release(postings.stake_released(stake=stake.pk, holds=stake.holds, at=NOON))
    done = manage("demo")
    assert done.returncode == 1
    assert f"FAILS open_stakes_are_held table {stake.table_id} holds" in " ".join(done.stdout.split())
    assert "proofs do not hold" in done.stderr
    assert "Everything proves" not in done.stdout
