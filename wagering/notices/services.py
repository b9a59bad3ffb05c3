"""Telling, and having read."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import datetime
from uuid import UUID

from django.db import connection
from django.db.models import Q

from games.models import Player
from wagering.notices import kinds
from wagering.notices.models import Delivery, Endpoint, Notice


def tell(*, kind: str, data: Mapping[str, object], at: datetime, player: Player | None = None) -> Notice:
    """Say that it happened, in the transaction that does it: to the player, and to every endpoint that wants to know.

    Nothing is sent here; the sweep finds what is due.
    """
    assert connection.in_atomic_block, "told in the transaction that does it, or not at all"
    notice = Notice.objects.create(player=player, kind=kind, data=kinds.written(kind, data), at=at)
    wanted = Q(kinds=[]) | Q(kinds__contains=[kind])
    endpoints = Endpoint.objects.filter(wanted, disabled_at=None).values_list("pk", flat=True)
    Delivery.objects.bulk_create([Delivery(notice=notice, endpoint_id=each, due_at=at) for each in endpoints])
    return notice


def read(*, player: Player, notices: Collection[UUID], at: datetime) -> None:
    """The player has read these. Those of others are passed over, and what was read before keeps its time."""
    Notice.objects.filter(player=player, pk__in=notices, read_at=None).update(read_at=at)
