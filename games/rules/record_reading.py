"""Match records read from text (``.mat``), in the dialects that rooms and programs write.

Reading is only reading: what the cells say is kept as it stands. A game with a line that cannot be read keeps that
as its ``flaw``, and the games around it are read all the same; so does a match with such a line before its first game.
"""

import re
from dataclasses import replace
from typing import Final

from games.rules.endings import Win
from games.rules.notation import Path, UnreadablePlay, parse_play
from games.rules.record import AUTOMATIC_DOUBLES, After, Cell, Flaw, GameRecord, MatchRecord, Said
from games.rules.sides import SIDES, Side

_HEADER: Final = re.compile(r'\s*[;#]\s*\[\s*([^"\]]+?)\s*"(.*)"\s*\]\s*')
_BARE_HEADER: Final = re.compile(r"\s*\[.*")
_SET_POSITION: Final = re.compile(r"\s*[;#]\s*Set Pos=", re.I)
# Numbers are ASCII and short everywhere: no score, point or cube needs more, and int() has no long ones to chew.
_LENGTH: Final = re.compile(
    r"\s*(?:([0-9]{1,7})[ -]+points?[ -]+match|match\s+(?:of|to)\s+([0-9]{1,7})(?:\s+points?)?)\b.*", re.I
)
_GAME: Final = re.compile(r"\s*game\s+([0-9]{1,7})\s*", re.I)
# The first name is greedy: names may hold colons and numbers, and the last fitting place is the true one.
_SCORE: Final = re.compile(r"(\S.*|)\s*:\s*([0-9]{1,7})(?:\s{2,}|\t)\s*(\S.*?|)\s*:\s*([0-9]{1,7})")
_TURN: Final = re.compile(r"\s*[0-9]{1,7}\s*\)")
_SECOND_TURN: Final = re.compile(r"(?<=\s)[0-9]{1,7}\)(?=\s)")
_CELL: Final = re.compile(
    r"(?<![^\s)])(?:[1-6][1-6]:|(?:doubles?|redoubles?|takes?|accepts?|drops?|passes|rejects?|beavers?|raccoons?|wins?"
    r"|losses|loses|lost|resign(?:s|ed)?|times|timed)\b)",
    re.I,
)
LINE_MAX: Final = 1000
"""Characters in a line: ten times what any room writes, and little enough to look for patterns in."""
_ENDS: Final = frozenset({Said.DROP, Said.WINS, Said.LOSES, Said.RESIGNS, Said.LOSES_ON_TIME})
"""What a game may end with."""
_RIGHT_OF_TURN: Final = 10
"""A lone cell that starts so far behind its turn number stands in the right column (left ones: within a few)."""
_RIGHT_OF_MARGIN: Final = 15
"""The same for a line without a turn number."""
_RIGHT_OF_LONE_ROLL: Final = 20
"""The same for a result behind a left roll that was not played."""


class UnreadableRecord(ValueError):
    """Something in the text is no match record. ``line`` counts from 1; None stands for the text as a whole."""

    def __init__(self, reason: str, *, line: int | None = None) -> None:
        super().__init__(reason)
        self.reason, self.line = reason, line


def decoded(data: bytes) -> str:
    """The text of a record's bytes: UTF-8, or UTF-16 if a byte-order mark says so, else Latin-1."""
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return data.decode("utf-16", errors="replace")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def read(text: str) -> tuple[MatchRecord, ...]:
    """The matches recorded in ``text``, in order; most files hold one.

    Raises UnreadableRecord when nothing can be read; a single match with a flaw is kept beside others that have none.
    """
    return _Reader().read(text)


