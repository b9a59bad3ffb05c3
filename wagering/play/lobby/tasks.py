"""What the lobby needs done by the clock."""

from celery import shared_task
from django.utils import timezone

from wagering.play.lobby import services


@shared_task
def expire_offers() -> None:
    services.expire(at=timezone.now())
