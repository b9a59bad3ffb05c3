"""Going through all rows that wait, by the clock. A row's trouble keeps no other waiting, wherever it stands."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

import structlog
from billiard.exceptions import SoftTimeLimitExceeded
from django.db.models import Model, Q, QuerySet

from wagering.rest.hints import hint_again

if TYPE_CHECKING:
    from celery import Task

log = structlog.get_logger(__name__)

PAGE: Final = 100
HINTED: Final = 300
"""By one sweep, of one sort of rows."""


def each(rows: QuerySet[Model], do: Callable[[Any], object], *, by: str, what: str) -> int:
    """``do`` with the id of every row of ``rows``, once, in the order of ``by``; how many it did not fail for.

    Page after page, each from where the last one ended, so that rows which fail are passed over and not met again: they
    are told, and tried again by the next sweep. ``by`` is a field that stays, unless the row leaves ``rows`` with it.
    """
    done, rest = 0, rows
    while True:
        page = list(rest.order_by(by, "pk").values_list(by, "pk")[:PAGE])
        for _, row in page:
            done += _tried(do, row, what)
        if len(page) < PAGE:
            return done
        last, row = page[-1]
        rest = rows.filter(Q(**{f"{by}__gt": last}) | Q(**{by: last, "pk__gt": row}))


def hint_some(rows: QuerySet[Model], task: Task[Any, Any]) -> None:
    """Tell the workers of rows of ``rows``: ``task`` takes the id.

    Of all of them, as long as they are few. Of many by chance of some, so that no sweep puts more into the queue than
    is taken from it before the next, and rows that fail keep no other waiting.
    """
    for row in rows.order_by("?").values_list("pk", flat=True)[:HINTED]:
        hint_again(task, str(row))


def _tried(do: Callable[[Any], object], row: Any, what: str) -> bool:
    try:
        do(row)
    except SoftTimeLimitExceeded:
        raise  # it is the sweep's time that is up, and the next one's turn
    except Exception:
        log.exception("a sweep failed", what=what, row=str(row))
        return False
    return True
