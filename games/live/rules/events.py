"""What happens at a table that is played live, as it is written down. Everything else follows from these."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any, Final

from games.rules.sides import Side


class Kind(StrEnum):
    """What happened. Those of a side were asked for by it; the others are the referee's."""

    COMMITMENT = "commitment"
    """The server bound itself to its seed: ``hash``. Always the first."""
    SEED_HASH = "seed_hash"
    SEED = "seed"
    OPENING_THROW = "opening_throw"
    ROLL = "roll"
    """``dice`` and ``counter``, as with an opening throw. ``forced``: thrown by the referee for a side closed out."""
    PLAY = "play"
    """``play`` in standard notation, ``to`` the Position ID after it as the mover sees the board."""
    DOUBLE = "double"
    TAKE = "take"
    PASS = "pass"
    BEAVER = "beaver"
    ACCEPT_BEAVER = "accept_beaver"
    REFUSE_BEAVER = "refuse_beaver"
    RESIGN = "resign"
    """``concession``: what is offered."""
    ACCEPT_RESIGNATION = "accept_resignation"
    DECLINE_RESIGNATION = "decline_resignation"
    TIME_OUT = "time_out"
    """``side`` ran out of time at ``due``. ``pricing``: what that costs is told by a ``priced`` that follows (B-15)."""
    PRICED = "priced"
    """What ``side``, whose time ran out, has lost: ``win``, and in ``record`` the analysis, null if there was none."""
    NEXT_GAME = "next_game"
    CAME = "came"
    WENT = "went"
    SERVICE_DOWN = "service_down"
    """Nobody was served from ``since`` until now: that time is nobody's."""
    ABANDONED = "abandoned"
    """``absent``: the sides that were away when the time of one of them was used up at ``due`` (A-1)."""
    VOIDED = "voided"
    """Nothing was thrown, so nothing counts (A-8)."""
    SERVER_SEED = "server_seed"
    """The contest is over, and the server's seed is told. Always the last."""


ASIDE: Final = frozenset(
    {Kind.COMMITMENT, Kind.SEED_HASH, Kind.SEED, Kind.CAME, Kind.WENT, Kind.SERVICE_DOWN, Kind.SERVER_SEED}
)
"""What leaves the game as it is: an action that was thought of before it is as good after it."""


def utc(instant: datetime) -> str:
    """An instant as clients are told it, wherever it stands: RFC 3339, in UTC, with a Z at its end."""
    return instant.isoformat().replace("+00:00", "Z")


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that happened at ``at``. The time of the side that acted is measured to ``heard_at``, when its word
    reached the service; the other's begins at ``at``. Waiting in between costs neither of them anything."""

    kind: Kind
    side: Side | None
    at: datetime
    heard_at: datetime
    payload: Mapping[str, Any] = field(default_factory=dict)
