"""A round that its room never ends: operators see it, and one of them gives it back, with a reason."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError, transaction
from django.test import Client
from structlog.testing import capture_logs

from games.models import Player, User
from ledger import book
from tests.access.callers import client_of
from tests.factories import earned, escrow, wallet
from tests.seamless.callers import Aggregator, at_once, let_in, player
from wagering.seamless import selectors, tasks
from wagering.seamless.giving_back import give_back
from wagering.seamless.models import Round
from wagering.seamless.refusals import RoundClosed

pytestmark = pytest.mark.django_db

WHY = "the room's server is gone"
LATER = timedelta(hours=25)


@pytest.fixture
def ann() -> Player:
    return player("ann")


@pytest.fixture
def bob() -> Player:
    return player("bob")


@pytest.fixture
def bets(server: Aggregator, ann: Player, bob: Player) -> tuple[UUID, UUID]:
    """Ann and bob have staked 10.00 each, ann is due 15.00, and nothing more is heard."""
    said = uuid4(), uuid4()
    for each, bet in zip((ann, bob), said, strict=True):
        assert server.bet(let_in(server.room, each), transaction_uuid=bet)["status"] == "RS_OK"
    assert server.win(said[0], "15.00", round_closed=False)["status"] == "RS_OK"
    return said


@pytest.fixture
def operator() -> User:
    return User.objects.create_superuser(username="operator", password="x")


def given_back(operator: User) -> Round:
    return give_back(round=Round.objects.get().pk, by=operator, reason=WHY, at=datetime.now(UTC))


def test_all_bets_go_back_and_no_win_is_due(
    server: Aggregator, ann: Player, bob: Player, bets: Any, operator: User
) -> None:
    round_ = given_back(operator)
    assert [str(wallet(each)) for each in (ann, bob)] == ["100.00", "100.00"]
    assert [str(escrow(each)) for each in (ann, bob)] == ["0.00", "0.00"]
    assert not book.open_holds()
    assert str(earned(server.room)) == "0.00"
    assert (round_.state, round_.given_back_by, round_.given_back_because) == ("given back", operator, WHY)


def test_a_round_is_given_back_once_and_never_once_it_is_closed(server: Aggregator, bets: Any, operator: User) -> None:
    server.win(bets[0], "4.02")
    with pytest.raises(RoundClosed):
        given_back(operator)
    server.bet(let_in(server.room, player("cleo")), round="4712")
    asked: dict[str, Any] = {"round": Round.objects.get(closed_at=None).pk, "by": operator, "reason": WHY}
    give_back(**asked, at=datetime.now(UTC))
    with pytest.raises(RoundClosed):
        give_back(**asked, at=datetime.now(UTC))


def test_what_the_room_says_afterwards_is_answered_by_name(
    server: Aggregator, ann: Player, bets: Any, operator: User
) -> None:
    given_back(operator)
    late = server.win(bets[0])
    assert (late["status"], late["code"]) == ("RS_ERROR_TRANSACTION_ROLLED_BACK", "rolled_back")
    for undoing in (server.rollback, server.refund):
        assert undoing(bets[1])["code"] == "rolled_back"
    more = server.bet(let_in(server.room, ann))
    assert (more["status"], more["code"]) == ("RS_ERROR_INVALID_GAME", "round_closed")
    assert str(wallet(ann)) == "100.00"
    assert server.bet(let_in(server.room, ann), round="4712")["status"] == "RS_OK"


def test_a_round_without_a_bet_that_stands_is_given_back_too(server: Aggregator, ann: Player, operator: User) -> None:
    bet = uuid4()
    server.bet(let_in(server.room, ann), transaction_uuid=bet)
    server.rollback(bet)
    assert given_back(operator).state == "given back"


def test_the_database_wants_a_reason_and_a_name(server: Aggregator, bets: Any, operator: User) -> None:
    closed = {"closed_at": datetime.now(UTC), "commission": 0}
    for half in ({"given_back_by": operator}, {"given_back_because": WHY}):
        with pytest.raises(IntegrityError, match="round_is_given_back"), transaction.atomic():
            Round.objects.update(**closed, **half)


# --- operators see it -------------------------------------------------------------------------------------------------


def test_only_what_has_been_open_for_long_was_left(server: Aggregator, bets: Any, operator: User) -> None:
    now = datetime.now(UTC)
    assert not selectors.left_open(at=now + timedelta(hours=23)).exists()
    assert selectors.left_open(at=now + LATER).get().name == "4711"
    given_back(operator)
    assert not selectors.left_open(at=now + LATER).exists()


def test_the_log_says_so_by_the_hour(server: Aggregator, bets: Any, operator: User, settings: Any) -> None:
    settings.ROUNDS_LEFT_AFTER_S = 0
    with capture_logs() as told:
        tasks.tell_of_left_rounds()
    (line,) = told
    assert (line["event"], line["log_level"], line["number"]) == ("rounds_left_open", "warning", 1)
    assert line["oldest"].startswith("4711 at ")
    given_back(operator)
    with capture_logs() as told:
        tasks.tell_of_left_rounds()
    assert told == []


def test_an_operator_gives_it_back_in_the_admin(
    server: Aggregator, ann: Player, bets: Any, operator: User, client: Client, settings: Any
) -> None:
    settings.ROUNDS_LEFT_AFTER_S = 0
    client.force_login(operator)
    page, round_ = "/admin/seamless/round/", Round.objects.get()
    listed = client.get(page, {"state": "left"}).content.decode()
    assert all(word in listed for word in ("4711", "ann, bob", "20.00", "15.00"))
    asked = {"action": "give_back", "_selected_action": str(round_.pk), "reason": " "}
    assert "A reason of 1 to 300" in client.post(page, asked, follow=True).content.decode()
    assert str(wallet(ann)) == "90.00"
    assert "given back." in client.post(page, asked | {"reason": WHY}, follow=True).content.decode()
    assert str(wallet(ann)) == "100.00"
    assert "is closed" in client.post(page, asked | {"reason": WHY}, follow=True).content.decode()
    sheet = client.get(f"{page}{round_.pk}/change/").content.decode()
    assert "given back by operator, since the room&#x27;s server is gone" in sheet
    assert sheet.count("wager_released:") == 2
    assert "4711" not in client.get(page, {"state": "left"}).content.decode()
    assert "4711" in client.get(page, {"state": "given_back"}).content.decode()


def test_the_command_shows_and_gives_back(
    server: Aggregator, ann: Player, bets: Any, operator: User, settings: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    settings.ROUNDS_LEFT_AFTER_S = 0
    call_command("left_rounds")
    assert capsys.readouterr().out.startswith("4711 at ")
    told = {"give_back": "4711", "room": server.room.slug, "by": "operator", "reason": WHY}
    for wrong in ({"give_back": "4712"}, {"room": None}, {"by": "ann"}, {"by": None}, {"reason": " "}):
        with pytest.raises(CommandError, match=f"--{next(iter(wrong)).replace('_', '-')}|--give-back"):
            call_command("left_rounds", **told | wrong)
    call_command("left_rounds", **told)
    assert f"given back by operator, since {WHY}" in capsys.readouterr().out
    assert str(wallet(ann)) == "100.00"
    with pytest.raises(CommandError, match="4711 is closed"):
        call_command("left_rounds", **told)


# --- players see their own --------------------------------------------------------------------------------------------


def test_a_player_sees_the_own_share_of_each_round_and_nobody_else_s(
    server: Aggregator, ann: Player, bob: Player, bets: Any, operator: User
) -> None:
    (open_,) = client_of(bob).get("/v1/seamless/rounds").json()["results"]
    assert (open_["round"], open_["room"], open_["state"]) == ("4711", server.room.slug, "open")
    assert (open_["staked"]["amount"], open_["won"]["amount"]) == ("10.00", "0.00")
    assert [(each["kind"], each["counts"]) for each in open_["said"]] == [("bet", True)]
    given_back(operator)
    (back,) = client_of(ann).get("/v1/seamless/rounds").json()["results"]
    assert (back["state"], back["given_back_because"], back["staked"]["amount"]) == ("given back", WHY, "0.00")
    assert [(each["kind"], each["counts"]) for each in back["said"]][:2] == [("bet", False), ("win", False)]
    assert [each["kind"] for each in back["said"]][2:] == ["rollback", "rollback"]
    assert str(bets[1]) not in str(back)
    assert client_of(player("cleo")).get("/v1/seamless/rounds").json()["results"] == []


@pytest.mark.django_db(transaction=True)
def test_a_room_that_closes_while_an_operator_gives_back_does_one_or_the_other(
    server: Aggregator, ann: Player, bob: Player, bets: Any, operator: User
) -> None:
    def operate() -> str:
        try:
            return given_back(operator).state
        except RoundClosed:
            return "refused"

    said, done = at_once(lambda: server.win(bets[0], "4.02"), operate)
    paid = said["status"] == "RS_OK"
    assert (done == "refused") is paid
    assert said["status"] in ("RS_OK", "RS_ERROR_TRANSACTION_ROLLED_BACK")
    assert str(wallet(bob)) == ("90.00" if paid else "100.00")
