"""Who a player says they are, under their own key, and what operators found."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q

from wagering.protection.models.person import Person


class Identity(models.Model):
    """What the person told last: name, date of birth and address sealed by the vault, the country as its code.

    ``digest`` is the same for the same name and date of birth, whoever tells them.
    """

    class State(models.TextChoices):
        UNVERIFIED = "unverified"
        PENDING = "pending"
        VERIFIED = "verified"
        REJECTED = "rejected"

    person = models.OneToOneField(Person, on_delete=models.PROTECT, primary_key=True, related_name="identity")
    state = models.CharField(max_length=10, choices=State, default=State.UNVERIFIED)
    country = models.CharField(max_length=2)
    name = models.BinaryField()
    birth_date = models.BinaryField()
    address = models.BinaryField()
    digest = models.CharField(max_length=64, db_index=True)
    told_at = models.DateTimeField()
    judged_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name_plural = "identities"
        constraints = (
            models.CheckConstraint(
                name="identity_is_in_a_state",
                condition=Q(state__in=["unverified", "pending"], judged_at=None)
                | Q(state__in=["verified", "rejected"], judged_at__isnull=False),
            ),
        )

    def __str__(self) -> str:
        return f"identity of {self.person}"


class Review(models.Model):
    """An operator's word on what was told: why, and where the documents are that were seen. Written once."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    identity = models.ForeignKey(Identity, on_delete=models.PROTECT, related_name="reviews")
    verified = models.BooleanField()
    reason = models.TextField()
    documents = models.CharField(max_length=200, blank=True, help_text="where the documents are kept that were seen")
    operator = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField()

    class Meta:
        ordering = ("-at",)
        constraints = (
            models.CheckConstraint(
                name="review_has_a_reason", condition=~Q(reason="") & (Q(verified=False) | ~Q(documents=""))
            ),
        )

    def __str__(self) -> str:
        return f"review of {self.identity}"
