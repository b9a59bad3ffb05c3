"""Whether two names are one person's, and how a name is written in a bank's file."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

_PLAIN: Final = str.maketrans({
    "ø": "o", "æ": "ae", "œ": "oe", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ı": "i", "ß": "ss", "’": "'",
    "Ø": "O", "Æ": "AE", "Œ": "OE", "Ł": "L", "Đ": "D", "Ð": "D", "Þ": "TH",
})  # fmt: skip
_SPELT_OUT: Final = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "å": "aa", "ø": "oe"})
_ALLOWED: Final = re.compile(r"[A-Za-z0-9/\-?:().,'+ ]+")


class BadHolder(ValueError):
    """The name cannot be written in a bank's file: it has to be in Latin letters, as the bank has it."""

    field = "holder"

    def __init__(self) -> None:
        super().__init__("holder: write the name in Latin letters, as your bank has it, in at most 70 of them")


def written(name: str) -> str:
    """``name`` in the letters that every bank takes: accents left out. Raises BadHolder."""
    plain = " ".join(_plain(name).split())
    if not _ALLOWED.fullmatch(plain) or not any(letter.isalpha() for letter in plain) or len(plain) > 70:
        raise BadHolder
    return plain


def are_one(name: str, other: str) -> bool:
    """Whether both may be one person: every word of the shorter name is in the longer, and that is two at least.

    Case, accents, hyphens and order make no difference; Müller is Muller and Mueller; A. may be Ann, beside a whole
    word that is the same.
    """
    short, long = sorted((_words(name), _words(other)), key=len)
    if not short or (len(short) == 1 < len(long)):
        return False
    left, whole = list(long), 0
    for word in sorted(short, key=_length, reverse=True):
        found = next((each for each in left if word & each), None)
        if found is None:
            found = next((each for each in left if _is_initial(word, each)), None)
        elif _length(word) > 1:
            whole += 1
        if found is None:
            return False
        left.remove(found)
    return whole > 0


def _words(name: str) -> list[frozenset[str]]:
    """Each word with the ways in which it may be written."""
    composed = unicodedata.normalize("NFC", name).casefold()
    spellings = [re.findall(r"[^\W_]+", _plain(each)) for each in (composed, composed.translate(_SPELT_OUT))]
    return [frozenset(pair) for pair in zip(*spellings, strict=True)]


def _is_initial(word: frozenset[str], other: frozenset[str]) -> bool:
    short, long = sorted((min(word, key=len), min(other, key=len)), key=len)
    return len(short) == 1 and long.startswith(short)


def _length(word: frozenset[str]) -> int:
    return min(map(len, word))


def _plain(text: str) -> str:
    letters = unicodedata.normalize("NFKD", text.translate(_PLAIN))
    return "".join(letter for letter in letters if not unicodedata.combining(letter))
