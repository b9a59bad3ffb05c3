"""Match records as text: each quirk of the dialects once, and what is written reads back equal."""

import pytest

from games.rules.board import BAR, OFF
from games.rules.endings import Win
from games.rules.notation import Path
from games.rules.record import After, Cell, GameRecord, MatchRecord, Said
from games.rules.record_reading import LINE_MAX, UnreadableRecord, cells_of, decoded, read
from games.rules.record_writing import write

HEAD = "7 point match\n\n Game 1\n ann : 0                       bob : 0\n"


def one_game(body: str) -> GameRecord:
    (match,) = read(HEAD + body)
    (game,) = match.games
    return game


def said(line: str) -> list[tuple[int, str]]:
    return [(cell.side, cell.said.value) for cell in cells_of(line)]


# --- The head ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "length"),
    [
        ("7 point match", 7),
        (" 7 point match", 7),
        (" 0 point match", 0),
        ("13 Point Match", 13),
        ("1 points match", 1),
        ("Match of 9 points", 9),
        ("5 point match (unrated)", 5),
    ],
)
def test_the_length_is_read_however_it_is_written(line: str, length: int) -> None:
    assert read(HEAD.replace("7 point match", line))[0].length == length


def test_headers_are_kept_in_order_and_found_by_any_case() -> None:
    (match,) = read('; [Site "A "quoted" place"]\n; [CubeLimit "1024"]\n; just a remark\n\n' + HEAD)
    assert match.headers == (("Site", 'A "quoted" place'), ("CubeLimit", "1024"))
    assert match.header("cubelimit") == "1024"
    assert match.header("Jacoby") is None


@pytest.mark.parametrize(
    ("line", "names", "score"),
    [
        (" ann : 0                       bob : 0", ("ann", "bob"), (0, 0)),
        (" ann : 3   bob : 12", ("ann", "bob"), (3, 12)),
        (" ann : 3\tbob : 2", ("ann", "bob"), (3, 2)),
        (" ann : 1                        : 0", ("ann", ""), (1, 0)),
        (" a:1 b : 2                     : c : 4", ("a:1 b", ": c"), (2, 4)),
        (" Ann Lee(GER) : 0              bob, 1500 : 0", ("Ann Lee(GER)", "bob, 1500"), (0, 0)),
    ],
)
def test_the_score_line_is_read(line: str, names: tuple[str, str], score: tuple[int, int]) -> None:
    (match,) = read(f"7 point match\n\n Game 1\n{line}\n")
    assert (match.games[0].names, match.games[0].score) == (names, score)


@pytest.mark.parametrize("data", ["\ufeff{}".encode(), b"{}", "\ufeff{}".encode("utf-16-le")])
def test_byte_order_marks_and_both_encodings_are_read(data: bytes) -> None:
    text = HEAD.replace("ann", "Jürgen")
    encoding = "utf-16-le" if data.startswith(b"\xff\xfe") else "utf-8"
    data = data.replace("{}".encode(encoding), text.encode(encoding))
    assert read(decoded(data))[0].games[0].names == ("Jürgen", "bob")


def test_latin_1_is_read() -> None:
    assert read(decoded(HEAD.replace("ann", "Jürgen").encode("latin-1")))[0].games[0].names == ("Jürgen", "bob")


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_lines_are_counted_whatever_ends_them(end: str) -> None:
    text = (HEAD + "  1) 31: 8/5 6/5\n").replace("\n", end)
    assert read(text)[0].games[0].cells[0].line == 5


def test_several_matches_in_one_text_are_read_apart() -> None:
    first, second = read('; [Site "a"]\n' + HEAD + '\n; [Site "b"]\n' + HEAD.replace("7 point", "3 point"))
    assert (first.length, first.header("Site"), len(first.games)) == (7, "a", 1)
    assert (second.length, second.header("Site"), len(second.games)) == (3, "b", 1)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("", None),
        ("\n\n", None),
        ("hello\n", 1),
        ('; [Site "a"]\n\n Game 1\n', 3),
        ("\n7 point match\n  1) 31: 8/5 6/5\n", 3),
        ("7 point match\n31: 8/5 6/5\n", 2),
        ("7 point match\n ann : 0       bob : 0\n", 2),
        ('7 point match\n[Variation "Nackgammon"]\n', 2),
        ("7 point match\n" + "x" * (LINE_MAX + 1), 2),
    ],
)
def test_what_is_no_record_is_refused_with_its_line(text: str, line: int | None) -> None:
    with pytest.raises(UnreadableRecord) as caught:
        read(text)
    assert caught.value.line == line


