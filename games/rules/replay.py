"""Match records judged by the rules: every play legal, every cube action too, every result what follows from them.

A game that contradicts the rules or itself becomes ``Refused``, with the line and the reason; the others of the
match are judged all the same.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from games.rules import cube as cubes
from games.rules.endings import Outcome, Win
from games.rules.record import GameRecord, MatchRecord
from games.rules.record_reading import UnreadableRecord, read
from games.rules.refusals import RuleBroken
from games.rules.replay_game import Contradiction, GameReplay, RecordedGame, RecordRules
from games.rules.series import Series, after
from games.rules.sides import Side

__all__ = ["GameReplay", "RecordRules", "Refused", "Replay", "replay_match", "replay_text"]

MONEY_AS_16: Final = ("BackgammonGalaxy", 16)
"""That room writes its single money games, played with Jacoby, as "16 point match"."""


@dataclass(frozen=True, slots=True)
class Refused:
    """A game, or a whole text, that contradicts the rules or itself; ``game`` None stands for the whole.

    ``line`` counts from 1, None where no line is to blame. ``play`` is what stands there.
    """

    game: int | None
    line: int | None
    play: str
    reason: str

    def __str__(self) -> str:
        where = f"game {self.game}: " if self.game is not None else ""
        return f"{where}{self.play + ': ' if self.play else ''}{self.reason}"


@dataclass(frozen=True, slots=True)
class Replay:
    """A match or money session after its judgement, game by game.

    ``series`` is the match after the last game, None when a game was refused: then nobody can tell the score.
    """

    games: tuple[GameReplay | Refused, ...]
    series: Series | None

    @property
    def refused(self) -> tuple[Refused, ...]:
        """The games that were refused."""
        return tuple(game for game in self.games if isinstance(game, Refused))

    @property
    def outcomes(self) -> tuple[Outcome, ...]:
        """The outcomes of the games that stood and were finished, in order."""
        return tuple(game.outcome for game in self.games if isinstance(game, GameReplay) and game.outcome is not None)

    @property
    def winner(self) -> Side | None:
        """Who won the match; None in money play, while it is unfinished, and when a game was refused."""
        return self.series.winner if self.series is not None else None


def replay_text(
    text: str, *, agreed: RecordRules | None = None, judged: Mapping[int, Win] | None = None
) -> tuple[Replay, ...]:
    """The matches recorded in ``text``, judged. A text that is no record comes back as one refusal, not raised.

    With ``agreed`` the rules are those of a table and the score begins at nil all, whatever the record says of them;
    a header that says otherwise is a refusal. Without, the record is taken at its word for both. ``judged`` are losses
    on time as an analysis gave them, by the number of the game (B-15), which no record is believed to know.
    """
    try:
        return tuple(replay_match(match, agreed=agreed, judged=judged) for match in read(text))
    except UnreadableRecord as unreadable:
        refused = Refused(game=None, line=unreadable.line, play="", reason=unreadable.reason)
        return (Replay(games=(refused,), series=None),)


def replay_match(
    match: MatchRecord, *, agreed: RecordRules | None = None, judged: Mapping[int, Win] | None = None
) -> Replay:
    """The games of one match or money session, judged in order, by the record's own rules or those ``agreed``."""
    if match.flaw is not None:
        flaw = Refused(game=None, line=match.flaw.line, play=match.flaw.text, reason=match.flaw.reason)
        return Replay(games=(flaw,), series=None)
    try:
        rules = replace(_rules_of(match), judged=judged)
        if agreed is not None:
            _check_agreed(match, rules, agreed)
    except Contradiction as contradiction:
        refused = Refused(game=None, line=contradiction.line, play=contradiction.play, reason=contradiction.reason)
        return Replay(games=(refused,), series=None)
    if agreed is not None:
        return _replayed(match, replace(agreed, judged=judged), Series(length=agreed.length, crawford=agreed.crawford))
    replayed = _replayed(match, rules, None)
    if rules.length or _option(match, "Jacoby") is not None or match.length > 0 or not replayed.refused:
        return replayed
    # Programs that write no Jacoby header play money with it by default. A record that pays an undoubled gammon in
    # full tells that this one was played without.
    without = _replayed(match, replace(rules, jacoby=False), None)
    return without if len(without.refused) < len(replayed.refused) else replayed


# --- The rules a record was played by ------------------------------------------------------------------------


