"""Whether two names are one person's, and how a name is written in a bank's file."""

from __future__ import annotations

import re
from typing import Final

from wagering.protection.identity.rules import folded, plain

_JOINED: Final = re.compile(r"[&+/;]")
_NOBODYS: Final = re.compile(
    "and|und|et|y|en|og|och|oder|or|con|with|"
    "ltd|limited|llc|llp|lp|inc|incorporated|corp|corporation|plc|company|co|cie|gmbh|mbh|ag|kg|kgaa|ohg|ug|gbr|ev|eg|"
    "bv|nv|vof|cv|sa|sas|sarl|srl|spa|snc|sl|slu|lda|oy|oyj|ab|hb|as|asa|aps|kft|zrt|doo|dd|ad|sro|sp|zoo|ou|sia|uab|"
    "trading|holdings?|consulting|group|services|enterprises|international|foundation|stiftung|trust|club|bank"
)
"""Words that join two people, or make a firm: of no name, unless it is in both."""
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
    word that is the same. The longer may have one word more, and initials, that neither joins people nor makes a firm.
    """
    if _JOINED.search(name) or _JOINED.search(other):
        return False
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
    more = [each for each in left if len(each) > 1]
    return whole > 0 and len(more) <= 1 and not any(_NOBODYS.fullmatch(each) for each in left)


def _is_initial(word: str, other: str) -> bool:
    short, long = sorted((word, other), key=len)
    return len(short) == 1 and long.startswith(short)