@pytest.mark.parametrize("place", ["London", "Played in London, 3:2 spectators", "London 2019-05-04 12:30"])
def test_a_line_below_the_length_that_says_nothing_of_a_game_is_passed_over(place: str) -> None:
    (match,) = read(HEAD.replace("match\n", f"match\n{place}\n", 1))
    assert (match.flaw, len(match.games)) == (None, 1)


def test_a_line_too_long_spoils_its_game_alone() -> None:
    spoilt, good = read(HEAD + "x" * (LINE_MAX + 1) + "\n" + HEAD.partition("\n\n")[2])[0].games
    assert spoilt.flaw is not None
    assert (spoilt.flaw.line, good.flaw) == (5, None)


@pytest.mark.parametrize("bad", ["31: 8/5 6/5", "x" * (LINE_MAX + 1)])
def test_a_bad_line_before_a_match_s_first_game_spoils_that_match_alone(bad: str) -> None:
    first, second, third = read(HEAD + HEAD.replace("match\n", f"match\n{bad}\n", 1) + HEAD)
    assert (first.flaw, third.flaw) == (None, None)
    assert second.flaw is not None
    assert second.flaw.line == 6


# --- Columns -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "cells"),
    [
        ("  1) 31: 8/5 6/5                 52: 13/8 24/22", [(1, "roll"), (2, "roll")]),
        ("  1)                             52: 13/8 24/22", [(2, "roll")]),
        ("  1) 31: 8/5 6/5", [(1, "roll")]),
        ("  1) 31: 8/5 6/5    ", [(1, "roll")]),
        # Over 99 the columns shift; in the other dialect they do at 10.
        ("100) 31: 8/5 6/5                 52: 13/8 24/22", [(1, "roll"), (2, "roll")]),
        ("  100) 31: 8/5 6/5                      52: 13/8 24/22", [(1, "roll"), (2, "roll")]),
        ("100)                              52: 13/8 24/22", [(2, "roll")]),
        # A play too long for its column.
        ("  1) 66: bar/19* 24/18*(2) 13/7* 52: bar/23 13/8", [(1, "roll"), (2, "roll")]),
        # Tabs.
        ("5)\t31: 8/5 6/5\t\tDoubles => 2", [(1, "roll"), (2, "double")]),
        ("5)\t\t\t31: 8/5 6/5", [(2, "roll")]),
        ("\t5)\t31: 8/5 6/5", [(1, "roll")]),
        # Cube actions and results.
        ("  9)  Doubles => 2                Takes", [(1, "double"), (2, "take")]),
        ("  9)                              Takes", [(2, "take")]),
        ("  9)  Takes", [(1, "take")]),
        ("  9)  Drops                       Wins 1 point", [(1, "drop"), (2, "wins")]),
        ("      Wins 2 points and the match", [(1, "wins")]),
        ("                                  Wins 2 points", [(2, "wins")]),
        (" 25)                                    Wins 4 point", [(2, "wins")]),
        (" 25)  Wins 4 point", [(1, "wins")]),
        (" 22) 66: 4/0 3/0 2/0 2/0          Losses 1 point", [(1, "roll"), (2, "loses")]),
        ("Losses 3 point", [(1, "loses")]),
        # A resignation after rolling: the result in either column behind the roll.
        (" 25) 61:                         Wins 4 points", [(1, "roll"), (2, "wins")]),
        (" 25) 61:      Wins 4 points", [(1, "roll"), (1, "wins")]),
        (" 25) 61: 13/7 8/7               42:  Wins 1 point", [(1, "roll"), (2, "roll"), (2, "wins")]),
        (" 25) 61: ????                   Wins 4 points", [(1, "roll"), (2, "wins")]),
        # Two turns run together.
        (
            " 14) 22: 13/11 13/11 4/2 5/3      14)  Losses 1 point                                  Wins 1 point",
            [(1, "roll"), (1, "loses"), (2, "wins")],
        ),
        (" 24)                              ", []),
        (" 24)", []),
    ],
)
def test_cells_are_told_by_content_and_column(line: str, cells: list[tuple[int, str]]) -> None:
    assert said(line) == cells


