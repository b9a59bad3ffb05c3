"""The processes of the jackhammer: clients that post and settle, and a keeper that rolls up, seals and proves.

``python -m tests.ledger.hammer FOLDER`` reads a line ``NAME LIFE SEED`` for each process to start, forks it and prints
its number. Their settings come from the environment, like those of any process of the service.

A process may be killed at any point. What it is about to do it writes in its diary first; its next life does that
again, with the same keys. What the service has answered goes into ``acknowledged``, one line a key, and is safe on
disk before anything else is done.
"""

from __future__ import annotations

import json
import logging
import os
import random
import signal
import sys
import time
import traceback
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, ParamSpec, TypeVar

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "wagering.config.settings")
if __name__ == "__main__":
    import django

    django.setup()

import psycopg
from django.db import InterfaceError, OperationalError

import games
from games.models import Player, Room, Table
from games.rules.record_reading import decoded
from games.services import open_table
from ledger import book, money, postings, proofs, seals
from ledger.vouchers import Voucher
from tests.ledger import cards
from tests.ledger.people import NOON
from wagering.config.postgres.base import close_pools
from wagering.rest.retries import TryAgain, outermost, sqlstate
from wagering.settlement.models import Settlement
from wagering.settlement.services import SettledOtherwise, SettlementReversed, settle, settle_record
from wagering.stakes.models import Stake
from wagering.stakes.services import StakeClosed, sit_down, stand_up

P = ParamSpec("P")
R = TypeVar("R")

RECORD: Final = Path(games.__file__).parent / "records" / "money-gammon-cube-2.txt"
REFUSALS: Final = (book.Refused, StakeClosed, SettledOtherwise, SettlementReversed, Stake.DoesNotExist, TryAgain)
GONE: Final = {None, "57P01", "57P02", "57P03", "08000", "08003", "08006"}
"""What an error says when the server is away, going or coming."""

TABLELESS: Final = ("stakes_are_told", "commission_swept_was_earned", "adjustments_are_posted")
"""The proofs that cannot hold here: the contests of cards are at no table, their sweeps of no day, and no row tells of
their adjustments."""

LOOSE: Final = (*TABLELESS, "open_stakes_are_held")
"""Nor can this one meanwhile: some of their holds are open."""


