"""Telling what happened: signed, at least once – unless mischief has it otherwise – and again until it is taken.

``Sandbox-Signature: t=<unix seconds>,v1=<hex of HMAC-SHA-256 over "<t>.<body>">``, signed anew at each sending.
"""

from __future__ import annotations

import hashlib
import hmac
import http.client
import json
import threading
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from wagering.cashier.sandbox.house import House

HEADER: Final = "Sandbox-Signature"
TRIES: Final = 12
DELAY_MS: Final = 60_000
BEHIND_MS: Final = 2_000

SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS event (
    id TEXT PRIMARY KEY, type TEXT NOT NULL, created INTEGER NOT NULL, data TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS delivery (
    number INTEGER PRIMARY KEY AUTOINCREMENT, event TEXT NOT NULL, body TEXT NOT NULL, due_ms INTEGER NOT NULL,
    tries INTEGER NOT NULL DEFAULT 0, garbled INTEGER NOT NULL DEFAULT 0, state TEXT NOT NULL DEFAULT 'waiting'
);
CREATE INDEX IF NOT EXISTS delivery_due ON delivery (state, due_ms);
"""

Post = Callable[[bytes, Mapping[str, str]], bool]
"""Takes a body and its headers to who is told; whether it was taken."""


def signature(body: bytes, *, secret: str, at: int) -> str:
    """The header's value."""
    signed = hmac.new(secret.encode(), f"{at}.".encode() + body, hashlib.sha256).hexdigest()
    return f"t={at},v1={signed}"


def tell(house: House, kind: str, data: Mapping[str, Any]) -> None:
    """Record that it happened, and put its sending in line."""
    number = house.next_id("evt")
    house.record.insert("event", id=number, type=kind, created=house.now(), data=json.dumps(data))
    wrong = house.mischief.of_an_event()
    if "chatter" in wrong:
        _in_line(house, house.next_id("evt"), "weather.changed", {"sky": "clear"}, due_ms=house.now_ms())
    if "lose" in wrong:
        return
    told = dict(data)
    if "lie" in wrong and kind.startswith("payment."):
        told["amount"] = told["amount"] * 7 + 1
    due = house.now_ms() + (DELAY_MS if "delay" in wrong else BEHIND_MS if "reorder" in wrong else 0)
    for _ in range(3 if "duplicate" in wrong else 1):
        _in_line(
            house, number, f"{kind}.v2" if "rename" in wrong else kind, told, due_ms=due, garbled="garble" in wrong
        )


def _in_line(
    house: House, number: str, kind: str, data: Mapping[str, Any], *, due_ms: int, garbled: bool = False
) -> None:
    body = json.dumps({"id": number, "type": kind, "created": house.now(), "data": data}, separators=(",", ":"))
    house.record.insert("delivery", event=number, body=body, due_ms=due_ms, garbled=int(garbled))


def deliver(house: House, post: Post, *, shuffled: bool = False, even_if_not_due: bool = False) -> int:
    """Send what is in line once, in its order or ``shuffled`` by the mischief's chance; how many were tried."""
    before = 2**62 if even_if_not_due else house.now_ms()
    due = house.record.all(
        "SELECT * FROM delivery WHERE state = 'waiting' AND due_ms <= ? ORDER BY due_ms, number", before
    )
    if shuffled:
        house.mischief.chance.shuffle(due)
    for delivery in due:
        body = delivery["body"].encode()
        signed = signature(body, secret="not the secret" if delivery["garbled"] else house.secret, at=house.now())
        taken = post(body, {"Content-Type": "application/json", HEADER: signed})
        tries = delivery["tries"] + 1
        state = "taken" if taken else "waiting" if tries < TRIES else "given up"
        house.record.run(
            "UPDATE delivery SET state = ?, tries = ?, garbled = 0, due_ms = ? WHERE number = ?",
            *(state, tries, house.now_ms() + 250 * 2**tries, delivery["number"]),
        )
    return len(due)


class Courier(threading.Thread):
    """Sends over HTTP what is in line, as it falls due, until it is stopped."""

    def __init__(self, house: House, *, url: str) -> None:
        super().__init__(name="courier", daemon=True)
        self._house, self._url, self._stopped = house, url, threading.Event()

    def run(self) -> None:
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))

        def post(body: bytes, headers: Mapping[str, str]) -> bool:
            request = urllib.request.Request(self._url, data=body, headers=dict(headers), method="POST")
            try:
                with opener.open(request, timeout=10) as answer:
                    return 200 <= int(answer.status) < 300
            except (urllib.error.URLError, OSError, http.client.HTTPException):
                return False

        while not self._stopped.is_set():
            if not deliver(self._house, post):
                self._house.wake.wait(timeout=1)
                self._house.wake.clear()

    def stop(self) -> None:
        self._stopped.set()
        self._house.wake.set()
        self.join()
