"""Judges a book by what was acknowledged outside it and by what its keys were meant to move."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping
from decimal import Decimal
from typing import Any, Final, NamedTuple
from uuid import UUID

from django.db import connection

from ledger import book, chart, proofs, seals
from ledger.chart import AccountRef
from ledger.vouchers import Hold, Voucher
from ratings.models import RatingChange
from tests.ledger import cards
from tests.ledger.hammer import Folder, closing, sitting
from wagering.settlement.models import Settlement
from wagering.stakes.models import Stake

CONTEST: Final = ("seat:", "win:", "stand:")
CLOSING: Final = ("stake_released:", "stake_voided:", "single_settled:", "series_settled:")


class Journal(NamedTuple):
    key: str
    fingerprint: str
    posted_at: str
    reverses: int | None


class Judge:
    """Compares the book with what was acknowledged and with what was meant. Every fault is a sentence."""

    def __init__(self, folder: Folder) -> None:
        self.folder = folder
        self.acknowledged = [json.loads(line) for line in folder.acknowledged.read_text().splitlines()]
        self.journals = {
            journal: Journal(key, bytes(fingerprint).hex(), posted_at.isoformat(), reverses)
            for journal, key, fingerprint, posted_at, reverses in rows(
                "SELECT id, key, fingerprint, posted_at, reverses FROM ledger_journal ORDER BY id"
            )
        }
        self.stakes = list(Stake.objects.select_related("table__player_1", "table__player_2", "settlement"))
        self.faults: list[str] = []

    def every_acknowledged_key_is_in_the_book_once(self) -> None:
        found: dict[str, list[Journal]] = defaultdict(list)
        for journal in self.journals.values():
            found[journal.key].append(journal)
        self.faults += [f"{key} is in the book {len(times)} times" for key, times in found.items() if len(times) > 1]
        balances = self._balances_after()
        for told in self.acknowledged:
            key, by = told["key"], told["by"]
            if not found[key]:
                self.faults.append(f"{key} was acknowledged to {by} and is not in the book")
                continue
            known = found[key][0]
            if told["fingerprint"] not in (None, known.fingerprint):
                self.faults.append(f"{key}: the book has something else than what {by} was told")
            if told.get("posted_at", known.posted_at) != known.posted_at:
                self.faults.append(
                    f"{key}: {by} was told that it was posted at {told['posted_at']}, not {known.posted_at}"
                )
            if told.get("balances", balances[key]) != balances[key]:
                self.faults.append(f"{key}: {by} was told {told['balances']}, the entries say {balances[key]}")

    def _balances_after(self) -> Mapping[str, Mapping[str, str]]:
        """By key, what each cold account held after it."""
        balances: dict[str, dict[str, str]] = defaultdict(dict)
        for key, code, owner, currency, after in rows(
            """
            SELECT j.key, a.code, a.owner, a.currency, e.balance_after
            FROM ledger_entry e
            JOIN ledger_account a ON a.id = e.account_id
            JOIN ledger_journal j ON j.id = e.journal_id
            WHERE NOT a.hot
            """
        ):
            balances[key][str(AccountRef(code, owner, currency))] = str(after)
        return balances

    def everything_in_the_book_was_meant(self) -> dict[int, Voucher]:
        """The voucher of each journal, as it was meant; none of it is read from the book but the keys."""
        meant: dict[str, list[Voucher]] = defaultdict(list)
        for card in sorted(self._cards()):
            voucher = cards.voucher(card)
            meant[voucher.key].append(voucher)
        for stake in self.stakes:
            for voucher in (sitting(stake), *([closing(stake)] if stake.state != Stake.State.HELD else [])):
                meant[voucher.key].append(voucher)
        holds = self._holds()
        vouchers: dict[int, Voucher] = {}
        for journal, (key, fingerprint, _, reverses) in self.journals.items():
            candidates = meant[key]
            if reverses in vouchers:
                candidates = [cards.reversal_of(vouchers[reverses], journal=reverses, holds=holds)]
            agreed = [one for one in candidates if one.fingerprint.hex() == fingerprint and one.key == key]
            if agreed:
                vouchers[journal] = agreed[0]
            else:
                self.faults.append(f"journal {journal} is nothing that anybody meant: {key}")
        return vouchers

    def balances_are_a_recount(self, vouchers: Mapping[int, Voucher]) -> None:
        expected: dict[AccountRef, Decimal] = defaultdict(Decimal)
        for voucher in vouchers.values():
            for line in voucher.lines:
                grows = chart.KINDS[line.account.code].grows_on == line.side
                expected[line.account] += line.amount if grows else -line.amount
        open_accounts = {AccountRef(*row) for row in rows("SELECT code, owner, currency FROM ledger_account")}
        for account, balance in book.balances(open_accounts | set(expected)).items():
            if balance != expected[account]:
                self.faults.append(f"{account} stands at {balance}, a recount says {expected[account]}")

    def every_stake_is_closed_once(self) -> None:
        closed = Counter(key.partition(":")[2] for key, *_ in self.journals.values() if key.startswith(CLOSING))
        self.faults += [f"stake {stake} was closed {times} times" for stake, times in closed.items() if times > 1]
        for stake in self.stakes:
            if closed[str(stake.pk)] != (stake.state != Stake.State.HELD):
                self.faults.append(
                    f"stake {stake.pk} is {stake.state}, the book closed it {closed[str(stake.pk)]} times"
                )
            settlements = Settlement.objects.filter(stake=stake)
            if len(settlements) != (stake.state == Stake.State.SETTLED):
                self.faults.append(f"stake {stake.pk} is {stake.state} and has {len(settlements)} settlements")
            counts = any(settlement.winner for settlement in settlements)
            if RatingChange.objects.filter(contest=stake.table_id).count() != 2 * counts:
                self.faults.append(f"table {stake.table_id} was not rated once")

    def everything_proves(self, *, but: Collection[str]) -> None:
        self.faults += [f"{p.name} does not hold: {p.fault}" for p in proofs.run() if p.fault and p.name not in but]

    def the_seal_and_every_checkpoint_verify(self, early: seals.Checkpoint) -> None:
        """``early`` was kept before anything was killed, the others meanwhile."""
        kept = [seals.Checkpoint(*json.loads(line)) for line in self.folder.checkpoints.read_text().splitlines()]
        for checkpoint in (early, kept[len(kept) // 2], kept[-1]):
            verified = seals.verify(against=checkpoint)
            if verified.fault:
                self.faults.append(f"the seal does not verify: {verified.fault}")
        chain = {last: bytes(sha256).hex() for last, sha256 in rows("SELECT last, sha256 FROM ledger_seal")}
        self.faults += [f"{one} is not in the chain" for one in kept if chain.get(one.number) != one.sha256]

    def happened(self) -> Counter[str]:
        """What the storm was made of."""
        events = Counter(key.partition(":")[0] for key, *_ in self.journals.values())
        refusals = Counter(line.split()[0] for line in self.folder.refused.read_text().splitlines())
        rivals = defaultdict(set)
        for told in self.acknowledged:
            rivals[told["key"]].add(told["by"].partition(".")[0])
        settled = [key for key in rivals if key.startswith(CLOSING) and len(rivals[key]) > 1]
        return events + refusals + Counter(
            replayed=sum(told.get("replayed", False) for told in self.acknowledged),
            same_key_from_several=sum(len(clients) > 1 for clients in rivals.values()),
            settled_by_several=len(settled),
            acknowledged=len(self.acknowledged),
            games_settled=Settlement.objects.count(),
        )  # fmt: skip

    def _cards(self) -> set[str]:
        found = set()
        for diary in self.folder.path.glob("diary-*"):
            for line in diary.read_text().splitlines():
                what, *those = json.loads(line) if line.startswith("[") else [line]
                found |= set(those) if what in ("post", "batch") else set()
        return found

    def _holds(self) -> dict[UUID, Hold]:
        numbers = {int(card.rstrip("!").partition(":")[2]) for card in self._cards() if card.startswith(CONTEST)}
        of_cards = [hold for number in numbers for hold in cards.holds_of(number)]
        return {hold.id: hold for hold in [*of_cards, *(hold for stake in self.stakes for hold in stake.holds)]}


def rows(query: str, *values: Any) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(query, values)
        return list(cursor.fetchall())
