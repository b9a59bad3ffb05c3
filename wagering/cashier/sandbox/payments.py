"""Payments in, refunds, disputes, payouts: whatever is asked carries the asker's reference, and is done once for it.

Amounts are whole minor units by the currency's ISO 4217 exponent.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from ledger import money
from wagering.cashier.sandbox.cards import CARDS, Card
from wagering.cashier.sandbox.house import Answer, Asked, House, answered, refused
from wagering.cashier.sandbox.record import Row
from wagering.cashier.sandbox.webhooks import tell

LASTS_S: Final = 3600
"""A payment that nobody has paid for so long has failed."""

SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS payment (
    id TEXT PRIMARY KEY, reference TEXT NOT NULL UNIQUE, asked INTEGER NOT NULL, asked_currency TEXT NOT NULL,
    customer TEXT NOT NULL, description TEXT NOT NULL, return_url TEXT NOT NULL, created INTEGER NOT NULL,
    status TEXT NOT NULL DEFAULT 'open', amount INTEGER NOT NULL DEFAULT 0, currency TEXT NOT NULL,
    reason TEXT NOT NULL DEFAULT '', token TEXT, refunded INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE IF NOT EXISTS instrument (
    token TEXT PRIMARY KEY, customer TEXT NOT NULL, brand TEXT NOT NULL, last4 TEXT NOT NULL, payout TEXT NOT NULL,
    refunds INTEGER NOT NULL
);
CREATE TABLE IF NOT EXISTS refund (
    id TEXT PRIMARY KEY, reference TEXT UNIQUE, payment TEXT NOT NULL, amount INTEGER NOT NULL,
    currency TEXT NOT NULL, status TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS dispute (
    id TEXT PRIMARY KEY, payment TEXT NOT NULL, amount INTEGER NOT NULL, currency TEXT NOT NULL, status TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS payout (
    id TEXT PRIMARY KEY, reference TEXT NOT NULL UNIQUE, token TEXT NOT NULL, amount INTEGER NOT NULL,
    currency TEXT NOT NULL, status TEXT NOT NULL, reason TEXT NOT NULL DEFAULT ''
);
"""


class Wrong(Exception):
    """The request is refused: ``code`` and the message are for who asked."""

    def __init__(self, code: str, message: str, status: int = 422) -> None:
        super().__init__(message)
        self.code, self.status = code, status


# --- payments in ------------------------------------------------------------------------------------------------------


def create(house: House, asked: Asked) -> Answer:
    said = asked.json()
    reference, amount, currency = _reference(said), _amount(said), _currency(said)
    texts = {name: str(said.get(name, "")) for name in ("customer", "description", "return_url")}
    if found := house.record.one("SELECT * FROM payment WHERE reference = ?", reference):
        _same(reference, (found["asked"], found["asked_currency"]), (amount, currency))
        return answered(200, _payment(house, found))
    house.record.insert(
        "payment",
        **{"id": house.next_id("pay"), "reference": reference, "asked": amount, "asked_currency": currency, **texts},
        created=house.now(),
        currency=currency,
    )
    return answered(201, _payment(house, row_of(house, "payment", "reference", reference)))


def look_up(house: House, asked: Asked) -> Answer:
    found = house.record.one("SELECT * FROM payment WHERE reference = ?", asked.query.get("reference", ""))
    if found is None:
        return refused(404, "not_found", "no payment has this reference")
    if found["status"] == "open" and found["created"] + LASTS_S <= house.now():
        _change(house, found["id"], status="failed", reason="expired")
        found = row_of(house, "payment", "id", found["id"])
    return answered(200, _payment(house, found))


def pay(house: House, payment: str, number: str) -> Row:
    """A player pays with the card ``number``. Raises Wrong if the payment is not open or there is no such card."""
    found = row_of(house, "payment", "id", payment)
    if found["status"] != "open":
        raise Wrong("not_open", f"this payment is {found['status']}", 409)
    card = CARDS.get(number.replace(" ", ""))
    if card is None:
        raise Wrong("unknown_card", "this is none of the test cards")
    token = card.token(found["customer"])
    house.record.run(
        "INSERT INTO instrument VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (token) DO NOTHING",
        *(token, found["customer"], card.brand, card.last4, card.payout, int(card.refunds)),
    )
    house.record.run("UPDATE payment SET token = ? WHERE id = ?", token, payment)
    paid, currency = _what_it_pays(card, found)
    match card.pays:
        case "nothing":
            _change(house, payment, status="failed", reason="card declined")
        case "later":
            _change(house, payment, status="processing")
        case _:
            succeed(house, payment, amount=paid, currency=currency)
    if card.disputed is not None:
        dispute(house, payment, amount=paid + card.disputed)
    return row_of(house, "payment", "id", payment)


