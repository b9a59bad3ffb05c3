"""What somebody at the provider would do: mischief, refunds and disputes by hand, payments and payouts that go on.

Open to whoever reaches it: the server listens on this machine alone.
"""

from __future__ import annotations

from typing import Any

from wagering.cashier.sandbox import bank, payments
from wagering.cashier.sandbox.house import Answer, Asked, House, answered
from wagering.cashier.sandbox.mischief import Mischief
from wagering.cashier.sandbox.payments import Wrong


def show_mischief(house: House, asked: Asked) -> Answer:
    return answered(200, house.mischief.as_json())


def set_mischief(house: House, asked: Asked) -> Answer:
    """``{"seed": 7, "often": {"lose": 20}, "next": ["time_out_after"]}``: all of it anew."""
    said = asked.json()
    try:
        house.mischief = Mischief(int(said.get("seed", 0)), dict(said.get("often", {})), list(said.get("next", [])))
    except (TypeError, ValueError) as error:
        raise Wrong("mischief", str(error)) from None
    return answered(200, house.mischief.as_json())


def deliver(house: House, asked: Asked) -> Answer:
    """Everything that is in line is due now, also what was delayed or given up."""
    changed = house.record.run(
        "UPDATE delivery SET due_ms = 0, state = 'waiting' WHERE state IN ('waiting', 'given up')"
    )
    return answered(200, {"due": changed})


def replay(house: House, asked: Asked) -> Answer:
    """Every event that ever was, put in line once more."""
    changed = house.record.run("UPDATE delivery SET due_ms = 0, state = 'waiting', tries = 0")
    return answered(200, {"due": changed})


def payment(house: House, asked: Asked, *, payment: str) -> Answer:
    """``{"status": "succeeded"}`` or ``failed``, of one that is processing; another ``amount`` may have been paid."""
    found = payments.row_of(house, "payment", "id", payment)
    said = {"amount": found["asked"], "currency": found["asked_currency"], **asked.json()}
    if said.get("status") == "succeeded":
        payments.succeed(house, payment, amount=int(said["amount"]), currency=str(said["currency"]))
    else:
        payments.fail(house, payment, reason="card declined")
    return answered(200, payments.row_of(house, "payment", "id", payment))


def refund(house: House, asked: Asked) -> Answer:
    """``{"payment": "pay_…", "amount": 500}``: a refund that nobody asked us for."""
    said = asked.json()
    return answered(201, payments.give_back(house, str(said.get("payment")), int(said.get("amount", 0))))


def dispute(house: House, asked: Asked) -> Answer:
    """``{"payment": "pay_…", "amount": 10037}``; with ``"taken": false`` it is only opened."""
    said = asked.json()
    amount, taken = int(said.get("amount", 0)), said.get("taken") is not False
    return answered(201, payments.dispute(house, str(said.get("payment")), amount=amount, taken=taken))


def dispute_taken(house: House, asked: Asked, *, dispute: str) -> Answer:
    return answered(200, payments.lose(house, dispute))


def dispute_won(house: House, asked: Asked, *, dispute: str) -> Answer:
    return answered(200, payments.win(house, dispute))


def payout(house: House, asked: Asked, *, reference: str) -> Answer:
    """``{"status": "paid"}``, ``failed`` or ``returned``."""
    status = asked.json().get("status")
    if status not in ("paid", "failed", "returned"):
        raise Wrong("status", "status: is none of paid, failed, returned")
    return answered(200, payments.payout_becomes(house, reference, status))


def record(house: House, asked: Asked) -> Answer:
    """All that is known here, for whoever compares."""
    tables = ("payment", "refund", "dispute", "payout", "instrument", "event")
    told: dict[str, Any] = {table: house.record.all(f"SELECT * FROM {table} ORDER BY 1") for table in tables}
    return answered(200, told | bank.record(house))
