"""``test``: pytest, with whatever arguments follow."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand


class Command(BaseCommand):
    help = "Runs pytest; what follows is passed on to it. Without a path it runs everything, a process a processor."

    def run_from_argv(self, argv: list[str]) -> None:
        """In pytest's own process: nothing of this one is needed, and its status becomes ours."""
        os.chdir(settings.BASE_DIR)
        named = any(Path(argument.partition("::")[0]).exists() for argument in argv[2:])
        told = named or any(argument.startswith("-n") for argument in argv[2:])
        spread = [] if told else ["-n", "auto", "--dist", "worksteal"]  # some take a minute, most take none
        os.execv(sys.executable, [sys.executable, "-m", "pytest", *spread, *argv[2:]])

    def handle(self, *args: Any, **options: Any) -> None:
        raise NotImplementedError("only from the command line")
