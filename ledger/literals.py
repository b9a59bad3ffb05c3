"""Arrays as PostgreSQL reads them, written in one go.

psycopg would look for the type of every element of every list anew at each call, which costs the client more than
everything else it does for a posting. The types are those of the casts in the statement.
"""

from collections.abc import Iterable, Sequence

_IN_QUOTES = str.maketrans({'"': '\\"', "\\": "\\\\"})


def plain(values: Iterable[object]) -> str:
    """An array of what needs no quotes: whole and decimal numbers, UUIDs; None is NULL."""
    return "{" + ",".join(["NULL" if value is None else str(value) for value in values]) + "}"


def octets(values: Iterable[bytes]) -> str:
    """An array of bytes, in hex."""
    return "{" + ",".join(['"\\\\x' + value.hex() + '"' for value in values]) + "}"


def quoted(values: Sequence[str]) -> str:
    """An array of texts of any kind."""
    if not values:
        return "{}"
    text = '","'.join(values)
    if "\\" in text or text.count('"') > 2 * (len(values) - 1):
        text = '","'.join([value.translate(_IN_QUOTES) for value in values])
    return '{"' + text + '"}'
