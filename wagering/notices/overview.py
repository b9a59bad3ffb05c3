"""The line of the admin's first page that is about endpoints; settings.OVERVIEW names it."""

from __future__ import annotations

from datetime import datetime

from wagering.notices.models import Endpoint
from wagering.rest.overview import Line


def endpoints_failing(*, at: datetime) -> Line:
    failing = Endpoint.objects.filter(failing_since__isnull=False)
    return Line("endpoints that fail or are disabled for it", failing, {"failing_since__isempty": "0"}, calls=True)
