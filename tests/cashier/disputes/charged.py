"""Deposits that are charged back, and money that was lost before, as tests want them."""

from __future__ import annotations

from decimal import Decimal
from typing import Final

from games.models import Player
from ledger import book, chart, proofs
from ledger.proofs import Proof
from tests.cashier.deposits.wishes import paid
from tests.cashier.outside import BEGAN, Outside
from tests.factories import TableFactory, terms, won
from wagering.cashier.deposits import proofs as deposits
from wagering.cashier.deposits.models import Deposit
from wagering.cashier.disputes import proofs as disputes
from wagering.cashier.disputes.models import Dispute
from wagering.cashier.providers.protocol import account_of
from wagering.settlement.models import Settlement
from wagering.settlement.services import settle
from wagering.stakes.models import Stake
from wagering.stakes.services import sit_down

NOTHING: Final = Decimal(0)


def charged_back(world: Outside, player: Player, amount: str = "100.00", *, card: str = "4000000000000259") -> Dispute:
    """Paid in with a card whose bank takes it back at once."""
    return Dispute.objects.get(deposit=paid(world, player, amount, card=card))


def taken_back(world: Outside, deposit: Deposit, minor_units: int) -> str:
    """The payer's bank takes so much back, and we are told; the provider's name of the dispute."""
    told = world.controls("disputes", payment=deposit.theirs, amount=minor_units)
    world.delivers()
    return str(told["id"])


def opened(world: Outside, deposit: Deposit, minor_units: int) -> str:
    """The payer's bank asks about so much, and nothing is taken yet; the provider's name of the dispute."""
    told = world.controls("disputes", payment=deposit.theirs, amount=minor_units, taken=False)
    world.delivers()
    return str(told["id"])


def given_back(world: Outside, dispute: str) -> None:
    """The bank gives it back after all, and we are told."""
    world.controls(f"disputes/{dispute}/won")
    world.delivers()


def sat_down(one: Player, other: Player, stake: str = "100") -> Stake:
    table = TableFactory.create(players=(one, other))
    return sit_down(table=table, terms=terms(stake, cap=stake), at=BEGAN)


def loses_to(loser: Player, winner: Player, stake: str = "100") -> Settlement:
    """A whole game, in which the loser loses the stake."""
    return settle(table=sat_down(loser, winner, stake).table, outcome=won(2), at=BEGAN)


def owed(player: Player, currency: str = "USD") -> Decimal:
    return book.balance(chart.players("receivable", player.pk, currency))


def differences(currency: str = "USD") -> Decimal:
    return book.balance(chart.house("dispute_differences", currency))


def clearing(currency: str = "USD") -> Decimal:
    return book.balance(chart.clearing(account_of("sandbox"), currency))


def everything_proves() -> None:
    """The book's own proofs (P-4 is one), those of deposits and those of disputes."""
    found: list[Proof] = [proof for proof in proofs.run() if not proof.holds]
    assert found == []
    for proof in (disputes.disputes_are_posted(), disputes.receivables_are_told(), deposits.deposits_are_posted()):
        assert proof.holds, proof
