"""``manage.py quote``: the contract that scripts rely on, and what it refuses."""

import json
import os
import subprocess
import sys
from decimal import Decimal
from typing import Any

import pytest
from django.conf import settings
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from games.rules.endings import Ending, Outcome, Win
from ratings.rules import Standing
from tests.golden import table
from tests.settlement import commands
from wagering.commission import schedule
from wagering.settlement.management.commands.quote import Command
from wagering.settlement.rules import price
from wagering.stakes.rules import Terms, uncapped

SINGLE = ("--tariff", "gammonempire", "--kind", "single", "--stake", "5", "--win", "single")
SERIES = ("--tariff", "gammonempire", "--kind", "series", "--stake", "10", "--points", "3", "--ratings", "1580", "1640")
KEYS = "tariff version currency lost base tier rate exact commission winner_net loser_net trace"


class Asked(commands.Asked):
    command = Command


def replaced(arguments: tuple[str, ...], option: str, *values: str) -> tuple[str, ...]:
    """``arguments`` with ``option`` set to ``values``, or without it if there are none."""
    kept = list(arguments)
    if option in kept:
        start = kept.index(option)
        end = next((n for n in range(start + 1, len(kept)) if kept[n].startswith("--")), len(kept))
        del kept[start:end]
    return (*kept, option, *values) if values else tuple(kept)


def test_a_single_game(capsys: pytest.CaptureFixture[str]) -> None:
    """The contract's first example is C-1."""
    answer = Asked((*replaced(SINGLE, "--win", "gammon"), "--json"), capsys).answer
    assert list(answer) == KEYS.split()
    assert {key: answer[key] for key in KEYS.split()[:-1]} == {
        "tariff": "gammonempire",
        "version": 1,
        "currency": "USD",
        "lost": "10.00",
        "base": "10.00",
        "tier": "up to and with 20",
        "rate": "0.049",
        "exact": "0.9800",
        "commission": "0.98",
        "winner_net": "9.02",
        "loser_net": "-10.00",
    }
    assert [step["step"] for step in answer["trace"]] == ["tariff", "base", "tier", "player", "pair", "rounded"]


def test_a_series(capsys: pytest.CaptureFixture[str]) -> None:
    """The contract's second example is the first row of C's worked table."""
    answer = Asked((*SERIES, "--json"), capsys).answer
    assert list(answer) == KEYS.split()
    assert (answer["rate"], answer["exact"], answer["commission"]) == ("0.059", "1.3570", "1.36")
    assert (answer["winner_net"], answer["loser_net"], answer["lost"]) == ("8.64", "-10.00", "10.00")


