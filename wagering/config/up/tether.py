"""Runs a program that must not outlive whoever started it: ``tether.py program arguments…``.

Standard input is a pipe that the starter holds open. When it closes, the starter is gone, however it went: the program
is asked to stop, and then whatever is left of its process group, this one included, is killed. Signals are passed on
to the program alone, which knows best how to tell its own children. Standard library only, imports nothing of ours.
"""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
import time
from types import FrameType

GRACE_S = 5.0
PASSED_ON = (signal.SIGTERM, signal.SIGQUIT)


def main(command: list[str]) -> int:
    told: list[int] = []
    woken, wake = os.pipe()
    os.set_blocking(wake, False)
    signal.set_wakeup_fd(wake, warn_on_full_buffer=False)

    def remember(number: int, _frame: FrameType | None) -> None:
        told.append(number)

    for number in PASSED_ON:
        signal.signal(number, remember)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    # The socket to listen on, which has no close-on-exec, goes along; the pipe does not.
    program = subprocess.Popen(command, stdin=subprocess.DEVNULL, close_fds=False)
    end: float | None = None  # once the starter is gone
    while program.poll() is None:
        while told:
            program.send_signal(told.pop(0))
        if end is not None and time.monotonic() > end:
            break
        ready, _, _ = select.select([woken] if end else [woken, sys.stdin], [], [], 0.1 if end else None)
        if woken in ready:
            os.read(woken, 512)
        if sys.stdin in ready and not os.read(0, 512):
            program.terminate()
            end = time.monotonic() + GRACE_S
    if end is not None:
        os.killpg(0, signal.SIGKILL)
    status = program.returncode
    return status if status >= 0 else 128 - status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
