"""What is on offer in the lobby, the play money that was given out, and what players say of themselves."""

from __future__ import annotations

import uuid
from typing import Any, ClassVar

from django.db import models
from django.db.models import F, Q

from games.live.rules.pace import Pace
from games.models import Player, Room, Table
from ledger.fields import PlainNumeric
from wagering.commission.models import TariffVersion
from wagering.play.lobby.rules import Agreement
from wagering.stakes.models import LIMIT
from wagering.stakes.rules import Abandonment, Terms

BIOGRAPHY_MAX = 280
RATING_LIMIT = 10_000  # numeric accepts NaN, which is above every number: an upper bound refuses it


class AgreementRow(models.Model):
    """All that two players agree on before they sit down (S-1). Written once; the database refuses a change by name.

    ``cap`` is null for a match. Either ``days`` for each move, or ``move_s`` and ``reserve_s`` (B-15, B-18).
    """

    currency = models.CharField(max_length=4)
    stake = PlainNumeric()
    cap = PlainNumeric(null=True, blank=True)
    match_length = models.PositiveSmallIntegerField(help_text="0 for a single game")
    crawford = models.BooleanField()
    jacoby = models.BooleanField()
    beavers = models.BooleanField()
    automatic_doubles = models.PositiveSmallIntegerField()
    cube = models.BooleanField(default=True)
    move_s = models.PositiveIntegerField(help_text="seconds for each move, before the reserve is touched")
    reserve_s = models.PositiveIntegerField(help_text="seconds of reserve a side has in each game")
    days = models.PositiveSmallIntegerField(null=True, blank=True, help_text="days a move, else empty")
    abandonment = models.CharField(max_length=7, choices=[(policy.value, policy.value) for policy in Abandonment])
    penalty = PlainNumeric(help_text="share of the stake that the side that left pays besides (A-6)")

    class Meta:
        abstract = True
        constraints: ClassVar[tuple[models.BaseConstraint, ...]] = (
            models.CheckConstraint(name="%(class)s_stake_is_an_amount", condition=Q(stake__gt=0, stake__lt=LIMIT)),
            models.CheckConstraint(
                name="%(class)s_has_a_cap_if_single",
                condition=Q(match_length=0, cap__gte=F("stake"), cap__lt=1000 * LIMIT)
                | Q(match_length__gte=1, match_length__lte=25, cap__isnull=True),
            ),
            models.CheckConstraint(
                name="%(class)s_has_money_options_in_money_play",
                condition=Q(match_length=0) | Q(jacoby=False, beavers=False, automatic_doubles=0),
            ),
            models.CheckConstraint(
                name="%(class)s_has_a_cube_to_turn", condition=Q(cube=True) | Q(beavers=False, automatic_doubles=0)
            ),
            models.CheckConstraint(
                name="%(class)s_has_one_pace",
                condition=Q(days__isnull=True, move_s__gte=1)
                | Q(days__isnull=True, reserve_s__gte=1)
                | Q(days__gte=1, move_s=0, reserve_s=0),
            ),
            models.CheckConstraint(
                name="%(class)s_says_what_becomes_of_it_if_left",
                condition=Q(abandonment__in=[policy.value for policy in Abandonment], penalty__gte=0, penalty__lte=1),
            ),
        )

    @property
    def agreement(self) -> Agreement:
        """The same for the rules."""
        return Agreement(
            terms=Terms(
                currency=self.currency,
                stake=self.stake,
                match_length=self.match_length,
                cap=self.cap,
                abandonment=Abandonment(self.abandonment),
                penalty=self.penalty,
                cube=self.cube,
            ),
            pace=Pace(move_s=self.move_s, reserve_s=self.reserve_s, days=self.days),
            crawford=self.crawford,
            jacoby=self.jacoby,
            beavers=self.beavers,
            automatic_doubles=self.automatic_doubles,
        )

    @staticmethod
    def columns(agreement: Agreement) -> dict[str, Any]:
        """The agreement as columns."""
        terms, pace = agreement.terms, agreement.pace
        return {
            "currency": terms.currency,
            "stake": terms.stake,
            "cap": terms.cap,
            "match_length": terms.match_length,
            "abandonment": terms.abandonment.value,
            "penalty": terms.penalty,
            "cube": terms.cube,
            "crawford": agreement.crawford,
            "jacoby": agreement.jacoby,
            "beavers": agreement.beavers,
            "automatic_doubles": agreement.automatic_doubles,
            "move_s": pace.move_s,
            "reserve_s": pace.reserve_s,
            "days": pace.days,
        }


