"""The book in the operator's admin: to be read, never to be edited."""

from typing import Any

from django.contrib import admin
from django.db.models import Model, QuerySet
from django.http import HttpRequest
from django.utils.html import format_html_join
from django.utils.safestring import SafeString
from unfold.admin import ModelAdmin

from ledger import book, models
from ledger.chart import AccountRef


class ReadOnlyAdmin(ModelAdmin):
    """The database would refuse the change anyway; the admin does not offer it."""

    def has_add_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


@admin.register(models.Account)
class AccountAdmin(ReadOnlyAdmin):
    list_display = ("code", "owner", "currency", "standing", "guarded", "hot")
    list_filter = ("code", "currency")
    search_fields = ("owner",)

    @admin.display(description="balance")
    def standing(self, account: models.Account) -> str:
        return str(book.balance(AccountRef(account.code, account.owner, account.currency)))


@admin.register(models.Journal)
class JournalAdmin(ReadOnlyAdmin):
    list_display = ("posted_at", "event", "key")
    list_filter = ("event",)
    search_fields = ("key",)
    ordering = ("-id",)
    fields = ("event", "key", "occurred_at", "posted_at", "detail", "entries")
    readonly_fields = ("entries",)
    show_full_result_count = False

    @admin.display(description="entries")
    def entries(self, journal: models.Journal) -> SafeString:
        lines: QuerySet[models.Entry, models.Entry] = models.Entry.objects.filter(journal_id=journal.id)
        accounts: dict[int, Any] = models.Account.objects.in_bulk([line.account_id for line in lines])
        return format_html_join(
            "", "<div>{} {} {}</div>", ((line.side, line.amount, accounts[line.account_id]) for line in lines)
        )


@admin.register(models.Hold)
class HoldAdmin(ReadOnlyAdmin):
    list_display = ("id", "owner", "amount", "currency", "state")
    list_filter = ("state", "currency")
    search_fields = ("id", "owner")
