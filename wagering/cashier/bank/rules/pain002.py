"""Reading what the bank says of an order, pain.002: of the whole, and of each transfer that it names."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from wagering.cashier.bank.rules import xml

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element


class Said(StrEnum):
    """What a status comes to: taken in hand, carried out, or refused."""

    ACCEPTED = "accepted"
    SETTLED = "settled"
    REFUSED = "refused"


STATUSES: Final = {
    **dict.fromkeys(("RCVD", "ACTC", "ACCP", "ACSP", "ACWC", "ACWP", "PDNG", "PART"), Said.ACCEPTED),
    **dict.fromkeys(("ACSC", "ACCC"), Said.SETTLED),
    **dict.fromkeys(("RJCT", "CANC"), Said.REFUSED),
}


@dataclass(frozen=True, slots=True)
class Line:
    """One transfer, by its end-to-end reference."""

    reference: str
    said: Said
    reason: str


@dataclass(frozen=True, slots=True)
class Report:
    """``said`` is of the order as a whole, None if the bank speaks of single transfers only."""

    message: str
    said: Said | None
    reason: str
    lines: tuple[Line, ...]


def read(root: Element) -> Report:
    """Raises Unreadable."""
    report = root.find("CstmrPmtStsRpt")
    group = None if report is None else report.find("OrgnlGrpInfAndSts")
    if report is None or group is None:
        raise xml.Unreadable("Document: OrgnlGrpInfAndSts is missing")
    payment = report.find("OrgnlPmtInfAndSts")
    whole = xml.text(group, "GrpSts") or ("" if payment is None else xml.text(payment, "PmtInfSts"))
    reason = _reason(group) or ("" if payment is None else _reason(payment))
    return Report(
        message=xml.text(group, "OrgnlMsgId", required=True),
        said=_said(group, whole) if whole else None,
        reason=reason,
        lines=tuple(map(_line, report.iter("TxInfAndSts"))),
    )


def _line(element: Element) -> Line:
    status = xml.text(element, "TxSts", required=True)
    return Line(xml.text(element, "OrgnlEndToEndId", required=True), _said(element, status), _reason(element))


def _said(element: Element, status: str) -> Said:
    if status not in STATUSES:
        raise xml.Unreadable(f"{element.tag}: {status!r} is no status that is known here")
    return STATUSES[status]


def _reason(element: Element) -> str:
    code = xml.text(element, "StsRsnInf/Rsn/Cd", "StsRsnInf/Rsn/Prtry")
    return " ".join(filter(None, (code, xml.text(element, "StsRsnInf/AddtlInf"))))[:200]
