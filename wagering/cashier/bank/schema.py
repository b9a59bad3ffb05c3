"""Whether an order is what the standard says: checked against its own schema before it leaves."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from wagering.cashier.bank.rules.pain001 import VERSION

if TYPE_CHECKING:
    from xmlschema import XMLSchema


def check(file: bytes) -> None:
    """Raises xmlschema.XMLSchemaValidationError, which is our mistake and nobody else's."""
    _schema().validate(file.decode())


@cache
def _schema() -> XMLSchema:
    from xmlschema import XMLSchema  # a fifth of a second

    return XMLSchema(str(files("sepaxml") / "schemas" / f"{VERSION}.xsd"))