@pytest.mark.parametrize(
    "line",
    [
        "  1) hello",
        "  1) 31: 8/5 6/5   hello",
        "  1) 31: 8/5 6/5   52: 13/8 24/22  61: 13/7 8/7",
        "  1) 71: 8/5 6/5",
        "  1) 31: 8-5 6-5",
        "  1) 31: 5/8",
        "  1) 31: 26/22",
        "  1) 31: Illegal play (7;0;0;1)",
        "  1) Takes it all   52: 13/8",
        "  1) Doubles => two",
        "hello",
    ],
)
def test_a_line_that_says_nothing_known_is_the_game_s_flaw(line: str) -> None:
    game = one_game(line + "\n")
    assert game.flaw is not None
    assert (game.flaw.line, game.flaw.text) == (5, " ".join(line.split())[:60])


def test_a_flawed_game_leaves_the_others_readable() -> None:
    (match,) = read(HEAD + "  1) hello\n\n Game 2\n ann : 1                       bob : 0\n  1) 31: 8/5 6/5\n")
    assert [game.flaw is None for game in match.games] == [False, True]


@pytest.mark.parametrize("tail", [" Game 2\n", " Game 2\n  1) 31: 8/5 6/5\n"])
def test_a_game_without_a_score_line_is_flawed(tail: str) -> None:
    (match,) = read(HEAD + "\n" + tail)
    assert match.games[1].score is None
    assert match.games[1].flaw is not None


def test_a_set_position_is_a_flaw_b_1() -> None:
    game = one_game("; Set Pos=-b----E-C---eE---c-e----B-/0/0\n  1) 31: 8/5 6/5\n")
    assert game.flaw is not None
    assert "B-1" in game.flaw.reason


# --- What cells say ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "after", "paths"),
    [
        ("31: 8/5 6/5", After.PLAY, [(8, 5), (6, 5)]),
        ("13: 8/5 6/5", After.PLAY, [(8, 5), (6, 5)]),
        ("64: 24/14", After.PLAY, [(24, 14)]),
        ("66: 24/18(2) 13/7(2)", After.PLAY, [(24, 18), (24, 18), (13, 7), (13, 7)]),
        ("61: Bar/24 25/19", After.PLAY, [(BAR, 24), (BAR, 19)]),
        ("61: 6/0 1/off", After.PLAY, [(6, OFF), (1, OFF)]),
        ("61: 6/Off 1/OFF", After.PLAY, [(6, OFF), (1, OFF)]),
        ("61:", After.NOTHING, []),
        ("61: Cannot Move", After.CANNOT_MOVE, []),
        ("61: cannot move", After.CANNOT_MOVE, []),
        ("61: ????", After.NOT_RECORDED, []),
        ("61: ???", After.NOT_RECORDED, []),
    ],
)
def test_a_roll_and_what_follows_it(text: str, after: After, paths: list[tuple[int, ...]]) -> None:
    (cell,) = cells_of(f"  1) {text}")
    assert (cell.after, [path.points for path in cell.paths]) == (after, paths)
    assert cell.dice == (int(text[0]), int(text[1]))


@pytest.mark.parametrize(
    ("play", "paths"),
    [
        ("24/20*/18", [((24, 20, 18), {20})]),
        ("8/4*(2)", [((8, 4), {4})] * 2),
        ("8/4(2)*", [((8, 4), {4})] * 2),
        ("bar/20*", [((BAR, 20), {20})]),
    ],
)
def test_stars_are_kept_where_they_stand(play: str, paths: list[tuple[tuple[int, ...], set[int]]]) -> None:
    (cell,) = cells_of(f"  1) 44: {play}")
    assert cell.paths == tuple(Path(points, frozenset(starred)) for points, starred in paths)


