"""The sandbox's bank: takes orders (pain.001), answers them (pain.002), and tells of the account (camt.053).

What it paid, to whom, stands in its own record, ``transfer``: an order is carried out once by its MsgId, however often
it is handed in. What becomes of a transfer hangs on the account it goes to (``ACCOUNTS``) and on mischief.
"""

from __future__ import annotations

import hashlib
import xml.etree.ElementTree as ET
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any, Final
from xml.sax.saxutils import escape

from ledger import money
from wagering.cashier.sandbox.house import Answer, Asked, House, answered, refused
from wagering.cashier.sandbox.payments import Wrong
from wagering.cashier.sandbox.record import Row

ACCOUNT: Final = "DE47100000000000004711"
"""The players' account, unless an order was handed in for another."""


@dataclass(frozen=True, slots=True)
class Destination:
    """An account that is not like others: ``becomes`` is ``refused``, ``returned`` (paid first) or ``waits``."""

    iban: str
    becomes: str
    meaning: str


ACCOUNTS: Final = {
    each.iban: each
    for each in (
        Destination("DE02120300000000202051", "refused", "is closed: transfers to it are refused"),
        Destination("DE02500105170137075030", "returned", "takes transfers, and they come back"),
        Destination("DE02100500000054540402", "waits", "transfers to it wait until POST /control/bank/transfers"),
    )
}

SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS bank_order (
    message TEXT PRIMARY KEY, digest TEXT NOT NULL, account TEXT NOT NULL, lines INTEGER NOT NULL
);
CREATE TABLE IF NOT EXISTS transfer (
    id TEXT PRIMARY KEY, message TEXT NOT NULL, reference TEXT NOT NULL, iban TEXT NOT NULL, name TEXT NOT NULL,
    amount TEXT NOT NULL, currency TEXT NOT NULL, status TEXT NOT NULL, reason TEXT NOT NULL DEFAULT ''
);
CREATE TABLE IF NOT EXISTS booking (
    id TEXT PRIMARY KEY, account TEXT NOT NULL, currency TEXT NOT NULL, amount TEXT NOT NULL, side TEXT NOT NULL,
    end_to_end TEXT NOT NULL, returned TEXT NOT NULL DEFAULT '', name TEXT NOT NULL, iban TEXT NOT NULL,
    text TEXT NOT NULL, day TEXT NOT NULL, told INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE IF NOT EXISTS document (
    name TEXT PRIMARY KEY, body TEXT NOT NULL, taken INTEGER NOT NULL DEFAULT 0
);
"""

# --- what the room asks ----------------------------------------------------------------------------------------------


def submit(house: House, asked: Asked) -> Answer:
    """``{"message", "file"}``: the order, under its MsgId."""
    said = asked.json()
    message, file = str(said.get("message")), str(said.get("file"))
    digest = hashlib.sha256(file.encode()).hexdigest()
    if found := house.record.one("SELECT * FROM bank_order WHERE message = ?", message):
        if found["digest"] != digest:
            raise Wrong("duplicate_message", f"{message} was handed in before, with other content", 409)
        return answered(200, {"message": message})
    try:
        root = ET.fromstring(file)
    except ET.ParseError as error:
        raise Wrong("unreadable", f"the order is no XML: {error}") from None
    payments = _lines(root, message)
    account = root.findtext(".//{*}DbtrAcct/{*}Id/{*}IBAN", ACCOUNT)
    house.record.insert("bank_order", message=message, digest=digest, account=account, lines=len(payments))
    for line in payments:
        _carry_out(house, message, account, line)
    _answer_order(house, message)
    return answered(201, {"message": message})


def look_up(house: House, asked: Asked) -> Answer:
    found = house.record.one("SELECT message FROM bank_order WHERE message = ?", asked.query.get("message", ""))
    return answered(200, found) if found else refused(404, "not_found", "no order has this name")


def documents(house: House, asked: Asked) -> Answer:
    """What was not acknowledged yet; what was booked meanwhile comes as a new statement."""
    _statement(house)
    waiting = house.record.all("SELECT name, body FROM document WHERE taken = 0 ORDER BY name")
    return answered(200, {"documents": waiting})


def taken(house: House, asked: Asked) -> Answer:
    """``{"name"}``."""
    house.record.run("UPDATE document SET taken = 1 WHERE name = ?", str(asked.json().get("name")))
    return answered(200, {})


# --- what somebody at the bank does ----------------------------------------------------------------------------------


def moves(house: House, asked: Asked) -> Answer:
    """``{"amount", "currency", "name", "iban", "text"}`` comes in; with ``"side": "DBIT"`` it goes out.

    ``"returned"`` is why the bank says that it is one that came back.
    """
    said = {"currency": "EUR", "name": "Ann Payer", "iban": "NL91ABNA0417164300", "side": "CRDT", **asked.json()}
    amount = money.parse(str(said.get("amount")), str(said["currency"]))
    number = _book(
        house,
        account=str(said.get("account", ACCOUNT)),
        currency=str(said["currency"]),
        amount=str(amount),
        side=str(said["side"]),
        end_to_end=str(said.get("end_to_end", "NOTPROVIDED")),
        returned=str(said.get("returned", "")),
        name=str(said["name"]),
        iban=str(said["iban"]),
        text=str(said.get("text", "")),
    )
    return answered(201, {"booking": number})


def transfer_becomes(house: House, asked: Asked, *, reference: str) -> Answer:
    """``{"status": "paid"}``, ``refused`` or ``returned``."""
    status = asked.json().get("status")
    found = house.record.one("SELECT * FROM transfer WHERE reference = ?", reference)
    if found is None:
        raise Wrong("not_found", f"transfer {reference} is not there", 404)
    order = house.record.one("SELECT account FROM bank_order WHERE message = ?", found["message"])
    assert order
    if status == "paid" and found["status"] == "waiting":
        _pay(house, order["account"], found)
    elif status == "refused" and found["status"] == "waiting":
        _refuse(house, found, "AC04")
        _answer_order(house, found["message"])
    elif status == "returned" and found["status"] == "paid":
        _give_back(house, order["account"], found)
    else:
        raise Wrong("status", f"status: a transfer that is {found['status']} does not become {status}", 409)
    return answered(200, house.record.one("SELECT * FROM transfer WHERE reference = ?", reference))


# --- carrying out ----------------------------------------------------------------------------------------------------


def _lines(root: ET.Element, message: str) -> list[Row]:
    """What is to be paid; an order that does not add up is refused whole."""
    if root.findtext(".//{*}GrpHdr/{*}MsgId") != message:
        raise Wrong("unreadable", "MsgId is not what the order is handed in as")
    found = []
    for line in root.iterfind(".//{*}CdtTrfTxInf"):
        amount = line.find("{*}Amt/{*}InstdAmt")
        assert amount is not None and amount.text
        found.append({
            "reference": line.findtext("{*}PmtId/{*}EndToEndId", ""),
            "iban": line.findtext("{*}CdtrAcct/{*}Id/{*}IBAN", ""),
            "name": line.findtext("{*}Cdtr/{*}Nm", ""),
            "amount": amount.text,
            "currency": amount.get("Ccy", ""),
        })  # fmt: skip
    count, total = root.findtext(".//{*}GrpHdr/{*}NbOfTxs"), root.findtext(".//{*}GrpHdr/{*}CtrlSum")
    if count != str(len(found)) or Decimal(total or 0) != sum(Decimal(each["amount"]) for each in found):
        raise Wrong("control_sum", "the order is not what its header says")
    return found


def _carry_out(house: House, message: str, account: str, line: Row) -> None:
    house.record.insert("transfer", id=house.next_id("trf"), message=message, status="waiting", **line)
    found = house.record.one("SELECT * FROM transfer WHERE message = ? AND reference = ?", message, line["reference"])
    assert found
    destination = ACCOUNTS.get(found["iban"])
    becomes = destination.becomes if destination else ""
    if becomes == "refused" or house.mischief.of_the_bank("refuse_transfer"):
        _refuse(house, found, "AC04")
    elif becomes != "waits":
        _pay(house, account, found)
        if becomes == "returned" or house.mischief.of_the_bank("return_transfer"):
            _give_back(house, account, found)


def _pay(house: House, account: str, transfer: Row) -> None:
    house.record.run("UPDATE transfer SET status = 'paid' WHERE id = ?", transfer["id"])
    _book(house, account=account, side="DBIT", end_to_end=transfer["reference"], text="Payout", **_money(transfer))


def _refuse(house: House, transfer: Row, reason: str) -> None:
    house.record.run("UPDATE transfer SET status = 'refused', reason = ? WHERE id = ?", reason, transfer["id"])


def _give_back(house: House, account: str, transfer: Row) -> None:
    house.record.run("UPDATE transfer SET status = 'returned', reason = 'AC01' WHERE id = ?", transfer["id"])
    told = {"end_to_end": transfer["reference"], "returned": "AC01", "text": "Return of a transfer"}
    _book(house, account=account, side="CRDT", **told, **_money(transfer))


def _money(transfer: Row) -> dict[str, str]:
    return {name: transfer[name] for name in ("amount", "currency", "name", "iban")}


def _book(house: House, **row: str) -> str:
    number, day = house.next_id("bkg"), datetime.fromtimestamp(house.now(), UTC).date().isoformat()
    house.record.insert("booking", id=number, day=day, **row)
    return number


# --- files -----------------------------------------------------------------------------------------------------------


def _answer_order(house: House, message: str) -> None:
    """A pain.002 of what is refused and what is taken in hand, unless mischief loses it."""
    if house.mischief.of_the_bank("lose_status"):
        return
    lines = house.record.all("SELECT * FROM transfer WHERE message = ? ORDER BY id", message)
    told = "".join(
        f"<TxInfAndSts><OrgnlEndToEndId>{line['reference']}</OrgnlEndToEndId>"
        + (
            f"<TxSts>RJCT</TxSts><StsRsnInf><Rsn><Cd>{line['reason']}</Cd></Rsn></StsRsnInf></TxInfAndSts>"
            if line["status"] == "refused"
            else "<TxSts>ACSP</TxSts></TxInfAndSts>"
        )
        for line in lines
    )
    number = house.next_id("sts")
    _put(house, number, "pain.002.001.10", (
        f"<CstmrPmtStsRpt><GrpHdr><MsgId>{number}</MsgId><CreDtTm>{_now(house)}</CreDtTm></GrpHdr>"
        f"<OrgnlGrpInfAndSts><OrgnlMsgId>{escape(message)}</OrgnlMsgId><OrgnlMsgNmId>pain.001.001.09</OrgnlMsgNmId>"
        f"</OrgnlGrpInfAndSts><OrgnlPmtInfAndSts><OrgnlPmtInfId>{escape(message)}</OrgnlPmtInfId>{told}"
        "</OrgnlPmtInfAndSts></CstmrPmtStsRpt>"
    ))  # fmt: skip


def _statement(house: House) -> None:
    """A camt.053 for each account and currency of what was booked since the last; twice, if mischief has it so."""
    new = house.record.all("SELECT * FROM booking WHERE told = 0 ORDER BY id")
    for account, currency in sorted({(row["account"], row["currency"]) for row in new}):
        rows = [row for row in new if (row["account"], row["currency"]) == (account, currency)]
        booked = house.record.all("SELECT * FROM booking WHERE account = ? AND currency = ?", account, currency)
        opening = _total(row for row in booked if row["told"])
        balances = _balance(house, "OPBD", opening, currency) + _balance(house, "CLBD", _total(booked), currency)
        for _ in range(2 if house.mischief.of_the_bank("duplicate_statement") else 1):
            number = house.next_id("stm")
            _put(house, number, "camt.053.001.08", (
                f"<BkToCstmrStmt><GrpHdr><MsgId>{number}</MsgId><CreDtTm>{_now(house)}</CreDtTm></GrpHdr><Stmt>"
                f"<Id>{number}</Id><Acct><Id><IBAN>{account}</IBAN></Id><Ccy>{currency}</Ccy></Acct>{balances}"
                f"{''.join(map(_entry, rows))}</Stmt></BkToCstmrStmt>"
            ))  # fmt: skip
    house.record.run("UPDATE booking SET told = 1 WHERE told = 0")


def _total(booked: Iterable[Row]) -> Decimal:
    return sum((Decimal(row["amount"]) * (1 if row["side"] == "CRDT" else -1) for row in booked), Decimal(0))


def _balance(house: House, kind: str, amount: Decimal, currency: str) -> str:
    """What there is, from nothing on: the account is overdrawn as far as more was paid than came in."""
    written = money.exact(abs(amount), currency)
    return (
        f'<Bal><Tp><CdOrPrtry><Cd>{kind}</Cd></CdOrPrtry></Tp><Amt Ccy="{currency}">{written}</Amt>'
        f"<CdtDbtInd>{'DBIT' if amount < 0 else 'CRDT'}</CdtDbtInd><Dt><Dt>{_now(house)[:10]}</Dt></Dt></Bal>"
    )


def _entry(row: Row) -> str:
    other = "Dbtr" if row["side"] == "CRDT" else "Cdtr"
    came_back = f"<RtrInf><Rsn><Cd>{row['returned']}</Cd></Rsn></RtrInf>" if row["returned"] else ""
    return (
        f'<Ntry><Amt Ccy="{row["currency"]}">{row["amount"]}</Amt><CdtDbtInd>{row["side"]}</CdtDbtInd>'
        f"<Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>{row['day']}</Dt></BookgDt><AcctSvcrRef>{row['id']}</AcctSvcrRef>"
        f"<NtryDtls><TxDtls><Refs><EndToEndId>{escape(row['end_to_end'])}</EndToEndId></Refs>"
        f"<RltdPties><{other}><Pty><Nm>{escape(row['name'])}</Nm></Pty></{other}>"
        f"<{other}Acct><Id><IBAN>{escape(row['iban'])}</IBAN></Id></{other}Acct></RltdPties>"
        f"<RmtInf><Ustrd>{escape(row['text'])}</Ustrd></RmtInf>{came_back}</TxDtls></NtryDtls></Ntry>"
    )


def _put(house: House, name: str, message: str, body: str) -> None:
    space = f"urn:iso:std:iso:20022:tech:xsd:{message}"
    file = f'<?xml version="1.0" encoding="UTF-8"?>\n<Document xmlns="{space}">{body}</Document>\n'
    house.record.insert("document", name=f"{name}.xml", body=file)


def _now(house: House) -> str:
    return datetime.fromtimestamp(house.now(), UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def record(house: House) -> dict[str, Any]:
    """What was handed in, and what became of it."""
    tables = ("bank_order", "transfer", "booking")
    return {table: house.record.all(f"SELECT * FROM {table} ORDER BY 1") for table in tables}
