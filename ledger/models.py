"""The book's tables. Private to ``ledger``: everyone else goes through ``ledger/book.py`` (an import contract says so).

The application's role may only read these tables; they are written by the functions in ``ledger/sql``. There are
no foreign keys: the functions and the statement trigger on entries check what a key would, at a third of the cost.
"""

from django.db import models

from ledger.fields import PlainNumeric, Xid8


class Currency(models.Model):
    """A unit of account, copied from ``ledger/money.py`` so that the database can check scale and zone."""

    code = models.TextField(primary_key=True)
    minor_digits = models.SmallIntegerField()
    zone = models.TextField()

    class Meta:
        verbose_name_plural = "currencies"

    def __str__(self) -> str:
        return self.code


class Kind(models.Model):
    """A sort of account, copied from ``ledger/chart.py``."""

    code = models.TextField(primary_key=True)
    grows_on = models.TextField()
    guarded = models.BooleanField()
    hot = models.BooleanField()
    professionals = models.BooleanField()
    amateurs = models.BooleanField()

    def __str__(self) -> str:
        return self.code


class Account(models.Model):
    """One place where money can be. Never changes once opened."""

    id = models.BigAutoField(primary_key=True)
    code = models.TextField()
    owner = models.UUIDField()
    currency = models.TextField()
    grows_on = models.TextField()
    minor_digits = models.SmallIntegerField()
    guarded = models.BooleanField()
    hot = models.BooleanField()

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["code", "owner", "currency"], name="ledger_account_named_once"),
            models.CheckConstraint(
                condition=~models.Q(guarded=True, hot=True), name="ledger_account_not_guarded_and_hot"
            ),
        )

    def __str__(self) -> str:
        return f"{self.code}:{self.owner}:{self.currency}"


class Balance(models.Model):
    """An account's standing after the entry of ``version``: a cold one's latest, a hot one's last folded in."""

    account_id = models.BigIntegerField(primary_key=True)
    guarded = models.BooleanField()
    hot = models.BooleanField()
    amount = PlainNumeric()
    version = models.BigIntegerField()
    posted_at = models.DateTimeField(null=True)

    class Meta:
        constraints = (
            models.CheckConstraint(
                condition=models.Q(guarded=False) | models.Q(amount__gte=0), name="ledger_balance_never_overdrawn"
            ),
        )


class Journal(models.Model):
    """A voucher in the book, once by its ``key``. ``xact`` wrote it, so that no entry can join it later."""

    id = models.BigAutoField(primary_key=True)
    key = models.TextField()
    event = models.TextField()
    fingerprint = models.BinaryField()
    occurred_at = models.DateTimeField()
    posted_at = models.DateTimeField()
    reverses = models.BigIntegerField(null=True)
    xact = Xid8()
    detail = models.JSONField()

    class Meta:
        # Not unique=True: that makes Django add a second index, for LIKE.
        constraints = (models.UniqueConstraint(fields=["key"], name="ledger_journal_key_once"),)

    def __str__(self) -> str:
        return self.key


class Entry(models.Model):
    """One line of a journal. A cold account's versions are gapless; a hot one's version is its journal's id."""

    pk = models.CompositePrimaryKey("account_id", "version")
    account_id = models.BigIntegerField()
    version = models.BigIntegerField()
    journal_id = models.BigIntegerField(db_index=True)
    side = models.TextField()
    amount = PlainNumeric()
    balance_after = PlainNumeric(null=True)

    class Meta:
        verbose_name_plural = "entries"
        constraints = (
            models.CheckConstraint(condition=models.Q(side__in=["DR", "CR"]), name="ledger_entry_side"),
            # NaN is greater than every number in PostgreSQL, so the upper bound keeps it out, and infinity too.
            models.CheckConstraint(
                condition=models.Q(amount__gt=0) & models.Q(amount__lt=10**12), name="ledger_entry_amount"
            ),
        )


class Hold(models.Model):
    """Money set aside in an owner's escrow account; closed once."""

    class State(models.TextChoices):
        OPEN = "OPEN"
        CAPTURED = "CAPTURED"
        RELEASED = "RELEASED"

    id = models.UUIDField(primary_key=True)
    owner = models.UUIDField()
    currency = models.TextField()
    amount = PlainNumeric()
    state = models.TextField(choices=State)
    opened_by = models.BigIntegerField(db_index=True)
    closed_by = models.BigIntegerField(null=True, db_index=True)

    class Meta:
        constraints = (
            models.CheckConstraint(
                condition=models.Q(amount__gt=0) & models.Q(amount__lt=10**12), name="ledger_hold_amount"
            ),
            models.CheckConstraint(
                condition=models.Q(state="OPEN", closed_by__isnull=True)
                | models.Q(state__in=["CAPTURED", "RELEASED"], closed_by__isnull=False),
                name="ledger_hold_closed_by_a_journal",
            ),
        )

    def __str__(self) -> str:
        return f"{self.amount} {self.currency} {self.state}"


class Sealed(models.Model):
    """A journal's number, without gaps, and the hash of everything up to it."""

    number = models.BigIntegerField(primary_key=True)
    journal_id = models.BigIntegerField(unique=True)
    sha256 = models.BinaryField()

    class Meta:
        verbose_name_plural = "sealed"


class Seal(models.Model):
    """One run of the seal over the numbers ``first`` to ``last``; ``totals`` are those of the book up to ``last``."""

    last = models.BigIntegerField(primary_key=True)
    first = models.BigIntegerField()
    count = models.BigIntegerField()
    totals = models.JSONField()
    posted_until = models.DateTimeField()
    sealed_at = models.DateTimeField()
    sha256 = models.BinaryField()
    previous = models.BinaryField(null=True)
