"""Columns that Django has no field for."""

from typing import Any

from django.db import models


class PlainNumeric(models.DecimalField):  # type: ignore[type-arg]
    """PostgreSQL ``numeric`` without a scale: it keeps the digits it is given instead of rounding in silence.

    An amount goes in at its currency's minor digits (``ledger.money.exact``) and comes back just so.
    """

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**{**kwargs, "max_digits": 30, "decimal_places": 6})

    def deconstruct(self) -> Any:
        name, path, args, kwargs = super().deconstruct()
        del kwargs["max_digits"], kwargs["decimal_places"]
        return name, path, args, kwargs

    def db_type(self, connection: object) -> str:
        return "numeric"


class Xid8(models.BigIntegerField):  # type: ignore[type-arg]
    """PostgreSQL's 64-bit transaction id."""

    def db_type(self, connection: object) -> str:
        return "xid8"
