"""The names of those who own accounts of the book, for settings.BOOK_OWNERS."""

from collections.abc import Collection, Mapping
from uuid import UUID

from django.urls import reverse

from games.models import Player, Room
from ledger.owners import Owner
from wagering.cashier.providers import registry
from wagering.cashier.providers.protocol import account_of


def players_and_rooms(ids: Collection[UUID]) -> Mapping[UUID, Owner]:
    """Each with its page."""
    found = {}
    for model in (Player, Room):
        for row in model._default_manager.filter(pk__in=ids):
            address = reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_change", args=[row.pk])
            found[row.pk] = Owner(str(row), address)
    return found


def providers(ids: Collection[UUID]) -> Mapping[UUID, Owner]:
    """Every payment provider there is code for."""
    named = {account_of(code): Owner(f"{code} (provider)") for code in registry.KNOWN}
    return {account: owner for account, owner in named.items() if account in ids}
