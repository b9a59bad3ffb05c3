"""Reading a body: JSON, an object, each name once, numbers that are numbers, text that a database can keep."""

import json
import re
from collections.abc import Mapping
from decimal import Decimal
from typing import IO, Any, Final

from rest_framework.parsers import BaseParser

SUSPECT: Final = re.compile(r"\\u(?:0000|[dD][89a-fA-F][0-9a-fA-F]{2})")
"""How a NUL or half of a surrogate pair is written in JSON; most bodies have neither, and are not looked at again."""

UNKEPT: Final = re.compile("[\0\ud800-\udfff]")


class Unreadable(ValueError):
    """The body is no JSON object that can be read in one way only."""

    def __init__(self, why: str) -> None:
        super().__init__(f"The body cannot be read: {why}.")


class BodyTooLarge(ValueError):
    """The body is longer than this address takes; ``limit`` in bytes."""

    def __init__(self, limit: int) -> None:
        super().__init__(f"The body is longer than the {limit} bytes that this address takes.")
        self.limit = limit


class BodyTooSlow(TimeoutError):
    """The body did not come in time: nothing of it for half a minute, or not all of it within two."""

    def __init__(self) -> None:
        super().__init__("The body did not come in time: send it again, all at once.")


class StrictJSONParser(BaseParser):
    """Refuses what lenient readers differ about, and what they pass over: see ``loads`` and ``known``."""

    media_type = "application/json"

    def parse(
        self, stream: IO[Any], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> dict[str, Any]:
        body = loads(stream.read())
        if parser_context:
            from wagering.config.http.known import refuse_members  # views name this parser before they can be imported

            refuse_members(body, view=type(parser_context["view"]), method=parser_context["request"].method)
        return body


def loads(body: bytes) -> dict[str, Any]:
    """The object in ``body``, its fractions as Decimal. Raises Unreadable.

    For bytes that are no UTF-8, text that is no JSON, NaN and infinities, a name that comes twice, anything but an
    object, endless nesting or digits, and NUL or half of a surrogate pair in a text.
    """
    try:
        text = body.decode("utf-8")
    except UnicodeDecodeError as error:
        raise Unreadable(f"byte {error.start} is no UTF-8") from None
    try:
        read = json.loads(text, object_pairs_hook=_each_name_once, parse_constant=_no_constant, parse_float=Decimal)
    except json.JSONDecodeError as error:
        raise Unreadable(f"no JSON at line {error.lineno}, column {error.colno}") from None
    except RecursionError:
        raise Unreadable("it is nested too deep") from None
    except Unreadable:
        raise
    except ValueError:
        raise Unreadable("a number has too many digits") from None
    if not isinstance(read, dict):
        raise Unreadable("it is no JSON object")
    if SUSPECT.search(text):
        try:
            _check_text(read)
        except RecursionError:  # some Pythons read deeper than they can walk
            raise Unreadable("it is nested too deep") from None
    return read


def _each_name_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    read = dict(pairs)
    if len(read) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise Unreadable(f"the name {twice!r} comes twice in one object")
    return read


def _no_constant(name: str) -> Any:
    raise Unreadable(f"{name} is no number")


def _check_text(read: Any) -> None:
    if isinstance(read, str):
        if UNKEPT.search(read):
            raise Unreadable("a text has a character that no text can hold")
    elif isinstance(read, dict):
        for name, value in read.items():
            _check_text(name)
            _check_text(value)
    elif isinstance(read, list):
        for value in read:
            _check_text(value)
