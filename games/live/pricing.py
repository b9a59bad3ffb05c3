"""What a game of a match costs that was lost by the clock: an engine is asked, outside any transaction (B-15).

The live row says that its game waits, and the game stays as it is meanwhile. What is found happens at the table like
anything else (``services.price``); a game about which nobody can say costs what is certain.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

import structlog
from django.db import transaction

from games.analysis import time_out
from games.analysis.engines import ATTEMPTS_MAX, PATIENCE
from games.live import rows
from games.live.models import Pricing
from games.live.rules.document import match_state
from games.live.rules.stand import Status
from games.live.selectors import stand_of
from games.rules.endings import Win
from games.rules.ids import read_xgid, write_xgid

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Price:
    """What the ``game`` of this number was lost by, and the record of its analysis, None if there was none."""

    game: int
    win: Win
    record: dict[str, Any] | None


def ask(*, table: UUID, at: datetime) -> Price | None:
    """What the engine at hand says of the game that waits at ``table``; None if none does, or it is being asked.

    Takes up to some seconds. Without an answer, and after so many questions that were never answered, the price is what
    the position makes certain. Raises NotLive.
    """
    asked = _begun(table, at)
    if asked is None:
        return None
    position, state = read_xgid(asked.xgid)
    if not asked.reason:
        try:
            record = time_out.analyse(position=position, state=state)
            return Price(asked.game, time_out.again(record), record)
        except Exception as broken:  # an engine's fault, whatever it is: the match must not wait for it for ever
            log.exception("an engine failed", table=str(table), xgid=asked.xgid)
            Pricing.objects.filter(pk=asked.pk).update(reason=f"the engine failed: {broken!r}")
    return Price(asked.game, time_out.lost(position), None)


def _begun(table: UUID, at: datetime) -> Pricing | None:
    """What is asked now, which is counted, whatever comes of it; with a ``reason`` if it is asked no more."""
    with transaction.atomic(durable=True):
        stand = stand_of(rows.seen(table=table))
        if stand.status is not Status.PRICING:
            return None
        state = match_state(stand)
        assert state is not None, "nobody loses by the clock before the opening throw"
        asked, _ = Pricing.objects.select_for_update().get_or_create(
            live_id=table, game=stand.number, defaults={"xgid": write_xgid(stand.game.position, state)}
        )
        if asked.asked_at is not None and at < asked.asked_at + PATIENCE:
            return None
        if asked.attempts < ATTEMPTS_MAX:
            asked.attempts, asked.asked_at = asked.attempts + 1, at
        elif not asked.reason:
            log.error("an engine never answered", table=str(table), xgid=asked.xgid, attempts=asked.attempts)
            asked.reason = f"the engine was asked {asked.attempts} times and never answered"
        asked.save(update_fields=["attempts", "asked_at", "reason"])
        return asked
