"""Alerts: found in what was played, once, told to operators, and judged once by one of them."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games.models import Player, User
from games.services import open_table
from tests.factories import RoomFactory, person, terms
from tests.games import texts
from wagering.notices.models import Notice
from wagering.settlement.services import settle_record
from wagering.stakes.services import sit_down
from wagering.surveillance import alerts, tasks
from wagering.surveillance.models import Alert
from wagering.surveillance.rules import Kind

pytestmark = pytest.mark.django_db

AT_ONCE = texts.money(texts.OPENING + "      Wins 1 point\n")
"""Side 2 resigns after a play of each."""


def gives_away(giver: Player, taker: Player, *, games: int, stake: str = "48", at: datetime) -> None:
    """One game after the other, five minutes apart, the last of them now."""
    room = RoomFactory.create(charges="gammonempire")
    for place in range(games):
        then = at - timedelta(minutes=5 * (games - 1 - place))
        table = open_table(room=room, zone="professionals", players=(taker, giver), match_length=0, at=then)
        sit_down(table=table, terms=terms(stake, cap=stake), at=then)
        settle_record(table=table, text=AT_ONCE, at=then)


@pytest.fixture
def pair() -> tuple[Player, Player]:
    """ann, who has just come and paid in, and bob, who has been here for long."""
    ann, bob = person("ann", funds="500"), person("bob", funds="100")
    assert bob.user
    User.objects.filter(pk=bob.user.pk).update(date_joined=timezone.now() - timedelta(days=400))
    return ann, bob


def kinds(player: Player) -> set[str]:
    return {alert.kind for alert in alerts.open_for(player)}


def operator() -> User:
    return User.objects.get_or_create(username="operator", defaults={"is_staff": True, "is_superuser": True})[0]


def test_chips_are_dumped_and_the_takers_payout_has_to_wait(pair: tuple[Player, Player]) -> None:  # case 30
    ann, bob = pair
    at = timezone.now()
    gives_away(ann, bob, games=10, at=at)
    alerts.look_at(player=bob, at=at)
    assert kinds(bob) == {Kind.CHIP_DUMPING, Kind.RESIGN_DEPTH, Kind.CASH_OUT_PATH}
    dumping = Alert.objects.get(kind=Kind.CHIP_DUMPING)
    assert (dumping.loser, dumping.winner, dumping.currency) == (ann, bob, "USD")
    assert (dumping.evidence["contests"], dumping.evidence["moved"]) == ("10", "480.00")
    assert len(dumping.evidence["stakes"]) == 10
    assert len(dumping.evidence["deposits"]) == 1
    assert alerts.open_for(ann).filter(pk=dumping.pk).exists()
    alerts.look_at(player=ann, at=at)
    assert kinds(ann) - kinds(bob) == {Kind.LOSS_SPEED}


def test_an_alert_is_opened_once_and_operators_are_told(pair: tuple[Player, Player]) -> None:
    ann, bob = pair
    at = timezone.now()
    gives_away(ann, bob, games=5, at=at)
    opened = alerts.look_at(player=bob, at=at)
    assert alerts.look_at(player=bob, at=at) == []
    assert alerts.look_at(player=ann, at=at + timedelta(hours=1)) == []
    told = Notice.objects.filter(kind="alert_opened")
    assert {notice.data["alert"] for notice in told} == {str(alert.pk) for alert in opened}
    assert {notice.player for notice in told} == {None}


def test_honest_play_is_nobodys_business(pair: tuple[Player, Player]) -> None:
    ann, bob = pair
    at = timezone.now()
    gives_away(ann, bob, games=1, stake="5", at=at)
    gives_away(bob, ann, games=1, stake="5", at=at)
    assert alerts.look_at(player=ann, at=at) == []
    assert not alerts.open_for(ann)


def test_what_was_cleared_is_not_found_again_but_what_comes_after_is(pair: tuple[Player, Player]) -> None:
    ann, bob = pair
    at = timezone.now()
    gives_away(ann, bob, games=5, at=at)
    for alert in alerts.look_at(player=bob, at=at):
        alerts.judge(alert=alert.pk, confirmed=False, reason="brothers, both known", by=operator(), at=at)
    assert not alerts.open_for(bob)
    assert alerts.look_at(player=bob, at=at + timedelta(minutes=1)) == []
    gives_away(ann, bob, games=5, at=at + timedelta(minutes=50))
    assert Kind.CHIP_DUMPING in {each.kind for each in alerts.look_at(player=bob, at=at + timedelta(hours=1))}


def test_what_was_confirmed_keeps_payouts_waiting(pair: tuple[Player, Player]) -> None:
    ann, bob = pair
    at = timezone.now()
    gives_away(ann, bob, games=5, at=at)
    alert = alerts.look_at(player=bob, at=at)[0]
    alerts.judge(alert=alert.pk, confirmed=True, reason="one device", by=operator(), at=at)
    assert alerts.open_for(bob).filter(pk=alert.pk).exists()
    with pytest.raises(alerts.AlreadyJudged):
        alerts.judge(alert=alert.pk, confirmed=False, reason="after all", by=operator(), at=at)


@pytest.mark.parametrize("reason", ["", "  ", "x" * 501])
def test_whoever_judges_says_why(pair: tuple[Player, Player], reason: str) -> None:
    gives_away(*pair, games=5, at=timezone.now())
    alert = alerts.look_at(player=pair[1], at=timezone.now())[0]
    with pytest.raises(alerts.ReasonMissing):
        alerts.judge(alert=alert.pk, confirmed=True, reason=reason, by=operator(), at=timezone.now())


@pytest.mark.parametrize("change", [{"score": 1}, {"evidence": {}}, {"currency": "EUR"}])
def test_the_database_keeps_what_was_found(pair: tuple[Player, Player], change: dict[str, Any]) -> None:
    gives_away(*pair, games=5, at=timezone.now())
    alert = alerts.look_at(player=pair[1], at=timezone.now())[0]
    with pytest.raises(IntegrityError, match="alert_is_final"), transaction.atomic():
        Alert.objects.filter(pk=alert.pk).update(**change)
    with pytest.raises(IntegrityError, match="alert_is_final"), transaction.atomic():
        alert.delete()


def test_the_clock_looks_at_whoever_has_played(pair: tuple[Player, Player], monkeypatch: pytest.MonkeyPatch) -> None:
    ann, bob = pair
    person("eve")
    gives_away(ann, bob, games=5, at=timezone.now())
    hints: list[tuple[Any, str]] = []
    monkeypatch.setattr(tasks, "hint", lambda task, player: hints.append((task, player)))
    tasks.look_at_all()
    assert {player for _, player in hints} == {str(ann.pk), str(bob.pk)}
    for task, player in hints:
        task(player)
    assert kinds(bob)
    assert kinds(ann)


def test_an_operator_sees_the_evidence_and_judges_with_a_reason(pair: tuple[Player, Player], client: Client) -> None:
    gives_away(*pair, games=5, at=timezone.now())
    opened = alerts.look_at(player=pair[1], at=timezone.now())
    client.force_login(operator())
    listed = reverse("admin:surveillance_alert_changelist")
    assert "chip dumping" in client.get(listed, {"q": "ann"}).content.decode()
    shown = client.get(reverse("admin:surveillance_alert_change", args=[opened[0].pk])).content.decode()
    for stake in opened[0].evidence["stakes"]:
        assert f"/admin/settlement/settlement/?q={stake}" in shown
    for player in pair:
        assert f"/admin/ledger/account/?q={player.pk}" in shown
    said = {"action": "clear", "_selected_action": [str(opened[0].pk)], "reason": ""}
    assert "reason: is not" in client.post(listed, said, follow=True).content.decode()
    client.post(listed, {**said, "reason": "brothers"})
    opened[0].refresh_from_db()
    assert (opened[0].state, opened[0].reason, opened[0].judged_by) == ("cleared", "brothers", operator())