class _Reader:
    """Goes down the lines once, gathering headers and games into matches, cells into games."""

    def __init__(self) -> None:
        self.matches: list[MatchRecord] = []
        self.headers: list[tuple[str, str]] = []
        # Those below the first game: they are the next match's, if the text holds another.
        self.next_headers: list[tuple[str, str]] = []
        self.length: int | None = None
        self.length_line = 0
        self.flaw: Flaw | None = None
        self.games: list[GameRecord] = []
        self.game: GameRecord | None = None
        self.cells: list[Cell] = []

    def read(self, text: str) -> tuple[MatchRecord, ...]:
        # Only real line ends: a form feed or U+2028 in a name must not move the line numbers.
        for at, line in enumerate(re.split(r"\r\n|\r|\n", text.removeprefix("\ufeff")), start=1):
            self._line(line.rstrip(), at)
        self._end_match()
        if not self.matches:
            raise UnreadableRecord("no 'N point match' line: this is no match record")
        if all(match.flaw for match in self.matches) and (flaw := self.matches[0].flaw):
            raise UnreadableRecord(flaw.reason, line=flaw.line)
        return tuple(self.matches)

    def _line(self, line: str, at: int) -> None:
        if not line.strip():
            return
        if len(line) > LINE_MAX:
            self._unreadable(line, at, f"a line of {len(line)} characters is no line of a match record")
        elif line.lstrip()[0] in ";#":
            self._comment(line, at)
        elif length := _LENGTH.fullmatch(line):
            self._end_match()
            self.length, self.length_line = int(length[1] or length[2]), at
        elif game := _GAME.fullmatch(line):
            self._begin_game(int(game[1]), at)
        elif self.game is not None:
            if self.game.score is None:
                self._score(self.game, line, at)
            else:
                self._turn(line, at)
        elif self.length is None:
            self._unreadable(line, at, f"{line.strip()[:60]!r} stands before any 'N point match' line")
        elif _belongs_to_a_game(line):
            self._unreadable(line, at, f"{line.strip()[:60]!r} stands before the first game")
        # Anything else below the length, a place or a date, says nothing about the games.

    def _unreadable(self, line: str, at: int, reason: str) -> None:
        """Makes the line a flaw of the game, or the match, that it stands in, or behind a finished game of all that
        follows up to the next match. Raises UnreadableRecord before the first match."""
        ended = bool(self.cells) and self.cells[-1].said in _ENDS and self.game is not None and self.game.flaw is None
        if ended and (len(line) > LINE_MAX or not _belongs_to_a_game(line)):
            # Behind a finished game it may have been the head of another match: whose the rest is nobody can tell.
            self._end_match()
            self.length_line = at
            self.flaw = Flaw(line=at, text=_shown(line), reason=reason)
        elif self.game is not None:
            self.game = _flawed(self.game, line, at, reason)
        elif self.length is not None:
            self.flaw = self.flaw or Flaw(line=at, text="", reason=reason)
        else:
            raise UnreadableRecord(reason, line=at)

    def _comment(self, line: str, at: int) -> None:
        header = _HEADER.fullmatch(line)
        if self.game is not None and _SET_POSITION.match(line):
            self.game = _flawed(self.game, line, at, "the game does not begin from the opening position (B-1)")
        elif header and self.game is not None and header[1] == AUTOMATIC_DOUBLES and re.fullmatch(r"[0-9]", header[2]):
            self.game = replace(self.game, automatic_doubles=int(header[2]))
        elif header:
            headers = self.next_headers if self.game is not None or self.games else self.headers
            headers.append((header[1], header[2]))

    def _begin_game(self, number: int, at: int) -> None:
        if self.length is None:
            raise UnreadableRecord("a game stands before any 'N point match' line", line=at)
        self._end_game()
        self.game = GameRecord(number=number, names=("", ""), score=None, line=at)

    def _score(self, game: GameRecord, line: str, at: int) -> None:
        score = _SCORE.fullmatch(line.strip())
        if score is None:
            self.game = _flawed(game, line, at, "this should be the score line 'name : points  name : points'")
        else:
            points = (int(score[2]), int(score[4]))
            self.game = replace(game, names=(score[1].strip(), score[3].strip()), score=points, score_line=at)

    def _turn(self, line: str, at: int) -> None:
        try:
            self.cells += cells_of(line, at)
        except UnreadableRecord as unreadable:
            self._unreadable(line, at, unreadable.reason)

    def _end_game(self) -> None:
        game = self.game
        if game is None:
            return
        if game.score is None:
            game = _flawed(game, f"Game {game.number}", game.line, "the game has no score line")
        self.games.append(replace(game, cells=tuple(self.cells)))
        self.game, self.cells = None, []

    def _end_match(self) -> None:
        self._end_game()
        if self.length is not None:
            self.matches.append(
                MatchRecord(
                    length=self.length,
                    headers=tuple(self.headers),
                    games=tuple(self.games),
                    line=self.length_line,
                    flaw=self.flaw,
                )
            )
            self.headers, self.next_headers, self.games, self.flaw = self.next_headers, [], [], None


def _belongs_to_a_game(line: str) -> bool:
    """Whether the line is a score, a turn or a result, or a header without its semicolon."""
    if _SCORE.fullmatch(line.strip()) or _TURN.match(line) or _BARE_HEADER.match(line):
        return True
    try:
        return bool(cells_of(line))
    except UnreadableRecord:
        return False


def _flawed(game: GameRecord, line: str, at: int, reason: str) -> GameRecord:
    """``game`` with its first flaw; a later one does not replace it."""
    return replace(game, flaw=game.flaw or Flaw(line=at, text=_shown(line), reason=reason))


def _shown(line: str) -> str:
    return " ".join(line.split())[:60]


