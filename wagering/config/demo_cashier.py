"""Money's whole way, on real processes: in by a signed webhook, over a table, out by a job and the bank's file.

``journey`` is what two players and an operator do, over HTTP by the client that is shipped; the demonstration and a
test take it. The provider and the bank are the sandbox.
"""

from __future__ import annotations

import contextlib
import importlib
import os
import re
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from secrets import choice, randbelow, token_hex
from string import ascii_lowercase
from typing import Any, Final
from xml.etree import ElementTree

import httpx
from django.db import connection
from stdnum import iban

from games.models import Player, User
from wagering.cashier.payouts import batches
from wagering.cashier.payouts.models import Attempt
from wagering.protection.identity import services as identities
from wagering.protection.models import Identity

ROOT: Final = Path(__file__).parents[2]
PASSWORD: Final = "five-checkers-home"
CARD: Final = "5555555555554444"
"""It pays, and cannot receive: so what is paid out goes to an account (closed loop)."""
PAID_IN: Final = "20.00"
"""All of it is staked at the table, so it has been played."""
AT_MOST_S: Final = 240


def run(*, room: str, at: Callable[[], datetime]) -> Iterator[str]:
    """The journey, in a house that is run for it by ``manage.py up`` and stopped again."""
    with _house() as address:
        yield f"web, workers, beat and sandbox run: {address}"
        yield from journey(address=address, room=room, at=at)


def journey(*, address: str, room: str, at: Callable[[], datetime]) -> Iterator[str]:
    """What is done, a line a step; ``room`` charges 5 % of each and takes EUR. Raises TimeoutError."""
    ann, bob = _Guest(address, "ann"), _Guest(address, "bob")
    for guest in (ann, bob):
        guest.pays_in(PAID_IN)
        yield f"{guest.name} pays in {PAID_IN} EUR by card; the provider's webhook is taken: {guest.balance()} EUR"
    _play(ann, bob, room)
    yield f"bob resigns a gammon at stake 5: ann has {ann.balance()} EUR, bob {bob.balance()} EUR (5 % of 10.00 each)"
    _verify(ann, at())
    yield "an operator verifies who ann is"
    payout = ann.asks_for(ann.balance())
    yield f"ann asks for all of it: {payout['amount']['amount']} EUR are held, she has {ann.balance()} EUR"
    done = ann.waits_until(lambda: _ended(ann.client.json("GET", f"/v1/payouts/{payout['id']}")))
    attempt = Attempt.objects.select_related("batch").get(payout=done["id"])
    assert attempt.batch is not None, "it goes to an account"
    yield f"the payout is {done['state']}; its line in the order {attempt.batch.message} (pain.001), {_line(attempt)}"
    told = ann.client.json("GET", "/v1/wallet/totals?currency=EUR")
    yield ", ".join(f"{what.replace('_', ' ')} {told[what]['amount']}" for what in ("paid_in", "won", "paid_out"))


class _Guest:
    """A player with the shipped client, registered and logged in."""

    def __init__(self, address: str, name: str) -> None:
        self.name = name
        self.client: Any = _shipped().Room(address, poll_s=0.2)
        login = f"{name}-{token_hex(4)}"
        self.player = Player.objects.get(pk=self.client.register(login, PASSWORD)["id"])
        self.client.log_in(login, PASSWORD)
        self.holder = f"{name.capitalize()} {''.join(map(choice, [ascii_lowercase] * 8)).capitalize()}"
        account = f"37040044{randbelow(10**10):010}"
        self.iban = f"DE{iban.calc_check_digits(f'DE00{account}')}{account}"

    def balance(self) -> str:
        return str(self.client.balance("EUR"))

    def pays_in(self, amount: str) -> None:
        deposit = self.client.post("/v1/deposits", {"amount": _euros(amount)})
        started = self.client.json("POST", f"/v1/deposits/{deposit['id']}/start", {})
        httpx.post(started["pay_at"], data={"card": CARD}, timeout=10).raise_for_status()
        self.waits_until(lambda: self.client.json("GET", f"/v1/deposits/{deposit['id']}")["state"] == "succeeded")

    def asks_for(self, amount: str) -> dict[str, Any]:
        account = {"iban": self.iban, "holder": self.holder}
        method = self.client.json("POST", "/v1/payment-methods/bank-accounts", account)
        asked: dict[str, Any] = self.client.post("/v1/payouts", {"amount": _euros(amount), "method": method["id"]})
        return asked

    def waits_until(self, what: Callable[[], Any]) -> Any:
        end = time.monotonic() + AT_MOST_S
        while not (found := what()):
            if time.monotonic() > end:
                raise TimeoutError(f"{self.name} waited {AT_MOST_S} s")
            time.sleep(0.2)
        return found


