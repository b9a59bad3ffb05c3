from typing import Any

from django.core.management.base import BaseCommand

from ledger import book


class Command(BaseCommand):
    help = "Fold what the hot house accounts have gathered into their balances. Safe at any time, and twice."

    def handle(self, *args: Any, **options: Any) -> None:
        self.stdout.write(f"{book.roll_up()} entries folded into the balances of hot accounts")
