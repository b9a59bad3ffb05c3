"""Wallets and statements, field by field."""

from __future__ import annotations

from dataclasses import asdict
from decimal import Decimal
from typing import Any

from rest_framework import serializers

from games.models import Table
from ledger import money
from wagering.play.wallet.selectors import Entry, Wallet
from wagering.play.wallet.totals import Totals
from wagering.rest.causes import KINDS
from wagering.rest.money_field import Money, MoneyField

CODES = [(code, code) for code in sorted(money.CURRENCIES)]
ENTRY_MAX = 2**63 - 1
PAGE_MAX = 200


class WalletSerializer(serializers.Serializer[Any]):
    currency = serializers.ChoiceField(choices=CODES, help_text="ISO 4217, or PLAY for play money.")
    zone = serializers.ChoiceField(choices=Table.Zone.choices, help_text="Where it can be staked (Z).")
    available = MoneyField(help_text="What can be staked now.")
    held = MoneyField(help_text="What is in escrow at tables, until each contest ends.")
    pending = MoneyField(help_text="What you have asked to be paid out and is not paid yet.")
    bonus = MoneyField(help_text="Bonuses that are not yet yours to dispose of.")
    unclaimed = MoneyField(help_text="What was set apart while you were long away; yours for the asking.")
    owed = MoneyField(help_text="What you owe after a chargeback. Until it is even you stake nothing, in any currency.")


class WalletsSerializer(serializers.Serializer[Any]):
    wallets = WalletSerializer(many=True, help_text="One a currency that you have ever had, by code; always PLAY.")


class StatementQuerySerializer(serializers.Serializer[Any]):
    """The query of a statement."""

    currency = serializers.ChoiceField(choices=CODES, help_text="Of which wallet.")
    cursor = serializers.IntegerField(
        min_value=0,
        max_value=ENTRY_MAX,
        default=0,
        help_text="Where the page begins: taken from `next` or `previous` of another page, as it is.",
    )
    limit = serializers.IntegerField(
        min_value=1, max_value=PAGE_MAX, default=50, help_text="How many entries to give at most, 1 to 200."
    )


class OpponentSerializer(serializers.Serializer[Any]):
    id = serializers.UUIDField(help_text="The player's id.")
    name = serializers.CharField(help_text="The name as others see it.")


class CauseSerializer(serializers.Serializer[Any]):
    kind = serializers.ChoiceField(
        choices=[(kind, kind) for kind in KINDS],
        help_text="What it is: " + "; ".join(f"`{kind}`, {meaning}" for kind, meaning in KINDS.items()) + ".",
    )
    id = serializers.UUIDField(help_text="Which.")


class EntrySerializer(serializers.Serializer[Any]):
    number = serializers.IntegerField(source="line.version", help_text="Counts the wallet's entries from 1, no gaps.")
    event = serializers.CharField(
        source="line.event",
        help_text=(
            "What it is because of: `deposit_confirmed`, `play_money_issued`, `stake_held`, `stake_released`, "
            "`stake_voided`, `single_settled`, `series_settled`, `payout_held`, `manual_adjustment`, `reversal` (about "
            "what it reverses) and others."
        ),
    )
    cause = CauseSerializer(
        allow_null=True, help_text="What it is about, or null for what stands alone, such as play money given."
    )
    table = serializers.UUIDField(allow_null=True, help_text="The table whose stakes it is about, or null.")
    opponent = OpponentSerializer(allow_null=True, help_text="Who else sat there, or null.")
    occurred_at = serializers.DateTimeField(source="line.occurred_at", help_text="When it happened.")
    posted_at = serializers.DateTimeField(source="line.posted_at", help_text="When it was written into the book.")
    change = MoneyField(help_text="What came in, or went out (below zero).")
    balance = MoneyField(help_text="What the wallet held after it.")


class StatementSerializer(serializers.Serializer[Any]):
    next = serializers.URLField(allow_null=True, help_text="Address of the next page; null on the last.")
    previous = serializers.URLField(allow_null=True, help_text="Address of the page before; null on the first.")
    opening = MoneyField(help_text="What the wallet held before the first entry of this page.")
    results = EntrySerializer(many=True, help_text="The entries in the order they were written, the oldest first.")
    closing = MoneyField(help_text="What it held after the last one: opening plus all changes.")


class TotalsQuerySerializer(serializers.Serializer[Any]):
    """The query of totals."""

    currency = serializers.ChoiceField(choices=CODES, help_text="Of which wallet.")
    since = serializers.DateTimeField(
        required=False, help_text="What was written into the book after this instant; without it from the beginning."
    )
    until = serializers.DateTimeField(required=False, help_text="Up to and with this instant; without it until now.")


class TotalsSerializer(serializers.Serializer[Any]):
    paid_in = MoneyField(help_text="Deposits.")
    paid_out = MoneyField(help_text="Payouts that were paid, and deposits that were refunded.")
    taken_back = MoneyField(help_text="What chargebacks have taken; below zero if more was given back.")
    won = MoneyField(help_text="What contests have brought, after commission.")
    lost = MoneyField(help_text="What contests have cost.")
    other = MoneyField(help_text="Bonuses, corrections and play money that was given.")
    net_deposits = MoneyField(help_text="Paid in, less paid out, less taken back.")
    net_deposits_for_life = MoneyField(help_text="The same from the beginning until now, whatever the period.")


class PlayMoneyGivenSerializer(serializers.Serializer[Any]):
    given = MoneyField(help_text="What was given now.")
    wallet = WalletSerializer(help_text="Your play money after it.")


def told(wallet: Wallet) -> dict[str, Any]:
    """A wallet, for its serializer."""
    amounts = ("available", "held", "pending", "bonus", "unclaimed", "owed")
    told = {name: Money(getattr(wallet, name), wallet.currency) for name in amounts}
    return {"currency": wallet.currency, "zone": wallet.zone, **told}


def told_totals(of_period: Totals, for_life: Totals, currency: str) -> dict[str, Money]:
    """Totals, for their serializer."""
    net = {"net_deposits": of_period.net_deposits, "net_deposits_for_life": for_life.net_deposits}
    amounts: dict[str, Decimal] = {**asdict(of_period), **net}
    return {name: Money(amount, currency) for name, amount in amounts.items()}


def told_entry(entry: Entry, currency: str) -> dict[str, Any]:
    """An entry, for its serializer."""
    return {
        "line": entry.line,
        "cause": entry.cause,
        "table": entry.table,
        "opponent": entry.opponent,
        "change": Money(entry.change, currency),
        "balance": Money(entry.line.balance_after, currency),
    }
