"""What JSON a field is sent in. DRF takes "yes" for true, "١٥" and 15.0 for 15, and 15 for a text: here none is.

A lenient reader and a strict one would understand the same request, and the same signature, otherwise.
"""

import re
from collections.abc import Callable
from decimal import Decimal
from typing import Any, Final

from rest_framework import exceptions, serializers

PLAIN: Final = re.compile(r"-?[0-9]+(\.[0-9]+)?")

Sort = tuple[tuple[type[serializers.Field[Any, Any, Any, Any]], ...], Callable[[object], bool], str]


def _is_plain(value: object) -> bool:
    return type(value) in (int, Decimal) or (isinstance(value, str) and PLAIN.fullmatch(value) is not None)


SORTS: Final[tuple[Sort, ...]] = (
    ((serializers.BooleanField,), lambda value: type(value) is bool, "is neither true nor false"),
    ((serializers.IntegerField,), lambda value: type(value) is int, "is no whole number, written as one"),
    ((serializers.DecimalField,), _is_plain, "is no number in plain digits"),
    ((serializers.CharField, serializers.UUIDField), lambda value: type(value) is str, "is no text"),
)


def wrong_sort(value: object, field: object) -> list[exceptions.ErrorDetail]:
    """What is said of ``value``, if it is not what ``field`` is sent in; of null the field speaks itself."""
    if value is None:
        return []
    for fields, fits, told in SORTS:
        if isinstance(field, fields):
            return [] if fits(value) else [exceptions.ErrorDetail(told, "invalid")]
    return []
