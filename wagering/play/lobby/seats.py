"""Who may take a seat at all, and whether they can pay for it."""

from datetime import datetime
from decimal import Decimal

from games.models import Player
from ledger import book, chart
from ledger.money import currency
from wagering.protection import gate
from wagering.stakes.rules import Terms, exposure


class MayNotStake(Exception):
    """The player stakes nothing: the log-in is shut or an operator's, or there is none and the money is real."""

    def __init__(self, player: Player) -> None:
        super().__init__("This account may not take a seat at this table.")
        self.player = player


class NotCovered(Exception):
    """The wallet holds less than the seat would put into escrow (S-4). Nothing is held for an offer."""

    def __init__(self, *, balance: Decimal, needed: Decimal, currency: str) -> None:
        super().__init__(f"Your wallet holds {balance} {currency}, {needed} {currency} is needed.")
        self.balance, self.needed, self.currency = balance, needed, currency


def may_sit(*, player: Player, terms: Terms, at: datetime) -> None:
    """Whether ``player`` may offer a seat under ``terms``, or take one; when both sit down it is asked again, of both.

    Raises MayNotStake, Protected.
    """
    may_stake(player=player, terms=terms)
    gate.check_seat(player=player, exposure=exposure(terms), currency=terms.currency, at=at)


def may_stake(*, player: Player, terms: Terms) -> None:
    """Whether by this account anything is staked: asked of both, whenever they sit down.

    For play money a player without a log-in may, too. Raises MayNotStake.
    """
    if player.user is None and currency(terms.currency).zone == "amateurs":
        return
    if not player.may_play:
        raise MayNotStake(player)


def check_cover(*, player: Player, terms: Terms) -> None:
    """Whether the wallet could pay for the seat now; when both agree, the book says. Raises NotCovered."""
    balance, needed = book.balance(chart.wallet(player.pk, terms.currency)), exposure(terms)
    if balance < needed:
        raise NotCovered(balance=balance, needed=needed, currency=terms.currency)