class Folder:
    """Where the processes and their judge meet: files that are only appended to."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.acknowledged = path / "acknowledged"
        self.checkpoints = path / "checkpoints"
        self.refused = path / "refused"
        self.surprises = path / "surprises"
        self.stop = path / "stop"
        for file in (self.acknowledged, self.checkpoints, self.refused, self.surprises):
            file.touch()

    def diary(self, name: str) -> Path:
        return self.path / f"diary-{name}"

    def append(self, file: Path, line: Any, *, safely: bool = False) -> None:
        """One line in one write; ``safely`` waits until it is on the disk."""
        descriptor = os.open(file, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        try:
            text = line if isinstance(line, str) else json.dumps(line)
            os.write(descriptor, (text + "\n").encode())
            if safely:
                os.fsync(descriptor)
        finally:
            os.close(descriptor)

    def acknowledge(self, voucher: Voucher, receipt: book.Receipt | None, *, by: str) -> None:
        """The service has answered: ``voucher`` is in the book. Services give no ``receipt`` of what they post."""
        self._acknowledge(voucher.key, voucher.fingerprint.hex(), receipt, by)

    def acknowledge_reversal(self, receipt: book.Receipt, *, by: str) -> None:
        self._acknowledge(receipt.key, None, receipt, by)

    def _acknowledge(self, key: str, fingerprint: str | None, receipt: book.Receipt | None, by: str) -> None:
        line: dict[str, Any] = {"key": key, "fingerprint": fingerprint, "by": by}
        if receipt:
            line |= {
                "posted_at": receipt.posted_at.isoformat(),
                "balances": {str(account): str(amount) for account, amount in receipt.balances.items()},
                "replayed": receipt.replayed,
            }
        self.append(self.acknowledged, line, safely=True)


def sitting(stake: Stake) -> Voucher:
    """What sitting down for ``stake`` posts."""
    return postings.stake_held(stake=stake.pk, holds=stake.holds, at=NOON)


def closing(stake: Stake) -> Voucher:
    """What ended ``stake`` posted, from what its table says."""
    if stake.state == Stake.State.RELEASED:
        return postings.stake_released(stake=stake.pk, holds=stake.holds, at=NOON)
    settlement = stake.settlement
    if settlement.winner is None:
        return postings.stake_voided(stake=stake.pk, holds=stake.holds, at=NOON)
    post = postings.series_settled if stake.terms.is_series else postings.single_settled
    backs = settlement.back_1, settlement.back_2
    return post(
        stake=stake.pk,
        seats=[
            postings.Seat(hold.owner, hold.id, hold.amount, back) for hold, back in zip(stake.holds, backs, strict=True)
        ],
        room=stake.table.room_id,
        commission=settlement.commission,
        currency=stake.currency,
        at=NOON,
    )


class Process:
    """One life of a client or of the keeper."""

    def __init__(self, folder: Folder, name: str, life: int, seed: str) -> None:
        self.folder, self.name, self.life = folder, name, life
        self.by = f"{name}.{life}"
        self.dice = random.Random(f"{seed} {self.by}")
        self.parent = os.getppid()

    def run(self) -> None:
        raise NotImplementedError

    def door(self, service: Callable[P, R]) -> Callable[P, R]:
        """How a service is called."""
        return outermost(service)

    def wanted(self) -> bool:
        return not self.folder.stop.exists() and os.getppid() == self.parent

    def until_answered(self, ask: Callable[[], object]) -> None:
        """Ask until the server answers, always for the same; a refusal is an answer."""
        while True:
            try:
                ask()
                return
            except REFUSALS as refusal:
                self.folder.append(self.folder.refused, f"{type(refusal).__name__} {self.by} {refusal}")
                return
            except (OperationalError, InterfaceError) as error:
                if sqlstate(error) not in GONE:
                    raise
                self.reconnect()

    def reconnect(self) -> None:
        """Wait for the server outside the pool, which would wait longer after each failure."""
        close_pools()
        while os.getppid() == self.parent:
            try:
                psycopg.connect(os.environ["DATABASE_URL"], connect_timeout=5).close()
                return
            except psycopg.OperationalError:
                time.sleep(0.02)


class Keeper(Process):
    """Rolls up and seals all the while, keeps every checkpoint outside, and now and then proves the whole book."""

    def run(self) -> None:
        turn = 0
        while self.wanted():
            turn += 1
            self.until_answered(book.roll_up)
            self.until_answered(self.seal)
            if turn % 40 == 0:
                self.until_answered(self.prove)
            self.folder.append(self.folder.diary(self.name), "turn")
            time.sleep(self.dice.uniform(0, 0.1))

    def seal(self) -> None:
        kept = seals.seal(at_most=self.dice.choice((1, 10, 1000)))
        if kept:
            self.folder.append(self.folder.checkpoints, [kept.number, kept.count, kept.sha256], safely=True)

    def prove(self) -> None:
        for proof in proofs.run():
            if proof.fault and proof.name not in LOOSE:
                self.folder.append(self.folder.surprises, f"{self.by}: {proof.name} does not hold: {proof.fault}")


class Client(Process):
    """Posts cards and plays games, among others who do the same; some of its keys are its own, others everybody's."""

    def run(self) -> None:
        self.serial = 0
        diary = self.folder.diary(self.name)
        deed = self._unfinished(diary)
        while deed or self.wanted():
            if deed is None:
                deed = self._next()
                self.folder.append(diary, deed)
            self.do(deed)
            self.folder.append(diary, "done")
            deed = None
        self.folder.append(diary, "end")

    def do(self, deed: Sequence[str]) -> None:
        what, *those = deed
        deeds: dict[str, Callable[[str], None]] = {
            "post": self._post, "reverse": self._reverse, "play": self._play, "stand up": self._stand_up,
            "undo": self._undo,
        }  # fmt: skip
        if what == "batch":
            self.until_answered(lambda: self._post_many(those))
            return
        for card in those:
            self.until_answered(lambda card=card: deeds[what](card))  # type: ignore[misc]

    def _unfinished(self, diary: Path) -> list[str] | None:
        """What an earlier life was about to do, and perhaps did."""
        lines = diary.read_text().splitlines() if diary.exists() else []
        return None if not lines or lines[-1] in ("done", "end") else list(json.loads(lines[-1]))

    # --- What to do next ----------------------------------------------------------------------------------------------

    def _next(self) -> list[str]:
        chance = self.dice.random()
        if chance < 0.2:
            return ["post", self._shared("deposit", "deposit", "adjustment")]
        if chance < 0.35:
            return ["post", self._own("deposit", "adjustment", "sweep")]
        if chance < 0.5:
            return ["post", *self._contest()]
        if chance < 0.6:
            return ["batch", *self._batch()]
        if chance < 0.64:
            return ["post", self._shared("deposit", "adjustment", "win") + "!"]
        if chance < 0.7:
            return [
                "reverse",
                f"{self.dice.choice(('deposit', 'adjustment', 'seat', 'win', 'stand'))}:{self._number(4)}",
            ]
        if chance < 0.72:
            return ["undo", f"game:{self._number(4)}"]
        card = f"game:{self._number(2)}"
        if chance < 0.77:
            return ["stand up", card]
        return ["play", card + ("!" if self.dice.random() < 0.1 else "")]

    def _number(self, back: int) -> int:
        """A number that the other clients draw at about the same time: it grows as keys are acknowledged."""
        return max(0, self.folder.acknowledged.stat().st_size // 4096 - self.dice.randrange(back))

    def _shared(self, *kinds: str) -> str:
        return f"{self.dice.choice(kinds)}:{self._number(2)}"

    def _own(self, *kinds: str) -> str:
        self.serial += 1
        return f"{self.dice.choice(kinds)}:{self.name}.{self.life}.{self.serial}"

    def _contest(self) -> list[str]:
        number = self._number(2)
        return [f"seat:{number}", f"{self.dice.choice(('win', 'win', 'stand'))}:{number}"]

    def _batch(self) -> list[str]:
        batch = [self._own("deposit", "deposit", "adjustment") for _ in range(self.dice.randint(2, 20))]
        batch += [self._shared("deposit", "adjustment", "sweep") for _ in range(3)]
        batch += self._contest()
        if self.dice.random() < 0.5:
            self.dice.shuffle(batch)
        return batch

    # --- Doing it -----------------------------------------------------------------------------------------------------

    def _post(self, card: str) -> None:
        voucher = cards.voucher(card)
        self.folder.acknowledge(voucher, self.door(book.post)(voucher), by=self.by)

    def _post_many(self, batch: Sequence[str]) -> None:
        vouchers = [cards.voucher(card) for card in batch]
        for voucher, answer in zip(vouchers, self.door(book.post_many)(vouchers), strict=True):
            if isinstance(answer, book.Refused):
                self.folder.append(self.folder.refused, f"{type(answer).__name__} {self.by} {answer}")
            else:
                self.folder.acknowledge(voucher, answer, by=self.by)

    def _reverse(self, card: str) -> None:
        receipt = self.door(book.reverse)(key=cards.voucher(card).key, reason="the hammer's", at=NOON)
        self.folder.acknowledge_reversal(receipt, by=self.by)

    def _undo(self, card: str) -> None:
        """What was paid goes back into escrow."""
        for settlement in Settlement.objects.filter(stake__table=cards.match(card).table):
            receipt = self.door(book.reverse)(key=settlement.key, reason="the hammer's", at=NOON)
            self.folder.acknowledge_reversal(receipt, by=self.by)

    def _play(self, card: str) -> None:
        match = cards.match(card)
        table = self._table(match)
        stake = self.door(sit_down)(table=table, terms=match.terms, at=NOON)
        self.folder.acknowledge(sitting(stake), None, by=self.by)
        if match.replayed:
            settlement = self.door(settle_record)(table=table, text=decoded(RECORD.read_bytes()), at=NOON)
        else:
            settlement = self.door(settle)(table=table, outcome=match.outcome, at=NOON)
        self.folder.acknowledge(closing(settlement.stake), None, by=self.by)

    def _stand_up(self, card: str) -> None:
        stake = self.door(stand_up)(table=self._table(cards.match(card)), at=NOON)
        self.folder.acknowledge(closing(stake), None, by=self.by)

    def _table(self, match: cards.Match) -> Table:
        one, two = (Player.objects.get(pk=player) for player in match.players)
        single = match.terms.match_length == 0
        return self.door(open_table)(
            table=match.table,
            room=Room.objects.get(pk=cards.ROOM),
            zone=money.currency(match.terms.currency).zone,
            players=(one, two),
            match_length=match.terms.match_length,
            jacoby=single,
            beavers=single,
            at=NOON,
        )


class Mixer(Client):
    """A client that runs nothing again, and so tells of every deadlock.

    Its batches name a key once: ``post_many`` posts what follows a repeated key by another call, under the first one's
    locks, and two such batches may well meet in a deadlock. The outermost door is there for that.
    """

    def door(self, service: Callable[P, R]) -> Callable[P, R]:
        return service

    def _batch(self) -> list[str]:
        return list(dict.fromkeys(super()._batch()))


KINDS: Final[Mapping[str, type[Process]]] = {"client": Client, "keeper": Keeper, "mixer": Mixer}


def live(process: Process) -> int:
    """Run to the end; what nobody foresaw is written down for the judge."""
    try:
        process.reconnect()
        process.run()
    except BaseException:
        process.folder.append(process.folder.surprises, f"{process.by}: {traceback.format_exc()}")
        return 1
    return 0


def nursery(folder: Folder) -> None:
    """Django is loaded once; every process starts from here, before anything has connected."""
    logging.getLogger("psycopg.pool").setLevel(logging.CRITICAL)  # that the server is away is no news
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # the dead are not waited for
    for line in sys.stdin:
        name, life, seed = line.split()
        child = os.fork()
        if not child:
            kind = KINDS[name.rstrip("0123456789")]
            os._exit(live(kind(folder, name, int(life), seed)))
        print(child, flush=True)


if __name__ == "__main__":
    nursery(Folder(Path(sys.argv[1])))
