"""Players whose sums count together, and whose money waits until its source is known."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from wagering.protection.models.person import Person


class Link(models.Model):
    """Two players who may be one, or act as one: their sums count together, and an operator looks at them.

    It stands until an operator has found that it is ``none``, with a reason, once.
    """

    one = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="+")
    other = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="+")
    why = models.CharField(max_length=200)
    found_at = models.DateTimeField()
    looked_at = models.DateTimeField(null=True, blank=True, help_text="when an operator has looked at it")
    none_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    none_reason = models.TextField(blank=True, default="", help_text="why they are not one; their sums count apart")
    none_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("-found_at",)
        constraints = (
            models.CheckConstraint(name="link_is_between_two", condition=Q(one__lt=F("other"))),
            models.UniqueConstraint(name="two_are_linked_once", fields=("one", "other"), condition=Q(none_at=None)),
            models.UniqueConstraint(name="two_are_linked_once_because_of_it", fields=("one", "other", "why")),
            models.CheckConstraint(
                name="link_is_none_by_an_operator",
                condition=Q(none_at=None, none_by=None, none_reason="")
                | Q(~Q(none_reason=""), none_at__isnull=False, none_by__isnull=False),
            ),
        )

    def __str__(self) -> str:
        return f"{self.one} and {self.other}"


class FundsLock(models.Model):
    """The person shows where the money comes from, or nothing more comes in or goes out.

    Set by an ``operator``, or for null by the sums; lifted by an operator with a reason, once.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    person = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="funds_locks")
    operator = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    reason = models.TextField()
    set_at = models.DateTimeField()
    lifted_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    lifted_reason = models.TextField(blank=True)
    lifted_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("-set_at",)
        constraints = (
            models.CheckConstraint(name="funds_lock_has_a_reason", condition=~Q(reason="")),
            models.CheckConstraint(
                name="funds_lock_is_lifted_by_an_operator",
                condition=Q(lifted_at=None, lifted_by=None, lifted_reason="")
                | Q(~Q(lifted_reason=""), lifted_at__isnull=False, lifted_at__gte=F("set_at"), lifted_by__isnull=False),
            ),
            models.UniqueConstraint(name="one_funds_lock_a_person", fields=("person",), condition=Q(lifted_at=None)),
        )

    def __str__(self) -> str:
        return f"lock of {self.person}"
