"""The screening of a payout: pure, a page of rules. Each says ok, review or refuse, and by which figures."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from enum import StrEnum
from typing import Final

from wagering.cashier.payouts.policy import Policy


class Verdict(StrEnum):
    """What one rule says."""

    OK = "ok"
    REVIEW = "review"
    REFUSE = "refuse"


@dataclass(frozen=True, slots=True)
class Finding:
    """What a rule found. ``says`` is for operators; that of a refusal is told to the player too."""

    rule: str
    verdict: Verdict
    says: str

    def as_json(self) -> dict[str, str]:
        return {"rule": self.rule, "verdict": self.verdict.value, "says": self.says}


@dataclass(frozen=True, slots=True)
class Source:
    """An instrument that paid in, can receive, and has not had all of it back: the closed loop goes there first."""

    name: str
    left: Decimal


@dataclass(frozen=True, slots=True)
class Standing:
    """What may come up against a player at any time, after a payout was approved too.

    ``owed`` is by currency, of debts that came after the wish. ``disputes`` are those of the player's deposits that
    stand, taken or only opened; ``alerts`` those that nobody has cleared. ``stands_since`` is when the latest of these
    two came up.
    """

    owed: Mapping[str, Decimal]
    disputes: Sequence[str]
    alerts: Sequence[str]
    stands_since: datetime | None


@dataclass(frozen=True, slots=True)
class Facts(Standing):
    """All that the screening looks at. Amounts are in the payout's currency.

    ``deposited`` and ``staked`` are of all time; ``contestable`` is of splits that may be overturned yet (A-10), and
    ``remains`` what the player has besides the payout. ``alone_within_a_day`` and ``…_a_week`` are what went, or is on
    its way, by rule alone. ``won_of_debtors`` is what came from players whose deposits
    were taken back since. ``names_match`` is None where there is no name to compare.
    """

    amount: Decimal
    currency: str
    identity: str
    needs_identity: bool
    excluded: bool
    funds_locked: bool
    won_of_debtors: Decimal
    deposited: Decimal
    staked: Decimal
    contestable: Decimal
    remains: Decimal
    sources: Sequence[Source]
    to_source: Decimal
    asked_within_a_day: int
    alone_within_a_day: Decimal
    alone_within_a_week: Decimal
    destination_blocked: bool
    destination_age: timedelta
    destination_shared: int
    is_account: bool
    names_match: bool | None


@dataclass(frozen=True, slots=True)
class Screening:
    """What comes of all findings: the worst verdict, and how many operators have to agree."""

    findings: Sequence[Finding]
    verdict: Verdict
    needs: int


WAITS_FOR_THE_PLAYER: Final = frozenset({"identity", "funds"})
"""If nothing else is in the way, it is screened again until the player has done what is missing."""


def screen(facts: Facts, policy: Policy) -> Screening:
    """Every rule's finding, and what comes of them."""
    findings = [rule(facts, policy) for rule in RULES]
    verdict = max((each.verdict for each in findings), key=list(Verdict).index)
    amounts = policy.amounts.get(facts.currency)
    if amounts is None or facts.amount >= amounts.large:
        return Screening(findings, max(verdict, Verdict.REVIEW, key=list(Verdict).index), 2)
    if verdict == Verdict.OK and facts.amount > amounts.small:
        return Screening(findings, Verdict.REVIEW, 1)
    return Screening(findings, verdict, 0 if verdict == Verdict.OK else 1)


def has_come_up(stands: Standing, *, findings: Iterable[Mapping[str, str]], approved_at: datetime) -> bool:
    """Whether something stands that nobody knew of when the payout was approved: ``findings`` say of debts what was."""
    owed_then = any(each["rule"] == "debt" and each["verdict"] != Verdict.OK for each in findings)
    came_since = stands.stands_since is not None and stands.stands_since > approved_at
    return came_since or (bool(stands.owed) and not owed_then)


def renewed(findings: Iterable[Mapping[str, str]], stands: Standing) -> list[dict[str, str]]:
    """``findings`` with what stands now."""
    now = {each.rule: each.as_json() for each in (_debt(stands), _disputes(stands), _alerts(stands))}
    return [now.get(each["rule"], dict(each)) for each in findings]


def missing_of_the_player(findings: Iterable[Mapping[str, str]]) -> list[str]:
    """What the player has to do, if nothing else keeps it: rules of WAITS_FOR_THE_PLAYER."""
    kept = {each["rule"] for each in findings if each["verdict"] != Verdict.OK}
    return sorted(kept) if kept <= WAITS_FOR_THE_PLAYER else []


def withdrawable(*, balance: Decimal, contestable: Decimal) -> Decimal:
    """What of the wallet may be paid out: all but the part of splits that may be overturned yet (A-10)."""
    return max(balance - contestable, 0 * balance)


