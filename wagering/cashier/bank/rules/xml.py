"""Reading what a bank sends: no entities, no DTD, any version of a message, and nothing guessed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, datetime
from decimal import Decimal
from typing import TYPE_CHECKING, Final
from xml.etree.ElementTree import ParseError, TreeBuilder

from defusedxml import DefusedXmlException  # type: ignore[import-untyped]
from defusedxml import ElementTree as Defused

from ledger import money

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

_MESSAGE: Final = re.compile(r"\{urn:.*((?:pain|camt)\.[0-9]{3})\.001\.[0-9]{2}\}Document")
_AMOUNT: Final = re.compile(r"[0-9]{1,13}(\.[0-9]{1,5})?")
LARGEST: Final = 16 * 1024 * 1024
DEEPEST: Final = 40
MOST: Final = 400_000
"""The bounds of a file: its bytes, how deep its elements stand, and how many there are: no bank's are more."""


class Unreadable(ValueError):
    """A file that is none that our bank sends; the message says where it is wrong."""


class _Bounded(TreeBuilder):
    """Builds the tree as long as it is within the bounds."""

    def __init__(self) -> None:
        super().__init__()
        self.depth, self.count = 0, 0

    def start(self, tag: str, attrs: dict[str, str], /) -> Element:
        self.depth, self.count = self.depth + 1, self.count + 1
        if self.depth > DEEPEST:
            raise Unreadable(f"file: is deeper than {DEEPEST} elements")
        if self.count > MOST:
            raise Unreadable(f"file: has more than {MOST} elements")
        return super().start(tag, attrs)

    def end(self, tag: str, /) -> Element:
        self.depth -= 1
        return super().end(tag)


def document(body: bytes) -> tuple[str, Element]:
    """Which message it is, such as ``camt.053``, and its root with plain names. Raises Unreadable."""
    if len(body) > LARGEST:
        raise Unreadable(f"file: is longer than {LARGEST} bytes")
    try:
        parser = Defused.XMLParser(target=_Bounded(), forbid_dtd=True)
        parser.feed(body)
        root: Element = parser.close()
    except Unreadable:
        raise
    except DefusedXmlException as refusal:
        raise Unreadable(f"file: declares what no bank declares ({type(refusal).__name__})") from None
    except (ParseError, ValueError, LookupError) as error:
        raise Unreadable(f"file: is no XML: {error}") from None
    found = _MESSAGE.fullmatch(root.tag)
    if found is None:
        raise Unreadable("file: is no message of ISO 20022 for accounts or payments")
    for element in root.iter():
        element.tag = element.tag.rpartition("}")[2]
    return found.group(1), root


def text(element: Element, *paths: str, required: bool = False) -> str:
    """The text at the first of ``paths`` where there is any; empty if nowhere. Raises Unreadable if it is required."""
    for path in paths:
        found = element.findtext(path, "").strip()
        if found:
            return found
    if required:
        raise Unreadable(f"{element.tag}: {paths[0]} is missing")
    return ""


def texts(element: Element, path: str) -> Iterator[str]:
    for found in element.iterfind(path):
        if found.text and found.text.strip():
            yield found.text.strip()


def amount(element: Element, *paths: str) -> tuple[Decimal, str] | None:
    """The amount at the first of ``paths`` that is there, and its currency. Raises Unreadable for one that is none."""
    found = next((node for path in paths if (node := element.find(path)) is not None), None)
    if found is None:
        return None
    written, code = (found.text or "").strip(), found.get("Ccy", "")
    if not _AMOUNT.fullmatch(written):
        raise Unreadable(f"{element.tag}: {written!r} is no amount")
    try:
        return money.exact(Decimal(written), code), code
    except (money.InvalidAmount, money.UnknownCurrency) as refusal:
        raise Unreadable(f"{element.tag}: {refusal}") from None


def is_credit(element: Element) -> bool:
    """Raises Unreadable for what is neither credit nor debit."""
    side = text(element, "CdtDbtInd", required=True)
    if side not in ("CRDT", "DBIT"):
        raise Unreadable(f"{element.tag}: CdtDbtInd is {side!r}, neither CRDT nor DBIT")
    return side == "CRDT"


def day(element: Element, path: str) -> date:
    """A date, or the date of a time. Raises Unreadable."""
    written = text(element, f"{path}/Dt", f"{path}/DtTm", required=True)
    try:
        return datetime.fromisoformat(written).date()
    except ValueError:
        raise Unreadable(f"{element.tag}: {path}: {written!r} is no date") from None
