"""Damaged records: whatever has been done to a text, the answer is a judgement and never an exception."""

import random
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from games.rules.record_reading import decoded
from games.rules.replay import replay_text

RECORDS = sorted((Path(__file__).parents[2] / "games" / "records").glob("*.txt"))
WORDS = [
    "31:",
    "66: ",
    " Takes",
    " Drops",
    " Doubles => 4",
    " Beavers",
    "Wins 2 points",
    "Losses 1 point",
    " Game 2",
    "*",
]
WORDS += [
    "????",
    "(2)",
    "bar/",
    "/off",
    "25/",
    "\t",
    "\r",
    "  ",
    ":",
    ")",
    "0 point match",
    '; [CubeLimit "8"]',
    "\x00",
    "é",
]


def damaged(text: str, seed: int) -> str:
    chance = random.Random(seed)
    lines = text.split("\n")
    for _ in range(chance.randint(1, 4)):
        at = chance.randrange(len(lines))
        line = lines[at]
        cut = chance.randrange(len(line) + 1)
        match chance.randrange(5):
            case 0:
                lines[at] = line[:cut] + chance.choice(WORDS) + line[cut:]
            case 1:
                lines[at] = line[:cut] + line[cut + chance.randint(1, 6) :]
            case 2:
                lines.insert(at, chance.choice(lines))
            case 3:
                lines[at] = chance.choice(lines)
            case _:
                lines[at] = line[:cut] + chance.choice("0123456789/ ") + line[cut + 1 :]
    return "\n".join(lines)


@settings(max_examples=80, deadline=None)
@given(file=st.sampled_from(RECORDS), seed=st.integers(0, 2**32))
def test_a_damaged_record_is_judged_and_every_refusal_has_a_line(file: Path, seed: int) -> None:
    for replay in replay_text(damaged(file.read_text(), seed)):
        for refusal in replay.refused:
            assert refusal.reason
            assert refusal.line is not None


@given(st.text(max_size=400) | st.binary(max_size=400).map(decoded))
def test_any_text_is_judged(text: str) -> None:
    assert replay_text(text)
    assert replay_text(f"3 point match\n Game 1\n a : 0   b : 0\n{text}")
    assert replay_text(f"3 point match\n Game 1\n a : 0   b : 0\n  1) 31: {text}")
