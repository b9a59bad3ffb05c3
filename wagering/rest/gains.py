"""Telling who has a claim on it that something has come into players' wallets: settings.GAINS_TELL names them.

Dotted paths of functions ``gained(*, players: Sequence[UUID], currency: str) -> None``. They are called after the
commit and fail nobody, so what they would do is found by the clock too.
"""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.utils.module_loading import import_string


def gained(*, players: Sequence[UUID], currency: str) -> None:
    """Something in ``currency`` is in the wallets of ``players`` once this transaction has committed."""
    whom = tuple(players)
    transaction.on_commit(lambda: _tell(whom, currency), robust=True)  # a partial has no name to log it by


def _tell(players: Sequence[UUID], currency: str) -> None:
    for path in settings.GAINS_TELL:
        import_string(path)(players=players, currency=currency)
