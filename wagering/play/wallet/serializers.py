"""Wallets and statements, field by field."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from games.models import Table
from ledger import money
from wagering.play.wallet.selectors import Entry, Wallet
from wagering.rest.money_field import Money, MoneyField

CODES = [(code, code) for code in sorted(money.CURRENCIES)]
ENTRY_MAX = 2**63 - 1
PAGE_MAX = 200


class WalletSerializer(serializers.Serializer[Any]):
    currency = serializers.ChoiceField(choices=CODES, help_text="ISO 4217, or PLAY for play money.")
    zone = serializers.ChoiceField(choices=Table.Zone.choices, help_text="Where it can be staked (Z).")
    available = MoneyField(help_text="What can be staked now.")
    held = MoneyField(help_text="What is in escrow at tables, until each contest ends.")


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


class EntrySerializer(serializers.Serializer[Any]):
    number = serializers.IntegerField(source="line.version", help_text="Counts the wallet's entries from 1, no gaps.")
    event = serializers.CharField(
        source="line.event",
        help_text=(
            "What it is because of: `deposit_confirmed`, `play_money_issued`, `stake_held`, `stake_released`, "
            "`stake_voided`, `single_settled`, `series_settled`, `manual_adjustment`, `reversal` and others."
        ),
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


class PlayMoneyGivenSerializer(serializers.Serializer[Any]):
    given = MoneyField(help_text="What was given now.")
    wallet = WalletSerializer(help_text="Your play money after it.")


def told(wallet: Wallet) -> dict[str, Any]:
    """A wallet, for its serializer."""
    return {
        "currency": wallet.currency,
        "zone": wallet.zone,
        "available": Money(wallet.available, wallet.currency),
        "held": Money(wallet.held, wallet.currency),
    }


def told_entry(entry: Entry, currency: str) -> dict[str, Any]:
    """An entry, for its serializer."""
    return {
        "line": entry.line,
        "table": entry.table,
        "opponent": entry.opponent,
        "change": Money(entry.change, currency),
        "balance": Money(entry.line.balance_after, currency),
    }
