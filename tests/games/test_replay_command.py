"""``replay`` at the command line: what scripts rely on, and what a person reads. No database."""

import io
import json
import os
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from games.management.commands.replay import BYTES_MAX

RECORDS = Path(__file__).parents[2] / "games" / "records"
SINGLE = str(RECORDS / "money-single.txt")
MATCH = str(RECORDS / "match-to-5.txt")

WRONG = """ 0 point match

 Game 1
 ann : 0                       bob : 0
  1) 31: 8/5 6/4

 Game 2
 ann : 0                       bob : 0
  1) 31: 8/5 6/5
"""


def run(*arguments: str) -> tuple[str, int]:
    out = io.StringIO()
    try:
        call_command("replay", *arguments, stdout=out)
    except SystemExit as status:
        return out.getvalue(), int(str(status.code))
    return out.getvalue(), 0


def objects(*arguments: str) -> tuple[list[dict[str, Any]], int]:
    printed, status = run(*arguments, "--json")
    return [json.loads(line) for line in printed.splitlines()], status


def test_a_game_is_one_object_and_the_last_one_sums_up() -> None:
    (game, sums), status = objects(SINGLE)
    assert status == 0
    assert game == {
        "file": SINGLE,
        "game": 1,
        "match_length": 0,
        "jacoby": True,
        "winner": 1,
        "win": "single",
        "ending": "borne_off",
        "cube": 2,
        "points": 2,
        "recorded_points": 2,
        "plays": 32,
    }
    assert sums == {"games": 1, "plays": 32, "refused": 0}


def test_several_files_follow_one_another() -> None:
    *games, sums = objects(SINGLE, MATCH)[0]
    assert [game["game"] for game in games] == [1, 1, 2, 3, 4, 5, 6]
    assert {game["match_length"] for game in games[1:]} == {5}
    assert sums == {"games": 7, "plays": sum(game["plays"] for game in games), "refused": 0}


def test_a_refused_game_is_named_and_the_others_are_read_all_the_same(tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.txt"
    wrong.write_text(WRONG)
    (refusal, unfinished, good, sums), status = objects(str(wrong), SINGLE)
    assert status == 1
    assert (refusal["file"], refusal["line"]) == (str(wrong), 5)
    assert refusal["error"].startswith("game 1: 31: 8/5 6/4: ")
    assert (unfinished["game"], unfinished["winner"], unfinished["recorded_points"]) == (2, None, None)
    assert (unfinished["win"], unfinished["ending"], unfinished["points"], unfinished["cube"]) == (None, None, None, 1)
    assert good["file"] == SINGLE
    assert sums == {"games": 2, "plays": 33, "refused": 1}


@pytest.mark.parametrize("what", ["absent", "folder", "pipe", "device", "huge", "binary", "empty"])
def test_what_cannot_be_read_is_refused_by_name_and_never_a_traceback(tmp_path: Path, what: str) -> None:
    file = tmp_path / what
    if what == "folder":
        file.mkdir()
    elif what == "pipe":
        os.mkfifo(file)
    elif what == "device":
        file.symlink_to("/dev/zero")
    elif what == "huge":
        with file.open("wb") as stream:
            stream.truncate(BYTES_MAX + 1)
    elif what != "absent":
        file.write_bytes(bytes(range(256)) * 20 if what == "binary" else b"")
    (refusal, good, sums), status = objects(str(file), SINGLE)
    assert (refusal["file"], status) == (str(file), 1)
    assert refusal["error"]
    assert (good["file"], sums["refused"]) == (SINGLE, 1)


def test_a_person_reads_a_table(tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.txt"
    wrong.write_text(WRONG)
    printed, status = run(MATCH, str(wrong))
    assert status == 1
    head, first, *_ = printed.splitlines()
    assert head.split() == ["file", "game", "match", "result", "cube", "points", "recorded", "plays"]
    assert first.split() == [
        "match-to-5.txt",
        "1",
        "to",
        "5",
        "2",
        "wins,",
        "single,",
        "borne",
        "off",
        "2",
        "2",
        "2",
        "89",
    ]
    assert f"{wrong}:5: refused: game 1: 31: 8/5 6/4: " in printed
    assert "not finished" in printed
    assert printed.splitlines()[-1] == "7 games, 242 plays, 1 refused"


def test_what_an_analysis_gave_for_a_loss_on_time_is_told_b_15(tmp_path: Path) -> None:
    lost = tmp_path / "lost.mat"
    lost.write_text(
        " 5 point match\n\n Game 1\n ann : 0                       bob : 0\n"
        "  1) 31: 8/5 6/5                  Doubles => 2\n  2)  Takes                        42: 8/4 6/4\n"
        "  3)  Loses on time\n                                   Wins 4 points\n"
    )
    (refusal, _sums), status = objects(str(lost))
    assert status == 1
    assert "the single lost on time is worth 2 points" in refusal["error"]
    (game, sums), status = objects(str(lost), "--judged", "1=gammon")
    assert (game["win"], game["points"], game["ending"]) == ("gammon", 4, "timed_out")
    assert (sums["refused"], status) == (0, 0)


@pytest.mark.parametrize("said", ["1", "1=", "=gammon", "x=gammon", "1=triple", "1e1=gammon", "99999999=gammon"])
def test_a_judgment_that_is_none_is_refused_by_name(said: str) -> None:
    with pytest.raises(CommandError, match="no number of a game and what was lost"):
        run(SINGLE, "--judged", said)
