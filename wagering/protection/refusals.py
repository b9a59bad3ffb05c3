"""What protects a player refuses. ``player`` is whose refusal it is; others are told only that there is one."""

from collections.abc import Mapping
from datetime import datetime
from decimal import Decimal
from typing import Final
from uuid import UUID

from wagering.protection.exclusion.rules import Standing
from wagering.protection.limits.rules import Reached


class Protected(Exception):
    """The player may not do this now."""

    def __init__(self, player: UUID, message: str) -> None:
        super().__init__(message)
        self.player = player


class Excluded(Protected):
    """The player is excluded or takes a time-out, or a register names them: no deposit and no seat, only payouts."""

    def __init__(self, player: UUID, standing: Standing) -> None:
        until = "for good" if standing.ends_at is None else f"until {standing.ends_at:%Y-%m-%d %H:%M} UTC"
        if standing.kind == "exclusion" and standing.ends_at is not None:
            until += " and then until you ask to play again"
        source = f", by the register {standing.source}" if standing.source else ""
        super().__init__(player, f"You are excluded {until}{source}. You can still withdraw.")
        self.standing = standing


class LimitReached(Protected):
    """A limit would be passed: which one, over which time, and when the same will pass."""

    def __init__(self, player: UUID, reached: Reached, *, amount: Decimal, currency: str, at: datetime) -> None:
        bound, frees_at = reached.bound, reached.frees_at
        when = f"possible from {frees_at.isoformat()} on" if frees_at else "more than the limit ever allows"
        super().__init__(
            player,
            f"Your {bound.kind} limit is {bound.limit} {currency} in {bound.window}, "
            f"{bound.left(at=at)} {currency} is left of it. {amount} {currency} is {when}.",
        )
        self.limit, self.window = bound.kind.value, bound.window.value
        self.most, self.left, self.currency = bound.limit, bound.left(at=at), currency
        self.frees_at = frees_at


class StillOwes(Protected):
    """A chargeback took more than the wallet had (P-3): until that is even nothing is staked and nothing paid out."""

    def __init__(self, player: UUID, *, owed: Mapping[str, Decimal]) -> None:
        debts = " and ".join(f"{amount} {currency}" for currency, amount in owed.items())
        super().__init__(player, f"You owe {debts} of what was taken back, and what comes in pays that first (P-3).")
        self.owed = owed


class IdentityNeeded(Protected):
    """The identity has to be verified first."""

    def __init__(self, player: UUID, *, state: str) -> None:
        super().__init__(player, f"Your identity is {state}; it has to be verified before this.")
        self.state = state


class CountryRefused(Protected):
    """Nothing is offered to people in that country."""

    field = "country"

    def __init__(self, player: UUID, country: str) -> None:
        super().__init__(player, f"country: nothing is offered in {country}")


class SourceOfFundsNeeded(Protected):
    """So much has come in, or gone out, that it has to be known where it comes from first."""

    def __init__(self, player: UUID) -> None:
        super().__init__(player, "Show where the money comes from first: the operator tells you how.")


class PayoutStands(Protected):
    """Where the player lives a payout that was asked for is not taken back; only its failure gives the money back."""

    def __init__(self, player: UUID) -> None:
        super().__init__(player, "A payout that you have asked for cannot be taken back.")


NO_SEAT: Final = (Excluded, CountryRefused, IdentityNeeded, StillOwes, LimitReached)
"""What may keep somebody from staking."""

NO_DEPOSIT: Final = (Excluded, CountryRefused, IdentityNeeded, SourceOfFundsNeeded, LimitReached)
"""What may keep somebody from depositing."""
