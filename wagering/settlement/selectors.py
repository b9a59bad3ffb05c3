"""What waits to be settled, and what was ruled."""

from django.db.models import QuerySet

from wagering.settlement.models import Adjudication, Ruling


def in_state(state: Adjudication.State) -> QuerySet[Adjudication]:
    """Contests that were left, or lost by the clock, and are in ``state``."""
    return Adjudication.objects.filter(state=state)


def to_approve() -> QuerySet[Ruling]:
    """Rulings that no second operator has approved, of contests that none was approved for."""
    ruled = Ruling.objects.filter(approved_at__isnull=False).values("stake")
    return Ruling.objects.filter(approved_at=None).exclude(stake__in=ruled)
