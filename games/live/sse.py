"""Server-Sent Events as they go over the wire (the HTML standard's text/event-stream)."""

import json
from typing import Any, Final

MEDIA_TYPE: Final = "text/event-stream"

COMMENT: Final = b":\n\n"
"""Says nothing but that the stream is alive."""

ID_MAX: Final = 2**31 - 1
"""The largest sequence that an action's row can have."""


class BadLastEventId(ValueError):
    """Last-Event-ID is no id that a stream of ours ever gave: those are whole numbers."""

    def __init__(self) -> None:
        super().__init__(f"Last-Event-ID: is not a whole number from 0 to {ID_MAX}; leave it out to begin anew")


def last_event_id(text: str | None) -> int | None:
    """The sequence that a client has seen, None if it says nothing. Raises BadLastEventId."""
    if text is None or not text.strip():
        return None
    digits = text.strip()
    if not (digits.isascii() and digits.isdigit() and len(digits) <= len(str(ID_MAX)) and int(digits) <= ID_MAX):
        raise BadLastEventId
    return int(digits)


def event(name: str, data: dict[str, Any], *, sequence: int | None = None) -> bytes:
    """One event, with its id if it has one. JSON has no line breaks of its own, so the data is one line."""
    told = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    numbered = "" if sequence is None else f"id: {sequence}\n"
    return f"{numbered}event: {name}\ndata: {told}\n\n".encode()


def retry(milliseconds: int) -> bytes:
    """How long a client that was cut off waits before it comes back."""
    return f"retry: {milliseconds}\n\n".encode()
