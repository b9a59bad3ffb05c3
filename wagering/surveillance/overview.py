"""The line of the admin's first page that is about alerts; settings.OVERVIEW names it."""

from __future__ import annotations

from datetime import datetime

from wagering.rest.overview import Line
from wagering.surveillance.models import Alert


def alerts_open(*, at: datetime) -> Line:
    return Line("alerts to judge", Alert.objects.filter(state=Alert.State.OPEN), {"state__exact": "open"}, calls=True)