@pytest.mark.parametrize(
    ("text", "what", "number", "match"),
    [
        ("Doubles => 2", Said.DOUBLE, 2, False),
        ("Doubles", Said.DOUBLE, None, False),
        ("Redoubles => 4", Said.DOUBLE, 4, False),
        ("Takes", Said.TAKE, None, False),
        ("Accepts", Said.TAKE, None, False),
        ("Drops", Said.DROP, None, False),
        ("Passes", Said.DROP, None, False),
        ("Rejects", Said.DROP, None, False),
        ("Beavers", Said.BEAVER, None, False),
        ("Beaver => 4", Said.BEAVER, 4, False),
        ("Raccoons", Said.RACCOON, None, False),
        ("Wins 1 point", Said.WINS, 1, False),
        ("Wins 4 points and the match", Said.WINS, 4, True),
        ("Losses 3 point", Said.LOSES, 3, False),
        ("Loses 2 points", Said.LOSES, 2, False),
        ("Loses on time", Said.LOSES_ON_TIME, None, False),
        ("Lost 2 points on time", Said.LOSES_ON_TIME, 2, False),
        ("Resigns", Said.RESIGNS, None, False),
        ("Resigned Match", Said.RESIGNS, None, True),
    ],
)
def test_words_are_read_in_any_spelling(text: str, what: Said, number: int | None, match: bool) -> None:
    for line in (f"  1)  {text}", f"  1)  {text.upper()}"):
        (cell,) = cells_of(line)
        assert (cell.side, cell.said, cell.number, cell.match) == (1, what, number, match)


# --- Writing -------------------------------------------------------------------------------------------------


def test_a_record_is_written_in_columns_that_other_programs_read() -> None:
    cells = [
        *cells_of("  1)                             61: 13/7 8/7"),
        *cells_of("  2)  Doubles => 2                Takes"),
        *cells_of("  3) 66: bar/19*(2) 6/off        52:"),
        *cells_of("  4)  Doubles => 4                Drops"),
        *cells_of("      Wins 2 points and the match"),
    ]
    game = GameRecord(number=1, names=("ann", "bob"), score=(1, 0), cells=tuple(cells))
    written = write(MatchRecord(length=3, headers=(("Site", "here"),), games=(game,)))
    assert written.splitlines() == [
        '; [Site "here"]',
        "",
        " 3 point match",
        "",
        " Game 1",
        " ann : 1                          bob : 0",
        "  1)                             61: 13/7 8/7",
        "  2)  Doubles => 2                Takes",
        "  3) 66: 25/19* 25/19* 6/0       52:",
        "  4)  Doubles => 4                Drops",
        "      Wins 2 points and the match",
    ]
    assert read(written) == (MatchRecord(length=3, headers=(("Site", "here"),), games=(game,)),)


@pytest.mark.parametrize(
    "cells",
    [
        (Cell(2, Said.RESIGNS), Cell(1, Said.WINS, number=1)),
        (Cell(2, Said.LOSES_ON_TIME, number=2), Cell(1, Said.WINS, number=2)),
        (Cell(1, Said.LOSES_ON_TIME), Cell(2, Said.WINS, number=2)),
        (Cell(1, Said.RESIGNS, match=True), Cell(2, Said.WINS, number=3, match=True)),
        (Cell(1, Said.RESIGNS, win=Win.BACKGAMMON, match=True), Cell(2, Said.WINS, number=3, win=Win.BACKGAMMON)),
        (Cell(1, Said.LOSES_ON_TIME, win=Win.SINGLE), Cell(2, Said.WINS, number=3, win=Win.SINGLE, match=True)),
        (Cell(1, Said.DOUBLE, number=2), Cell(2, Said.BEAVER, number=4), Cell(1, Said.TAKE)),
        (Cell(1, Said.ROLL, dice=(6, 1), after=After.NOTHING), Cell(1, Said.WINS, number=2)),
        (Cell(1, Said.ROLL, dice=(6, 1), after=After.NOT_RECORDED), Cell(2, Said.WINS, number=2)),
        (Cell(2, Said.ROLL, dice=(6, 1), after=After.CANNOT_MOVE), Cell(2, Said.DOUBLE), Cell(1, Said.RACCOON)),
        (Cell(1, Said.LOSES, number=1), Cell(2, Said.WINS, number=1)),
    ],
)
def test_what_is_written_reads_back_equal(cells: tuple[Cell, ...]) -> None:
    game = GameRecord(number=3, names=("a : 1  x", "Jürgen"), score=(1, 0), cells=cells, automatic_doubles=2)
    match = MatchRecord(length=0, headers=(("Jacoby", "On"),), games=(game, game))
    assert read(write(match)) == (match,)
