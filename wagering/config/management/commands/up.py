import contextlib
import http.client
import os
import socket
import sys
import threading
import time
from argparse import ArgumentParser, ArgumentTypeError
from typing import Any, Final

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import connections
from django.utils import timezone

from games.models import Room
from wagering.config import brokers, embedded
from wagering.config.embedded import broker
from wagering.config.first_rooms import open_first_rooms
from wagering.config.postgres.base import close_pools
from wagering.config.up.child import Part
from wagering.config.up.supervisor import KeepsDying, Supervisor

OWNER: Final = "owner"
COLOURS: Final = {"up": 1, "web": 36, "worker": 32, "analysis": 35, "beat": 33, "sandbox": 34}
READY_WITHIN_S: Final = 20
"""So long the addresses wait for the workers; the web serves without them."""
LONGEST_NAME: Final = max(map(len, COLOURS))
READABLE: Final = {
    "LOG_FORMAT": "console",
    "PYTHONWARNINGS": "ignore:You're running the worker with superuser privileges",  # as the demonstration does
}
CELERY: Final = (sys.executable, "-m", "celery", "--quiet", "-A", "wagering.config.celery")
WORKER: Final = ("worker", "--loglevel=INFO", "--without-gossip", "--without-mingle", "--without-heartbeat")


class Command(BaseCommand):
    help = "Set everything up, then run web, workers and beat together until Ctrl-C, which stops them all."
    requires_system_checks: list[str] = []  # the checks look at a database that this command sets up

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--port", type=_port, default=8000, metavar="N", help="on 127.0.0.1; 8000, and 0 takes a free one"
        )
        parser.add_argument("--verbose", action="store_true", help="every task's lines too, as -v 2 does")

    def handle(self, *args: Any, **options: Any) -> None:
        self._awaited = {"worker", "analysis"}
        if settings.CELERY_BROKER_URL == brokers.NO_BROKER:
            raise CommandError(f"{brokers.VARIABLE} must be set when DATABASE_URL is: the workers listen there")
        with _listener(port=options["port"]) as listener:
            self._set_up()
            self._run(listener, level="INFO" if options["verbose"] or options["verbosity"] > 1 else "WARNING")

    def _set_up(self) -> None:
        self._say("up", "setting up")
        if OWNER in connections:
            call_command("migrate", verbosity=0)
        else:
            self._say("up", "DATABASE_OWNER_URL is not set: the database is taken as it is")
        call_command("check", stdout=self.stdout)
        # Joined until we end: the servers stay while a child is started again.
        if settings.EMBEDDED:
            embedded.current().start()
            self._say("up", f"the data is in {embedded.current().folder}")
            if not Room.objects.exists():
                for done in open_first_rooms(at=timezone.now()):
                    self._say("up", done)
        if settings.CELERY_BROKER_URL == brokers.EMBEDDED_BROKER:
            broker.current().start()
        close_pools()

    def _run(self, listener: socket.socket, *, level: str) -> None:
        environment = {**READABLE, "LOG_LEVEL": level, **os.environ, "PYTHONUNBUFFERED": "1"}
        port: int = listener.getsockname()[1]
        parts = _parts(listener=listener.fileno())
        if _sandbox_is_ours():
            sandbox = _free_port(beside=port)
            environment["SANDBOX_URL"] = f"http://127.0.0.1:{sandbox}"
            parts = (*parts, _sandbox(port=sandbox, web=port))
        supervisor = Supervisor(parts, environment=environment, say=self._say)
        answered = threading.Event()
        at_the_latest = time.monotonic() + READY_WITHIN_S
        threading.Thread(target=_wait_for_an_answer, args=(port, answered), daemon=True).start()

        def tell_once() -> None:
            """Last of all, so that no line of the start pushes it out of sight."""
            if answered.is_set() and (not self._awaited or time.monotonic() > at_the_latest):
                answered.clear()
                self._tell_addresses(port, sandbox=environment.get("SANDBOX_URL"))

        try:
            supervisor.run(each_tick=tell_once)
        except KeepsDying as refused:
            raise CommandError(str(refused)) from refused
        self._say("up", "stopped")

    def _tell_addresses(self, port: int, *, sandbox: str | None) -> None:
        here = f"http://127.0.0.1:{port}"
        if sandbox:
            self._say("up", f"the sandbox      {sandbox}, a payment provider and a bank to try everything with")
        self._say("up", f"the API's page   {here}/v1/docs")
        self._say("up", f"the admin        {here}/admin/")
        self._say("up", "an operator      python3 manage.py createsuperuser, in another terminal")
        self._say("up", "Ctrl-C stops all of it")

    def _say(self, name: str, line: str) -> None:
        if " ready." in line:
            self._awaited.discard(name)
        prefix = f"{name:<{LONGEST_NAME}} |"
        if self.stdout.isatty() and "NO_COLOR" not in os.environ:
            prefix = f"\033[{COLOURS[name]}m{prefix}\033[0m"
        self.stdout.write(f"{prefix} {line}")
        self.stdout.flush()


def _parts(*, listener: int) -> tuple[Part, ...]:
    gunicorn = ("-m", "gunicorn", "-c", "python:wagering.config.web", "--bind", f"fd://{listener}")
    return (
        Part("web", (sys.executable, *gunicorn, "wagering.config.asgi"), inherits=listener),
        Part("worker", (*CELERY, *WORKER, "--queues=default", "--concurrency=2", "--hostname=default@%h")),
        Part("analysis", (*CELERY, *WORKER, "--queues=analysis", "--concurrency=1", "--hostname=analysis@%h")),
        Part("beat", (*CELERY, "beat", "--loglevel=INFO", "--pidfile=")),
    )


def _sandbox_is_ours() -> bool:
    """Whether anything here works with the sandbox, and nobody said where another one is."""
    wanted = "sandbox" in settings.PROVIDERS or settings.BANK == "sandbox"
    return wanted and "SANDBOX_URL" not in os.environ


def _sandbox(*, port: int, web: int) -> Part:
    tells = f"http://127.0.0.1:{web}/v1/webhooks/sandbox"
    return Part("sandbox", (sys.executable, "manage.py", "sandbox", f"--port={port}", f"--webhooks={tells}"))


def _free_port(*, beside: int) -> int:
    """The next port, or any."""
    for port in (beside + 1, 0):
        with socket.socket() as probe, contextlib.suppress(OSError, OverflowError):
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # as the server does: one just left is free
            probe.bind(("127.0.0.1", port))
            return int(probe.getsockname()[1])
    raise CommandError("no port is free for the sandbox")


def _listener(*, port: int) -> socket.socket:
    """Ours, and the web's by inheritance: while it is started again, whoever calls waits instead of being refused."""
    listener = socket.socket()
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind(("127.0.0.1", port))
    except OSError as error:
        listener.close()
        raise CommandError(f"port {port}: {error.strerror}; choose another with --port") from error
    listener.listen(2048)
    return listener


def _wait_for_an_answer(port: int, answered: threading.Event) -> None:
    while not answered.is_set():
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        try:
            connection.request("GET", "/healthz")
            connection.getresponse()
            answered.set()
            return
        except (OSError, http.client.HTTPException):
            time.sleep(0.2)
        finally:
            connection.close()


def _port(text: str) -> int:
    if not (text.isascii() and text.isdigit() and int(text) <= 65_535):
        raise ArgumentTypeError(f"{text!r} is not a port from 0 to 65535")
    return int(text)
