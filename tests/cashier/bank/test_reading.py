"""What the bank sends is read in every version of the message, strictly, and refused by name."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from decimal import Decimal
from typing import Any

import pytest

from wagering.cashier.bank.rules import camt, pain002, xml
from wagering.cashier.bank.rules.camt import Closing, Movement
from wagering.cashier.bank.rules.pain002 import Line, Said

URN = "urn:iso:std:iso:20022:tech:xsd:"
NEW = "<RltdPties><Dbtr><Pty><Nm>Ann Payer</Nm></Pty></Dbtr><DbtrAcct><Id><IBAN>NL91</IBAN></Id></DbtrAcct></RltdPties>"
OLD = "<RltdPties><Dbtr><Nm>Ann Payer</Nm></Dbtr><DbtrAcct><Id><IBAN>NL91</IBAN></Id></DbtrAcct></RltdPties>"


def entry(
    amount: str = "20.00",
    *,
    side: str = "CRDT",
    status: str = "<Sts><Cd>BOOK</Cd></Sts>",
    parts: str = f"<TxDtls><Refs><EndToEndId>E1</EndToEndId></Refs>{NEW}<RmtInf><Ustrd>RF 18</Ustrd></RmtInf></TxDtls>",
    reference: str = "<AcctSvcrRef>B1</AcctSvcrRef>",
    currency: str = "EUR",
    more: str = "",
) -> str:
    return (
        f'<Ntry><Amt Ccy="{currency}">{amount}</Amt><CdtDbtInd>{side}</CdtDbtInd>{more}{status}'
        f"<BookgDt><Dt>2026-11-30</Dt></BookgDt>{reference}<NtryDtls>{parts}</NtryDtls></Ntry>"
    )


def statement(*entries: str, version: str = "camt.053.001.08", balances: str = "") -> bytes:
    outer, inner = camt.STATEMENTS[version[:8]].split("/")
    account = "<Acct><Id><IBAN>DE89</IBAN></Id></Acct>"
    return (
        f'<?xml version="1.0"?><Document xmlns="{URN}{version}"><{outer}><{inner}><Id>S1</Id>{account}{balances}'
        f"{''.join(entries)}</{inner}></{outer}></Document>"
    ).encode()


def balance(kind: str, amount: str, *, side: str = "CRDT", day: str = "2026-11-30", currency: str = "EUR") -> str:
    return (
        f"<Bal><Tp><CdOrPrtry><Cd>{kind}</Cd></CdOrPrtry></Tp><Amt Ccy='{currency}'>{amount}</Amt>"
        f"<CdtDbtInd>{side}</CdtDbtInd><Dt><Dt>{day}</Dt></Dt></Bal>"
    )


def read(body: bytes) -> list[Movement]:
    return camt.read(*xml.document(body))


@pytest.mark.parametrize(
    ("version", "status", "parties"),
    [
        ("camt.053.001.02", "<Sts>BOOK</Sts>", OLD),
        ("camt.053.001.04", "<Sts>BOOK</Sts>", OLD),
        ("camt.053.001.08", "<Sts><Cd>BOOK</Cd></Sts>", NEW),
        ("camt.053.001.10", "<Sts><Cd>BOOK</Cd></Sts>", NEW),
        ("camt.054.001.02", "<Sts>BOOK</Sts>", OLD),
        ("camt.054.001.08", "<Sts><Cd>BOOK</Cd></Sts>", NEW),
    ],
)
def test_every_version_says_the_same(version: str, status: str, parties: str) -> None:
    words = "<RmtInf><Ustrd>a</Ustrd><Ustrd>b</Ustrd></RmtInf>"
    parts = f"<TxDtls><Refs><EndToEndId>E1</EndToEndId></Refs>{parties}{words}</TxDtls>"
    (found,) = read(statement(entry(status=status, parts=parts), version=version))
    assert (found.account, found.reference, found.amount, found.currency) == ("DE89", "B1", Decimal("20.00"), "EUR")
    assert (found.is_credit, found.returned, found.end_to_end) == (True, False, "E1")
    assert (found.name, found.iban, found.text) == ("Ann Payer", "NL91", "a b")


def test_a_return_says_why() -> None:
    parts = "<TxDtls><Refs><EndToEndId>PO1</EndToEndId></Refs><RtrInf><Rsn><Cd>AC04</Cd></Rsn></RtrInf></TxDtls>"
    (found,) = read(statement(entry(parts=parts)))
    assert (found.returned, found.reason, found.end_to_end) == (True, "AC04", "PO1")
    (reversal,) = read(statement(entry(more="<RvslInd>true</RvslInd>")))
    assert reversal.returned


def test_several_in_one_entry_are_each_one() -> None:
    part = '<TxDtls><Refs><EndToEndId>{0}</EndToEndId></Refs><Amt Ccy="EUR">{1}</Amt></TxDtls>'
    parts = part.format("E1", "12.50") + part.format("E2", "7.50")
    found = read(statement(entry(parts=parts)))
    assert [(each.reference, each.end_to_end, str(each.amount)) for each in found] == [
        ("B1#0", "E1", "12.50"),
        ("B1#1", "E2", "7.50"),
    ]
    with pytest.raises(xml.Unreadable, match=r"its parts are 12\.50, it is 20\.00|has no amount"):
        read(statement(entry(parts=part.format("E1", "12.50") + "<TxDtls/>")))
    with pytest.raises(xml.Unreadable, match=r"its parts are 20\.01"):
        read(statement(entry(parts=part.format("E1", "12.50") + part.format("E2", "7.51"))))


def test_what_is_not_booked_is_not_there_yet() -> None:
    assert read(statement(entry(status="<Sts><Cd>PDNG</Cd></Sts>"), entry("0.00"))) == []


def test_without_the_banks_reference_the_place_is_one() -> None:
    first, second = read(statement(entry(reference=""), entry(reference="")))
    assert (first.reference, second.reference) == ("S1/1#0", "S1/2#0")


def test_what_a_file_calls_the_same_is_two_all_the_same() -> None:
    part = '<TxDtls><Refs><AcctSvcrRef>{0}</AcctSvcrRef></Refs><Amt Ccy="EUR">10.00</Amt></TxDtls>'
    found = read(statement(entry(parts=part.format("B1") * 2), entry(), entry(reference="", parts=part.format("T1"))))
    assert [(each.reference, each.whole) for each in found] == [
        ("B1", "B1"), ("B1#1", "B1"), ("B1#1#1", "B1#1"), ("T1", "T1"),
    ]  # fmt: skip


def test_what_a_bank_writes_for_want_of_a_reference_is_none() -> None:
    (found,) = read(statement(entry(reference="<AcctSvcrRef>NONREF</AcctSvcrRef>")))
    assert (found.reference, found.whole) == ("S1/1#0", "")


def test_balances_follow_from_the_entries() -> None:
    right = balance("OPBD", "100.00") + balance("CLBD", "115.00")
    moved = [entry("20.00"), entry("5.00", side="DBIT", reference="<AcctSvcrRef>B2</AcctSvcrRef>")]
    assert len(read(statement(*moved, balances=right))) == 2
    closing = Closing("DE89", Decimal("115.00"), "EUR", date(2026, 11, 30))
    assert camt.closings(*xml.document(statement(*moved, balances=right))) == [closing]
    overdrawn = balance("CLBD", "1.50", side="DBIT")
    assert camt.closings(*xml.document(statement(balances=overdrawn))) == [replace(closing, amount=Decimal("-1.50"))]
    with pytest.raises(xml.Unreadable, match="Dt is missing"):
        camt.closings(*xml.document(statement(balances=overdrawn.replace("<Dt><Dt>2026-11-30</Dt></Dt>", ""))))
    with pytest.raises(xml.Unreadable, match=r"closes at 115\.00, its entries lead to 120\.00"):
        read(statement(entry("20.00"), balances=right))


@pytest.mark.parametrize(
    "amount", ["1e3", "-5.00", "+5.00", "5.005", "NaN", "", "1 000.00", "1_000", "١٢.٥", ".5", "5,00"]
)
def test_an_amount_that_is_none_is_refused(amount: str) -> None:  # cases 41, 42
    with pytest.raises(xml.Unreadable, match="Ntry"):
        read(statement(entry(amount)))


def test_amounts_are_of_their_currency() -> None:
    assert str(read(statement(entry("500", currency="JPY")))[0].amount) == "500"
    assert str(read(statement(entry("1.234", currency="KWD")))[0].amount) == "1.234"
    assert str(read(statement(entry("5.00000")))[0].amount) == "5.00"
    for amount, currency in (("500.5", "JPY"), ("5.00", "XXX"), ("5.00", "")):
        with pytest.raises(xml.Unreadable):
            read(statement(entry(amount, currency=currency)))


BOMB = b'<!DOCTYPE d [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><Document xmlns="urn:x:camt.053.001.08">&b;</Document>'


@pytest.mark.parametrize(
    ("body", "why"),
    [
        (b"", "is no XML"),
        (b"<Document>", "is no XML"),
        (b"\xff\xfe\x00", "is no XML"),
        (b'<?xml version="1.0" encoding="klingon"?><a/>', "is no XML"),
        (BOMB, "declares what no bank declares"),
        (b"<Document/>", "is no message"),
        (b'<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.8"/>', "is no message"),
        (statement(entry(side="BOTH")), "CdtDbtInd is 'BOTH'"),
        (statement(entry()).replace(b"<Id>S1</Id>", b""), "Id is missing"),
        (statement(entry()).replace(b"2026-11-30", b"tomorrow"), "is no date"),
        (statement().replace(b"Stmt>", b"Stm>"), "has no BkToCstmrStmt"),
        (b"<a>" * 500_000 + b"</a>" * 500_000, "is deeper than 40 elements"),
        (b"<a>" + b"<a/>" * 1_000_000 + b"</a>", "has more than 400000 elements"),
        (b" " * (xml.LARGEST + 1), "is longer than 16777216 bytes"),
    ],
)
def test_a_file_that_is_none_is_refused_by_name(body: bytes, why: str) -> None:
    with pytest.raises(xml.Unreadable, match=why):
        read(body)


def report(*, group: str = "", payment: str = "", lines: str = "", version: str = "pain.002.001.10") -> Any:
    body = (
        f'<Document xmlns="{URN}{version}"><CstmrPmtStsRpt><OrgnlGrpInfAndSts><OrgnlMsgId>B1</OrgnlMsgId>{group}'
        f"</OrgnlGrpInfAndSts><OrgnlPmtInfAndSts>{payment}{lines}</OrgnlPmtInfAndSts></CstmrPmtStsRpt></Document>"
    )
    kind, root = xml.document(body.encode())
    assert kind == "pain.002"
    return pain002.read(root)


LINE = "<TxInfAndSts><OrgnlEndToEndId>{0}</OrgnlEndToEndId><TxSts>{1}</TxSts>{2}</TxInfAndSts>"


@pytest.mark.parametrize("version", ["pain.002.001.03", "pain.002.001.10", "pain.002.001.12"])
def test_an_answer_to_an_order(version: str) -> None:
    why = "<StsRsnInf><Rsn><Cd>AC04</Cd></Rsn><AddtlInf>closed</AddtlInf></StsRsnInf>"
    lines = LINE.format("PO1", "RJCT", why) + LINE.format("PO2", "ACSP", "") + LINE.format("PO3", "ACSC", "")
    found = report(group="<GrpSts>PART</GrpSts>", lines=lines, version=version)
    assert (found.message, found.said) == ("B1", Said.ACCEPTED)
    assert found.lines == (
        Line("PO1", Said.REFUSED, "AC04 closed"),
        Line("PO2", Said.ACCEPTED, ""),
        Line("PO3", Said.SETTLED, ""),
    )


def test_an_order_that_is_refused_whole() -> None:
    why = "<StsRsnInf><Rsn><Prtry>DUPL</Prtry></Rsn></StsRsnInf>"
    assert report(group=f"<GrpSts>RJCT</GrpSts>{why}").said == Said.REFUSED
    assert report(payment=f"<PmtInfSts>RJCT</PmtInfSts>{why}").reason == "DUPL"
    assert report().said is None


def test_an_answer_that_says_what_nobody_knows_is_refused() -> None:
    with pytest.raises(xml.Unreadable, match="'MAYB' is no status"):
        report(lines=LINE.format("PO1", "MAYB", ""))
