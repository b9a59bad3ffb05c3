"""The seamless wallet, message by message: what moves, what is refused and by which word, and that it proves."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.db import IntegrityError, transaction

from games.access.models import Scope
from games.models import Player
from ledger import book
from tests.access.callers import client_of, room_client
from tests.factories import RoomFactory, earned, escrow, fund, wallet
from tests.seamless.callers import Aggregator, aggregator, let_in, player
from wagering.rest.retries import TryAgain
from wagering.seamless.models import Message, Round
from wagering.seamless.sessions import _digest, forget
from wagering.stakes.models import Session

pytestmark = pytest.mark.django_db


@pytest.fixture
def ann() -> Player:
    return player("ann")


@pytest.fixture
def bob() -> Player:
    return player("bob")


@pytest.fixture
def two_bets(server: Aggregator, ann: Player, bob: Player) -> tuple[Any, Any]:
    """Ann and bob have staked 10.00 each in one round."""
    bets = uuid4(), uuid4()
    for each, bet in zip((ann, bob), bets, strict=True):
        assert server.bet(let_in(server.room, each), transaction_uuid=bet)["status"] == "RS_OK"
    return bets


def test_a_round_from_its_bets_to_its_end(server: Aggregator, ann: Player, bob: Player, two_bets: Any) -> None:
    assert [str(escrow(each)) for each in (ann, bob)] == ["10.00", "10.00"]
    answer = server.win(two_bets[0])
    assert (answer["status"], answer["user"], answer["balance"]) == ("RS_OK", str(ann.pk), "109.02")
    assert [str(wallet(each)) for each in (ann, bob)] == ["109.02", "90.00"]
    assert str(earned(server.room)) == "0.98"  # 4.9 % of the 10.00 that bob lost, from each
    assert not book.open_holds()
    assert str(Round.objects.get().commission) == "0.98"


def test_who_the_token_is_of_and_what_the_wallet_holds(server: Aggregator, ann: Player) -> None:
    token = let_in(server.room, ann)
    request = str(uuid4())
    assert server.say("authenticate", token=token, request_uuid=request) == {
        "status": "RS_OK",
        "request_uuid": request,
        "user": str(ann.pk),
        "nickname": "ann",
        "currency": "USD",
        "balance": "100.00",
    }
    assert server.bet(token)["balance"] == "90.00"
    assert server.say("balance", token=token)["balance"] == "90.00"


def test_a_player_lets_a_room_in_and_out_again(server: Aggregator, ann: Player) -> None:
    client = client_of(ann)
    opened = client.post("/v1/seamless/sessions", {"room": server.room.slug, "currency": "USD"}, format="json")
    assert opened.status_code == 201
    token = opened.json()["token"]
    assert server.say("balance", token=token)["status"] == "RS_OK"
    assert token not in str(Session.objects.values_list("digest", flat=True).get())
    assert client.delete("/v1/seamless/sessions").status_code == 204
    assert server.say("balance", token=token)["status"] == "RS_ERROR_INVALID_TOKEN"


def test_only_a_player_lets_a_room_in(server: Aggregator) -> None:
    asked = {"room": server.room.slug, "currency": "USD"}
    assert server.client.post("/v1/seamless/sessions", asked, format="json").status_code == 403


@pytest.mark.parametrize(
    ("room", "currency", "code"), [("nosuch", "USD", "no_such_room"), (None, "XXX", "unknown_currency")]
)
def test_a_session_is_for_a_room_and_a_currency(
    server: Aggregator, ann: Player, room: str | None, currency: str, code: str
) -> None:
    asked = {"room": room or server.room.slug, "currency": currency}
    refused = client_of(ann).post("/v1/seamless/sessions", asked, format="json")
    assert (refused.status_code, refused.json()["code"]) == (422, code)


def test_the_same_message_again_has_the_same_answer(server: Aggregator, ann: Player, bob: Player) -> None:
    bet, token = uuid4(), let_in(server.room, ann)
    first = server.bet(token, transaction_uuid=bet, request_uuid="00000000-0000-4000-8000-000000000001")
    fund(ann, "50.00")
    again = server.bet(token, transaction_uuid=bet, request_uuid="00000000-0000-4000-8000-000000000002")
    assert again == first | {"request_uuid": "00000000-0000-4000-8000-000000000002"}
    assert str(escrow(ann)) == "10.00"
    server.bet(let_in(server.room, bob))
    win = uuid4()
    assert server.win(bet, transaction_uuid=win)["balance"] == "159.02"
    fund(ann, "1.00")
    assert server.win(bet, transaction_uuid=win)["balance"] == "159.02"
    assert str(wallet(ann)) == "160.02"


@pytest.mark.parametrize("other", [{"amount": "11.00"}, {"round": "4712"}, {"currency": "EUR"}, {"user": uuid4()}])
def test_another_content_under_the_same_transaction_is_refused(
    server: Aggregator, ann: Player, other: dict[str, Any]
) -> None:
    bet, token = uuid4(), let_in(server.room, ann)
    server.bet(token, transaction_uuid=bet)
    answer = server.bet(token, transaction_uuid=bet, **other)
    assert (answer["status"], answer["code"]) == ("RS_ERROR_DUPLICATE_TRANSACTION", "said_otherwise")
    assert str(escrow(ann)) == "10.00"


def test_a_bet_and_a_win_do_not_share_a_transaction(server: Aggregator, two_bets: Any) -> None:
    assert server.win(two_bets[0], transaction_uuid=two_bets[0])["status"] == "RS_ERROR_DUPLICATE_TRANSACTION"


def test_too_little_money_and_then_enough(server: Aggregator, ann: Player) -> None:
    bet, token = uuid4(), let_in(server.room, ann)
    answer = server.bet(token, "100.01", transaction_uuid=bet)
    assert (answer["status"], answer["code"]) == ("RS_ERROR_NOT_ENOUGH_MONEY", "insufficient_funds")
    assert (Message.objects.count(), Round.objects.count()) == (0, 0)
    fund(ann, "0.01")
    assert server.bet(token, "100.01", transaction_uuid=bet)["balance"] == "0.00"


# --- tokens -----------------------------------------------------------------------------------------------------------


def test_a_win_comes_after_the_token_has_expired_and_no_bet_does_case_60(
    server: Aggregator, ann: Player, bob: Player, two_bets: Any
) -> None:
    old = let_in(server.room, ann, at=datetime.now(UTC) - timedelta(hours=9))
    assert server.say("authenticate", token=old)["status"] == "RS_ERROR_TOKEN_EXPIRED"
    assert server.bet(old)["status"] == "RS_ERROR_TOKEN_EXPIRED"
    Session.objects.filter(ended_at=None).update(ended_at=datetime.now(UTC))
    assert server.bet(let_in(server.room, ann), round="4712")["status"] == "RS_OK"
    assert server.win(two_bets[0], token=old)["status"] == "RS_OK"
    assert str(wallet(bob)) == "90.00"


def test_another_rooms_token_is_none_here(server: Aggregator, ann: Player) -> None:
    elsewhere = let_in(RoomFactory.create(), ann)
    for word in ("authenticate", "balance"):
        assert server.say(word, token=elsewhere)["status"] == "RS_ERROR_INVALID_TOKEN"
    assert server.bet(elsewhere)["status"] == "RS_ERROR_INVALID_TOKEN"


def test_a_log_in_token_is_no_session(server: Aggregator, ann: Player) -> None:
    client_of(ann)
    assert server.say("balance", token="bgr_" + "0" * 64)["status"] == "RS_ERROR_INVALID_TOKEN"


def test_the_token_is_of_the_player_who_is_named(server: Aggregator, ann: Player, bob: Player, two_bets: Any) -> None:
    token = let_in(server.room, ann)
    assert server.bet(token, user=bob.pk)["status"] == "RS_ERROR_INVALID_TOKEN"
    assert server.win(two_bets[0], user=bob.pk)["status"] == "RS_ERROR_INVALID_TOKEN"
    assert server.bet(token, user=ann.pk)["status"] == "RS_OK"


def test_a_shut_login_stakes_nothing_and_is_still_paid(
    server: Aggregator, ann: Player, bob: Player, two_bets: Any
) -> None:
    token = let_in(server.room, ann)
    client_of(ann)
    assert ann.user
    ann.user.is_active = False
    ann.user.save()
    assert server.bet(token)["status"] == "RS_ERROR_USER_DISABLED"
    assert server.win(two_bets[0])["balance"] == "109.02"


# --- what a round may come to -----------------------------------------------------------------------------------------


def test_nothing_is_won_that_was_not_staked(server: Aggregator, ann: Player, two_bets: Any) -> None:
    answer = server.win(two_bets[0], "20.01")
    assert (answer["status"], answer["code"]) == ("RS_ERROR_NOT_ENOUGH_MONEY", "round_holds_less")
    assert server.win(two_bets[0], "15.00", round_closed=False)["status"] == "RS_OK"
    assert server.win(two_bets[1], "5.01", round_closed=False)["status"] == "RS_ERROR_NOT_ENOUGH_MONEY"
    assert str(wallet(ann)) == "90.00"  # due, and paid when the round closes
    assert server.win(two_bets[1], "4.50")["status"] == "RS_OK"
    assert str(wallet(ann)) == "105.00"


@pytest.mark.parametrize(("amount", "status"), [("19.01", "RS_ERROR_INVALID_GAME"), ("19.02", "RS_OK"),
                                                ("20.00", "RS_OK"), ("0", "RS_ERROR_INVALID_GAME")])  # fmt: skip
def test_the_room_takes_at_most_its_tariff(
    server: Aggregator, ann: Player, two_bets: Any, amount: str, status: str
) -> None:
    answer = server.win(two_bets[0], amount)
    assert answer["status"] == status
    if status != "RS_OK":
        assert answer["code"] == "commission_above_tariff"
        assert len(book.open_holds()) == 2


def test_a_raise_a_drop_and_what_comes_back(server: Aggregator, ann: Player, bob: Player, two_bets: Any) -> None:
    """Both raise by 10.00; ann wins 10.00 of bob's 20.00: 0.98 for the room, bob is given 10.00 back."""
    raised = [uuid4(), uuid4()]
    for each, bet in zip((ann, bob), raised, strict=True):
        assert server.bet(let_in(server.room, each), transaction_uuid=bet)["balance"] == "80.00"
    assert server.win(two_bets[1], "10.00", round_closed=False)["balance"] == "80.00"
    assert server.win(two_bets[0], "29.02")["balance"] == "109.02"
    assert [str(wallet(each)) for each in (ann, bob)] == ["109.02", "90.00"]
    assert str(earned(server.room)) == "0.98"


