"""``erase_player``: forgets who a player is, once nothing is theirs any more and the term is over."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from games.models import Player, User
from wagering.privacy.erasure import erase
from wagering.privacy.refusals import NotErased
from wagering.rest.retries import outermost


class Command(BaseCommand):
    help = "Forgets who a player is, once nothing is theirs any more and the term is over. It cannot be undone."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("player", metavar="ID", help="the player's id")
        parser.add_argument("--by", required=True, metavar="OPERATOR", help="who erases")
        parser.add_argument("--reason", required=True, metavar="TEXT", help="why; no name of the person")
        parser.add_argument("--force", action="store_true", help="before the term is over, because the law asks for it")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            player = Player.objects.filter(pk=UUID(options["player"])).first()
        except ValueError:
            player = None
        if player is None:
            raise CommandError(f"ID: there is no player {options['player']}")
        operator = User.objects.filter(username=options["by"], is_staff=True, is_active=True).first()
        if operator is None:
            raise CommandError(f"--by: {options['by']} is no operator")
        try:
            made = outermost(erase)(
                player=player, by=operator, reason=options["reason"], forced=options["force"], at=timezone.now()
            )
        except NotErased as refusal:
            raise CommandError(str(refusal)) from refusal
        self.stdout.write(f"{made.player_id} was erased at {made.at.isoformat()}")
