"""What a player pays from, or is paid to."""

from __future__ import annotations

import uuid

from django.db import models
from django.db.models import Q

from games.models import Player


class Method(models.Model):
    """A card at a ``provider``, by its token there; or with ``bank`` for provider, an account.

    ``last4`` is of the card's number or the account's. Holder and IBAN are sealed (``wagering.vault``), and
    ``iban_digest`` finds an account again. What is ``blocked_at`` an instant is neither paid from nor to any more. What
    the player has ``replaced``, by the same account under another name, comes back when it is added again.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="payment_methods")
    provider = models.CharField(max_length=20)
    token = models.CharField(max_length=200)
    brand = models.CharField(max_length=40)
    last4 = models.CharField(max_length=4)
    can_receive = models.BooleanField()
    holder = models.BinaryField(null=True, blank=True)
    iban = models.BinaryField(null=True, blank=True)
    iban_digest = models.CharField(max_length=64, blank=True, default="")
    added_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True, blank=True)
    blocked_at = models.DateTimeField(null=True, blank=True)
    replaced = models.BooleanField(default=False)

    class Meta:
        ordering = ("added_at", "id")
        indexes = (
            models.Index(name="method_by_token", fields=("provider", "token")),
            models.Index(name="method_by_iban", fields=("iban_digest",), condition=~Q(iban_digest="")),
        )
        constraints = (
            models.UniqueConstraint(name="player_has_a_method_once", fields=("player", "provider", "token")),
            models.CheckConstraint(name="method_shows_four_at_most", condition=Q(last4__regex=r"^[0-9A-Z]{0,4}$")),
            models.CheckConstraint(name="method_has_a_token", condition=~Q(token="")),
            models.CheckConstraint(
                name="method_that_is_replaced_is_blocked", condition=Q(replaced=False) | Q(blocked_at__isnull=False)
            ),
        )

    def __str__(self) -> str:
        return f"{self.brand} …{self.last4}"
