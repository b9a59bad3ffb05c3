"""Names of players: which are allowed to log in by, and which look so alike that they count as one.

Names to log in by are of Latin letters, digits and single ``-``, ``_`` or ``.`` between them. One script keeps out
what looks the same in two (Unicode Technical Standard 39, "restriction level: single script"); what looks alike within
it has one ``key``.
"""

import re
import unicodedata
from typing import Final

LENGTH_MIN: Final = 3
LENGTH_MAX: Final = 20
SEPARATORS: Final = "-_."

RESERVED: Final = frozenset(
    {
        "abuse", "admin", "administrator", "anonymous", "bank", "cashier", "dealer", "fairplay", "house", "machine",
        "moderator", "nobody", "operator", "owner", "payments", "player", "referee", "root", "security", "server",
        "staff", "support", "system", "umpire", "you",
    }
)  # fmt: skip
"""What a player may not be called, for others would take the word for the house's."""

_WITHOUT_PARTS: Final = {
    "æ": "ae", "đ": "d", "ð": "d", "ħ": "h", "ı": "i", "ł": "l", "ø": "o", "œ": "oe", "þ": "p", "ß": "ss", "ẞ": "ss",
}  # fmt: skip
"""Letters of Latin alphabets that Unicode does not take apart into a letter of A to Z and marks."""

_LOOKS_LIKE: Final = (("0", "o"), ("1", "l"), ("i", "l"), ("rn", "m"), ("vv", "w"))
"""In lower case: 0 o; 1 i l, since capital I and small l are one stroke; rn m; vv w."""

_NAME: Final = re.compile(rf"[^\W_]+(?:[{re.escape(SEPARATORS)}][^\W_]+)*")


class NameRefused(ValueError):
    """Nobody can be called that. The message says which rule it breaks."""

    field = "name"

    def __init__(self, rule: str) -> None:
        super().__init__(f"name: {rule}")


def shown(text: str) -> str:
    """The name as others see it: ``text`` in Unicode's form NFKC, which writes one character one way.

    Raises NameRefused unless it has 3 to 20 characters, begins with a letter, and has only Latin letters, digits and
    single separators between them.
    """
    name = unicodedata.normalize("NFKC", text)
    if not LENGTH_MIN <= len(name) <= LENGTH_MAX:
        raise NameRefused(f"it must have {LENGTH_MIN} to {LENGTH_MAX} characters")
    if not all(character in SEPARATORS or character in "0123456789" or _is_latin(character) for character in name):
        raise NameRefused("it may have Latin letters, digits, and - _ . between them, nothing else")
    if not _NAME.fullmatch(name) or not _is_latin(name[0]):
        raise NameRefused("it must begin with a letter, and have - _ . only singly, between letters or digits")
    if key(name) in _RESERVED_KEYS:
        raise NameRefused("it is kept for the house")
    return name


def key(text: str) -> str:
    """What stands for all names that look like ``text``: two names with one key are one name.

    Any text has a key, also what nobody can log in by: letters and digits make it, or all of the text if it has none.
    """
    seen = _bare(unicodedata.normalize("NFKC", text))
    letters = "".join(character for character in seen if character.isalnum()) or seen
    for one, alike in _LOOKS_LIKE:
        letters = letters.replace(one, alike)
    return letters


def _bare(text: str) -> str:
    """In lower case, without marks over and under the letters."""
    folded = unicodedata.normalize("NFKD", text.casefold())
    unmarked = "".join(character for character in folded if unicodedata.category(character) != "Mn")
    return "".join(_WITHOUT_PARTS.get(character, character) for character in unmarked)


def _is_latin(character: str) -> bool:
    bare = _bare(character)
    return character.isalpha() and bare.isascii() and bare.isalpha()


_RESERVED_KEYS: Final = frozenset(key(word) for word in RESERVED)