def cells_of(line: str, at: int = 0) -> list[Cell]:
    """The cells of one line below a score line, left before right. Raises UnreadableRecord.

    Columns are told by their content, since turn numbers over 99, long plays and tabs shift them: of two cells the
    first is the left one, a lone cell belongs to the column it stands in.
    """
    line = line.expandtabs(8)
    cells: list[Cell] = []
    starts = [0, *(again.start() for again in _SECOND_TURN.finditer(line) if _TURN.match(line[: again.start()]))]
    for start, end in zip(starts, [*starts[1:], len(line)], strict=True):
        cells += _cells_of_turn(line[start:end], at)
    return cells


def _cells_of_turn(line: str, at: int) -> list[Cell]:
    turn = _TURN.match(line)
    margin, right_from = (turn.end(), _RIGHT_OF_TURN) if turn else (0, _RIGHT_OF_MARGIN)
    begins = [found.start() for found in _CELL.finditer(line, margin) if _begins_cell(line, found)]
    if not begins or line[margin : begins[0]].strip():
        if not line[margin:].strip():
            return []
        raise UnreadableRecord("this is neither a roll, nor a cube action, nor a result", line=at)
    cells: list[Cell] = []
    for begin, end in zip(begins, [*begins[1:], len(line)], strict=True):
        text = line[begin:end].strip()
        # Behind a roll without a play a result may stand in either column; else a second cell is the right one.
        behind_lone_roll = len(cells) == 1 and cells[0].after in (After.NOTHING, After.NOT_RECORDED)
        if behind_lone_roll and cells[0].side == 1 and _is_result(text):
            right_from = _RIGHT_OF_LONE_ROLL
        elif cells:
            right_from = 0
        cells.append(_cell(text, 2 if begin - margin >= right_from else 1, at))
    for side in SIDES:
        column = [cell for cell in cells if cell.side == side]
        if len(column) > 2 or any(cell.said is not Said.WINS for cell in column[1:]):
            raise UnreadableRecord("more than two columns", line=at)
    return cells


def _is_result(text: str) -> bool:
    return text[:3].lower() == "win"


def _begins_cell(line: str, found: re.Match[str]) -> bool:
    """Whether a word begins a cell of its own: "Resigns" does, the "resigned" in "Wins 2 points (resigned)" not."""
    before = line[: found.start()]
    return found.group().endswith(":") or not before.strip() or before.endswith(("  ", ") ", ": ", ")"))


def _cell(text: str, side: Side, at: int) -> Cell:
    if text[2:3] == ":":
        return _roll(text, side, at)
    said = next((said for words, said in _WORDS if words.fullmatch(text)), None)
    if said is None:
        raise UnreadableRecord("this is neither a roll, nor a cube action, nor a result", line=at)
    number = re.search(r"[0-9]{1,7}", text)
    win = _WIN.search(text)
    return Cell(
        side=side,
        said=said,
        number=int(number.group()) if number else None,
        win=Win(win.group().lower()) if win else None,
        match=bool(re.search(r"\bmatch\b", text, re.I)),
        line=at,
        text=" ".join(text.split()),
    )


_WIN: Final = re.compile(r"(?<!no )(?<!without )(?<!without a )\b(single|gammon|backgammon)\b", re.I)

# Results may be followed by more words, one space apart: "and the match", "with a gammon".
_WORDS: Final = tuple(
    (re.compile(words, re.I), said)
    for words, said in (
        (r"(re)?doubles?(\s*=>\s*[0-9]{1,7})?", Said.DOUBLE),
        (r"takes?|accepts?", Said.TAKE),
        (r"drops?|pass(es)?|rejects?", Said.DROP),
        (r"beavers?(\s*=>\s*[0-9]{1,7})?", Said.BEAVER),
        (r"raccoons?(\s*=>\s*[0-9]{1,7})?", Said.RACCOON),
        (r"wins? [0-9]{1,7} points?( \S+)*", Said.WINS),
        (r"(times|timed) out|(loses|losses|lost)( [0-9]{1,7} points?)? on time( \S+)*", Said.LOSES_ON_TIME),
        (r"(loses|losses|lost) [0-9]{1,7} points?( \S+)*", Said.LOSES),
        (r"resign(s|ed)?( \S+)*", Said.RESIGNS),
    )
)


def _roll(text: str, side: Side, at: int) -> Cell:
    dice = (int(text[0]), int(text[1]))
    behind = text[3:].strip()
    paths: tuple[Path, ...] = ()
    if not behind:
        after = After.NOTHING
    elif re.fullmatch(r"\?+", behind):
        after = After.NOT_RECORDED
    elif re.fullmatch(r"(cannot|can't|can not)\s+move\.?|dances?|no\s+moves?|-+", behind, re.I):
        after = After.CANNOT_MOVE
    else:
        after = After.PLAY
        try:
            paths = parse_play(behind)
        except UnreadablePlay as unreadable:
            raise UnreadableRecord(str(unreadable), line=at) from unreadable
    return Cell(side=side, said=Said.ROLL, dice=dice, after=after, paths=paths, line=at, text=" ".join(text.split()))
