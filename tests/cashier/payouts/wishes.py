"""Payouts as tests want them, and what the workers do about them."""

from __future__ import annotations

from contextlib import suppress
from datetime import date
from decimal import Decimal
from typing import Any
from uuid import uuid4

from django.conf import settings

from games.models import Player, User
from ledger import book, chart, money, postings
from ledger.proofs import customer_money_apart
from tests.cashier.banking import reads
from tests.cashier.outside import Outside
from tests.factories import NOON, person
from tests.ledger.proving import prove
from wagering.cashier.bank.connection import BankSilent
from wagering.cashier.bank.proofs import bank_entries_are_posted
from wagering.cashier.methods.models import Method
from wagering.cashier.payouts import accounts, batches, outcomes, proofs, selectors, sending, services
from wagering.cashier.payouts.models import Payout
from wagering.cashier.providers.protocol import ProviderSilent
from wagering.protection.identity import services as identity
from wagering.protection.identity.rules import Told

NOTHING = Decimal(0)
IBAN = "NL91ABNA0417164300"
CLOSED = "DE02120300000000202051"
COMES_BACK = "DE02500105170137075030"
WAITS = "DE02100500000054540402"


def operator() -> User:
    return User.objects.create(username=uuid4().hex, is_staff=True)


def won(player: Player, amount: str, currency: str = "EUR") -> None:
    """Money in the wallet that was not deposited."""
    given: dict[str, Any] = {"amount": money.parse(amount, currency), "currency": currency, "at": NOON}
    about: dict[str, Any] = {"adjustment": uuid4(), "player": player.pk, "reason": "won", "operator": uuid4()}
    book.post(postings.manual_adjustment(direction="credit", **about, **given))


def verified(player: Player, world: Outside, name: str = "Ann Miller", country: str = "NL") -> None:
    told = Told(name=name, birth_date=date(1990, 1, 2), country=country, address="1 Long Street")
    found = identity.tell(player=player, told=told, at=world.at)
    identity.judge(identity=found, verified=True, reason="passport", documents="file 7", by=operator(), at=world.at)


def winner(world: Outside, amount: str = "100.00", currency: str = "EUR", name: str = "Ann Miller") -> Player:
    """Somebody whom nothing speaks against."""
    player = person(funds=None)
    won(player, amount, currency)
    verified(player, world, name)
    return player


def account(world: Outside, player: Player, iban: str = IBAN, holder: str = "Ann Miller") -> Method:
    return accounts.add(player=player, iban=iban, holder=holder, at=world.at)


def asked(world: Outside, player: Player, method: Method, amount: str = "48.00", currency: str = "EUR") -> Payout:
    parsed = money.parse(amount, currency)
    return services.ask(player=player, method=method.pk, amount=parsed, currency=currency, at=world.at)


def fresh(payout: Payout) -> Payout:
    return Payout.objects.get(pk=payout.pk)


def works(world: Outside, *, times: int = 3) -> None:
    """All that is done by the clock, so many times."""
    for _ in range(times):
        for payout in selectors.to_screen(at=world.at).values_list("pk", flat=True):
            services.screen(payout=payout, at=world.at)
        for currency in settings.BANK_CURRENCIES:
            while batches.make(currency=currency, at=world.at):
                pass
        for batch in selectors.to_submit(at=world.at):
            tried(batches.submit if batch.claimed_at is None else batches.look, batch=batch.pk, at=world.at)
        for attempt in selectors.to_send().values_list("pk", flat=True):
            tried(sending.send, attempt=attempt, at=world.at)
        for attempt in selectors.to_look_at(at=world.at).values_list("pk", flat=True):
            tried(sending.look, attempt=attempt, at=world.at)
        reads(world)
        for attempt in selectors.to_settle().values_list("pk", flat=True):
            outcomes.settle(attempt=attempt, at=world.at)
        for attempt in selectors.to_credit().values_list("pk", flat=True):
            outcomes.credit(attempt=attempt, at=world.at)


def tried(do: Any, **arguments: Any) -> None:
    with suppress(BankSilent, ProviderSilent):
        do(**arguments)


def pending(player: Player, currency: str = "EUR") -> Decimal:
    return book.balance(chart.players("payouts_pending", player.pk, currency))


def suspense(currency: str = "EUR") -> Decimal:
    return book.balance(chart.house("suspense", currency))


def everything_proves() -> None:
    prove()
    for proof in (
        proofs.pending_payouts_are_open(),
        proofs.payouts_are_posted(),
        proofs.batches_write_again(),
        bank_entries_are_posted(),
        customer_money_apart(),
    ):
        assert proof.holds, proof
