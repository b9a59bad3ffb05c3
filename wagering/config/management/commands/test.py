"""``test``: pytest, with whatever arguments follow."""

from __future__ import annotations

import os
import sys
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand


class Command(BaseCommand):
    help = "Runs pytest; what follows is passed on to it."

    def run_from_argv(self, argv: list[str]) -> None:
        """In pytest's own process: nothing of this one is needed, and its status becomes ours."""
        os.chdir(settings.BASE_DIR)
        os.execv(sys.executable, [sys.executable, "-m", "pytest", *argv[2:]])

    def handle(self, *args: Any, **options: Any) -> None:
        raise NotImplementedError("only from the command line")