class Offer(AgreementRow):
    """A table that somebody would like to play at. Nothing is held until both agree (S-1).

    It keeps the tariff version it was made with. With an ``opponent`` it is for that player alone, as a rematch is;
    else for whoever comes, within the rating limits. Once agreed it has a ``taker`` and a ``table``, whose terms are
    the offer's own or those of its accepted counter-proposal.
    """

    class State(models.TextChoices):
        OPEN = "open"
        COUNTERED = "countered"
        AGREED = "agreed"
        WITHDRAWN = "withdrawn"
        EXPIRED = "expired"

    STANDING = (State.OPEN, State.COUNTERED)
    """States in which it can still be agreed on."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    room = models.ForeignKey(Room, on_delete=models.PROTECT, related_name="offers")
    zone = models.CharField(max_length=13, choices=Table.Zone)
    tariff = models.ForeignKey(TariffVersion, on_delete=models.PROTECT, related_name="+")
    maker = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="offers")
    opponent = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="+", null=True, blank=True)
    rematch_of = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="rematches", null=True, blank=True)
    rating_min = models.DecimalField(max_digits=6, decimal_places=2, null=True, blank=True)
    rating_max = models.DecimalField(max_digits=6, decimal_places=2, null=True, blank=True)
    made_at = models.DateTimeField()
    expires_at = models.DateTimeField()

    state = models.CharField(max_length=9, choices=State, default=State.OPEN)
    changed_at = models.DateTimeField()
    taker = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="+", null=True, blank=True)
    table = models.OneToOneField(Table, on_delete=models.PROTECT, related_name="offer", null=True, blank=True)

    class Meta(AgreementRow.Meta):
        ordering = ("-made_at", "id")
        indexes = (
            models.Index(name="offer_open", fields=("-made_at", "id"), condition=Q(state="open")),
            models.Index(name="offer_expires", fields=("expires_at",), condition=Q(state__in=["open", "countered"])),
        )
        constraints = (
            *AgreementRow.Meta.constraints,
            models.CheckConstraint(
                name="offer_is_in_its_currencys_zone",
                condition=Q(zone="amateurs", currency="PLAY") | (Q(zone="professionals") & ~Q(currency="PLAY")),
            ),
            models.CheckConstraint(
                name="offer_is_in_a_state",
                condition=Q(state="agreed", taker__isnull=False, table__isnull=False)
                | Q(state__in=["open", "countered", "withdrawn", "expired"], taker__isnull=True, table__isnull=True),
            ),
            models.CheckConstraint(
                name="offer_is_for_somebody_else", condition=~Q(maker=F("taker")) & ~Q(maker=F("opponent"))
            ),
            models.CheckConstraint(
                name="offer_is_taken_by_whom_it_is_for",
                condition=Q(opponent__isnull=True) | Q(taker__isnull=True) | Q(taker=F("opponent")),
            ),
            models.CheckConstraint(
                name="offer_rating_limits_are_numbers",
                condition=(Q(rating_min__isnull=True) | Q(rating_min__gte=0, rating_min__lt=RATING_LIMIT))
                & (Q(rating_max__isnull=True) | Q(rating_max__gte=0, rating_max__lt=RATING_LIMIT))
                & (Q(rating_min__isnull=True) | Q(rating_max__isnull=True) | Q(rating_max__gte=F("rating_min"))),
            ),
            models.UniqueConstraint(
                name="table_has_one_rematch_on_offer",
                fields=("rematch_of",),
                condition=Q(state__in=["open", "countered"]),
            ),
        )

    def __str__(self) -> str:
        return f"{self.stake} {self.currency} by {self.maker}"


class CounterProposal(AgreementRow):
    """Other terms for an offer, by who would be the second player: one a player, and one at a time (S-1)."""

    class State(models.TextChoices):
        PENDING = "pending"
        ACCEPTED = "accepted"
        DECLINED = "declined"
        WITHDRAWN = "withdrawn"
        EXPIRED = "expired"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    offer = models.ForeignKey(Offer, on_delete=models.PROTECT, related_name="counters")
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="+")
    made_at = models.DateTimeField()

    state = models.CharField(max_length=9, choices=State, default=State.PENDING)
    changed_at = models.DateTimeField()

    class Meta(AgreementRow.Meta):
        ordering = ("made_at", "id")
        constraints = (
            *AgreementRow.Meta.constraints,
            models.UniqueConstraint(name="player_counters_an_offer_once", fields=("offer", "player")),
            models.UniqueConstraint(
                name="offer_has_one_counter_pending", fields=("offer",), condition=Q(state="pending")
            ),
            models.CheckConstraint(
                name="counter_is_in_a_state",
                condition=Q(state__in=["pending", "accepted", "declined", "withdrawn", "expired"]),
            ),
        )

    def __str__(self) -> str:
        return f"{self.stake} {self.currency} by {self.player}"


class PlayMoneyIssue(models.Model):
    """Play money that was given to a player: number 0 on first use, the others when it was asked for. Written once."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="+")
    number = models.PositiveIntegerField()
    amount = PlainNumeric()
    day = models.DateField(help_text="in UTC")
    issued_at = models.DateTimeField()

    class Meta:
        ordering = ("-issued_at",)
        constraints = (
            models.UniqueConstraint(name="play_money_is_issued_once_a_number", fields=("player", "number")),
            models.CheckConstraint(name="play_money_is_an_amount", condition=Q(amount__gt=0, amount__lt=LIMIT)),
        )

    def __str__(self) -> str:
        return f"{self.amount} PLAY to {self.player}"


class Profile(models.Model):
    """What a player says of themselves; ``version`` counts the changes (B-18)."""

    player = models.OneToOneField(Player, on_delete=models.PROTECT, primary_key=True, related_name="profile")
    biography = models.CharField(max_length=BIOGRAPHY_MAX, blank=True)
    version = models.PositiveIntegerField(default=0)
    changed_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"of {self.player}"
