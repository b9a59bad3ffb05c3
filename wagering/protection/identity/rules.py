"""Who somebody says they are: what is compared of it, and how old that makes them."""

import re
import unicodedata
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Final

NAME_MAX: Final = 120
ADDRESS_MAX: Final = 300


@dataclass(frozen=True, slots=True)
class Told:
    """What a player tells about themselves; the country by ISO 3166-1, two capital letters."""

    name: str
    birth_date: date
    country: str
    address: str


def compared(*, name: str, birth_date: date) -> str:
    """What is the same for the same person: case, accents, hyphens and the order of the names make no difference."""
    plain = unicodedata.normalize("NFKD", name).casefold()
    letters = "".join(each for each in plain if not unicodedata.combining(each))
    names = sorted(re.findall(r"[^\W_]+", letters))
    return f"{' '.join(names)} {birth_date.isoformat()}"


def years(*, birth_date: date, at: datetime) -> int:
    """The age in whole years on the day in UTC; who was born on 29 February turns older on 1 March."""
    today = at.astimezone(UTC).date()
    return today.year - birth_date.year - ((today.month, today.day) < (birth_date.month, birth_date.day))
