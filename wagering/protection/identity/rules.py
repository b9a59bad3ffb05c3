"""Who somebody says they are: which names can be told, what is compared of them, and how old that makes them."""

import re
import unicodedata
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Final

NAME_MAX: Final = 120
ADDRESS_MAX: Final = 300

_WHOLE: Final = str.maketrans({
    "ø": "o", "æ": "ae", "œ": "oe", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ı": "i", "ß": "ss", "ħ": "h", "ŧ": "t",
    "Ø": "O", "Æ": "AE", "Œ": "OE", "Ł": "L", "Đ": "D", "Ð": "D", "Þ": "TH", "ẞ": "SS", "Ħ": "H", "Ŧ": "T", "’": "'",
})  # fmt: skip
"""Letters that Unicode does not take apart into one of A to Z and marks."""

_DIGRAPHS: Final = (("ae", "a"), ("oe", "o"), ("ue", "u"), ("aa", "a"), ("dj", "d"))
"""How a letter with a mark is spelt where there is none: ä, ö and ø, ü, å, đ."""

_INVISIBLE: Final = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0\u180b-\u180f\ufe00-\ufe0f\U000e0100-\U000e01ef]"
)
"""Nothing is seen of them, although Unicode counts them among marks and letters."""

_JAPANESE: Final = frozenset({"CJK", "HIRAGANA", "KATAKANA", "KATAKANA-HIRAGANA"})


class NameUnclear(ValueError):
    """The name looks like another than it is: signs in it are not seen, or letters are of two scripts."""

    field = "name"

    def __init__(self, rule: str) -> None:
        super().__init__(f"name: {rule}")


@dataclass(frozen=True, slots=True)
class Told:
    """What a player tells about themselves; the country by ISO 3166-1, two capital letters."""

    name: str
    birth_date: date
    country: str
    address: str


def check_name(name: str) -> None:
    """Whether what is seen of the ``name`` is what is compared of it. Raises NameUnclear."""
    if _INVISIBLE.search(name) or any(unicodedata.category(each) in ("Cc", "Cf", "Cn", "Co", "Cs") for each in name):
        raise NameUnclear("it has signs in it that are not seen; write it as it stands in your passport")
    scripts = {
        unicodedata.name(each, "?").split()[0]
        for each in unicodedata.normalize("NFKD", name)
        if unicodedata.category(each) in ("Ll", "Lo", "Lt", "Lu")
    }
    if not scripts:
        raise NameUnclear("there is no letter in it")
    if len(scripts) > 1 and not scripts <= _JAPANESE:
        raise NameUnclear("its letters are of more than one script; write it as it stands in your passport")


def plain(text: str) -> str:
    """``text`` without accents and other marks; letters that are no letter with a mark as they are read out."""
    letters = unicodedata.normalize("NFKD", text.translate(_WHOLE))
    return "".join(letter for letter in letters if not unicodedata.category(letter).startswith("M"))


def folded(name: str) -> list[str]:
    """The words of the ``name``, each the same however it is spelt: Müller, Mueller and Muller; O'Brien and OBrien."""
    words = re.split(r"[\s\-‐-―−,./_]+", plain(plain(name).casefold()))
    return [word for each in words if (word := _folded(each))]


def compared(*, name: str, birth_date: date) -> str:
    """What is the same for the same person: case, accents, hyphens and the order of the names make no difference."""
    letters = "".join(
        each for each in unicodedata.normalize("NFKD", name).casefold() if not unicodedata.combining(each)
    )
    names = sorted(re.findall(r"[^\W_]+", letters))
    return f"{' '.join(names)} {birth_date.isoformat()}"


def spellings(*, name: str, birth_date: date) -> frozenset[str]:
    """``compared``, and the same for other spellings: two persons are one if any of theirs are one.

    The words folded, in any order; and the letters alone, whichever word comes first, so that Anne-Marie is Annemarie.
    """
    words = folded(name)
    letters = "".join(words)
    ways = {" ".join(sorted(words)), min((letters[i:] + letters[:i] for i in range(len(letters))), default="")}
    return frozenset({compared(name=name, birth_date=birth_date), *(f"{way} {birth_date.isoformat()}" for way in ways)})


def years(*, birth_date: date, at: datetime) -> int:
    """The age in whole years on the day in UTC; who was born on 29 February turns older on 1 March."""
    today = at.astimezone(UTC).date()
    return today.year - birth_date.year - ((today.month, today.day) < (birth_date.month, birth_date.day))


def _folded(word: str) -> str:
    letters = "".join(each for each in word if each.isalnum() and unicodedata.category(each) != "Lm")
    for pair, letter in _DIGRAPHS:
        letters = letters.replace(pair, letter)
    return letters
