"""How contests were paid: settlements, what unfinished games were judged to be worth, and what operators ruled.

Written once: the database refuses any change by name. An adjudication and a ruling are finished once, and then final.
"""

from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from games.rules.endings import Ending, Outcome, Win
from games.rules.sides import Side
from ledger.fields import PlainNumeric
from wagering.stakes.models import LIMIT, Stake


class Settlement(models.Model):
    """What became of a table's stakes: the outcome, the shares it was priced to, the charge and its trace.

    ``winner`` is side 1 or 2, null when the contest was void. ``key`` is the journal's in the book. Of a split (A-3,
    A-4) ``winner`` is the receiver, ``lost`` what moved, and there is no win and there are no points.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    stake = models.OneToOneField(Stake, on_delete=models.PROTECT, related_name="settlement")
    winner = models.PositiveSmallIntegerField(null=True, blank=True)
    win = models.CharField(max_length=10, blank=True)
    cube = models.PositiveIntegerField()
    points = models.PositiveIntegerField()
    ending = models.CharField(max_length=10)
    lost = PlainNumeric()
    commission = PlainNumeric()
    back_1 = PlainNumeric(help_text="out of escrow, to side 1")
    back_2 = PlainNumeric(help_text="out of escrow, to side 2")
    charge = models.JSONField(help_text="tariff, base, tier, rate and every step of the commission; empty when void")
    key = models.CharField(max_length=80, unique=True)
    settled_at = models.DateTimeField()

    class Meta:
        ordering = ("-settled_at",)
        constraints = (
            models.CheckConstraint(
                name="settlement_has_a_winner_or_is_void", condition=Q(winner__in=[1, 2]) | Q(winner=None)
            ),
            models.CheckConstraint(
                name="settlement_amounts_are_amounts",
                condition=Q(
                    lost__gte=0, lost__lt=LIMIT, commission__gte=0, commission__lte=models.F("lost"), back_1__gte=0,
                    back_1__lt=2 * LIMIT, back_2__gte=0, back_2__lt=2 * LIMIT,
                ),
            ),
        )  # fmt: skip

    def __str__(self) -> str:
        return f"settlement of {self.stake}"

    @property
    def is_split(self) -> bool:
        """Whether what the contest was worth moved, and not what somebody had won."""
        return self.ending == Ending.ABANDONED and not self.win


class Adjudication(models.Model):
    """A contest that ended with its game unfinished, and the record of what that game was worth (A-7).

    ``xgid`` is the game as it was left, seen by the side ``on_roll``. ``winner``, ``win``, ``cube`` and ``points`` are
    the referee's word on a game that was lost by the clock or is forfeited (B-15, A-9); of a contest to be split there
    are none. A match that went on no more by the service's fault is split by its score alone: ``xgid`` then has the
    board before its next game (A-8). ``record`` is all that was asked and answered, and every step of the arithmetic;
    money moves by it alone.
    Where no engine at hand can say, ``reason`` tells why, and a contest to be split waits for an operator.
    ``attempts`` counts how often an engine was asked, each time before it is, since it may take its process with it.
    """

    class Cause(models.TextChoices):
        ABANDONED = "abandoned"
        FORFEITED = "forfeited"
        TIMED_OUT = "timed_out"
        SERVICE = "service", "the service's fault"

    class State(models.TextChoices):
        WAITING = "waiting", "waits for its analysis"
        OPERATOR = "operator", "waits for an operator"
        ANALYSED = "analysed", "analysed, not settled yet"
        SETTLED = "settled"

    stake = models.OneToOneField(Stake, on_delete=models.PROTECT, primary_key=True, related_name="adjudication")
    cause = models.CharField(max_length=9, choices=Cause)
    state = models.CharField(max_length=8, choices=State, default=State.WAITING)
    xgid = models.CharField(max_length=80)
    on_roll = models.PositiveSmallIntegerField()
    absent_1 = models.BooleanField()
    absent_2 = models.BooleanField()
    winner = models.PositiveSmallIntegerField(null=True, blank=True)
    win = models.CharField(max_length=10, blank=True)
    cube = models.PositiveIntegerField()
    points = models.PositiveIntegerField(default=0)
    record = models.JSONField(null=True, blank=True)
    reason = models.TextField(blank=True)
    left_at = models.DateTimeField()
    attempts = models.PositiveSmallIntegerField(default=0)
    asked_at = models.DateTimeField(null=True, blank=True)
    analysed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("-left_at",)
        indexes = (
            models.Index(
                name="adjudication_waits", fields=("left_at",), condition=Q(state__in=["waiting", "analysed"])
            ),
        )
        constraints = (
            models.CheckConstraint(
                name="adjudication_is_in_a_state",
                condition=Q(state__in=["waiting", "operator", "analysed", "settled"]),
            ),
            models.CheckConstraint(
                name="adjudication_has_a_cause",
                condition=Q(cause__in=["abandoned", "forfeited", "timed_out", "service"]),
            ),
            models.CheckConstraint(name="adjudication_has_a_side_on_roll", condition=Q(on_roll__in=[1, 2])),
            models.CheckConstraint(
                name="adjudication_has_a_loser_unless_split",
                condition=Q(cause__in=["abandoned", "service"], winner=None, win="", points=0)
                | Q(cause__in=["forfeited", "timed_out"], winner__in=[1, 2], points__gte=1),
            ),
        )

    def __str__(self) -> str:
        return f"adjudication of {self.stake}"

    @property
    def is_split(self) -> bool:
        """Whether what it is worth moves, and not what somebody has lost."""
        return self.winner is None

    @property
    def absent(self) -> tuple[Side, ...]:
        """The sides that were away when it was left."""
        sides: tuple[Side, Side] = (1, 2)
        return tuple(side for side, away in zip(sides, (self.absent_1, self.absent_2), strict=True) if away)

    @property
    def outcome(self) -> Outcome:
        """The referee's word on a game that somebody lost."""
        assert self.winner is not None, f"{self} is a split"
        return Outcome(
            winner=1 if self.winner == 1 else 2,
            win=Win(self.win),
            cube=self.cube,
            points=self.points,
            ending=Ending.TIMED_OUT if self.cause == self.Cause.TIMED_OUT else Ending.ABANDONED,
        )


