"""``replay_notices``: notices since an instant are sent again to the endpoints that want them."""

from __future__ import annotations

from argparse import ArgumentParser
from datetime import datetime
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from wagering.notices import outgoing
from wagering.notices.models import Endpoint, Notice


class Command(BaseCommand):
    help = "Sends notices again, from an instant on: to every endpoint that wants them, or to one."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--since", required=True, metavar="INSTANT", help="as 2026-11-30T10:00:00Z")
        parser.add_argument("--endpoint", metavar="ID", help="to this one alone, also one that is disabled")

    def handle(self, *args: Any, **options: Any) -> None:
        since, endpoint = _instant(options["since"]), _endpoint(options["endpoint"])
        notices = Notice.objects.filter(at__gte=since)
        number = outgoing.replay(notices=notices, endpoint=endpoint, at=timezone.now())
        self.stdout.write(f"{number} deliveries are due")


def _instant(text: str) -> datetime:
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        found = None
    if found is None or found.tzinfo is None:
        raise CommandError(f"--since: {text} is no instant with its zone, as 2026-11-30T10:00:00Z")
    return found


def _endpoint(text: str | None) -> Endpoint | None:
    if text is None:
        return None
    try:
        found = Endpoint.objects.filter(pk=UUID(text)).first()
    except ValueError:
        found = None
    if found is None:
        raise CommandError(f"--endpoint: there is no endpoint {text}")
    return found
