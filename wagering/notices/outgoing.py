"""Deliveries on their way: claim (commit), send, record (commit). At least once; twice if a process dies in between.

A claim pushes the delivery's due time on by its next pause, so nothing else is needed when whoever claimed it is gone.
An endpoint that does not answer is left alone for a while as a whole, and disabled when it has failed for days.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.db.models import Q, QuerySet

from wagering.notices import sending, signing
from wagering.notices.models import Delivery, Endpoint, Notice
from wagering.notices.services import tell
from wagering.rest.retries import outermost

State = Delivery.State

PAUSES_S: Final = (30, 300, 1800, 7200, 18000, 36000, 50400, 72000, 86400)
"""Seconds after each try that failed; after as many tries a delivery is given up."""
QUIET_S: Final = (30, 60, 120, 300, 900)
"""How long an endpoint that does not answer is left alone, the last of them again and again."""
GONE: Final = 410
TOO_MANY: Final = 429


def due(*, at: datetime) -> QuerySet[Endpoint]:
    """Endpoints for which something waits, and that may be asked."""
    waiting = Delivery.objects.filter(state=State.WAITING, due_at__lte=at).values("endpoint")
    return Endpoint.objects.filter(_may_be_asked(at), pk__in=waiting)


def send_next(*, endpoint: UUID, at: datetime) -> bool:
    """Send what has been due for longest; False if there is nothing, or no answer came."""
    delivery = outermost(_claim)(endpoint, at)
    if delivery is None:
        return False
    status = sending.post(
        delivery.endpoint.url,
        body=signing.body_of(delivery.notice),
        headers=signing.headers_of(delivery.notice, delivery.endpoint, at=at),
    )
    outermost(_record)(delivery.pk, status, at)
    return not _is_down(status)


def replay(*, notices: QuerySet[Notice], at: datetime, endpoint: Endpoint | None = None) -> int:
    """Send these again to every endpoint that wants them, or to one; how many deliveries that makes."""
    endpoints = [endpoint] if endpoint else list(Endpoint.objects.filter(disabled_at=None))
    number = 0
    with transaction.atomic():
        for each in endpoints:
            wanted = notices.filter(kind__in=each.kinds) if each.kinds else notices
            made = [Delivery(notice_id=pk, endpoint=each, due_at=at) for pk in wanted.values_list("pk", flat=True)]
            Delivery.objects.bulk_create(
                made,
                batch_size=1000,
                update_conflicts=True,
                unique_fields=["notice", "endpoint"],
                update_fields=["state", "due_at", "attempts", "status", "delivered_at"],
            )
            number += len(made)
    return number


@transaction.atomic
def _claim(endpoint: UUID, at: datetime) -> Delivery | None:
    if not Endpoint.objects.filter(_may_be_asked(at), pk=endpoint).exists():
        return None
    found = (
        Delivery.objects.select_for_update(of=("self",), skip_locked=True, no_key=True)
        .select_related("notice", "endpoint")
        .filter(endpoint=endpoint, state=State.WAITING, due_at__lte=at)
        .order_by("due_at", "pk")
        .first()
    )
    if found is None:
        return None
    found.due_at = at + timedelta(seconds=PAUSES_S[min(found.attempts, len(PAUSES_S) - 1)])
    found.attempts += 1
    found.save(update_fields=["attempts", "due_at"])
    return found


@transaction.atomic
def _record(delivery: UUID, status: int | None, at: datetime) -> None:
    found = Delivery.objects.select_related("endpoint").get(pk=delivery)
    endpoint = Endpoint.objects.select_for_update(no_key=True).get(pk=found.endpoint_id)
    found = Delivery.objects.select_for_update(no_key=True).get(pk=delivery)
    if status is not None and 200 <= status < 300:
        found.state, found.status, found.delivered_at = State.DELIVERED, status, at
        if endpoint.failures:
            endpoint.failures, endpoint.failing_since, endpoint.quiet_until = 0, None, None
            endpoint.save(update_fields=["failures", "failing_since", "quiet_until"])
    elif found.state == State.WAITING:
        found.status = status
        if found.attempts >= len(PAUSES_S):
            found.state = State.GIVEN_UP
        _failed(endpoint, status, at)
    found.save()


def _failed(endpoint: Endpoint, status: int | None, at: datetime) -> None:
    since = endpoint.failing_since = endpoint.failing_since or at
    if _is_down(status):
        endpoint.quiet_until = at + timedelta(seconds=QUIET_S[min(endpoint.failures, len(QUIET_S) - 1)])
    endpoint.failures += 1
    days = settings.NOTICES_FAIL_FOR_DAYS
    is_over = endpoint.disabled_at is None and (status == GONE or since + timedelta(days=days) <= at)
    if is_over:
        endpoint.disabled_at = at
        endpoint.disabled_because = "it says that it is gone" if status == GONE else f"it failed for {days} days"
    endpoint.save()
    if is_over:
        tell(kind="endpoint_disabled", data={"endpoint": endpoint.pk}, at=at)


def _may_be_asked(at: datetime) -> Q:
    return Q(disabled_at=None) & (Q(quiet_until=None) | Q(quiet_until__lte=at))


def _is_down(status: int | None) -> bool:
    """Whether it is the endpoint that fails, and not this one notice that it does not want."""
    return status is None or status >= 500 or status in (GONE, TOO_MANY)
