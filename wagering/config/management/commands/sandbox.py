import signal
import threading
from argparse import ArgumentParser
from typing import Any, Final

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from wagering.cashier.sandbox import server
from wagering.config.embedded.place import state_folder

PORT: Final = 8001
WEBHOOKS: Final = "http://127.0.0.1:8000/v1/webhooks/sandbox"


class Command(BaseCommand):
    help = "Run the payment provider and bank to try everything with, until Ctrl-C; its record is a file of its own."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--port", type=int, default=PORT, metavar="N", help=f"on 127.0.0.1; {PORT}, 0: a free one")
        parser.add_argument("--webhooks", default=WEBHOOKS, metavar="URL", help=f"where it tells; {WEBHOOKS}")
        parser.add_argument("--file", metavar="PATH", help="its record, SQLite; beside the embedded database")

    def handle(self, *args: Any, **options: Any) -> None:
        path = options["file"] or settings.SANDBOX_FILE or str(state_folder() / "sandbox.sqlite3")
        house = server.open_house(path=path, secret=settings.SANDBOX_SECRET)
        stopped = threading.Event()
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda *_: stopped.set())
        try:
            with server.serve(house, port=options["port"], webhooks_to=options["webhooks"]) as port:
                self.stdout.write(f"http://127.0.0.1:{port} tells {options['webhooks']}; its record: {path}")
                self.stdout.flush()
                stopped.wait()
        except OSError as error:
            raise CommandError(f"port {options['port']}: {error.strerror}; choose another with --port") from error