def succeed(house: House, payment: str, *, amount: int, currency: str) -> None:
    _change(house, payment, status="succeeded", amount=amount, currency=currency)


def fail(house: House, payment: str, *, reason: str) -> None:
    _change(house, payment, status="failed", reason=reason)


def _what_it_pays(card: Card, payment: Row) -> tuple[int, str]:
    asked, currency = payment["asked"], payment["asked_currency"]
    match card.pays:
        case "half":
            return max(1, asked // 2), currency
        case "double":
            return 2 * asked, currency
        case "another currency":
            return asked, "USD" if currency == "EUR" else "EUR"
        case _:
            return asked, currency


def _change(house: House, payment: str, **values: Any) -> None:
    marks = ", ".join(f"{name} = ?" for name in values)
    house.record.run(f"UPDATE payment SET {marks} WHERE id = ?", *values.values(), payment)
    found = row_of(house, "payment", "id", payment)
    tell(house, f"payment.{found['status']}", _payment(house, found))


def _payment(house: House, row: Row) -> dict[str, Any]:
    told = {name: row[name] for name in ("id", "reference", "status", "amount", "currency", "reason", "refunded")}
    told["url"] = f"{house.url}/pay/{row['id']}"
    if row["token"]:
        found = row_of(house, "instrument", "token", row["token"])
        told["card"] = {
            **{name: found[name] for name in ("token", "brand", "last4")},
            "can_receive": bool(found["payout"]),
        }
    return told


# --- refunds and disputes ---------------------------------------------------------------------------------------------


def refund(house: House, asked: Asked) -> Answer:
    said = asked.json()
    reference, amount, currency = _reference(said), _amount(said), _currency(said)
    if found := house.record.one("SELECT * FROM refund WHERE reference = ?", reference):
        _same(reference, (found["amount"], found["currency"]), (amount, currency))
        return answered(200, _told(found))
    return answered(201, _told(give_back(house, str(said.get("payment")), amount, reference=reference)))


def refunds(house: House, asked: Asked) -> Answer:
    """``?since=``: unix seconds. Those that were made since then, by whom ever."""
    since = int(asked.query.get("since", "0"))
    events = house.record.all(
        "SELECT data FROM event WHERE type = 'refund.succeeded' AND created >= ? ORDER BY id", since
    )
    made = [row_of(house, "refund", "id", json.loads(event["data"])["id"]) for event in events]
    return answered(200, {"refunds": [_told(row) for row in made]})


def give_back(house: House, payment: str, amount: int, *, reference: str | None = None) -> Row:
    """Refund at the provider, by who has no ``reference`` too. Raises Wrong for more than is left of the payment."""
    found = row_of(house, "payment", "id", payment)
    if found["status"] != "succeeded":
        raise Wrong("not_paid", f"payment {payment} is {found['status']}", 409)
    if not _takes_refunds(house, found["token"]):
        raise Wrong("refund_refused", "the card's bank takes no refunds")
    if found["refunded"] + amount > found["amount"]:
        raise Wrong("too_much", f"of payment {payment} {found['amount'] - found['refunded']} are left", 409)
    number = house.next_id("ref")
    row = {"id": number, "reference": reference, "payment": payment, "amount": amount, "currency": found["currency"]}
    house.record.insert("refund", **row, status="succeeded")
    house.record.run("UPDATE payment SET refunded = refunded + ? WHERE id = ?", amount, payment)
    made = row_of(house, "refund", "id", number)
    tell(house, "refund.succeeded", _told(made))
    return made


def _takes_refunds(house: House, token: str) -> bool:
    instrument = row_of(house, "instrument", "token", token)
    return bool(instrument["refunds"])


def dispute(house: House, payment: str, *, amount: int, taken: bool = True) -> Row:
    """The payer's bank takes ``amount`` back, be it more than was paid; if it is not ``taken``, it only asks."""
    found = row_of(house, "payment", "id", payment)
    number, status = house.next_id("dis"), "taken" if taken else "opened"
    row = {"id": number, "payment": payment, "amount": amount, "currency": found["currency"]}
    house.record.insert("dispute", **row, status=status)
    made = row_of(house, "dispute", "id", number)
    tell(house, f"dispute.{status}", _told(made))
    return made


def lose(house: House, number: str) -> Row:
    """What was only opened is taken."""
    return _dispute_becomes(house, number, {"opened": "taken"})


def win(house: House, number: str) -> Row:
    """The bank gives back after all what a dispute took, or drops one that took nothing."""
    return _dispute_becomes(house, number, {"opened": "dropped", "taken": "won"})


def _dispute_becomes(house: House, number: str, then: Mapping[str, str]) -> Row:
    found = row_of(house, "dispute", "id", number)
    if status := then.get(found["status"]):
        house.record.run("UPDATE dispute SET status = ? WHERE id = ?", status, number)
        tell(house, f"dispute.{status}", _told(found))
    return row_of(house, "dispute", "id", number)


# --- payouts ----------------------------------------------------------------------------------------------------------


def pay_out(house: House, asked: Asked) -> Answer:
    said = asked.json()
    reference, amount, currency = _reference(said), _amount(said), _currency(said)
    if found := house.record.one("SELECT * FROM payout WHERE reference = ?", reference):
        _same(reference, (found["token"], found["amount"], found["currency"]), (said.get("token"), amount, currency))
        return answered(200, _told(found))
    instrument = house.record.one("SELECT * FROM instrument WHERE token = ?", str(said.get("token")))
    if instrument is None or not instrument["payout"]:
        raise Wrong("cannot_receive", "nothing can be paid out to this instrument")
    row = {"id": house.next_id("out"), "reference": reference, "token": instrument["token"]}
    house.record.insert("payout", **row, amount=amount, currency=currency, status="processing")
    if instrument["payout"] != "later":
        payout_becomes(house, reference, "failed" if instrument["payout"] == "failed" else "paid")
    if instrument["payout"] == "returned":
        payout_becomes(house, reference, "returned")
    return answered(201, _told(row_of(house, "payout", "reference", reference)))


def payout_becomes(house: House, reference: str, status: str) -> Row:
    """The payout is ``paid``, ``failed`` or ``returned``."""
    reason = {"failed": "account closed", "returned": "beneficiary unknown"}.get(status, "")
    house.record.run("UPDATE payout SET status = ?, reason = ? WHERE reference = ?", status, reason, reference)
    found = row_of(house, "payout", "reference", reference)
    tell(house, f"payout.{status}", _told(found))
    return found


def look_up_payout(house: House, asked: Asked) -> Answer:
    found = house.record.one("SELECT * FROM payout WHERE reference = ?", asked.query.get("reference", ""))
    if found is None:
        return refused(404, "not_found", "no payout has this reference")
    return answered(200, _told(found))


# --- reading what was asked -------------------------------------------------------------------------------------------


def _reference(said: Mapping[str, Any]) -> str:
    reference = said.get("reference")
    if not isinstance(reference, str) or not 1 <= len(reference) <= 100:
        raise Wrong("reference", "reference: is no text of 1 to 100 characters")
    return reference


def _amount(said: Mapping[str, Any]) -> int:
    amount = said.get("amount")
    if not isinstance(amount, int) or isinstance(amount, bool) or amount <= 0:
        raise Wrong("amount", "amount: is no whole number of minor units above 0")
    return amount


def _currency(said: Mapping[str, Any]) -> str:
    code = str(said.get("currency"))
    if code not in money.CURRENCIES or money.currency(code).zone != "professionals":
        raise Wrong("currency", f"currency: {code} is not taken")
    return code


def _same(reference: str, before: tuple[Any, ...], now: tuple[Any, ...]) -> None:
    if before != now:
        raise Wrong("reference_reused", f"reference: {reference} was used for something else", 409)


def row_of(house: House, table: str, name: str, value: str) -> Row:
    found = house.record.one(f"SELECT * FROM {table} WHERE {name} = ?", value)
    if found is None:
        raise Wrong("not_found", f"{table} {value} is not there", 404)
    return found


def _told(row: Row) -> dict[str, Any]:
    return dict(row)
