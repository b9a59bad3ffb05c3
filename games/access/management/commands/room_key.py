"""``room_key``: a new key for a room's server, printed once; or the end of one."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from datetime import timedelta
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from games.access import room_keys
from games.access.models import RoomKey, Scope
from games.access.room_keys import TooManyKeys
from games.models import Room


class Command(BaseCommand):
    help = "Makes a key for a room's own server and prints its secret, which is shown only now; or revokes one."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--room", metavar="SLUG", help="the room it is for")
        parser.add_argument("--scopes", nargs="+", choices=Scope.values, default=[Scope.TABLES], help="what it may do")
        parser.add_argument("--days", type=int, default=room_keys.LIFE.days, help="its life, %(default)s")
        parser.add_argument("--revoke", metavar="ID", type=UUID, help="end this key instead")
        parser.add_argument("--json", action="store_true", help="id and secret as JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        if (options["room"] is None) == (options["revoke"] is None):
            raise CommandError("give either --room SLUG or --revoke ID")
        if options["revoke"]:
            self._revoke(options["revoke"])
        else:
            self._issue(**options)

    def _revoke(self, id: UUID) -> None:  # noqa: A002
        key = RoomKey.objects.select_related("room").filter(pk=id).first()
        if key is None:
            raise CommandError(f"there is no key {id}")
        room_keys.revoke(key=key, at=timezone.now())
        self.stdout.write(f"{key} signs nothing from now on")

    def _issue(self, *, room: str, scopes: list[str], days: int, **options: Any) -> None:
        found = Room.objects.filter(slug=room).first()
        if found is None:
            raise CommandError(f"there is no room {room}")
        if not 1 <= days <= 3650:
            raise CommandError("--days: from 1 to 3650")
        try:
            key, secret = room_keys.issue(
                room=found, scopes={Scope(scope) for scope in scopes}, at=timezone.now(), life=timedelta(days=days)
            )
        except TooManyKeys as refusal:
            raise CommandError(str(refusal)) from refusal
        if options["json"]:
            self.stdout.write(json.dumps({"key": str(key.pk), "secret": secret, "scopes": key.scopes}))
            return
        self.stdout.write(f"key     {key.pk}")
        self.stdout.write(f"secret  {secret}")
        self.stdout.write(f"for {found.slug}: {', '.join(key.scopes)}; until {key.expires_at:%Y-%m-%d}")
        self.stdout.write("The secret is kept nowhere and shown only now.")
