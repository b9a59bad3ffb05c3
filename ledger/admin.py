"""The book in the operator's admin: to be read, never to be edited."""

from __future__ import annotations

from typing import Any, Final

from django.contrib import admin
from django.db.models import Model
from django.http import HttpRequest
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from unfold.admin import ModelAdmin

from ledger import book, models, owners
from ledger.chart import AccountRef

LATEST: Final = 25
"""So many entries are shown of an account."""


class ReadOnlyAdmin(ModelAdmin):
    """The database would refuse the change anyway; the admin does not offer it."""

    def has_add_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


def linked(row: Model | None, text: str = "") -> SafeString:
    """A link to the row's page in the admin, by its own name unless told; a dash for none."""
    if row is None:
        return format_html("{}", "–")
    address = reverse(f"admin:{row._meta.app_label}_{row._meta.model_name}_change", args=[row.pk])
    return format_html('<a href="{}" class="underline">{}</a>', address, text or str(row))


class OwnedAdmin(ReadOnlyAdmin):
    """Rows that have an owner: a page of them asks for all the names at once."""

    def get_changelist_instance(self, request: HttpRequest) -> Any:
        listed = super().get_changelist_instance(request)
        found = owners.named({row.owner for row in listed.result_list})
        for row in listed.result_list:
            row.owners = found
        return listed

    @admin.display(description="owner", ordering="owner")
    def whose(self, row: Any) -> SafeString:
        return owners.told(row.owner, getattr(row, "owners", None) or owners.named({row.owner}))


@admin.register(models.Account)
class AccountAdmin(OwnedAdmin):
    list_display = ("code", "whose", "currency", "standing")
    list_filter = ("code", "currency")
    search_fields = ("owner",)
    search_help_text = "the id of an owner: of a player, a room, a provider"
    fields = ("code", "whose", "currency", "grows_on", "guarded", "hot", "standing", "latest")
    readonly_fields = ("whose", "standing", "latest")

    def get_changelist_instance(self, request: HttpRequest) -> Any:
        listed = super().get_changelist_instance(request)
        balances = book.balances([_ref(account) for account in listed.result_list])
        for account in listed.result_list:
            account.balance = balances[_ref(account)]
        return listed

    @admin.display(description="balance")
    def standing(self, account: models.Account) -> str:
        known = getattr(account, "balance", None)
        return str(book.balance(_ref(account)) if known is None else known)

    @admin.display(description="latest entries")
    def latest(self, account: models.Account) -> SafeString:
        entries = models.Entry.objects.filter(account_id=account.pk).order_by("-version")
        versions = list(entries.values_list("version", flat=True)[:LATEST])
        after = versions[-1] - 1 if versions else 0
        statement = book.statement(_ref(account), after=after, limit=LATEST)
        journals = models.Journal.objects.in_bulk({line.key for line in statement.lines}, field_name="key")
        lines = [(line, linked(journals[line.key], line.event)) for line in reversed(statement.lines)]
        return render_to_string("ledger/statement.html", {"lines": lines})


@admin.register(models.Journal)
class JournalAdmin(ReadOnlyAdmin):
    list_display = ("posted_at", "event", "key")
    list_filter = ("event",)
    search_fields = ("key",)
    search_help_text = "a key of the book: the event, and the id of what it is about"
    ordering = ("-id",)
    fields = ("event", "key", "occurred_at", "posted_at", "undoes", "undone", "detail", "entries")
    readonly_fields = ("undoes", "undone", "entries")
    show_full_result_count = False

    @admin.display(description="reverses")
    def undoes(self, journal: models.Journal) -> SafeString:
        return linked(models.Journal.objects.filter(pk=journal.reverses).first())

    @admin.display(description="reversed by")
    def undone(self, journal: models.Journal) -> SafeString:
        return linked(models.Journal.objects.filter(key=f"reverse:{journal.pk}", reverses=journal.pk).first())

    @admin.display(description="entries")
    def entries(self, journal: models.Journal) -> SafeString:
        found = list(models.Entry.objects.filter(journal_id=journal.pk).order_by("-side", "account_id"))
        accounts: dict[int, models.Account] = models.Account.objects.in_bulk({entry.account_id for entry in found})
        names = owners.named({account.owner for account in accounts.values()})
        told = [(entry, accounts[entry.account_id]) for entry in found]
        lines = [
            (entry, account, linked(account, account.code), owners.told(account.owner, names))
            for entry, account in told
        ]
        return render_to_string("ledger/entries.html", {"lines": lines})


@admin.register(models.Hold)
class HoldAdmin(OwnedAdmin):
    list_display = ("id", "whose", "amount", "currency", "state")
    list_filter = ("state", "currency")
    search_fields = ("id", "owner")
    search_help_text = "the id of a hold or of an owner"
    fields = ("id", "whose", "amount", "currency", "state", "opened", "closed")
    readonly_fields = ("whose", "opened", "closed")

    @admin.display(description="opened by")
    def opened(self, hold: models.Hold) -> SafeString:
        return linked(models.Journal.objects.filter(pk=hold.opened_by).first())

    @admin.display(description="closed by")
    def closed(self, hold: models.Hold) -> SafeString:
        return linked(models.Journal.objects.filter(pk=hold.closed_by).first())


def _ref(account: models.Account) -> AccountRef:
    return AccountRef(account.code, account.owner, account.currency)
