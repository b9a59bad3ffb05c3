"""Reading the account's statements, camt.053, and notices of single movements, camt.054, of any version."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING, Final

from wagering.cashier.bank.rules import xml

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

STATEMENTS: Final = {"camt.053": "BkToCstmrStmt/Stmt", "camt.054": "BkToCstmrDbtCdtNtfctn/Ntfctn"}

NONE: Final = ("NONREF", "NOREF", "NOTPROVIDED")
"""What banks write for a reference where they have none."""

KIND: Final = "Tp/CdOrPrtry/Cd"
"""Where a balance says which it is."""


@dataclass(frozen=True, slots=True)
class Movement:
    """Money that came (``is_credit``) or went. ``reference`` is the bank's own, once an account.

    ``whole`` is the bank's reference of the entry that it is, or is a part of: another file may tell of the same entry
    in other parts. Empty if the bank gives none; then ``reference`` is only the place in this file.
    ``end_to_end`` is what the payer called it, in words of ours that come back our own; ``returned`` says that it did
    come back, and ``reason`` why. Name, IBAN and text are of the other side: a person's.
    """

    account: str
    reference: str
    whole: str
    amount: Decimal
    currency: str
    is_credit: bool
    day: date
    end_to_end: str
    returned: bool
    reason: str
    name: str
    iban: str
    text: str


@dataclass(frozen=True, slots=True)
class Closing:
    """What the bank says there is on an account at the end of ``day``; below zero if it is overdrawn."""

    account: str
    amount: Decimal
    currency: str
    day: date


@dataclass(frozen=True, slots=True)
class Names:
    """What a movement is known by."""

    account: str
    reference: str
    whole: str


@dataclass(frozen=True, slots=True)
class Seen:
    """The references that a file has used up: what it calls the same is another with a number."""

    wholes: set[str] = field(default_factory=set)
    references: set[str] = field(default_factory=set)


def read(kind: str, root: Element) -> list[Movement]:
    """All that is booked and is not nothing, in its order.

    Raises Unreadable, also for a statement whose balances do not follow from its entries.
    """
    seen = Seen()
    return [movement for statement in _statements(kind, root) for movement in _statement(statement, seen)]


def closings(kind: str, root: Element) -> list[Closing]:
    """What each statement says that there is (CLBD); notices of movements say nothing of it. Raises Unreadable."""
    return [
        Closing(_account(statement), *_balance(balance), xml.day(balance, "Dt"))
        for statement in _statements(kind, root)
        for balance in statement.iterfind("Bal")
        if xml.text(balance, KIND) == "CLBD"
    ]


def _statements(kind: str, root: Element) -> list[Element]:
    found = root.findall(STATEMENTS[kind])
    if not found:
        raise xml.Unreadable(f"Document: has no {STATEMENTS[kind]}")
    return found


def _account(statement: Element) -> str:
    return xml.text(statement, "Acct/Id/IBAN", "Acct/Id/Othr/Id", required=True)


def _balance(balance: Element) -> tuple[Decimal, str]:
    found = xml.amount(balance, "Amt")
    if found is None:
        raise xml.Unreadable("Bal: Amt is missing")
    return (found[0] if xml.is_credit(balance) else -found[0]), found[1]


def _statement(statement: Element, seen: Seen) -> Iterator[Movement]:
    number = xml.text(statement, "Id", required=True)
    account = _account(statement)
    moved: list[Movement] = []
    for position, entry in enumerate(statement.iterfind("Ntry"), start=1):
        if xml.text(entry, "Sts/Cd", "Sts", required=True) == "BOOK":
            moved += [each for each in _entry(entry, account, f"{number}/{position}", seen) if each.amount]
    _check(statement, number, moved)
    yield from moved


def _check(statement: Element, number: str, moved: list[Movement]) -> None:
    """What there was before, and what moved, is what there is."""
    balances = {xml.text(balance, KIND): _balance(balance)[0] for balance in statement.iterfind("Bal")}
    opening = balances.get("OPBD", balances.get("PRCD"))
    if opening is None or "CLBD" not in balances:
        return
    closing = opening + sum((each.amount if each.is_credit else -each.amount for each in moved), Decimal(0))
    if closing != balances["CLBD"]:
        raise xml.Unreadable(f"statement {number}: closes at {balances['CLBD']}, its entries lead to {closing}")


def _entry(entry: Element, account: str, place: str, seen: Seen) -> Iterator[Movement]:
    whole = xml.amount(entry, "Amt")
    if whole is None:
        raise xml.Unreadable("Ntry: Amt is missing")
    parts = entry.findall("NtryDtls/TxDtls") or [entry]
    amounts = [_part(part, whole, alone=len(parts) == 1) for part in parts]
    if sum(amounts) != whole[0]:
        raise xml.Unreadable(f"entry {place}: its parts are {sum(amounts)}, it is {whole[0]}")
    own = _once(_reference(entry, "AcctSvcrRef"), seen.wholes)
    for count, (part, amount) in enumerate(zip(parts, amounts, strict=True)):
        theirs = _reference(part, "Refs/AcctSvcrRef")
        shared = f"{own}#{count}" if own and len(parts) > 1 else own
        reference = _once(theirs or shared or f"{place}#{count}", seen.references)
        yield _movement(entry, part, Names(account, reference, own or (theirs and reference)), amount, whole[1])


def _reference(element: Element, path: str) -> str:
    found = xml.text(element, path)[:90]
    return "" if found in NONE else found


def _once(reference: str, seen: set[str]) -> str:
    """The reference, with a number if the file has it already: what has one reference twice is two all the same."""
    found, number = reference, 0
    while found in seen:
        number += 1
        found = f"{reference}#{number}"
    if found:
        seen.add(found)
    return found


def _part(part: Element, whole: tuple[Decimal, str], *, alone: bool) -> Decimal:
    if alone:
        return whole[0]
    found = xml.amount(part, "Amt", "AmtDtls/TxAmt/Amt")
    if found is None or found[1] != whole[1]:
        raise xml.Unreadable("TxDtls: one of several has no amount in the account's currency")
    return found[0]


def _movement(entry: Element, part: Element, names: Names, amount: Decimal, currency: str) -> Movement:
    is_credit = xml.is_credit(entry)
    other = "Dbtr" if is_credit else "Cdtr"
    end_to_end = xml.text(part, "Refs/EndToEndId")
    reason = xml.text(part, "RtrInf/Rsn/Cd", "RtrInf/Rsn/Prtry", "RtrInf/AddtlInf")
    words = [*xml.texts(part, "RmtInf/Strd/CdtrRefInf/Ref"), *xml.texts(part, "RmtInf/Ustrd")]
    return Movement(
        account=names.account,
        reference=names.reference[:100],
        whole=names.whole[:100],
        amount=amount,
        currency=currency,
        is_credit=is_credit,
        day=xml.day(entry, "BookgDt"),
        end_to_end="" if end_to_end == "NOTPROVIDED" else end_to_end[:35],
        returned=part.find("RtrInf") is not None or xml.text(entry, "RvslInd") == "true",
        reason=reason[:100],
        name=xml.text(part, f"RltdPties/{other}/Pty/Nm", f"RltdPties/{other}/Nm")[:140],
        iban=xml.text(part, f"RltdPties/{other}Acct/Id/IBAN")[:34],
        text=" ".join(words)[:500],
    )
