"""Whether two names are one person's, and how a name is written in a bank's file."""

from __future__ import annotations

import re
from typing import Final

from wagering.protection.identity.rules import folded, plain

_ALLOWED: Final = re.compile(r"[A-Za-z0-9/\-?:().,'+ ]+")


class BadHolder(ValueError):
    """The name cannot be written in a bank's file: it has to be in Latin letters, as the bank has it."""

    field = "holder"

    def __init__(self) -> None:
        super().__init__("holder: write the name in Latin letters, as your bank has it, in at most 70 of them")


def written(name: str) -> str:
    """``name`` in the letters that every bank takes: accents left out. Raises BadHolder."""
    letters = " ".join(plain(name).split())
    if not _ALLOWED.fullmatch(letters) or not any(letter.isalpha() for letter in letters) or len(letters) > 70:
        raise BadHolder
    return letters


def are_one(name: str, other: str) -> bool:
    """Whether both may be one person: every word of the shorter name is in the longer, and that is two at least.

    Case, accents, hyphens and order make no difference; Müller is Muller and Mueller; A. may be Ann, beside a whole
    word that is the same.
    """
    short, long = sorted((folded(name), folded(other)), key=len)
    if not short or (len(short) == 1 < len(long)):
        return False
    left, whole = list(long), 0
    for word in sorted(short, key=len, reverse=True):
        found = next((each for each in left if each == word), None)
        if found is None:
            found = next((each for each in left if _is_initial(word, each)), None)
        elif len(word) > 1:
            whole += 1
        if found is None:
            return False
        left.remove(found)
    return whole > 0


def _is_initial(word: str, other: str) -> bool:
    short, long = sorted((word, other), key=len)
    return len(short) == 1 and long.startswith(short)
