"""The dice of a game played elsewhere: proved by their transcript, and the very dice of the record (F). Pure."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from games.rules.dice import Malformed
from games.rules.dice_json import read_transcript
from games.rules.dice_transcript import Throw, ThrowKind, Transcript, verify
from games.rules.record import GameRecord, MatchRecord, Said


class DiceRefused(ValueError):
    """The dice that came with a record prove nothing."""

    field = "dice"


class TranscriptMalformed(DiceRefused):
    """What came with the record is no transcript of dice."""


class DiceNotProved(DiceRefused):
    """The transcript has a fault: the dice were not committed to, or do not follow from the seeds (F)."""


class DiceDiffer(DiceRefused):
    """The transcript proves other dice than those of the record."""


def proved(told: Mapping[str, Any]) -> Transcript:
    """The transcript that ``told`` is, without a fault. Raises TranscriptMalformed, DiceNotProved."""
    try:
        # A fraction, which JSON's reader made a Decimal, is no number of a transcript: as text it is refused there.
        transcript = read_transcript(json.dumps(told, default=str))
    except Malformed as bad:
        raise TranscriptMalformed(f"dice: {bad}") from None
    if faults := verify(transcript):
        more = f"; {len(faults)} faults in all" if len(faults) > 1 else ""
        raise DiceNotProved(f"dice: {faults[0]}{more}")
    return transcript


def check_same(*, transcript: Transcript, record: MatchRecord) -> None:
    """Every roll of the record was thrown, in its order, and nothing else was. Raises DiceDiffer."""
    throws = iter(transcript.throws)
    for game in record.games:
        for number, (side, dice) in enumerate(_rolls(game), 1):
            thrown = _opening(throws) if number == 1 else next(throws, None)
            where = f"game {game.number}, roll {number}"
            if thrown is None:
                raise DiceDiffer(f"dice: {where} was not thrown")
            if sorted(thrown.dice) != sorted(dice):
                raise DiceDiffer(f"dice: {where} is {_told(dice)}, thrown was {_told(thrown.dice)}")
            if (thrown.kind is ThrowKind.OPENING) != (number == 1):
                raise DiceDiffer(f"dice: {where} was thrown as {thrown.kind}")
            # B-2: the higher side moves first.
            if number == 1 and side != (1 if thrown.dice[0] > thrown.dice[1] else 2):
                raise DiceDiffer(f"dice: {where} was won by the other side")
    if (left := next(throws, None)) is not None:
        raise DiceDiffer(f"dice: counter {left.counter} threw {_told(left.dice)}, which the record does not have")


def _rolls(game: GameRecord) -> Iterator[tuple[int, tuple[int, int]]]:
    return ((cell.side, cell.dice) for cell in game.cells if cell.said is Said.ROLL and cell.dice is not None)


def _opening(throws: Iterator[Throw]) -> Throw | None:
    """The first throw of equal dice is thrown again, and again (B-2); a record tells only the last."""
    for throw in throws:
        if throw.kind is not ThrowKind.OPENING or throw.dice[0] != throw.dice[1]:
            return throw
    return None


def _told(dice: tuple[int, int]) -> str:
    return f"{dice[0]}-{dice[1]}"