def _identity(facts: Facts, policy: Policy) -> Finding:
    return _finding("identity", _identity_is_missing(facts), f"the identity is {facts.identity}")


def _identity_is_missing(facts: Facts) -> bool:
    return (facts.needs_identity and facts.identity != "verified") or facts.identity == "rejected"


def _exclusion(facts: Facts, policy: Policy) -> Finding:
    return _finding("exclusion", False, "excluded, which keeps no payout" if facts.excluded else "not excluded")


def _funds(facts: Facts, policy: Policy) -> Finding:
    return _finding(
        "funds", facts.funds_locked, f"the source of funds is {'to be shown' if facts.funds_locked else 'no question'}"
    )


def _debt(facts: Standing, policy: Policy | None = None) -> Finding:
    debts = ", ".join(f"{amount} {currency}" for currency, amount in facts.owed.items())
    return _finding("debt", bool(debts), f"owes {debts or 'nothing'} of deposits that were taken back")


def _disputes(facts: Standing, policy: Policy | None = None) -> Finding:
    return _finding(
        "disputes", bool(facts.disputes), "of the player's deposits: " + (", ".join(facts.disputes) or "none")
    )


def _chargebacks(facts: Facts, policy: Policy) -> Finding:
    won = facts.won_of_debtors
    return _finding("chargebacks", won > 0, f"won {won} {facts.currency} of players whose deposits were taken back")


def _played(facts: Facts, policy: Policy) -> Finding:
    says = f"staked {facts.staked} of {facts.deposited} {facts.currency} deposited"
    return _finding("played", facts.staked < facts.deposited, says)


def _split(facts: Facts, policy: Policy) -> Finding:
    says = f"{facts.contestable} {facts.currency} of splits may be overturned, {facts.remains} remain (A-10)"
    return _finding("split", facts.contestable > facts.remains, says)


def _source(facts: Facts, policy: Policy) -> Finding:
    """What came from an instrument goes back to it first; what was won may go anywhere after that."""
    left = [source for source in facts.sources if source.left > 0]
    if not left or facts.amount <= facts.to_source:
        return _finding("source", False, "goes to where it came from, or nothing is left to go there")
    told = ", ".join(f"{source.left} {facts.currency} came from {source.name}" for source in left)
    return Finding("source", Verdict.REFUSE, f"{told} and goes back there first")


def _velocity(facts: Facts, policy: Policy) -> Finding:
    count = facts.asked_within_a_day
    return _finding("velocity", count > policy.a_day, f"{count} asked for within a day, {policy.a_day} are usual")


def _sums(facts: Facts, policy: Policy) -> Finding:
    """What nobody has to agree to is small all together too."""
    day, week = facts.alone_within_a_day + facts.amount, facts.alone_within_a_week + facts.amount
    may = policy.sums.get(facts.currency)
    is_odd = may is None or day > may.day or week > may.week
    told = f"{may.day} and {may.week} may" if may else "nothing may"
    return _finding("sums", is_odd, f"with it {day} {facts.currency} in a day and {week} in a week by rule, {told}")


def _destination(facts: Facts, policy: Policy) -> Finding:
    if facts.destination_blocked:
        return Finding("destination", Verdict.REFUSE, "nothing is paid out to this account any more")
    is_new = facts.destination_age < policy.new_for
    amounts = policy.amounts.get(facts.currency)
    large = amounts is None or facts.amount > amounts.new
    return _finding("destination", is_new and large, f"known for {facts.destination_age.days} days, new: {is_new}")


def _shared(facts: Facts, policy: Policy) -> Finding:
    others = facts.destination_shared
    return _finding("shared", others > 0, f"{others} other{'s' * (others != 1)} with the same account")


def _name(facts: Facts, policy: Policy) -> Finding:
    if not facts.is_account:
        return _finding("name", False, "goes to an instrument that the provider knows")
    if facts.names_match is None and _identity_is_missing(facts):
        return _finding("name", False, "compared once the identity is known")
    says = {True: "the holder is the player", False: "the holder is another than the player", None: "no name was told"}
    return _finding("name", facts.names_match is not True, says[facts.names_match])


def _alerts(facts: Standing, policy: Policy | None = None) -> Finding:
    return _finding("alerts", bool(facts.alerts), "open: " + (", ".join(facts.alerts) or "none"))


def _finding(rule: str, is_odd: bool, says: str) -> Finding:
    return Finding(rule, Verdict.REVIEW if is_odd else Verdict.OK, says)


RULES: Final[Sequence[Callable[[Facts, Policy], Finding]]] = (
    _identity, _exclusion, _funds, _debt, _disputes, _chargebacks, _played, _split, _source, _velocity, _sums,
    _destination, _shared, _name, _alerts,
)  # fmt: skip
"""In the order in which operators read them."""
