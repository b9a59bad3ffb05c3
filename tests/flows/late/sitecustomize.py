"""A process that finds this folder in PYTHONPATH has a clock that the tests can put forward; it reads by how much."""

import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

from django.utils import timezone

FORWARD = Path(os.environ["CLOCK_PUT_FORWARD"])


def now() -> datetime:
    return datetime.now(UTC) + timedelta(seconds=int(FORWARD.read_text() or 0))


timezone.now = now
