"""Who is long away is told, then the money is set apart; it is theirs again when they are back."""

from __future__ import annotations

from datetime import datetime, timedelta
from decimal import Decimal

import pytest
from django.utils import timezone

from games.models import Player
from ledger import book, chart, proofs
from tests.access.callers import log_in, register
from tests.factories import fund, person, wallet
from tests.protection.people import now, stake_of
from wagering.notices.models import Notice
from wagering.protection import dormancy
from wagering.protection import proofs as ours
from wagering.protection.arrivals import arrived
from wagering.protection.models import Absence
from wagering.protection.tasks import look_for_the_absent

pytestmark = pytest.mark.django_db

DAY = timedelta(days=1)


def apart(player: Player) -> Decimal:
    return book.balance(chart.players("unclaimed", player.pk, "USD"))


def looks(monkeypatch: pytest.MonkeyPatch, *, at: datetime) -> None:
    """The sweep, then."""
    monkeypatch.setattr(timezone, "now", lambda: at)
    look_for_the_absent()


def test_a_notice_comes_first_and_the_money_is_set_apart_a_term_later(monkeypatch: pytest.MonkeyPatch) -> None:
    ann = person(funds="100.00")
    away = now() + 366 * DAY
    looks(monkeypatch, at=now() + 364 * DAY)
    assert Absence.objects.count() == 0
    looks(monkeypatch, at=away)
    looks(monkeypatch, at=away)
    absence = Absence.objects.get()
    assert (absence.told_at, absence.due_at, absence.unclaimed_at) == (away, away + 90 * DAY, None)
    notice = Notice.objects.get(player=ann)
    assert notice.data == {
        "absence": str(absence.pk), "amount": "100.00", "currency": "USD",
        "due_at": absence.due_at.isoformat().replace("+00:00", "Z"),
    }  # fmt: skip
    looks(monkeypatch, at=away + 89 * DAY)
    assert wallet(ann) == 100
    for _ in range(2):
        looks(monkeypatch, at=away + 90 * DAY)
        assert (wallet(ann), apart(ann)) == (Decimal(0), Decimal(100))
        assert ours.unclaimed_is_told().holds
    looks(monkeypatch, at=away + 900 * DAY)
    assert Absence.objects.count() == 1


def test_at_the_next_log_in_it_is_theirs_again(monkeypatch: pytest.MonkeyPatch) -> None:
    register("ann")
    ann = Player.objects.get(name="ann")
    fund(ann, "100.00")
    away = now() + 366 * DAY
    looks(monkeypatch, at=away)
    looks(monkeypatch, at=away + 90 * DAY)
    assert wallet(ann) == 0
    assert log_in("ann").status_code == 201
    assert (wallet(ann), apart(ann)) == (Decimal(100), Decimal(0))
    arrived(player=ann, at=away + 91 * DAY)
    assert wallet(ann) == 100
    assert ours.unclaimed_is_told().holds
    assert all(proof.holds for proof in proofs.run())


def test_who_logs_in_after_the_notice_keeps_the_money(monkeypatch: pytest.MonkeyPatch) -> None:
    ann = person(funds="100.00")
    away = now() + 366 * DAY
    looks(monkeypatch, at=away)
    arrived(player=ann, at=away + DAY)
    looks(monkeypatch, at=away + 91 * DAY)
    assert wallet(ann) == 100
    looks(monkeypatch, at=away + 367 * DAY)  # away anew: told anew
    assert [each.ended_at is None for each in Absence.objects.order_by("told_at")] == [False, True]


def test_whose_game_goes_on_is_not_away(monkeypatch: pytest.MonkeyPatch) -> None:
    stake = stake_of("5", cap="15")
    ann = stake.table.player_1
    dormancy.look(player=person("cy", funds="1"), at=now() + 366 * DAY)
    assert Absence.objects.count() == 1
    assert wallet(ann) > 0
    ann.user = person("dee", funds=None).user
    Player.objects.filter(user=ann.user).update(user=None)
    ann.save()
    dormancy.look(player=ann, at=now() + 366 * DAY)
    assert Absence.objects.count() == 1


def test_play_money_is_not_set_apart() -> None:
    ann = person(funds="100.00", currency="PLAY")
    dormancy.look(player=ann, at=now() + 366 * DAY)
    assert Absence.objects.count() == 0


def test_the_proof_finds_an_absence_that_the_book_does_not_know() -> None:
    ann = person(funds="100.00")
    dormancy.look(player=ann, at=now() + 366 * DAY)
    absence = Absence.objects.get()
    Absence.objects.filter(pk=absence.pk).update(amount=100, unclaimed_at=absence.due_at)
    found = ours.unclaimed_is_told()
    assert found.fault
    assert str(absence.pk) in found.fault
