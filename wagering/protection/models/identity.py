"""Who a player says they are, under their own key, and what operators found."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.db import models
from django.db.models import Q

from wagering.protection.models.person import Person


class Identity(models.Model):
    """What the person told last: name, date of birth and address sealed by the vault, the country as its code.

    ``digest`` is the same for the same name and date of birth, whoever tells them; ``spellings`` are those of other
    spellings, and of what was told before and not verified. ``proven`` are those of all that an operator has verified,
    and ``proven_country`` is where the person lived by the last of it.
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
    spellings = ArrayField(models.CharField(max_length=64), default=list, blank=True)
    proven = ArrayField(models.CharField(max_length=64), default=list, blank=True)
    proven_country = models.CharField(max_length=2, blank=True)
    told_at = models.DateTimeField()
    judged_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name_plural = "identities"
        indexes = (
            GinIndex(name="identity_by_spellings", fields=("spellings",)),
            GinIndex(name="identity_by_proven", fields=("proven",)),
        )
        constraints = (
            models.CheckConstraint(
                name="identity_is_in_a_state",
                condition=Q(state__in=["unverified", "pending"], judged_at=None)
                | Q(state__in=["verified", "rejected"], judged_at__isnull=False),
            ),
        )

    def __str__(self) -> str:
        return f"identity of {self.person}"

    @property
    def is_proven(self) -> bool:
        """Whether an operator has verified the name and the date of birth that were told last, whatever else waits."""
        return self.digest in self.proven

    @property
    def digests(self) -> list[str]:
        """By which the person is looked for: once that is proven, by nothing else that was ever told."""
        return self.proven if self.is_proven else [self.digest, *self.spellings]


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
