"""Workers and a beat that can be killed often: forked from one process that has read everything, and in a hurry.

Run as ``python -m tests.flows.hurried PAYOUTS RECORD``: first so many are asked for (``winners.py``), and a sandbox
begins that keeps its record there. A line on standard input is a name: who bears it is killed -9 with all its own
processes, and starts anew; it says ``NAME is up``. ``proof`` is the one who proves the book and ends. At the end of the
input all are killed, so nobody outlives a test.
"""

from __future__ import annotations

import os
import signal
import socket
import sys
import traceback
from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta
from functools import partial
from importlib import import_module
from typing import Any, Final

import django
from celery import signals
from django.conf import settings
from django.core.management import call_command

from wagering.cashier.sandbox import server
from wagering.cashier.sandbox.mischief import Mischief
from wagering.config.celery import SWEEPS, app

OFTEN_S: Final = 5
"""Who lives for seconds sweeps every few of them."""
SHORTER: Final[dict[str, dict[str, Any]]] = {
    "wagering.rest.hints": {"LASTS_S": 6, "SWEPT_LASTS_S": 5},
    "wagering.rest.sweeps": {"HINTED": 100},
    "wagering.cashier.payouts.sending": {"LOOKS": (4,)},
    "wagering.cashier.payouts.batches": {
        "LINES": 25,
        "ANSWERS_WITHIN": timedelta(seconds=8),
        "LOOKS_EVERY": timedelta(seconds=4),
    },
}
"""What is waited for, a tenth of it; and orders to the bank of so few lines that there are some."""

MISCHIEF: Final[dict[str, Any]] = {
    "seed": 20,
    "often": {"lose": 100, "time_out_after": 10, "fail_after": 5, "lose_status": 30, "duplicate_statement": 30},
    "next": ["time_out_before", "fail_before"] * 3,
}
"""Whatever of it happens, each payout can be paid."""

QUIET: Final = ("--without-gossip", "--without-mingle", "--without-heartbeat", "--loglevel=ERROR")
WORKER: Final = ("worker", *QUIET, "--queues=default", "--concurrency=2")
COMMANDS: Final = {
    "worker-a": (*WORKER, "--hostname=a@%h"),
    "worker-b": (*WORKER, "--hostname=b@%h"),
    "beat": ("beat", "--loglevel=ERROR", "--pidfile="),
}


def main(how_many: int, record: str) -> None:
    django.setup()
    _hurry()
    asking = _forked(lambda: import_module("tests.flows.winners").ask(how_many, record=record))
    assert os.waitpid(asking, 0)[1] == 0
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    settings.SANDBOX_URL = f"http://127.0.0.1:{port}"
    living = {"sandbox": _forked(lambda: _misbehaves(record, port))}
    for line in sys.stdin:
        name = line.strip()
        if name in living:
            _kill(living[name])
        living[name] = _forked(partial(_become, name))
    for group in living.values():
        _kill(group)


def _hurry() -> None:
    app.loader.import_default_modules()
    app.conf.beat_schedule = {
        task: {**entry, "schedule": min(OFTEN_S, SWEEPS[task])} if task.startswith("wagering.cashier") else entry
        for task, entry in app.conf.beat_schedule.items()
    }
    for module, waits in SHORTER.items():
        for name, shorter in waits.items():
            assert hasattr(import_module(module), name), f"{module} has no {name}"
            setattr(import_module(module), name, shorter)
    for read_once in ("celery.bin.celery", "celery.apps.beat", "celery.concurrency.prefork", "kombu.transport.redis"):
        import_module(read_once)


def _misbehaves(record: str, port: int) -> None:
    house = server.open_house(path=record, secret=settings.SANDBOX_SECRET)
    house.mischief = Mischief(**MISCHIEF)
    with server.serve(house, port=port, webhooks_to="http://127.0.0.1:9/nobody") as at:
        print(f"the sandbox is at http://127.0.0.1:{at}", flush=True)
        signal.pause()


def _become(name: str) -> None:
    if name == "proof":
        call_command("prove_book")
        print("the book is proved", flush=True)
        return
    for up in (signals.worker_ready, signals.beat_init):
        up.connect(lambda **_: print(f"{name} is up", flush=True), weak=False)
    app.start(["--quiet", "--skip-checks", *COMMANDS[name]])


def _forked(do: Callable[[], object]) -> int:
    """The process, at the head of a group of its own, that does so and ends. What it opens, this one never has."""
    if child := os.fork():
        return child
    failed = 1
    try:
        os.setsid()
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        do()
        failed = 0
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(failed)


def _kill(group: int) -> None:
    with suppress(ProcessLookupError):
        os.killpg(group, signal.SIGKILL)
    os.waitpid(group, 0)


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2])