def _play(ann: _Guest, bob: _Guest, room: str) -> None:
    terms = {"stake": _euros("5.00"), "cap": _euros(PAID_IN), "move_s": 60, "reserve_s": 600}
    offer = ann.client.offer(room=room, **terms)
    table = bob.client.accept(offer["id"])["table"]

    def resigns(state: Any) -> dict[str, str]:
        if "gammon" in state["resignations"] and "resign" in state["actions"]:
            return {"kind": "resign", "concession": "gammon"}
        action: dict[str, str] = _shipped().first_legal_play(state)
        return action

    with ThreadPoolExecutor(2) as hands:
        games = [
            hands.submit(ann.client.play, table, _shipped().first_legal_play),
            hands.submit(bob.client.play, table, resigns),
        ]
        for game in games:
            game.result(timeout=AT_MOST_S)


def _verify(guest: _Guest, at: datetime) -> None:
    """What the player tells over HTTP, and what an operator says to it in the admin."""
    told = {"name": guest.holder, "birth_date": "1990-05-17", "country": "DE", "address": "1 Backgammon Row, Berlin"}
    guest.client.json("POST", "/v1/identity", told)
    operator, _ = User.objects.get_or_create(username="operator of the demonstration", defaults={"is_staff": True})
    identity = Identity.objects.get(person__player=guest.player)
    identities.judge(identity=identity, verified=True, reason="passport seen", documents="passport", by=operator, at=at)


def _ended(payout: dict[str, Any]) -> dict[str, Any] | None:
    assert payout["state"] not in ("refused", "review", "failed"), payout
    return payout if payout["state"] == "paid" else None


def _line(attempt: Attempt) -> str:
    """How the attempt stands in its batch's file."""
    assert attempt.batch is not None
    file = ElementTree.fromstring(batches.render(attempt.batch))
    for transfer in file.iterfind(".//{*}CdtTrfTxInf"):
        if transfer.findtext(".//{*}EndToEndId") == attempt.ours:
            amount = transfer.find(".//{*}InstdAmt")
            assert amount is not None
            account = transfer.findtext(".//{*}CdtrAcct//{*}IBAN") or ""
            return f"{attempt.ours}: {amount.text} {amount.get('Ccy')} to …{account[-4:]}"
    raise AssertionError(f"{attempt.ours} is not in its batch")


def _euros(amount: str) -> dict[str, str]:
    return {"amount": amount, "currency": "EUR"}


def _shipped() -> Any:
    """The client that is there to be copied."""
    folder = str(ROOT / "clients" / "python")
    if folder not in sys.path:
        sys.path.insert(0, folder)
    return importlib.import_module("backgammon_client")


@dataclass
class _Output:
    """What a process says, read as it comes."""

    process: subprocess.Popen[str]
    text: str = ""

    def read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.text += line


@contextlib.contextmanager
def _house() -> Iterator[str]:
    """``manage.py up`` on a free port until the journey is over; the address of its web."""
    command = [sys.executable, "manage.py", "up", "--port", "0"]
    environment = {**os.environ, "NO_COLOR": "1"}
    with subprocess.Popen(
        command,
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env=environment,
    ) as process:
        output = _Output(process)
        reader = threading.Thread(target=output.read, daemon=True)
        reader.start()
        try:
            end = time.monotonic() + AT_MOST_S
            while not (found := re.search(r"the API's page +(http://127\.0\.0\.1:\d+)/v1/docs", output.text)):
                if process.poll() is not None or time.monotonic() > end:
                    raise TimeoutError(f"manage.py up did not come:\n{output.text}")
                time.sleep(0.1)
            yield found[1]
        finally:
            connection.close()
            process.terminate()
            process.wait(timeout=60)
            reader.join(timeout=10)
