"""Going through all rows that wait, by the clock. A row's trouble keeps no other waiting, wherever it stands."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import structlog
from billiard.exceptions import SoftTimeLimitExceeded
from django.db.models import Model, Q, QuerySet

log = structlog.get_logger(__name__)

PAGE: Final = 100


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


def _tried(do: Callable[[Any], object], row: Any, what: str) -> bool:
    try:
        do(row)
    except SoftTimeLimitExceeded:
        raise  # it is the sweep's time that is up, and the next one's turn
    except Exception:
        log.exception("a sweep failed", what=what, row=str(row))
        return False
    return True
