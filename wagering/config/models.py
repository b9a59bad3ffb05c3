"""What the API remembers of its clients' requests, for a while."""

from __future__ import annotations

from django.db import models


class Answered(models.Model):
    """A request that was done, and its answer: what the same key is answered again. Kept seven days.

    ``client`` and ``path`` are whose the key is and for what; ``fingerprint`` is the SHA-256 of the query and the body.
    """

    client = models.CharField(max_length=80)
    path = models.CharField(max_length=255)
    key = models.CharField(max_length=200)
    fingerprint = models.CharField(max_length=64)
    status = models.PositiveSmallIntegerField()
    body = models.TextField(help_text="as it was sent")
    headers = models.JSONField(default=dict)
    answered_at = models.DateTimeField(db_index=True)

    class Meta:
        verbose_name_plural = "answered"
        constraints = (models.UniqueConstraint(name="key_is_answered_once", fields=("client", "path", "key")),)

    def __str__(self) -> str:
        return f"{self.path} {self.key}"


class Allowance(models.Model):
    """How much of a rate a client has used: at ``whole_at`` nothing any more. An unlogged table."""

    pk = models.CompositePrimaryKey("client", "rate")
    client = models.CharField(max_length=80)
    rate = models.CharField(max_length=40)
    whole_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.client} {self.rate}"
