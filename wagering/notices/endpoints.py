"""Endpoints as operators keep them: made, given another secret, switched off and on."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from django.conf import settings
from django.db import transaction

from wagering.notices.kinds import KINDS
from wagering.notices.models import URL, Endpoint, new_salt


class EndpointRefused(ValueError):
    """Nothing is sent there: the address is none, or not safe, or a kind is none of ours."""


def make(*, name: str, url: str, kinds: Sequence[str] = (), at: datetime) -> Endpoint:
    """A new one; ``signing.secret_of`` is what its receiver needs. Raises EndpointRefused."""
    check(url=url, kinds=kinds)
    return Endpoint.objects.create(name=name, url=url, kinds=list(kinds), made_at=at)


def check(*, url: str, kinds: Sequence[str]) -> None:
    """Refuse what an endpoint cannot be. Raises EndpointRefused."""
    if not re.fullmatch(URL, url):
        raise EndpointRefused("url: is no https address without user, password and fragment")
    if url.startswith("http://") and not (settings.EMBEDDED or settings.DEBUG):
        raise EndpointRefused("url: is http; that is for an embedded installation alone")
    if unknown := [kind for kind in kinds if kind not in KINDS]:
        raise EndpointRefused(f"kinds: {', '.join(unknown)} is none of {', '.join(KINDS)}")


@transaction.atomic
def rotate(*, endpoint: UUID, at: datetime) -> Endpoint:
    """Another secret from now on; the one before signs beside it for a day, the one before that no more."""
    found = Endpoint.objects.select_for_update(no_key=True).get(pk=endpoint)
    found.salt, found.salt_before, found.rotated_at = new_salt(), found.salt, at
    found.save(update_fields=["salt", "salt_before", "rotated_at"])
    return found


def disable(*, endpoint: UUID, because: str, at: datetime) -> None:
    """Send nothing there any more; what waits stays waiting."""
    Endpoint.objects.filter(pk=endpoint, disabled_at=None).update(disabled_at=at, disabled_because=because)


def enable(*, endpoint: UUID) -> None:
    """Send there again, first of all what waits."""
    Endpoint.objects.filter(pk=endpoint).update(
        disabled_at=None, disabled_because="", failures=0, failing_since=None, quiet_until=None
    )
