"""What is on the table: the terms two players agreed to, fixed when they sat down; and whom a player lets stake."""

from __future__ import annotations

import uuid
from decimal import Decimal

from django.db import models
from django.db.models import Q

from games.models import Player, Room, Table
from ledger.fields import PlainNumeric
from ledger.vouchers import Hold
from ratings.rules import Standing
from wagering.commission.models import TariffVersion
from wagering.stakes.rules import Abandonment, Terms, exposure

LIMIT = 10**12  # numeric accepts NaN, which is above every number: an upper bound refuses it


class Stake(models.Model):
    """The money side of a table: currency, stake, cap, tariff version and both ratings at sit-down; one a table.
    What happens when a side leaves is agreed with them: ``abandonment``, and a ``penalty`` as a share of the stake.

    ``cap`` is null for a match, which costs its ``stake``. ``hold_1`` and ``hold_2`` are what each seat set aside in
    the book.
    """

    class State(models.TextChoices):
        HELD = "held"
        RELEASED = "released"
        SETTLED = "settled"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    table = models.OneToOneField(Table, on_delete=models.PROTECT, related_name="stake")
    currency = models.CharField(max_length=4)
    stake = PlainNumeric()
    cap = PlainNumeric(null=True, blank=True)
    abandonment = models.CharField(
        max_length=7,
        choices=[(policy.value, policy.value) for policy in Abandonment],
        default=Abandonment.SPLIT.value,
        help_text="what becomes of the contest when a side leaves it (A-9)",
    )
    penalty = PlainNumeric(default=Decimal(0), help_text="share of the stake that a side that leaves pays besides")
    tariff = models.ForeignKey(TariffVersion, on_delete=models.PROTECT, related_name="+")
    rating_1 = models.DecimalField(max_digits=10, decimal_places=6)
    rating_2 = models.DecimalField(max_digits=10, decimal_places=6)
    experience_1 = models.PositiveIntegerField()
    experience_2 = models.PositiveIntegerField()
    hold_1 = models.UUIDField(default=uuid.uuid4, unique=True)
    hold_2 = models.UUIDField(default=uuid.uuid4, unique=True)
    state = models.CharField(max_length=8, choices=State, default=State.HELD)
    sat_down_at = models.DateTimeField()

    class Meta:
        ordering = ("-sat_down_at",)
        constraints = (
            models.CheckConstraint(name="stake_is_an_amount", condition=Q(stake__gt=0, stake__lt=LIMIT)),
            models.CheckConstraint(
                name="stake_cap_is_at_least_the_stake",
                condition=Q(cap__isnull=True) | Q(cap__gte=models.F("stake"), cap__lt=LIMIT),
            ),
            models.CheckConstraint(
                name="stake_says_what_leaving_means",
                condition=Q(abandonment__in=[policy.value for policy in Abandonment]),
            ),
            models.CheckConstraint(name="stake_penalty_is_a_share", condition=Q(penalty__gte=0, penalty__lte=1)),
            models.CheckConstraint(name="stake_is_in_a_state", condition=Q(state__in=["held", "released", "settled"])),
        )

    def __str__(self) -> str:
        return f"{self.stake} {self.currency}, {self.table}"

    @property
    def terms(self) -> Terms:
        """The agreement, for the rules."""
        return Terms(
            currency=self.currency,
            stake=self.stake,
            match_length=self.table.match_length,
            cap=self.cap,
            abandonment=Abandonment(self.abandonment),
            penalty=self.penalty,
            cube=self.table.cube,
        )

    @property
    def standings(self) -> tuple[Standing, Standing]:
        """Both ratings as they were at sit-down."""
        return Standing(self.rating_1, self.experience_1), Standing(self.rating_2, self.experience_2)

    @property
    def holds(self) -> tuple[Hold, Hold]:
        """What each seat set aside, side 1 first."""
        held = exposure(self.terms)
        one, two = self.table.seats
        return Hold(self.hold_1, one.pk, self.currency, held), Hold(self.hold_2, two.pk, self.currency, held)


class Session(models.Model):
    """A player lets one room's server stake from the wallet, in one currency, until it expires or is ended.

    Of its token only the SHA-256 is kept. ``client`` is the player's own token, which is deleted when it ends.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="+")
    room = models.ForeignKey(Room, on_delete=models.PROTECT, related_name="+")
    currency = models.CharField(max_length=4)
    digest = models.CharField(max_length=64, unique=True)
    client = models.UUIDField(null=True, editable=False, help_text="the player's token that it was opened by")
    opened_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("-opened_at",)
        db_table = "seamless_session"  # the seamless wallet asked first, and alone

    def __str__(self) -> str:
        return f"{self.player} at {self.room}"
