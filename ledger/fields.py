"""Columns that Django has no field for."""

from typing import Any

from django.core.checks import CheckMessage
from django.db import models


class PlainNumeric(models.DecimalField):  # type: ignore[type-arg]
    """PostgreSQL ``numeric`` without a scale: it keeps the digits it is given instead of rounding in silence.

    An amount goes in at its currency's minor digits (``ledger.money.exact``) and comes back just so; a page shows it
    with no others.
    """

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**{**kwargs, "max_digits": 30, "decimal_places": None})

    def deconstruct(self) -> Any:
        name, path, args, kwargs = super().deconstruct()
        del kwargs["max_digits"]
        return name, path, args, kwargs

    def db_type(self, connection: object) -> str:
        return "numeric"

    # Django would have every amount of a column with the same digits.

    def _check_decimal_places(self) -> list[CheckMessage]:
        return []

    def _check_decimal_places_and_max_digits(self, **kwargs: Any) -> list[CheckMessage]:
        return []


class Xid8(models.BigIntegerField):  # type: ignore[type-arg]
    """PostgreSQL's 64-bit transaction id."""

    def db_type(self, connection: object) -> str:
        return "xid8"
