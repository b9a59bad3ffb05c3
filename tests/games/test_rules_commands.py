"""``legal_plays`` and ``ids`` at the command line: what scripts rely on, and what a person reads. No database."""

import io
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from games.rules.board import OPENING
from games.rules.ids import read_position_id, write_position_id
from games.rules.plays import legal_plays
from tests.games.boards import golden

OPENING_31 = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10"
SHUT_OUT = "XGID=aBBBBBB-----------------b-:0:0:-1:66:0:0:0:0:10"
BAD = OPENING_31.replace("B-:", "C-:")


def run(*arguments: str) -> str:
    out = io.StringIO()
    call_command(*arguments, stdout=out)
    return out.getvalue()


def feed(monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))


def test_legal_plays_and_the_positions_after_them_are_one_line() -> None:
    printed = run("legal_plays", OPENING_31, "--json")
    assert printed.count("\n") == 1
    found = json.loads(printed)
    assert list(found) == ["plays", "positions"]
    plays = legal_plays(OPENING, (3, 1))
    assert dict(zip(found["plays"], map(read_position_id, found["positions"]), strict=True)) == {
        str(play): play.position for play in plays
    }
    assert found["positions"][found["plays"].index("8/5 6/5")] == "4HPwATCwZ/ABMA"


def test_the_other_player_has_the_same_plays_and_positions() -> None:
    assert run("legal_plays", OPENING_31.replace(":1:31", ":-1:31"), "--json") == run(
        "legal_plays", OPENING_31, "--json"
    )


def test_no_legal_play_is_two_empty_lists() -> None:
    assert json.loads(run("legal_plays", SHUT_OUT, "--json")) == {"plays": [], "positions": []}
    over = "XGID=-A------------------------:0:0:1:31:0:0:0:0:10"
    assert json.loads(run("legal_plays", over, "--json")) == {"plays": [], "positions": []}


def test_a_person_sees_the_board_and_the_plays() -> None:
    printed = run("legal_plays", OPENING_31)
    assert "+-13-14-15" in printed
    assert "X rolls 3-1: 16 legal plays." in printed
    assert "  8/5 6/5       4HPwATCwZ/ABMA" in printed
    assert "cannot move" in run("legal_plays", SHUT_OUT)


def test_standard_input_has_a_position_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    feed(monkeypatch, f"\ufeff{OPENING_31}\r\n\n{SHUT_OUT}".encode())
    lines = run("legal_plays", "--stdin", "--json").splitlines()
    assert [len(json.loads(line)["plays"]) for line in lines] == [16, 0]


def test_a_bad_line_is_named_after_the_lines_before_it(monkeypatch: pytest.MonkeyPatch) -> None:
    feed(monkeypatch, f"{OPENING_31}\n{BAD}\n{OPENING_31}\n".encode())
    out = io.StringIO()
    with pytest.raises(CommandError, match="line 2: XGID: bottom player: 16") as refusal:
        call_command("legal_plays", "--stdin", "--json", stdout=out)
    assert refusal.value.returncode == 2
    assert out.getvalue().count("\n") == 1


@pytest.mark.parametrize("data", [b"\xff\xfe\n", b"\x00\n", b"XGID=\n"])
def test_a_line_that_is_no_text_is_refused_like_any_other(monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
    feed(monkeypatch, data)
    with pytest.raises(CommandError, match="line 1: XGID: ") as refusal:
        call_command("legal_plays", "--stdin")
    assert refusal.value.returncode == 2


@pytest.mark.parametrize("dice", ["00", "D"])
def test_a_position_without_a_roll_has_no_plays_to_print(dice: str) -> None:
    with pytest.raises(CommandError, match=r"dice: .* is no roll") as refusal:
        run("legal_plays", OPENING_31.replace(":31:", f":{dice}:"))
    assert refusal.value.returncode == 2


@pytest.mark.parametrize("arguments", [("legal_plays",), ("legal_plays", OPENING_31, "--stdin"), ("ids", "x")])
def test_what_cannot_be_asked_has_status_2(arguments: tuple[str, ...]) -> None:
    with pytest.raises(CommandError) as refusal:
        run(*arguments)
    assert refusal.value.returncode == 2


@pytest.mark.parametrize("row", golden("ids.json"), ids=lambda row: row["name"])
def test_ids_are_those_of_gnu_backgammon(row: dict[str, Any]) -> None:
    expected = {"xgid": row["xgid"], "position_id": row["gnubg_position_id"], "match_id": row["gnubg_match_id"]}
    assert json.loads(run("ids", row["xgid"], "--json")) == expected
    assert json.loads(run("ids", f"{row['gnubg_position_id']}:{row['gnubg_match_id']}", "--json")) == expected


def test_a_person_sees_the_board_and_the_ids() -> None:
    printed = run("ids", OPENING_31)
    assert "+-13-14-15" in printed
    assert f"Position ID  {write_position_id(OPENING)}" in printed


@pytest.mark.parametrize("command", ["legal_plays", "ids"])
def test_a_bad_xgid_is_said_on_standard_error_without_a_traceback(command: str) -> None:
    root = Path(__file__).parent.parent.parent
    ran = subprocess.run(
        [sys.executable, "manage.py", command, BAD, "--json"], cwd=root, capture_output=True, text=True, check=False
    )
    assert (ran.returncode, ran.stdout) == (2, "")
    assert "XGID: bottom player: 16 is over 15 checkers" in ran.stderr
    assert "Traceback" not in ran.stderr
