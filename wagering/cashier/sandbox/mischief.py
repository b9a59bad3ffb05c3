"""The catalogue of misbehaviour: each kind happens so many times in a hundred, drawn by a seed, or once as the next.

So a run of it can be repeated: the same seed and the same requests bring the same trouble.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

REQUESTS: Final = {
    "time_out_before": "the connection is lost before anything is done",
    "time_out_after": "it is done, and the connection is lost before the answer",
    "fail_before": "500 before anything is done",
    "fail_after": "it is done, and the answer is 500",
}
WEBHOOKS: Final = {
    "lose": "the event is never sent",
    "duplicate": "the event is sent three times",
    "delay": "the event is sent when POST /control/deliver says so, or after a minute",
    "reorder": "the event is sent after those that follow it",
    "lie": "the event of a payment tells another amount than was paid",
    "rename": "the event is of a type that nobody knows",
    "chatter": "an event of an unknown type about nothing comes first",
    "garble": "the event comes with a wrong signature first",
}
BANK: Final = {
    "refuse_transfer": "a transfer of an order is refused",
    "return_transfer": "a transfer is paid, and comes back",
    "lose_status": "an order is never answered",
    "duplicate_statement": "a statement comes twice, as two files",
}
KINDS: Final = REQUESTS | WEBHOOKS | BANK


@dataclass(slots=True)
class Mischief:
    """``often`` has a kind's times in a hundred, ``next`` the kinds that happen once each, in their order."""

    seed: int = 0
    often: Mapping[str, int] = field(default_factory=dict)
    next: list[str] = field(default_factory=list)
    chance: random.Random = field(init=False)

    def __post_init__(self) -> None:
        if unknown := sorted({*self.often, *self.next} - KINDS.keys()):
            raise ValueError(f"mischief: {unknown[0]!r} is none of {', '.join(KINDS)}")
        if any(not isinstance(times, int) or not 0 <= times <= 100 for times in self.often.values()):
            raise ValueError("mischief: times in a hundred are whole numbers from 0 to 100")
        self.chance = random.Random(self.seed)

    def of_a_request(self) -> str | None:
        """What goes wrong with the request at hand, if anything."""
        drawn = self._drawn(REQUESTS)
        return drawn[0] if drawn else None

    def of_an_event(self) -> frozenset[str]:
        """All that goes wrong with the event at hand."""
        return frozenset(self._drawn(WEBHOOKS))

    def of_the_bank(self, kind: str) -> bool:
        """Whether the bank does ``kind`` now."""
        return kind in self._drawn({kind: BANK[kind]})

    def _drawn(self, kinds: Mapping[str, str]) -> list[str]:
        planned = next((kind for kind in self.next if kind in kinds), None)
        if planned:
            self.next.remove(planned)
            return [planned]
        return [kind for kind in kinds if kind in self.often and self.chance.randrange(100) < self.often[kind]]

    def as_json(self) -> dict[str, Any]:
        return {"seed": self.seed, "often": dict(self.often), "next": list(self.next), "kinds": KINDS}
