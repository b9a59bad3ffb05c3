"""A table as its two sides are told of it: made once for each change, and sent by every stream of the table."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from games.live import rows, sse
from games.live.models import Live
from games.live.rules.events import Kind
from games.live.selectors import document_of, stand_of
from games.rules.sides import SIDES, Side

_COMINGS_AND_GOINGS: Final = {Kind.CAME, Kind.WENT}

PRESENCE: Final = ("table", "version", "sequence", "presence", "clocks", "due", "now")
"""What of the state changes when somebody comes or goes, the same for both sides."""


@dataclass(frozen=True, slots=True)
class Edition:
    """The table after the action ``sequence``, ready to be sent: the ``state`` event of each side.

    ``presence`` is the event for those who have seen everything up to ``since``, if all that happened from there on was
    that somebody came or went. ``final`` says that there will be no other.
    """

    sequence: int
    states: Mapping[Side, bytes]
    since: int
    presence: bytes | None
    final: bool


def edition(*, table: UUID, before: Edition | None, at: datetime) -> Edition:
    """The table as it stands at ``at``; ``before`` is what its streams have last. Raises NotLive."""
    live = rows.seen(table=table)
    stand = stand_of(live)
    documents = {side: document_of(live, stand, viewer=side, at=at) for side in SIDES}
    since = live.sequence if before is None else before.sequence
    presence = {name: documents[1][name] for name in PRESENCE}
    return Edition(
        sequence=live.sequence,
        states={side: _event("state", live, documents[side]) for side in SIDES},
        since=since,
        presence=_event("presence", live, presence) if _only_came_or_went(live, since=since) else None,
        final=stand.status.is_final,
    )


def _event(name: str, live: Live, data: dict[str, Any]) -> bytes:
    return sse.event(name, data, sequence=live.sequence)


def _only_came_or_went(live: Live, *, since: int) -> bool:
    happened = [told for told in live.recent if told["sequence"] > since]
    return 0 < live.sequence - since == len(happened) and {told["kind"] for told in happened} <= _COMINGS_AND_GOINGS
