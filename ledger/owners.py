"""Whose an account is, for people: an account knows its owner by an id, and settings.BOOK_OWNERS who knows names."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import NamedTuple
from uuid import UUID

from django.conf import settings
from django.utils.html import format_html
from django.utils.module_loading import import_string
from django.utils.safestring import SafeString

from ledger.chart import HOUSE


class Owner(NamedTuple):
    """A ``name``, and the ``address`` of a page about who has it; empty if there is none."""

    name: str
    address: str = ""


def named(ids: Collection[UUID]) -> Mapping[UUID, Owner]:
    """The owners of those ids; one that nobody knows is not among them."""
    found = {HOUSE: Owner("the house")}
    for path in settings.BOOK_OWNERS:
        found |= import_string(path)(ids)
    return found


def told(owner: UUID, owners: Mapping[UUID, Owner]) -> SafeString:
    """The name, as a link, and the id beside it."""
    known = owners.get(owner)
    if known is None:
        return format_html("{}", owner)
    name = (
        format_html('<a href="{}" class="underline">{}</a>', known.address, known.name) if known.address else known.name
    )
    return format_html('{} <span class="text-xs opacity-60">{}</span>', name, "" if owner == HOUSE else owner)
