"""What a player writes on a transfer to us: a creditor reference of ISO 11649, whose check digits catch a slip."""

from __future__ import annotations

import re
from typing import Final

from stdnum import iso11649
from stdnum.iso7064 import mod_97_10

DIGITS: Final = 12
_SOMEWHERE: Final = re.compile(rf"(?=(RF[0-9]{{2}}[0-9]{{{DIGITS}}}))")


def made(number: int) -> str:
    """The reference of ``number``: RF, two check digits, twelve digits."""
    body = f"{number:0{DIGITS}d}"
    assert number > 0 and len(body) == DIGITS, f"{number} makes no reference"
    return f"RF{mod_97_10.calc_check_digits(body + 'RF')}{body}"


def shown(reference: str) -> str:
    """In groups of four, as people read it."""
    return str(iso11649.format(reference))


def found(text: str) -> frozenset[str]:
    """Every reference of ours that stands in ``text``, however it is spaced, whose check digits are right."""
    together = re.sub(r"[^0-9A-Z]", "", text.upper())
    return frozenset(each for each in _SOMEWHERE.findall(together) if iso11649.is_valid(each))
