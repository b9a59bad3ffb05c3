"""What is done at tables by the clock and behind the request. Rows say what waits; a message only says: look now."""

from __future__ import annotations

from datetime import timedelta
from typing import Final
from uuid import UUID

from celery import shared_task
from django.db.models import Q
from django.utils import timezone

from games.analysis.engines import PATIENCE
from games.live import pricing
from games.live import selectors as lives
from games.live import services as live
from games.live.rules.stand import Status
from games.live.services import Done
from wagering.play.lobby.tasks import expire_offers  # noqa: F401 - here is where Celery looks for it
from wagering.play.machine import players
from wagering.play.machine import selectors as machines
from wagering.play.machine import services as machine
from wagering.play.tables import services as tables
from wagering.rest import sweeps
from wagering.rest.hints import hint
from wagering.rest.retries import outermost
from wagering.settlement import selectors as settlement
from wagering.settlement.abandonment import services as abandonment
from wagering.settlement.models import Adjudication

State = Adjudication.State

HEARD_IN_TIME: Final = timedelta(seconds=1)
"""An action that came in before the end may still wait for its table: the sweep looks so far back."""


@shared_task
def look_at_the_clock() -> None:
    """Who was not seen is away; what time has brought about happens, and is paid (B-15, A-1).

    Whether the service lives is for those to say that serve players: while none does, no clock runs.
    """
    # First: nothing that goes wrong below keeps it waiting.
    sweeps.each(lives.due(at=timezone.now() - HEARD_IN_TIME), _expire, by="due_at", what="expire")
    live.lapse(now=timezone.now)


@shared_task
def look_for_unfinished() -> None:
    """Games whose hint was lost: those to be analysed or priced, and those that only have to be paid."""
    being_asked = Q(asked_at__gt=timezone.now() - PATIENCE)
    waiting = settlement.in_state(State.WAITING).exclude(being_asked)
    sweeps.each(waiting, _hint_to_adjudicate, by="left_at", what="hint")
    sweeps.each(settlement.in_state(State.ANALYSED), _settle, by="left_at", what="settle")
    sweeps.each(lives.to_be_priced(), _hint_to_price, by="started_at", what="hint")


@shared_task
def look_for_machines() -> None:
    """Tables at which the machine is waited for and whose hint was lost."""
    sweeps.each(machines.waiting(), _machine, by="started_at", what="machine")


@shared_task
def adjudicate(stake: str) -> None:
    """Ask the engine about one game, keep the record, and pay by it."""
    found = abandonment.analyse(stake=UUID(stake), at=timezone.now())
    if found.state == State.ANALYSED:
        _settle(found.pk)


@shared_task
def price(table: str) -> None:
    """Ask the engine what the game costs that was lost by the clock at one table, and go on with the match (B-15)."""
    found = pricing.ask(table=UUID(table), at=timezone.now())
    if found is None:
        return
    done = outermost(tables.price)(table=UUID(table), price=found, now=timezone.now)
    if done is not None:
        hint_what_follows(done, opponent=None)


@shared_task
def machine_goes_on(table: str) -> None:
    """The machine's turn at one table."""
    _machine(UUID(table))


def hint_what_follows(done: Done, *, opponent: UUID | None) -> None:
    """Tell a worker what ``done`` leaves to do: an analysis, or the turn of an ``opponent`` that is the machine."""
    if done.state["status"] == Status.PRICING:
        _hint_to_price(done.table)
    elif done.state["result"] is not None:
        if not done.replayed:
            waiting = settlement.in_state(State.WAITING).filter(stake__table=done.table)
            for stake in waiting.values_list("pk", flat=True):
                _hint_to_adjudicate(stake)
    elif opponent is not None and players.is_machine(opponent):
        hint(machine_goes_on, str(done.table))


def _expire(table: UUID) -> None:
    done = outermost(tables.expire)(table=table, now=timezone.now)
    if done is not None:
        hint_what_follows(done, opponent=None)


def _settle(stake: UUID) -> None:
    outermost(abandonment.settle)(stake=stake, at=timezone.now())


def _machine(table: UUID) -> None:
    machine.go_on(table=table, now=timezone.now)


def _hint_to_price(table: UUID) -> None:
    hint(price, str(table))


def _hint_to_adjudicate(stake: UUID) -> None:
    hint(adjudicate, str(stake))
