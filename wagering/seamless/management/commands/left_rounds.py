"""``left_rounds``: the rounds that rooms' servers have left open; or one of them given back."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from games.models import User
from wagering.rest.retries import outermost
from wagering.seamless.giving_back import give_back
from wagering.seamless.models import REASON_MAX, Round
from wagering.seamless.refusals import RoundClosed
from wagering.seamless.selectors import left_open
from wagering.seamless.sheet import as_text, heading


class Command(BaseCommand):
    help = "Shows the rounds that rooms' servers have left open; or gives one back."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--give-back", metavar="ROUND", help="what the room calls it: all its bets go back")
        parser.add_argument("--room", metavar="SLUG", help="the room of that round")
        parser.add_argument("--by", metavar="OPERATOR", help="who gives it back")
        parser.add_argument("--reason", metavar="TEXT", default="", help="why, which the players are told")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["give_back"] is None:
            for round_ in left_open(at=timezone.now()).select_related("room", "tariff"):
                self.stdout.write(heading(round_))
            return
        found = Round.objects.filter(room__slug=options["room"], name=options["give_back"]).first()
        if found is None:
            raise CommandError(f"--give-back: there is no round {options['give_back']} in the room {options['room']}")
        operator = User.objects.filter(username=options["by"], is_staff=True, is_active=True).first()
        if operator is None:
            raise CommandError(f"--by: {options['by']} is no operator")
        reason = options["reason"].strip()
        if not 1 <= len(reason) <= REASON_MAX:
            raise CommandError(f"--reason: is not 1 to {REASON_MAX} characters")
        try:
            given = outermost(give_back)(round=found.pk, by=operator, reason=reason, at=timezone.now())
        except RoundClosed as refusal:
            raise CommandError(str(refusal)) from refusal
        self.stdout.write(as_text(given))
