"""What everybody else asks before money comes in, is staked, or goes out.

All of it is done in the caller's transaction, under the lock of the player's Person: two requests of one player never
pass together what only one of them may. Whoever knows of deposits under way reads them under ``locked`` too.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from uuid import UUID

from games.models import Player
from ledger import book, money
from wagering.protection import aml
from wagering.protection.exclusion import selectors as exclusion
from wagering.protection.identity import selectors as identities
from wagering.protection.limits import selectors as limits
from wagering.protection.limits.rules import Kind, judge_all
from wagering.protection.models import FundsLock, Identity
from wagering.protection.persons import all_locked, locked
from wagering.protection.profile import Profile, Step
from wagering.protection.refusals import (
    CountryRefused,
    Excluded,
    IdentityNeeded,
    LimitReached,
    PayoutStands,
    SourceOfFundsNeeded,
    StillOwes,
)

__all__ = [
    "Facts", "check_cancel_payout", "check_deposit", "check_payout", "check_seat", "check_stake", "check_stakes",
    "facts", "locked", "profile_of",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Facts:
    """What is known of a player when a payout is looked at.

    ``identity`` is unverified, pending, verified or rejected; ``needs_identity``, whether the profile lets nothing out
    before it is verified. ``locked``: the source of the money has to be known first. ``owed`` is what a chargeback
    left, by currency. ``name_sealed`` is opened by ``identity.selectors.name_of``.
    """

    player: UUID
    profile: Profile
    identity: str
    needs_identity: bool
    excluded: bool
    locked: bool
    country: str | None
    name_sealed: bytes | None
    owed: dict[str, Decimal]


def check_deposit(*, player: Player, amount: Decimal, currency: str, pending: Decimal, at: datetime) -> None:
    """Whether the player may deposit ``amount``, with deposits of ``pending`` under way.

    ``pending`` is read after ``locked(player)``, or two deposits at once could pass together. Raises Excluded,
    CountryRefused, IdentityNeeded, SourceOfFundsNeeded, LimitReached.
    """
    locked(player)
    known = identities.identity_of(player)
    rules = _check_person(player, known, at)
    _check_identity(player, known, rules, "deposit")
    if _state(known) != Identity.State.VERIFIED and aml.needs_identity(
        player=player, profile=rules, currency=currency, more=pending + amount, at=at
    ):
        raise IdentityNeeded(player.pk, state=_state(known))
    if aml.is_locked(player=player, profile=rules, at=at):
        raise SourceOfFundsNeeded(player.pk)
    _check_limits(player, amount, currency, pending, [Kind.DEPOSIT], at)


def check_stake(*, player: Player, exposure: Decimal, currency: str, at: datetime) -> None:
    """Whether the player may put ``exposure`` at risk. Of play money only an exclusion keeps anybody.

    Raises Excluded, CountryRefused, IdentityNeeded, StillOwes, LimitReached.
    """
    locked(player)
    check_seat(player=player, exposure=exposure, currency=currency, at=at)


def check_stakes(*, players: Sequence[Player], exposure: Decimal, currency: str, at: datetime) -> None:
    """As ``check_stake`` for all who sit down together, each with ``exposure``."""
    all_locked(players)
    for player in players:
        check_seat(player=player, exposure=exposure, currency=currency, at=at)


def check_seat(*, player: Player, exposure: Decimal, currency: str, at: datetime) -> None:
    """As ``check_stake``, of one who does not sit down yet: nothing is locked, and it is asked again when they do."""
    if money.currency(currency).zone == "amateurs":
        _check_excluded(player, identities.identity_of(player), at)
        return
    known = identities.identity_of(player)
    rules = _check_person(player, known, at)
    _check_identity(player, known, rules, "stake")
    _check_owes_nothing(player, known)
    _check_limits(player, exposure, currency, Decimal(0), [Kind.LOSS, Kind.STAKE], at)


def check_payout(*, player: Player) -> None:
    """Whether money of the player may be held to be paid out, under their lock. Raises StillOwes.

    An exclusion keeps no payout; whatever else speaks against one, its screening says.
    """
    _check_owes_nothing(player, identities.identity_of(player))


def check_cancel_payout(*, player: Player) -> None:
    """Whether the player may take back a payout that they have asked for. Raises PayoutStands."""
    known = identities.identity_of(player)
    if not identities.profile_of(known).payouts_may_be_cancelled:
        raise PayoutStands(player.pk)


def profile_of(*, player: Player) -> Profile:
    """The profile that holds for the player."""
    return identities.profile_of(identities.identity_of(player))


def facts(*, player: Player, at: datetime) -> Facts:
    """What is known of the player at ``at``."""
    known = identities.identity_of(player)
    rules = identities.profile_of(known)
    return Facts(
        player=player.pk,
        profile=rules,
        identity=_state(known),
        needs_identity=rules.asks_for_identity("payout"),
        excluded=exclusion.standing(player=player, known=known, at=at) is not None,
        locked=aml.is_locked(player=player, profile=rules, at=at),
        country=known.country if known else None,
        name_sealed=bytes(known.name) if known else None,
        owed=_owed(player, known),
    )


def said_since(player: Player, at: datetime) -> bool:
    """Whether an operator has judged who the player is, or lifted the question where money is from, since ``at``."""
    judged = Identity.objects.filter(person=player.pk, judged_at__gte=at)
    return judged.exists() or FundsLock.objects.filter(person=player.pk, lifted_at__gte=at).exists()


def _check_person(player: Player, known: Identity | None, at: datetime) -> Profile:
    """Who may play at all. The profile that holds for them."""
    _check_excluded(player, known, at)
    rules = identities.profile_of(known)
    if known is not None and known.country in rules.refused:
        raise CountryRefused(player.pk, known.country)
    return rules


def _check_excluded(player: Player, known: Identity | None, at: datetime) -> None:
    if found := exclusion.standing(player=player, known=known, at=at):
        raise Excluded(player.pk, found)


def _check_owes_nothing(player: Player, known: Identity | None) -> None:
    if owed := _owed(player, known):
        raise StillOwes(player.pk, owed=owed)


def _owed(player: Player, known: Identity | None) -> dict[str, Decimal]:
    """What the person owes, under whichever of the accounts that are verified to be theirs."""
    others = exclusion.same(known).values_list("pk", flat=True) if known and known.is_proven else ()
    owed: dict[str, Decimal] = {}
    for one in (player.pk, *others):
        for account, amount in book.owned(owner=one, kinds=("receivable",)).items():
            if amount > 0:
                owed[account.currency] = owed.get(account.currency, Decimal(0)) + amount
    return owed


def _check_identity(player: Player, known: Identity | None, rules: Profile, step: Step) -> None:
    state = _state(known)
    needed = rules.asks_for_identity(step) and state != Identity.State.VERIFIED
    if needed or state == Identity.State.REJECTED:
        raise IdentityNeeded(player.pk, state=state)


def _check_limits(
    player: Player, amount: Decimal, currency: str, pending: Decimal, kinds: Sequence[Kind], at: datetime
) -> None:
    bounds = limits.bounds(player=player, currency=currency, kinds=kinds, pending=pending, at=at)
    if reached := judge_all(bounds, amount=amount, at=at):
        raise LimitReached(player.pk, reached, amount=amount, currency=currency, at=at)


def _state(known: Identity | None) -> str:
    return known.state if known else Identity.State.UNVERIFIED.value
