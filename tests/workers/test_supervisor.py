"""``up`` without its parts: a child that dies is started again, and however ``up`` goes, its children go with it."""

from __future__ import annotations

import os
import signal
import time

from tests.workers.conftest import Run, alive, descendants, happens

# A part that has a child of its own, both deaf to being asked; one that ends at once; one that listens.
UP = """
import sys
from wagering.config.up import supervisor
from wagering.config.up.child import Part
DEAF = "import os, signal, time\\nsignal.signal(15, signal.SIG_IGN); signal.signal(3, signal.SIG_IGN); os.fork()\\n" \\
    "print('deaf', flush=True)\\ntime.sleep(600)"
PARTS = {
    "deaf": Part("deaf", (sys.executable, "-S", "-c", DEAF)),
    "short": Part("short", (sys.executable, "-S", "-c", "print('my last words'); raise SystemExit(3)")),
    "quiet": Part("quiet", ("sleep", "600")),
}
supervisor.KILLED_AFTER_S = 1.0
supervisor.LONGEST_PAUSE_S = 0.05
up = supervisor.Supervisor(
    [PARTS[name] for name in sys.argv[1:]], environment={"PATH": "/usr/bin:/bin"},
    say=lambda name, line: print(f"{name}: {line}", flush=True),
)
try:
    up.run(each_tick=lambda: None)
except supervisor.KeepsDying as refused:
    print(f"gave up: {refused}", flush=True)
    raise SystemExit(1)
"""
HERE = dict(os.environ)


def test_all_are_stopped_even_those_who_do_not_listen(run: Run) -> None:
    up = run("-c", UP, "deaf", "quiet", environment=HERE)
    assert up.says("deaf: deaf", times=2)
    assert happens(lambda: len(descendants(up.process.pid)) == 5)  # two tethers, what they hold, and the fork
    running = descendants(up.process.pid)
    began = time.monotonic()
    up.process.send_signal(signal.SIGINT)
    assert up.process.wait(timeout=20) == 0
    assert time.monotonic() - began < 5
    assert not any(alive(pid) for pid in running)


def test_no_child_outlives_one_that_is_killed(run: Run) -> None:
    up = run("-c", UP, "deaf", "quiet", environment=HERE)
    assert up.says("deaf: deaf", times=2)
    running = descendants(up.process.pid)
    os.kill(up.process.pid, signal.SIGKILL)
    assert happens(lambda: not any(alive(pid) for pid in running), within_s=20)


def test_one_that_is_killed_is_started_again_with_nothing_left_of_the_first(run: Run) -> None:
    up = run("-c", UP, "deaf", environment=HERE)
    assert up.says("deaf: deaf", times=2)
    tether, program, fork = descendants(up.process.pid)
    os.kill(program, signal.SIGKILL)
    assert up.says("up: deaf has ended (killed by signal 9)")
    assert up.says("deaf: deaf", times=4)
    assert not any(alive(pid) for pid in (tether, program, fork))


def test_one_that_keeps_dying_ends_it_all(run: Run) -> None:
    up = run("-c", UP, "short", "quiet", environment=HERE)
    assert up.says("gave up: short has ended 5 times in a row (status 3)")
    assert up.process.wait(timeout=20) == 1
    assert up.output.count("short: my last words") == 5
    assert descendants(up.process.pid) == []