def _rules_of(match: MatchRecord) -> RecordRules:
    """What the header says and, where it says nothing, what such records are played by: matches with Crawford,
    money with Jacoby and beavers, the cube up to our own limit. Raises Contradiction."""
    variation = match.header("Variation")
    if variation is not None and variation.strip().lower() not in ("backgammon", "standard"):
        raise Contradiction("only backgammon from the opening position is known here (B-1)", line=match.line)
    if not match.games:
        raise Contradiction("the match has no games", line=match.line)
    site, length = MONEY_AS_16
    money = match.length == 0 or (match.length == length and match.header("Site") == site and len(match.games) == 1)
    jacoby = _option(match, "Jacoby")
    limit = match.header("CubeLimit")
    if limit is not None and not (limit.isascii() and limit.isdecimal() and len(limit) < 8 and int(limit) >= 1):
        raise Contradiction(f"CubeLimit: {limit!r} is no number of at least 1 (B-9)", line=match.line)
    return RecordRules(
        length=0 if money else match.length,
        crawford=_option(match, "Crawford") is not False,
        jacoby=money and jacoby is not False,
        beavers=money and (_option(match, "Beaver") is not False and _option(match, "Beavers") is not False),
        cube_limit=int(limit) if limit is not None else cubes.LIMIT,
    )


def _check_agreed(match: MatchRecord, told: RecordRules, agreed: RecordRules) -> None:
    """What the header says is what was agreed, where it says anything. Raises Contradiction."""
    if told.length != agreed.length:
        lengths = [f"a match to {length}" if length else "a money game" for length in (told.length, agreed.length)]
        raise Contradiction(f"the record is of {lengths[0]}, the table is for {lengths[1]} (B-14)", line=match.line)
    for header, wanted, rule in (("Crawford", agreed.crawford, "B-12"), ("Jacoby", agreed.jacoby, "B-11")):
        said = _option(match, header)
        if said is not None and said != wanted and (header == "Jacoby") == (agreed.length == 0):
            played = "on" if wanted else "off"
            raise Contradiction(f"the table is played with {header} {played} ({rule})", line=match.line)


def _option(match: MatchRecord, key: str) -> bool | None:
    value = (match.header(key) or "").strip().lower()
    if value in ("on", "yes", "true", "1"):
        return True
    return False if value in ("off", "no", "false", "0") else None


# --- The match, game after game ------------------------------------------------------------------------------


def _replayed(match: MatchRecord, rules: RecordRules, expected: Series | None) -> Replay:
    judged: list[GameReplay | Refused] = []
    crawford_played = False
    for at, record in enumerate(match.games):
        following = match.games[at + 1].score if at + 1 < len(match.games) else None
        try:
            series = _series_before(
                record, rules, expected, names=match.games[0].names, crawford_played=crawford_played
            )
            crawford_played = series.crawford_played or series.is_crawford_game
            replayed = RecordedGame(record, rules, series, following).replay()
        except Contradiction as contradiction:
            judged.append(Refused(record.number, contradiction.line, contradiction.play, contradiction.reason))
            expected = None
            crawford_played = crawford_played or _is_crawford_by_its_score(record, rules)
        else:
            judged.append(replayed)
            expected = after(series, replayed.outcome) if replayed.outcome else series
    whole = not any(isinstance(game, Refused) for game in judged)
    return Replay(games=tuple(judged), series=expected if whole else None)


def _is_crawford_by_its_score(record: GameRecord, rules: RecordRules) -> bool:
    """Whether a refused game was the Crawford game, going by its score line alone: no later one is it then (B-12)."""
    if record.score is None:
        return False
    try:
        return Series(length=rules.length, score=record.score, crawford=rules.crawford).is_crawford_game
    except RuleBroken:
        return False


def _series_before(
    record: GameRecord, rules: RecordRules, expected: Series | None, *, names: tuple[str, str], crawford_played: bool
) -> Series:
    """The match as it stands before the game. Behind a refused game, and at the head, its score line is believed."""
    if record.flaw is not None:
        raise Contradiction(record.flaw.reason, line=record.flaw.line, play=record.flaw.text)
    assert record.score is not None
    shown = f"{record.score[0]} : {record.score[1]}"
    if record.names != names:
        raise Contradiction("other players than in the first game", line=record.score_line, play=shown)
    if expected is None:
        try:
            series = Series(
                length=rules.length, score=record.score, crawford=rules.crawford, crawford_played=crawford_played
            )
        except RuleBroken as broken:
            raise Contradiction(str(broken), line=record.score_line, play=shown) from broken
    else:
        series = expected
    if series.winner is not None:
        raise Contradiction("the match was already won (B-14)", line=record.score_line, play=shown)
    if series.score != record.score:
        reason = f"the games before make it {series.score[0]} : {series.score[1]} (B-14)"
        raise Contradiction(reason, line=record.score_line, play=shown)
    return series
