"""``changepassword``: Django's, and whoever came in by the old password is out, as after a change over HTTP."""

from __future__ import annotations

import getpass
from typing import Any

from django.contrib.auth.management.commands import changepassword
from django.utils import timezone

from games.access import services
from games.models import User


class Command(changepassword.Command):
    help = "Change a login's password, and log out all of its clients."

    def handle(self, *args: Any, **options: Any) -> str:
        said = super().handle(*args, **options)
        user = User.objects.get(username=options["username"] or getpass.getuser())
        ended = services.revoke_all(user=user, at=timezone.now())
        return f"{said}; clients logged out: {ended}"
