"""What a player, or an operator for them, has said that they may deposit, lose and stake."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from ledger.fields import PlainNumeric
from wagering.protection.limits.rules import Kind, Window
from wagering.protection.models.person import Person

LIMIT = 10**12  # numeric accepts NaN, which is above every number: an upper bound refuses it


class Limit(models.Model):
    """One word about one limit: ``amount`` in the ``window``, null for no limit. The latest that is confirmed holds.

    A decrease is confirmed as it is asked for. An increase is ``due_at`` a day later, and waits for the player's second
    word from then on; any later word withdraws it.
    """

    class By(models.TextChoices):
        PLAYER = "player"
        OPERATOR = "operator"

    person = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="limits")
    kind = models.CharField(max_length=7, choices=[(each.value, each.value) for each in Kind])
    window = models.CharField(max_length=3, choices=[(each.value, each.value) for each in Window])
    currency = models.CharField(max_length=4)
    by = models.CharField(max_length=8, choices=By)
    amount = PlainNumeric(null=True, blank=True, help_text="at most so much in the window; empty for no limit")
    operator = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    reason = models.TextField(blank=True)
    asked_at = models.DateTimeField()
    due_at = models.DateTimeField(help_text="from when it can be confirmed")
    confirmed_at = models.DateTimeField(null=True, blank=True)
    withdrawn_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("-id",)
        indexes = (
            models.Index(name="limits_of_a_person", fields=("person", "currency"), condition=Q(withdrawn_at=None)),
        )
        constraints = (
            models.CheckConstraint(name="limit_is_of_a_kind", condition=Q(kind__in=[each.value for each in Kind])),
            models.CheckConstraint(name="limit_has_a_window", condition=Q(window__in=[each.value for each in Window])),
            models.CheckConstraint(
                name="limit_is_an_amount", condition=Q(amount=None) | Q(amount__gte=0, amount__lt=LIMIT)
            ),
            models.CheckConstraint(
                name="limit_is_said_by_somebody",
                condition=Q(by="player", operator=None) | Q(~Q(reason=""), by="operator", operator__isnull=False),
            ),
            models.CheckConstraint(
                name="limit_is_confirmed_when_due",
                condition=Q(due_at__gte=F("asked_at"))
                & (Q(confirmed_at=None) | Q(confirmed_at__gte=F("due_at"), withdrawn_at=None)),
            ),
            models.UniqueConstraint(
                name="one_limit_of_a_sort_is_pending",
                fields=("person", "kind", "window", "currency", "by"),
                condition=Q(confirmed_at=None, withdrawn_at=None),
            ),
        )

    def __str__(self) -> str:
        most = "nothing is limited" if self.amount is None else f"at most {self.amount} {self.currency}"
        return f"{self.kind} in {self.window}: {most}"
