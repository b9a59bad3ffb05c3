"""What is swept away by the clock: failures, tokens and nonces that count for nothing any more."""

from celery import shared_task
from django.utils import timezone

from games.access import lockout, room_keys, services


@shared_task
def forget() -> None:
    now = timezone.now()
    lockout.forget(at=now)
    services.forget_expired(at=now)
    room_keys.forget(at=now)