class Ruling(models.Model):
    """What an operator rules in place of a settlement, or where no engine can say. It counts once a second approves.

    ``transfer`` goes to the side ``receiver`` as a win would, null and 0 for both stakes back. What it came to is
    written with the approval: ``commission``, ``back_1``, ``back_2``, ``charge``, the journal's ``key``, and what the
    sides owe since it had gone on.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    stake = models.ForeignKey(Stake, on_delete=models.PROTECT, related_name="rulings")
    receiver = models.PositiveSmallIntegerField(
        null=True, blank=True, help_text="side 1 or 2; empty if nothing moves and both stakes go back"
    )
    transfer = PlainNumeric(help_text="what moves to the receiver, in the table's currency, before commission")
    reason = models.TextField(help_text="why; the book keeps it")
    asked_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    asked_at = models.DateTimeField()
    approved_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    approved_at = models.DateTimeField(null=True, blank=True)
    commission = PlainNumeric(null=True, blank=True)
    back_1 = PlainNumeric(null=True, blank=True, help_text="out of escrow, to side 1")
    back_2 = PlainNumeric(null=True, blank=True, help_text="out of escrow, to side 2")
    charge = models.JSONField(default=dict, blank=True)
    owed_1 = PlainNumeric(default=0, help_text="what side 1 had no more of what was reversed, and owes")
    owed_2 = PlainNumeric(default=0, help_text="what side 2 had no more of what was reversed, and owes")
    key = models.CharField(max_length=80, blank=True)

    class Meta:
        ordering = ("-asked_at",)
        constraints = (
            models.CheckConstraint(
                name="ruling_moves_something_to_somebody",
                condition=Q(receiver=None, transfer=0) | Q(receiver__in=[1, 2], transfer__gt=0, transfer__lt=LIMIT),
            ),
            models.CheckConstraint(name="ruling_has_a_reason", condition=~Q(reason="")),
            models.CheckConstraint(
                name="ruling_is_approved_by_another",
                condition=Q(approved_by=None, approved_at=None, key="", back_1=None, back_2=None, commission=None)
                | Q(
                    ~Q(approved_by=F("asked_by")), ~Q(key=""), approved_by__isnull=False, approved_at__isnull=False,
                    back_1__gte=0, back_1__lt=2 * LIMIT, back_2__gte=0, back_2__lt=2 * LIMIT, commission__gte=0,
                    commission__lte=F("transfer"),
                ),
            ),
            models.CheckConstraint(
                name="ruling_owes_once_it_counts",
                condition=Q(owed_1=0, owed_2=0) | Q(owed_1__gte=0, owed_2__gte=0, approved_at__isnull=False),
            ),
            models.UniqueConstraint(
                name="one_ruling_counts_a_stake", fields=("stake",), condition=Q(approved_at__isnull=False)
            ),
        )  # fmt: skip

    def __str__(self) -> str:
        return f"ruling on {self.stake}"