@pytest.mark.parametrize("row", table("domain_c")["worked"], ids=lambda row: row["id"])
def test_worked_examples(row: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> None:
    """C-0, C-1, C-2, C-10 as they are asked for on the command line."""
    arguments = [
        f"--{key}={row[key]}" for key in ("tariff", "kind", "stake", "win", "cube", "cap", "points") if key in row
    ]
    answer = Asked((*arguments, "--json"), capsys).answer
    assert {key: answer[key] for key in ("commission", "winner_net", "loser_net")} == {
        key: row[key] for key in ("commission", "winner_net", "loser_net")
    }


@pytest.mark.parametrize("row", table("domain_c")["rating_adjustments"], ids=lambda row: "-v-".join(row["ratings"]))
def test_rating_adjustments_worked(row: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> None:
    asked = replaced(SERIES, "--stake", row.get("stake", "10"))
    asked = replaced(replaced(asked, "--points", str(row.get("points", 3))), "--ratings", *row["ratings"])
    assert Asked((*asked, "--json"), capsys).answer["commission"] == row["pair"]


def test_without_a_cap_the_quote_is_uncapped(capsys: pytest.CaptureFixture[str]) -> None:
    """C; cases 50: 192 stakes."""
    asked = replaced(replaced(replaced(SINGLE, "--stake", "1"), "--win", "backgammon"), "--cube", "64")
    assert Asked((*asked, "--json"), capsys).answer["lost"] == "192.00"
    assert Asked((*asked, "--cap", "100", "--json"), capsys).answer["lost"] == "100.00"


def test_without_a_cube_a_backgammon_is_the_most(capsys: pytest.CaptureFixture[str]) -> None:
    asked = (*replaced(SINGLE, "--win", "backgammon"), "--no-cube")
    assert Asked((*asked, "--json"), capsys).answer["lost"] == "15.00"
    for wrong, why in (
        ((*asked, "--cube", "2"), "cube: says nothing about a table without one"),
        ((*SERIES, "--no-cube"), "no-cube: says nothing about a series"),
    ):
        refused = Asked(wrong, capsys)
        assert (refused.status, why in refused.err) == (2, True)


def test_the_other_tariff_takes_any_currency(capsys: pytest.CaptureFixture[str]) -> None:
    asked = (*replaced(replaced(SINGLE, "--tariff", "sgames"), "--stake", "500"), "--currency", "JPY", "--json")
    answer = Asked(asked, capsys).answer
    assert (answer["lost"], answer["commission"], answer["winner_net"], answer["tier"]) == (
        "500",
        "50",
        "450",
        "any sum",
    )
    series = replaced(replaced(SERIES, "--tariff", "sgames"), "--currency", "PLAY")
    assert Asked((*series, "--json"), capsys).answer["commission"] == "1.00"


def test_a_person_reads_the_result_and_each_step(capsys: pytest.CaptureFixture[str]) -> None:
    asked = Asked(SERIES, capsys)
    assert asked.out == (
        "winner       +8.64 USD\n"
        "loser       -10.00 USD\n"
        "commission    1.36 USD, of both players, paid by the winner\n"
        "\n"
        "  C    Tariff gammonempire, version 1, valid from 2024-01-01, in USD.\n"
        "  S-2  Base: the stake, 10.00 USD.\n"
        "  C-3  Tier 1, under 20: 4.9 % + 2 x 0.5 % = 5.9 % a player.\n"
        "  C-0  A player: 10.00 x 0.059 = 0.5900.\n"
        "  C-5  +15 %: 1580 is under 1600.\n"
        "  C-0  A player, adjusted: 0.5900 x 1.15 = 0.6785.\n"
        "  C    The winner pays both: 0.6785 + 0.6785 = 1.3570.\n"
        "  C    Rounded once, half-even, to 0.01: 1.36 USD.\n"
    )


# What is refused: the option, its values (none: left out), the field that the message names.
NO_AMOUNT = ["0.999", "5.005", "NaN", "Infinity", "1e3", "1_000", "١٢.٥", "+5", "-5", " 5", "5 ", "5\n", "5.", ".5", "",
             "5,00", "0x5", "1234567890123"]  # fmt: skip
REFUSED: list[tuple[tuple[str, ...], str, tuple[str, ...], str]] = [
    *((SINGLE, "--stake", (text,), "stake") for text in NO_AMOUNT),
    *((SERIES, "--stake", (text,), "stake") for text in NO_AMOUNT),
    *((SINGLE, "--cap", (text,), "cap") for text in NO_AMOUNT),
    (SINGLE, "--stake", ("0",), "stake"),
    (SINGLE, "--stake", (), "stake"),
    (replaced(SINGLE, "--cube", "2"), "--stake", ("999999999999",), "stake"),
    (SINGLE, "--cap", ("4.99",), "cap"),
    (SINGLE, "--win", (), "win"),
    (SINGLE, "--win", ("triple",), "win"),
    (SINGLE, "--win", ("SINGLE",), "win"),
    *((SINGLE, "--cube", (text,), "cube") for text in ("0", "3", "128", "-2", "2.0", "two", "", "02", "٢")),
    (SINGLE, "--points", ("3",), "points"),
    (SINGLE, "--ratings", ("1500", "1500"), "ratings"),
    (SINGLE, "--currency", ("XXX",), "currency"),
    (SINGLE, "--currency", ("usd",), "currency"),
    (SINGLE, "--currency", ("EUR",), "currency"),
    (SINGLE, "--kind", ("double",), "kind"),
    (SINGLE, "--kind", (), "kind"),
    (SINGLE, "--tariff", (), "tariff"),
    (SINGLE, "--tariff", ("nosuch",), "tariff"),
    (SINGLE, "--tariff", ("../tariffs/sgames",), "tariff"),
    *((SERIES, "--points", (text,), "points") for text in ("0", "26", "-1", "3.0", "three", "", "٣", "1000000000")),
    (SERIES, "--points", (), "points"),
    (SERIES, "--ratings", ("1500",), "ratings"),
    *(
        (SERIES, "--ratings", ("1500", text), "ratings")
        for text in ("NaN", "1e3", "15000", "-1500", "1500.1234567", "", "١٥٠٠", "1500\n", "1_500")
    ),
    (SERIES, "--win", ("single",), "win"),
    (SERIES, "--cube", ("2",), "cube"),
    (SERIES, "--cap", ("15",), "cap"),
    (SERIES, "--experience", ("400", "x"), "experience"),
    (replaced(SERIES, "--ratings"), "--experience", ("400", "400"), "ratings"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("base", "option", "values", "field"),
    REFUSED,
    ids=[f"{row[1][2:]}-{','.join(row[2])!r}-{n}" for n, row in enumerate(REFUSED)],
)
def test_bad_input_is_refused_by_name(
    base: tuple[str, ...], option: str, values: tuple[str, ...], field: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Status 2, the field on standard error, nothing on standard output (cases 41 and 42)."""
    asked = Asked((*replaced(base, option, *values), "--json"), capsys)
    assert (asked.status, asked.out) == (2, "")
    assert f"{field}: " in asked.err or f"--{field}" in asked.err
    assert "Traceback" not in asked.err


def test_an_unknown_tariff_names_those_that_exist(capsys: pytest.CaptureFixture[str]) -> None:
    asked = Asked(replaced(SINGLE, "--tariff", "nosuch"), capsys)
    assert "tariff: 'nosuch' is unknown; there are gammonempire, sgames" in asked.err


def test_it_needs_no_database() -> None:
    """A whole process, beside a database that does not exist."""
    nowhere = "postgresql://app@127.0.0.1:1/none"
    env = os.environ | {"DATABASE_URL": nowhere, "DATABASE_OWNER_URL": nowhere, "SECRET_KEY": "x" * 60}
    command = [sys.executable, "manage.py", "quote", *SINGLE, "--json"]
    ran = subprocess.run(
        command, cwd=settings.BASE_DIR, env=env, capture_output=True, text=True, timeout=60, check=False
    )
    assert (ran.returncode, ran.stderr) == (0, "")
    assert json.loads(ran.stdout)["commission"] == "0.49"


@hypothesis_settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    tariff=st.sampled_from(["gammonempire", "sgames"]),
    stake=st.integers(1, 10**8).map(lambda n: str(Decimal(n).scaleb(-2))),
    win=st.sampled_from(Win),
    cube=st.sampled_from([1, 2, 4, 64]),
    capped=st.booleans(),
    points=st.integers(1, 25),
    ratings=st.tuples(*[st.decimals(0, 3000, places=6).map(lambda rating: format(rating, "f"))] * 2),
)
def test_a_quote_is_the_price(
    tariff: str,
    stake: str,
    win: Win,
    cube: int,
    capped: bool,
    points: int,
    ratings: tuple[str, str],
    capsys: pytest.CaptureFixture[str],
) -> None:
    """What is asked before play is what is settled after it (C)."""
    amount, applied = Decimal(stake), schedule.shipped_tariff(tariff)
    cap = amount * 3 if capped else uncapped(stake=amount)
    asked = ("--tariff", tariff, "--stake", stake, "--json")
    single = (*asked, "--kind", "single", "--win", win, "--cube", str(cube), *(("--cap", str(cap)) if capped else ()))
    outcome = Outcome(winner=1, win=win, cube=cube, points=cube * win.factor, ending=Ending.BORNE_OFF)
    terms = Terms(currency="USD", stake=amount, match_length=0, cap=cap)
    shares = price(outcome=outcome, terms=terms, tariff=applied)
    answer = Asked(single, capsys).answer
    assert [Decimal(answer[key]) for key in ("lost", "commission", "winner_net", "loser_net")] == [
        shares.lost,
        shares.commission,
        shares.winner_net,
        shares.loser_net,
    ]

    series = (*asked, "--kind", "series", "--points", str(points), "--ratings", *ratings)
    standings = Standing(Decimal(ratings[0])), Standing(Decimal(ratings[1]))
    terms = Terms(currency="USD", stake=amount, match_length=points)
    shares = price(outcome=outcome, terms=terms, tariff=applied, standings=standings)
    assert Decimal(Asked(series, capsys).answer["commission"]) == shares.commission
