"""Account numbers, checked before anything is sent to them."""

from __future__ import annotations

from stdnum import iban as standard
from stdnum.exceptions import ValidationError


class BadIban(ValueError):
    """The text is no IBAN: length, check digits or the country's own rules say so."""

    field = "iban"

    def __init__(self) -> None:
        super().__init__("iban: this is no IBAN; look at it again, digit by digit")


def read(text: str) -> str:
    """The IBAN in ``text`` without spaces, in capitals. Raises BadIban, whose message does not repeat it."""
    try:
        return str(standard.validate(text))
    except (ValidationError, ValueError):
        raise BadIban from None