def test_play_money_by_the_same_rules(server: Aggregator) -> None:
    bets = []
    for name in ("ann", "bob"):
        each = player(name, currency="PLAY")
        bets.append(uuid4())
        token = let_in(server.room, each, currency="PLAY")
        server.bet(token, transaction_uuid=bets[-1], currency="PLAY")
    assert server.win(bets[0], currency="PLAY")["balance"] == "109.02"


def test_a_currency_without_a_minor_unit_case_27() -> None:
    server = aggregator(charges="sgames")
    bets = []
    for name in ("ann", "bob"):
        token = let_in(server.room, player(name, "500", "JPY"), currency="JPY")
        assert server.post("bet", token=token, transaction_uuid=uuid4(), round="1", currency="JPY",
                           amount="100.5").status_code == 422  # fmt: skip
        bets.append(uuid4())
        assert server.bet(token, "100", transaction_uuid=bets[-1], currency="JPY")["balance"] == "400"
    assert server.win(bets[0], "190", currency="JPY")["balance"] == "590"


def test_the_currency_is_the_sessions_and_the_rounds(server: Aggregator, ann: Player, two_bets: Any) -> None:
    fund(ann, "10.00", "EUR")
    assert server.bet(let_in(server.room, ann), currency="EUR")["status"] == "RS_ERROR_WRONG_CURRENCY"
    euro = let_in(server.room, ann, currency="EUR")
    assert server.bet(euro, currency="EUR")["status"] == "RS_ERROR_WRONG_CURRENCY"  # the tariff is for dollars
    assert server.bet(euro, currency="XXX")["status"] == "RS_ERROR_WRONG_CURRENCY"
    assert server.win(two_bets[0], currency="EUR")["status"] == "RS_ERROR_WRONG_CURRENCY"
    assert server.refund(two_bets[0], currency="EUR")["status"] == "RS_ERROR_WRONG_CURRENCY"


