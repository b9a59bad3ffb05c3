"""The page on which a player pays: the provider's own, so no card number comes near the room."""

from __future__ import annotations

from decimal import Decimal
from html import escape
from typing import Final

from ledger import money
from wagering.cashier.sandbox import payments
from wagering.cashier.sandbox.cards import CARDS
from wagering.cashier.sandbox.house import Answer, Asked, House

PAGE: Final = """<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Sandbox payments</title>
<style>body {{ font: 1rem/1.5 system-ui, sans-serif; max-width: 40rem; margin: 3rem auto; padding: 0 1rem }}
td {{ padding: .2rem 1rem .2rem 0 }} input, button {{ font: inherit; padding: .4rem }}</style>
<h1>{title}</h1>
{body}
</html>
"""


def show(house: House, asked: Asked, *, payment: str) -> Answer:
    found = payments.row_of(house, "payment", "id", payment)
    if found["status"] != "open":
        return _page(f"This payment is {escape(found['status'])}", _way_back(found["return_url"]))
    digits = money.currency(found["asked_currency"]).minor_digits
    amount = Decimal(found["asked"]).scaleb(-digits)
    cards = "".join(f"<tr><td>{card.number}<td>{escape(card.meaning)}" for card in CARDS.values())
    form = (
        f'<p>{escape(found["description"])}<form method="post"><label>Card number '
        '<input name="card" inputmode="numeric" autocomplete="off" required></label> <button>Pay</button></form>'
        f"<p>No money moves here. The cards there are:<table>{cards}</table>"
    )
    return _page(f"Pay {amount} {found['asked_currency']}", form)


def paid(house: House, asked: Asked, *, payment: str) -> Answer:
    found = payments.pay(house, payment, asked.form().get("card", ""))
    said = f"<p>{escape(found['reason'])}" if found["reason"] else ""
    return _page(f"This payment is {escape(found['status'])}", said + _way_back(found["return_url"]))


def _way_back(url: str) -> str:
    return f'<p><a href="{escape(url)}">Back to the room</a>' if url.startswith(("http://", "https://")) else ""


def _page(title: str, body: str) -> Answer:
    return Answer(200, PAGE.format(title=title, body=body).encode(), kind="text/html; charset=utf-8")
