"""Writing an order for credit transfers, pain.001.001.09: the same rows give the same bytes, today and in ten years."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Final
from xml.etree.ElementTree import Element, SubElement, indent, tostring

VERSION: Final = "pain.001.001.09"
NAMESPACE: Final = f"urn:iso:std:iso:20022:tech:xsd:{VERSION}"


@dataclass(frozen=True, slots=True)
class Payer:
    """Whose account it leaves; ``bic`` may be empty."""

    name: str
    iban: str
    bic: str


@dataclass(frozen=True, slots=True)
class Transfer:
    """One payment; ``reference`` comes back in every word that the bank says of it, ``text`` is for who is paid."""

    reference: str
    amount: Decimal
    name: str
    iban: str
    text: str


@dataclass(frozen=True, slots=True)
class Order:
    """A file. ``message`` is its name at the bank for ever, ``day`` when it is to be carried out."""

    message: str
    made_at: datetime
    day: date
    currency: str
    payer: Payer
    transfers: Sequence[Transfer]

    @property
    def control_sum(self) -> Decimal:
        return sum((transfer.amount for transfer in self.transfers), Decimal(0))


def write(order: Order) -> bytes:
    """The file, in the order of its transfers. No clock and no chance: everything in it is in ``order``."""
    assert order.transfers, "an order pays somebody"
    root = Element("Document", xmlns=NAMESPACE)
    initiation = SubElement(root, "CstmrCdtTrfInitn")
    header = SubElement(initiation, "GrpHdr")
    _put(header, "MsgId", order.message)
    _put(header, "CreDtTm", order.made_at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"))
    _totals(header, order)
    _put(header, "InitgPty/Nm", order.payer.name)
    payment = SubElement(initiation, "PmtInf")
    _put(payment, "PmtInfId", order.message)
    _put(payment, "PmtMtd", "TRF")
    _put(payment, "BtchBookg", "false")  # each transfer is a line of its own on the statement
    _totals(payment, order)
    if order.currency == "EUR":
        _put(payment, "PmtTpInf/SvcLvl/Cd", "SEPA")
    _put(payment, "ReqdExctnDt/Dt", order.day.isoformat())
    _put(payment, "Dbtr/Nm", order.payer.name)
    _put(payment, "DbtrAcct/Id/IBAN", order.payer.iban)
    if order.payer.bic:
        _put(payment, "DbtrAgt/FinInstnId/BICFI", order.payer.bic)
    else:
        _put(payment, "DbtrAgt/FinInstnId/Othr/Id", "NOTPROVIDED")
    _put(payment, "ChrgBr", "SLEV" if order.currency == "EUR" else "SHAR")
    for transfer in order.transfers:
        _transfer(payment, transfer, order.currency)
    indent(root)
    text: str = tostring(root, "unicode")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n'.encode()


def _totals(element: Element, order: Order) -> None:
    _put(element, "NbOfTxs", str(len(order.transfers)))
    _put(element, "CtrlSum", str(order.control_sum))


def _transfer(payment: Element, transfer: Transfer, currency: str) -> None:
    line = SubElement(payment, "CdtTrfTxInf")
    _put(line, "PmtId/EndToEndId", transfer.reference)
    _put(line, "Amt/InstdAmt", str(transfer.amount)).set("Ccy", currency)
    _put(line, "Cdtr/Nm", transfer.name)
    _put(line, "CdtrAcct/Id/IBAN", transfer.iban)
    _put(line, "RmtInf/Ustrd", transfer.text)


def _put(element: Element, path: str, text: str) -> Element:
    """``text`` at the end of a new path of elements."""
    for name in path.split("/"):
        element = SubElement(element, name)
    element.text = text
    return element
