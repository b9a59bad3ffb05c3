"""Keeps the parts running until it is told to stop, then stops them all, and only them."""

from __future__ import annotations

import os
import selectors
import signal
import time
from collections.abc import Callable, Sequence
from typing import Final

from wagering.config.up.child import Child, Part

STEADY_S: Final = 30.0
"""Whoever has lived this long has recovered: the count of its deaths starts over."""
DEATHS_AT_MOST: Final = 5
LONGEST_PAUSE_S: Final = 16.0
TICK_S: Final = 0.5

STOPPING: Final = ((0.0, signal.SIGTERM), (4.0, signal.SIGQUIT))
"""When after the order to stop (s) which signal is sent: finish what you do; leave it, it comes again."""
KILLED_AFTER_S: Final = 7.0

Say = Callable[[str, str], None]
"""Called with the name of a part and a line of its."""


class KeepsDying(Exception):
    """A part has died too often to start it again."""


class Supervisor:
    def __init__(self, parts: Sequence[Part], *, environment: dict[str, str], say: Say) -> None:
        self._parts = parts
        self._environment = environment
        self._say = say
        self._children: dict[str, Child] = {}
        self._deaths: dict[str, int] = {}
        self._due: dict[str, float] = {part.name: 0.0 for part in parts}
        self._selector = selectors.DefaultSelector()
        self._orders = 0
        self._woken, self._wake = os.pipe()
        os.set_blocking(self._wake, False)
        os.set_blocking(self._woken, False)
        self._selector.register(self._woken, selectors.EVENT_READ)

    def stop(self, *_: object) -> None:
        """From a signal: stop; from a second one: at once."""
        self._orders += 1

    def run(self, *, each_tick: Callable[[], None]) -> None:
        """Until ``stop``. Raises KeepsDying. However it ends, no child is left."""
        before = {number: signal.signal(number, self.stop) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)}
        before[signal.SIGCHLD] = signal.signal(signal.SIGCHLD, lambda *_: None)  # so that it wakes us
        signal.set_wakeup_fd(self._wake, warn_on_full_buffer=False)
        try:
            while not self._orders:
                self._start_those_due()
                self._listen(TICK_S)
                self._look_after_the_dead()
                each_tick()
            self._say("up", "stopping")
            self._stop_all()
        except KeepsDying:
            self._stop_all()
            raise
        finally:
            self._kill_all()
            signal.set_wakeup_fd(-1)
            for number, handler in before.items():
                signal.signal(number, handler)

    def _start_those_due(self) -> None:
        for part in self._parts:
            if part.name in self._due and time.monotonic() >= self._due[part.name]:
                del self._due[part.name]
                child = Child(part, environment=self._environment)
                self._children[part.name] = child
                self._selector.register(child.output, selectors.EVENT_READ, child)

    def _listen(self, at_most_s: float) -> None:
        for key, _ in self._selector.select(at_most_s):
            if key.data is None:
                os.read(self._woken, 512)
            else:
                self._repeat(key.data)

    def _repeat(self, child: Child) -> None:
        for line in child.lines():
            self._say(child.part.name, line)

    def _look_after_the_dead(self) -> None:
        for name, child in list(self._children.items()):
            if not child.has_ended():
                continue
            lived_s = time.monotonic() - child.started_at
            how = self._bury(child)
            self._deaths[name] = 1 if lived_s >= STEADY_S else self._deaths.get(name, 0) + 1
            if self._deaths[name] >= DEATHS_AT_MOST:
                raise KeepsDying(f"{name} has ended {DEATHS_AT_MOST} times in a row ({how}); its lines above say why")
            pause_s = min(2.0 ** (self._deaths[name] - 1), LONGEST_PAUSE_S)
            self._say("up", f"{name} has ended ({how}); it is started again in {pause_s:.0f} s")
            self._due[name] = time.monotonic() + pause_s

    def _bury(self, child: Child) -> str:
        how = child.clear_away()
        self._repeat(child)  # its last words
        self._selector.unregister(child.output)
        child.close()
        del self._children[child.part.name]
        return how

    def _stop_all(self) -> None:
        began = time.monotonic()
        waiting = list(STOPPING)
        orders = self._orders
        while self._children:
            passed_s = time.monotonic() - began
            if passed_s > KILLED_AFTER_S or self._orders > orders:
                return
            while waiting and passed_s >= waiting[0][0]:
                _, number = waiting.pop(0)
                for child in self._children.values():
                    child.tell(number)
            self._listen(0.1)
            for child in [child for child in self._children.values() if child.has_ended()]:
                self._bury(child)

    def _kill_all(self) -> None:
        """Without a word: whoever listened may be gone."""
        for child in self._children.values():
            child.kill()
        for child in self._children.values():
            child.clear_away()
            child.close()
        self._children.clear()
