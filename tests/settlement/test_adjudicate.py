"""``manage.py adjudicate``: the arithmetic line by line, what it refuses, and that it needs no database (A)."""

import json
import os
import subprocess
import sys
from typing import Any

import pytest
from django.conf import settings

from games.analysis import engines
from games.analysis.sage import is_installed
from tests.golden import table
from tests.settlement import commands
from wagering.settlement.abandonment.rules.valuation import again
from wagering.settlement.management.commands.adjudicate import Command

BOARD = "-a----E-C---eE---c-e----B-"
LAST_ROLL = "XGID=------A-----------------a-:0:0:1:00:0:0:0:0:10"
LONG_BEAR_OFF = "XGID=-E----A-----------------e-:0:0:1:00:0:0:0:0:10"
MONEY = "XGID=" + BOARD + ":0:0:1:00:0:0:0:0:10"
MATCH = "XGID=" + BOARD + ":0:0:1:00:2:4:1:5:10"
EVEN = ("--probabilities", "0.5", "0", "0", "0.5", "0", "0")

needs_engine = pytest.mark.skipif(not is_installed(), reason="the extra 'analysis' has no wheel for this machine")


class Asked(commands.Asked):
    command = Command


@pytest.mark.parametrize("row", table("domain_a")["worked"], ids=lambda row: row["id"])
def test_worked_figures_a_5(row: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> None:
    exponent = row["cube"].bit_length() - 1
    xgid = f"XGID={BOARD}:{exponent}:{row['owner']}:1:00:0:0:0:0:10"
    asked = Asked(
        (xgid, "--stake", row["stake"], "--cap", row["cap"], "--probabilities", *row["six"], "--json"), capsys
    )
    valuation = asked.answer["valuation"]
    assert (valuation["transfer"], valuation["receiver"], valuation["currency"]) == (row["transfer"], "on roll", "USD")
    assert asked.answer.keys() == {"valuation"}
    assert again(valuation).as_dict() == valuation


def test_the_last_roll_is_told_line_by_line(capsys: pytest.CaptureFixture[str]) -> None:
    asked = Asked((LAST_ROLL, "--stake", "5", "--cap", "30", "--tariff", "gammonempire"), capsys)
    assert (asked.status, asked.err) == (0, "")
    told = asked.out[asked.out.index("endgame") :]
    assert told == (
        "endgame 1 exact, two-sided\n"
        "  A-3  Pay(1, 1) = 5.00; no gammon is left\n"
        "  A-3  Without a double, played out exactly: 2.50\n"
        "  A-3  To roll with access to the cube, the same: 5.00\n"
        "  A-6  Rounded once, half-even, to 0.01: 5.00 USD\n"
        "  C    Tariff gammonempire, version 1, valid from 2024-01-01, in USD.\n"
        "  A-6  Base: the transfer, 5.00 USD.\n"
        "  C-3  Tier 1, up to and with 20: 4.9 % a player.\n"
        "  C-0  A player: 5.00 x 0.049 = 0.2450.\n"
        "  C    The winner pays both: 0.2450 + 0.2450 = 0.4900.\n"
        "  C    Rounded once, half-even, to 0.01: 0.49 USD.\n"
        "\n"
        "The side on roll receives 5.00 USD.\n"
        "Commission 0.49 USD, of both players, paid by the receiver.\n"
        "Out of the escrow: on roll 34.51, other 25.00 USD.\n"
    )
    assert asked.out.startswith("+-13")


def test_the_split_is_told_beside_the_record(capsys: pytest.CaptureFixture[str]) -> None:
    answer = Asked((LAST_ROLL, "--stake", "5", "--cap", "30", "--tariff", "sgames", "--json"), capsys).answer
    assert answer["split"] | {"charge": None} == {
        "on_roll_back": "34.50",
        "other_back": "25.00",
        "commission": "0.50",
        "charge": None,
    }
    assert answer["split"]["charge"]["base"] == "5.00"


def test_without_a_cap_it_is_uncapped_and_nothing_may_move(capsys: pytest.CaptureFixture[str]) -> None:
    asked = Asked((MONEY, "--stake", "5", *EVEN, "--tariff", "sgames"), capsys)
    assert "Nothing moves.\n" in asked.out
    assert "Out of the escrow: on roll 960.00, other 960.00 USD." in asked.out


@needs_engine
def test_an_engine_is_asked_about_what_is_no_bear_off(capsys: pytest.CaptureFixture[str]) -> None:
    valuation = Asked((MONEY, "--stake", "5", "--cap", "15", "--json"), capsys).answer["valuation"]
    assert valuation["inputs"]["engine"] == "bgsage"
    assert again(valuation).as_dict() == valuation


@needs_engine
def test_a_match_by_its_xgid_or_by_name_or_between_games(capsys: pytest.CaptureFixture[str]) -> None:
    ratings = ("--tariff", "gammonempire", "--ratings", "1500", "1600", "--experience", "0", "0", "--json")
    by_xgid = Asked((MATCH, "--stake", "20", *ratings), capsys).answer
    by_name = Asked((MONEY, "--stake", "20", "--match", "5:2-4:crawford", *ratings), capsys).answer
    assert by_xgid["valuation"]["transfer"] == by_name["valuation"]["transfer"]
    assert by_xgid["split"] == by_name["split"]
    assert (by_xgid["valuation"]["rule"], by_xgid["valuation"]["receiver"]) == ("A-4", "other")
    between = Asked(("--stake", "20", "--match", "5:2-4:crawford", "--json"), capsys).answer["valuation"]
    assert (between["transfer"], between["receiver"]) == ("10.03", "other")  # 24.9 % at 3 away, 1 away, before Crawford
    after = Asked(("--stake", "20", "--match", "5:3-4", "--json"), capsys).answer["valuation"]
    assert after["transfer"] == "0.48"  # 48.8 %: after Crawford
    asked = Asked(("--stake", "20", "--match", "5:3-4"), capsys)
    assert "bgsage" in asked.out
    assert "The other side receives 0.48 USD." in asked.out


REFUSED: list[tuple[tuple[str, ...], str]] = [
    ((), "--stake"),
    (("--stake", "5"), "xgid: is missing"),
    ((MONEY,), "--stake"),
    ((MONEY, "--stake", "5.005"), "stake: '5.005'"),
    ((MONEY, "--stake", "NaN"), "stake: 'NaN'"),
    ((MONEY, "--stake", "0"), "stake: 0.00 is not above 0"),
    ((MONEY, "--stake", "5", "--cap", "4.99"), "cap: 4.99 is below"),
    ((MONEY, "--stake", "5", "--cap", "1e3"), "cap: '1e3'"),
    ((MONEY, "--stake", "5", "--currency", "XXX"), "currency: 'XXX'"),
    ((MONEY, "--stake", "5", "--tariff", "nosuch", *EVEN), "tariff: 'nosuch'"),
    ((MONEY, "--stake", "5", "--tariff", "gammonempire", "--currency", "EUR", *EVEN), "currency: tariff gammonempire"),
    ((MONEY, "--stake", "5", "--ratings", "1500", "1500"), "ratings: "),
    ((MATCH, "--stake", "5", "--ratings", "1500", "1500"), "ratings: "),
    ((MATCH, "--stake", "5", "--tariff", "sgames", "--ratings", "1500", "x"), "ratings: 'x'"),
    ((MATCH, "--stake", "5", "--tariff", "sgames", "--experience", "1", "1"), "ratings: are missing"),
    ((MATCH, "--stake", "5", "--cap", "15"), "cap: says nothing about a match"),
    ((MATCH, "--stake", "5", "--match", "5:2-4"), "match: is named twice"),
    ((MATCH, "--stake", "5", *EVEN), "match length: 5"),
    ((MONEY, "--stake", "5", "--match", "5"), "match: '5' is not LENGTH"),
    ((MONEY, "--stake", "5", "--match", "26:0-0"), "match: '26:0-0'"),
    ((MONEY, "--stake", "5", "--match", "0:0-0"), "match: '0:0-0'"),
    ((MONEY, "--stake", "5", "--match", "5:5-0"), "match: '5:5-0' is won"),
    ((MONEY, "--stake", "5", "--match", "5:3-0:crawford"), "match: '5:3-0:crawford'"),
    ((MONEY, "--stake", "5", "--match", "٥:0-0"), "match: '٥:0-0'"),
    (("--stake", "5", "--match", "5:3-0", *EVEN), "probabilities: say nothing"),
    ((MONEY, "--stake", "5", "--probabilities", "0.5", "0", "0", "0.4", "0", "0"), "sum: 0.9 is not 1"),
    ((MONEY, "--stake", "5", "--probabilities", "NaN", "0", "0", "1", "0", "0"), "probabilities: 'NaN'"),
    ((MONEY, "--stake", "5", "--probabilities", ".5", "0", "0", ".5", "0", "0"), "probabilities: '.5'"),
    ((MONEY, "--stake", "5", "--probabilities", "1.5", "0", "0", "0", "0", "0"), "win_single: 1.5"),
    ((MONEY, "--stake", "5", "--probabilities", "1"), "--probabilities"),
    ((MONEY.replace(":00:", ":31:"), "--stake", "5", *EVEN), "dice: (3, 1) are thrown"),
    ((LAST_ROLL, "--stake", "5", *EVEN), "position: "),
    (("XGID=nonsense", "--stake", "5"), "XGID: "),
    ((MONEY.replace("BBB", ""), "--stake", "x"), "stake: 'x'"),
    ((MONEY.replace("E-C", "P-C"), "--stake", "5"), "XGID: bottom player"),
    ((MONEY.replace(":0:0:1:00", ":7:1:1:00"), "--stake", "5"), "cube: 128 is none of"),
    ((MONEY.replace(":0:0:1:00", ":6:1:1:D"), "--stake", "5"), "offer: double would carry"),
    (("XGID=------A-------------------:0:0:1:00:0:0:0:0:10", "--stake", "5"), "position: "),
]


@pytest.mark.parametrize(("arguments", "message"), REFUSED, ids=[f"{n}-{row[1][:24]}" for n, row in enumerate(REFUSED)])
def test_bad_input_is_refused_by_field_rule_and_value(
    arguments: tuple[str, ...], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = Asked((*arguments, "--json"), capsys)
    assert (asked.status, asked.out) == (2, "")
    assert message in asked.err
    assert "Traceback" not in asked.err


def test_what_nobody_at_hand_can_say_waits_for_an_operator_a_7(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engines, "is_installed", lambda: False)
    asked = Asked((MONEY, "--stake", "5", "--cap", "15"), capsys)
    assert (asked.status, asked.out) == (1, "")
    assert "engine: none does not cover this position" in asked.err
    assert Asked((LONG_BEAR_OFF, "--stake", "5"), capsys).status == 0


def test_it_needs_no_database() -> None:
    """A whole process, beside a database that does not exist."""
    nowhere = "postgresql://app@127.0.0.1:1/none"
    env = os.environ | {"DATABASE_URL": nowhere, "DATABASE_OWNER_URL": nowhere, "SECRET_KEY": "x" * 60}
    command = [sys.executable, "manage.py", "adjudicate", LAST_ROLL, "--stake", "5", "--cap", "15", "--json"]
    ran = subprocess.run(
        command, cwd=settings.BASE_DIR, env=env, capture_output=True, text=True, timeout=60, check=False
    )
    assert (ran.returncode, ran.stderr) == (0, "")
    assert json.loads(ran.stdout)["valuation"]["transfer"] == "5.00"