def test_a_room_without_a_tariff_plays_for_nothing(ann: Player) -> None:
    server = aggregator(charges=None)
    assert server.bet(let_in(server.room, ann))["status"] == "RS_ERROR_INVALID_PARTNER"


def test_a_closed_round_is_closed(server: Aggregator, ann: Player, two_bets: Any) -> None:
    server.win(two_bets[0])
    for answer in (
        server.bet(let_in(server.room, ann)),
        server.win(two_bets[1], "1.00"),
        server.rollback(two_bets[0]),
        server.refund(two_bets[1]),
    ):
        assert (answer["status"], answer["code"]) == ("RS_ERROR_INVALID_GAME", "round_closed")
    assert str(wallet(ann)) == "109.02"


def test_a_round_has_an_end_of_bets(server: Aggregator, ann: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("wagering.seamless.rules.BETS_MAX", 2)
    token = let_in(server.room, ann)
    answers = [server.bet(token, "1.00")["status"] for _ in range(3)]
    assert answers == ["RS_OK", "RS_OK", "RS_ERROR_BET_LIMIT_EXCEEDED"]


# --- taken back -------------------------------------------------------------------------------------------------------


def test_a_bet_is_rolled_back_once_and_wins_nothing(server: Aggregator, ann: Player, two_bets: Any) -> None:
    undo = uuid4()
    first = server.rollback(two_bets[0], transaction_uuid=undo)
    assert (first["status"], first["balance"]) == ("RS_OK", "100.00")
    again = server.rollback(two_bets[0], transaction_uuid=undo)
    assert again["balance"] == "100.00"
    assert server.rollback(two_bets[0])["status"] == "RS_ERROR_TRANSACTION_ROLLED_BACK"
    assert server.refund(two_bets[0])["status"] == "RS_ERROR_TRANSACTION_ROLLED_BACK"
    assert server.win(two_bets[0], "10.00")["status"] == "RS_ERROR_TRANSACTION_ROLLED_BACK"
    assert str(wallet(ann)) == "100.00"


def test_a_refund_is_whole_and_of_what_is_known(server: Aggregator, ann: Player, two_bets: Any) -> None:
    assert server.refund(two_bets[0], "5.00")["status"] == "RS_ERROR_WRONG_TYPES"
    assert server.refund(uuid4())["status"] == "RS_ERROR_TRANSACTION_DOES_NOT_EXIST"
    assert server.refund(two_bets[0])["balance"] == "100.00"
    assert Message.objects.count() == 3


def test_both_go_back_and_the_round_closes_without_a_posting(server: Aggregator, two_bets: Any) -> None:
    server.rollback(two_bets[0])
    assert server.refund(two_bets[1], round_closed=True)["balance"] == "100.00"
    assert str(Round.objects.get().commission) == "0.00"
    assert book.find(f"round_settled:{Round.objects.get().pk}") is None


def test_a_rollback_can_close_what_is_left(server: Aggregator, ann: Player, bob: Player, two_bets: Any) -> None:
    """A raise that nobody took goes back, and closes the round with what was due before."""
    raised = uuid4()
    server.bet(let_in(server.room, ann), "5.00", transaction_uuid=raised)
    server.win(two_bets[0], "19.02", round_closed=False)
    assert server.rollback(raised, round_closed=True)["balance"] == "109.02"
    assert str(wallet(bob)) == "90.00"


def test_a_rollback_of_an_unknown_bet_is_remembered_case_60(server: Aggregator, ann: Player) -> None:
    bet, undo = uuid4(), uuid4()
    for _ in range(2):
        answer = server.rollback(bet, transaction_uuid=undo)
        assert answer["status"] == "RS_ERROR_TRANSACTION_DOES_NOT_EXIST"
        assert "balance" not in answer
    late = server.bet(let_in(server.room, ann), transaction_uuid=bet)
    assert (late["status"], late["code"]) == ("RS_ERROR_TRANSACTION_ROLLED_BACK", "rolled_back")
    assert server.win(bet)["status"] == "RS_ERROR_TRANSACTION_ROLLED_BACK"
    assert (str(wallet(ann)), book.open_holds()) == ("100.00", [])


def test_a_late_win_is_refused_as_a_late_bet_is(server: Aggregator, ann: Player, two_bets: Any) -> None:
    win = uuid4()
    server.rollback(win)
    assert server.win(two_bets[0], transaction_uuid=win)["status"] == "RS_ERROR_TRANSACTION_ROLLED_BACK"
    assert str(wallet(ann)) == "90.00"


def test_sessions_are_forgotten_long_after(server: Aggregator, ann: Player) -> None:
    now = datetime.now(UTC)
    old = let_in(server.room, ann, at=now - timedelta(days=31))
    ended = let_in(server.room, ann, at=now - timedelta(days=31))
    let_in(server.room, ann)
    Session.objects.exclude(expires_at__gt=now).filter(digest=_digest(ended)).update(ended_at=now)
    assert server.say("balance", token=old)["status"] == "RS_ERROR_TOKEN_EXPIRED"
    assert forget(at=now) == 2
    assert server.say("balance", token=old)["status"] == "RS_ERROR_INVALID_TOKEN"
    assert Session.objects.count() == 1


def test_a_win_before_its_bet_is_refused_and_comes_again(server: Aggregator, ann: Player, bob: Player) -> None:
    bet, win = uuid4(), uuid4()
    assert server.win(bet, transaction_uuid=win)["status"] == "RS_ERROR_TRANSACTION_DOES_NOT_EXIST"
    server.bet(let_in(server.room, bob))
    server.bet(let_in(server.room, ann), transaction_uuid=bet)
    assert server.win(bet, transaction_uuid=win)["status"] == "RS_OK"


def test_a_win_is_rolled_back_while_the_round_is_open(server: Aggregator, ann: Player, two_bets: Any) -> None:
    win = uuid4()
    server.win(two_bets[0], transaction_uuid=win, round_closed=False)
    stuck = server.rollback(two_bets[0])
    assert (stuck["status"], stuck["code"]) == ("RS_ERROR_INVALID_GAME", "still_winning")
    assert server.rollback(win)["status"] == "RS_OK"
    assert server.rollback(win)["status"] == "RS_ERROR_TRANSACTION_ROLLED_BACK"
    assert server.rollback(two_bets[0])["balance"] == "100.00"


def test_the_other_bet_holds_what_is_due(server: Aggregator, two_bets: Any) -> None:
    server.win(two_bets[0], round_closed=False)
    assert server.rollback(two_bets[1])["status"] == "RS_ERROR_NOT_ENOUGH_MONEY"


def test_a_rollback_is_not_rolled_back(server: Aggregator, two_bets: Any) -> None:
    undo = uuid4()
    server.rollback(two_bets[0], transaction_uuid=undo)
    assert server.rollback(undo)["status"] == "RS_ERROR_TRANSACTION_DOES_NOT_EXIST"
    assert server.win(undo)["status"] == "RS_ERROR_TRANSACTION_DOES_NOT_EXIST"


def test_a_win_names_the_round_of_its_bet(server: Aggregator, two_bets: Any) -> None:
    answer = server.win(two_bets[0], round="4712")
    assert (answer["status"], answer["code"]) == ("RS_ERROR_INVALID_GAME", "other_round")


# --- other rooms, and what is not understood --------------------------------------------------------------------------


def test_another_rooms_messages_are_unknown_here(server: Aggregator, ann: Player, two_bets: Any) -> None:
    other = aggregator()
    assert other.win(two_bets[0])["status"] == "RS_ERROR_TRANSACTION_DOES_NOT_EXIST"
    assert other.refund(two_bets[0])["status"] == "RS_ERROR_TRANSACTION_DOES_NOT_EXIST"
    assert other.rollback(two_bets[0])["status"] == "RS_ERROR_TRANSACTION_DOES_NOT_EXIST"
    # The same ids mean something of their own there, and that rollback touched nothing here.
    assert other.bet(let_in(other.room, ann), transaction_uuid=two_bets[0])["status"] == (
        "RS_ERROR_TRANSACTION_ROLLED_BACK"
    )
    assert other.bet(let_in(other.room, ann), transaction_uuid=two_bets[1])["status"] == "RS_OK"
    assert server.win(two_bets[0])["status"] == "RS_OK"


def test_the_key_needs_the_scope(server: Aggregator, ann: Player) -> None:
    weak = Aggregator(server.room, room_client(server.room, Scope.TABLES, Scope.RESULTS))
    answer = weak.post("balance", token=let_in(server.room, ann))
    assert (answer.status_code, answer.json()["rs_status"]) == (403, "RS_ERROR_INVALID_PARTNER")


def test_a_wrong_signature(server: Aggregator, ann: Player) -> None:
    server.client.secret = "another"
    answer = server.post("balance", token=let_in(server.room, ann))
    assert (answer.status_code, answer.json()["rs_status"]) == (401, "RS_ERROR_INVALID_SIGNATURE")


def test_a_players_client_speaks_no_word_of_it(server: Aggregator, ann: Player) -> None:
    client = client_of(ann)
    token = let_in(server.room, ann)
    for word in ("authenticate", "balance", "bet", "win", "rollback", "refund"):
        assert client.post(f"/v1/seamless/{word}", {"token": token}, format="json").status_code == 403


@pytest.mark.parametrize("body", [b"{", b"[]", b'{"a": NaN}', b'{"token": 1, "token": 2}'])
def test_what_is_no_json(server: Aggregator, body: bytes) -> None:
    answer = server.client.post("/v1/seamless/bet", body, content_type="application/json")
    assert (answer.status_code, answer.json()["rs_status"]) == (400, "RS_ERROR_WRONG_SYNTAX")


@pytest.mark.parametrize(
    "amount",
    [
        "0.999",
        "5.005",
        "NaN",
        "Infinity",
        "1e3",
        "1_000",
        "١٢.٥",
        "-5.00",
        "0",
        "0.00",
        "+5",
        " 5",
        "",
        5,
        500000,
        None,
    ],
)
def test_an_amount_is_strict_text_cases_41_and_42(server: Aggregator, ann: Player, amount: Any) -> None:
    answer = server.post("bet", token=let_in(server.room, ann), transaction_uuid=uuid4(), round="1", currency="USD",
                         amount=amount)  # fmt: skip
    assert (answer.status_code, answer.json()["rs_status"]) == (422, "RS_ERROR_WRONG_TYPES")
    assert not Message.objects.exists()


@pytest.mark.parametrize("missing", ["request_uuid", "transaction_uuid", "token", "round", "currency", "amount"])
def test_what_is_missing(server: Aggregator, ann: Player, missing: str) -> None:
    told: dict[str, Any] = {"request_uuid": str(uuid4()), "transaction_uuid": str(uuid4()), "round": "1",
                            "token": let_in(server.room, ann), "currency": "USD", "amount": "1.00"}  # fmt: skip
    del told[missing]
    answer = server.client.post("/v1/seamless/bet", told, format="json")
    assert (answer.status_code, answer.json()["rs_status"]) == (422, "RS_ERROR_WRONG_TYPES")
    assert answer.json()["errors"][0]["pointer"] == f"/{missing}"


def test_a_body_of_10_mb(server: Aggregator) -> None:
    body = b'{"token": "' + b"a" * 10_000_000 + b'"}'
    assert server.client.post("/v1/seamless/bet", body, content_type="application/json").status_code == 413


def test_members_of_other_dialects_are_passed_over(server: Aggregator, ann: Player) -> None:
    answer = server.bet(let_in(server.room, ann), game_code="bgm", is_free=False, meta={"a": [1]}, round_closed=False)
    assert answer["status"] == "RS_OK"


# --- put right by an operator, and the rows ---------------------------------------------------------------------------


def test_a_reversed_round_is_held_again_and_proves(server: Aggregator, ann: Player, two_bets: Any) -> None:
    server.win(two_bets[0])
    key = f"round_settled:{Round.objects.get().pk}"
    book.reverse(key=key, reason="the wrong player was named", at=datetime.now(UTC))
    assert [str(hold.amount) for hold in book.open_holds()] == ["10.00", "10.00"]


def test_what_was_said_stays(server: Aggregator, two_bets: Any) -> None:
    server.win(two_bets[0])
    for rows, change in (
        (Message.objects.all(), {"amount": 1}),
        (Round.objects.all(), {"commission": 0}),
        (Round.objects.all(), {"closed_at": None, "commission": None}),
        (Session.objects.all(), {"expires_at": datetime.now(UTC) + timedelta(days=9)}),
    ):
        with pytest.raises(IntegrityError), transaction.atomic():
            rows.update(**change)
    with pytest.raises(IntegrityError), transaction.atomic():
        Message.objects.all()._raw_delete("default")


# --- the rest of the protocol's words ---------------------------------------------------------------------------------


def test_too_often_is_to_be_sent_again(server: Aggregator, ann: Player, settings: Any) -> None:
    settings.RATES = {"seamless": (1, 60)}
    token = let_in(server.room, ann)
    assert server.post("balance", token=token).status_code == 200
    answer = server.post("balance", token=token)
    assert (answer.status_code, answer.json()["rs_status"]) == (429, "RS_ERROR_TIMEOUT")


def test_a_busy_service_is_asked_again(server: Aggregator, ann: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    def busy(**_: Any) -> None:
        raise TryAgain("every connection to the database is in use")

    monkeypatch.setattr("wagering.seamless.services.bet", busy)
    answer = server.post("bet", token=let_in(server.room, ann), transaction_uuid=uuid4(), round="1", currency="USD",
                         amount="1.00")  # fmt: skip
    assert (answer.status_code, answer.json()["rs_status"]) == (503, "RS_ERROR_TIMEOUT")


@pytest.mark.parametrize(
    ("headers", "content_type", "status", "word"),
    [
        ({"Accept": "text/html"}, "application/json", 406, "RS_ERROR_UNKNOWN"),
        ({}, "text/plain", 415, "RS_ERROR_WRONG_SYNTAX"),
    ],
)
def test_what_is_not_json_at_all(
    server: Aggregator, headers: dict[str, str], content_type: str, status: int, word: str
) -> None:
    answer = server.client.post("/v1/seamless/bet", b"{}", content_type=content_type, headers=headers)
    assert (answer.status_code, answer.json()["rs_status"]) == (status, word)
