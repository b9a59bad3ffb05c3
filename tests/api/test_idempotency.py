"""The Idempotency-Key: once, however often it is sent, by whomever, at the same time or later."""

from __future__ import annotations

import json
import threading
from collections import Counter
from collections.abc import Callable
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.db import connection
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone

from games.models import Player, User
from tests.api.addresses import Deposits
from tests.factories import wallet
from wagering.config.http import idempotency
from wagering.config.models import Answered
from wagering.config.tasks import forget_requests
from wagering.rest.retries import TIMES

pytestmark = [pytest.mark.django_db, pytest.mark.urls("tests.api.addresses")]


@pytest.fixture(autouse=True)
def ann() -> Player:
    User.objects.create_user(username="bob")
    Deposits.runs = 0
    return Player.objects.create(name="ann", user=User.objects.create_user(username="ann"))


def send(body: dict[str, Any], *, key: str | None = "k1", as_: str = "ann", to: str = "/v1/deposits") -> HttpResponse:
    headers = {"X-Player": as_} | ({"Idempotency-Key": key} if key is not None else {})
    return Client().post(to, json.dumps(body), content_type="application/json", headers=headers)  # type: ignore[return-value]


def deposit(player: Player, amount: str = "5.00", **more: Any) -> dict[str, Any]:
    return {"player": str(player.pk), "money": {"amount": amount, "currency": "USD"}, **more}


def code(answer: HttpResponse) -> str:
    return str(json.loads(answer.content)["code"])


def test_without_a_key_nothing_is_done(ann: Player) -> None:
    answer = send(deposit(ann), key=None)
    assert (answer.status_code, code(answer)) == (400, "idempotency_key_missing")
    assert wallet(ann) == 0


@pytest.mark.parametrize("key", ["", " ", "a b", "ключ", "k" * 201, "a\tb"])
def test_a_key_that_is_none_is_refused(key: str, ann: Player) -> None:
    answer = send(deposit(ann), key=key)
    assert (answer.status_code, code(answer)) == (400, "idempotency_key_malformed")
    assert wallet(ann) == 0


def test_the_same_again_is_answered_as_before_and_not_done(ann: Player) -> None:
    first = send(deposit(ann))
    assert first.status_code == 201, first.content
    again = send(dict(reversed(deposit(ann).items())))  # the same, said in another order
    assert again.status_code == 201
    assert again.content == first.content
    assert again["Location"] == first["Location"]
    assert again["Idempotent-Replayed"] == "true"
    assert not first.has_header("Idempotent-Replayed")
    assert (wallet(ann), Deposits.runs) == (Decimal("5.00"), 1)


def test_another_body_with_the_same_key_is_refused(ann: Player) -> None:
    """Case 6: stake 5.00 and then 50.00 under one key."""
    assert send(deposit(ann, "5.00")).status_code == 201
    answer = send(deposit(ann, "50.00"))
    assert (answer.status_code, code(answer)) == (422, "idempotency_key_reused")
    assert wallet(ann) == Decimal("5.00")


def test_another_query_is_another_request(ann: Player) -> None:
    assert send(deposit(ann)).status_code == 201
    assert send(deposit(ann), to="/v1/deposits?dry=1").status_code == 422


def test_a_key_is_its_clients_own(ann: Player) -> None:
    assert send(deposit(ann), as_="ann").status_code == 201
    his = send(deposit(ann, "7.00"), as_="bob")
    assert his.status_code == 201
    assert not his.has_header("Idempotent-Replayed")
    assert wallet(ann) == Decimal("12.00")


def test_a_key_is_for_one_address(ann: Player) -> None:
    assert send(deposit(ann)).status_code == 201
    assert send(deposit(ann, "7.00"), to=f"/v1/players/{ann.pk}/deposits").status_code == 201
    assert wallet(ann) == Decimal("12.00")


def test_whoever_may_not_ask_is_told_so_before_anything_else(ann: Player) -> None:
    assert send(deposit(ann)).status_code == 201
    answer = Client().post(
        "/v1/deposits", json.dumps(deposit(ann)), content_type="application/json", headers={"Idempotency-Key": "k1"}
    )
    assert answer.status_code == 401


def test_an_answer_is_somebodys_own_even_where_anybody_may_ask(ann: Player) -> None:
    """Many share an address: the next one there must not be given it."""
    headers = {"Idempotency-Key": "k1"}
    answer = Client().post("/v1/anybodys", json.dumps(deposit(ann)), content_type="application/json", headers=headers)
    assert answer.status_code == 401
    assert wallet(ann) == 0


def test_what_the_book_refused_is_not_remembered(ann: Player) -> None:
    for _ in range(2):
        answer = send({"player": str(ann.pk)}, to="/v1/stakes")
        assert (answer.status_code, code(answer)) == (409, "insufficient_funds")
        assert not answer.has_header("Idempotent-Replayed")
    assert not Answered.objects.exists()
    assert send(deposit(ann)).status_code == 201
    assert send({"player": str(ann.pk)}, to="/v1/stakes").status_code == 200  # the same key, now that she can


def test_what_was_wrong_may_be_sent_again_mended(ann: Player) -> None:
    assert send(deposit(ann, "0.999")).status_code == 422
    assert send(deposit(ann, "0.99")).status_code == 201
    assert wallet(ann) == Decimal("0.99")


def test_a_refusal_that_is_returned_undoes_the_work(ann: Player) -> None:
    assert send(deposit(ann), to="/v1/refusing").status_code == 409
    assert wallet(ann) == 0
    assert not Answered.objects.exists()


def test_a_get_needs_no_key() -> None:
    assert Client().get("/v1/deposits", headers={"X-Player": "ann"}).status_code == 200


def test_answers_are_forgotten_after_seven_days(ann: Player) -> None:
    assert send(deposit(ann)).status_code == 201
    now = timezone.now()
    assert idempotency.purge(before=now - idempotency.KEPT) == 0
    Answered.objects.update(answered_at=now - timedelta(days=7, seconds=1))
    forget_requests()
    assert not Answered.objects.exists()


# --- at the same time -------------------------------------------------------------------------------------------------


@pytest.fixture
def many() -> Callable[..., list[HttpResponse]]:
    """Calls each of ``works`` in a thread of its own, all at one moment."""

    def run(*works: Callable[[], HttpResponse]) -> list[HttpResponse]:
        answers: list[HttpResponse] = []
        start = threading.Barrier(len(works))

        def one(work: Callable[[], HttpResponse]) -> None:
            try:
                start.wait()
                answers.append(work())
            finally:
                connection.close()

        threads = [threading.Thread(target=one, args=(work,)) for work in works]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(answers) == len(works)
        return answers

    return run


@pytest.mark.django_db(transaction=True)
def test_of_many_at_once_one_is_done(ann: Player, many: Callable[..., list[HttpResponse]]) -> None:
    answers = many(*[lambda: send(deposit(ann, takes_s=0.3))] * 8)
    assert set(Counter(answer.status_code for answer in answers)) <= {201, 409}
    done = [answer for answer in answers if answer.status_code == 201]
    assert done
    assert len({answer.content for answer in done}) == 1
    assert {code(answer) for answer in answers if answer.status_code == 409} == {"idempotency_key_in_flight"}
    assert (wallet(ann), Deposits.runs) == (Decimal("5.00"), 1)
    assert Answered.objects.count() == 1
    after = send(deposit(ann, takes_s=0.3))
    assert after.content == done[0].content
    assert after["Idempotent-Replayed"] == "true"


@pytest.mark.django_db(transaction=True)
def test_another_body_is_refused_while_the_first_is_in_flight(
    ann: Player, many: Callable[..., list[HttpResponse]]
) -> None:
    five, fifty = deposit(ann, "5.00", takes_s=0.3), deposit(ann, "50.00", takes_s=0.3)
    answers = many(lambda: send(five), lambda: send(fifty))
    assert sorted(answer.status_code for answer in answers) == [201, 422]
    assert wallet(ann) in (Decimal("5.00"), Decimal("50.00"))
    assert Deposits.runs == 1


@pytest.mark.django_db(transaction=True)
def test_different_keys_do_not_wait_for_each_other(ann: Player, many: Callable[..., list[HttpResponse]]) -> None:
    answers = many(*[lambda key=key: send(deposit(ann), key=f"k{key}") for key in range(6)])
    assert [answer.status_code for answer in answers] == [201] * 6
    assert wallet(ann) == Decimal("30.00")


@pytest.mark.django_db(transaction=True)
def test_whoever_was_overtaken_on_the_way_to_the_key_answers_as_the_rival_did(
    ann: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A rival is done between the look at what was answered and the lock: played by looking before the rival."""
    claim = idempotency._claim
    rivals: list[HttpResponse] = []

    def rival() -> None:
        rivals.append(send(deposit(ann)))
        connection.close()

    def overtaken(asked: Any) -> tuple[Any, ...]:
        monkeypatch.setattr(idempotency, "_claim", claim)
        thread = threading.Thread(target=rival)
        thread.start()
        thread.join()
        return None, None, None, None, None

    monkeypatch.setattr(idempotency, "_claim", overtaken)
    answer = send(deposit(ann))
    assert (answer.status_code, answer.content) == (201, rivals[0].content)
    assert answer["Idempotent-Replayed"] == "true"
    assert wallet(ann) == Decimal("5.00")


@pytest.mark.django_db(transaction=True)
def test_the_answer_and_the_work_stand_or_fall_together(ann: Player, superuser_connection: Any) -> None:
    """The record of the answer cannot be written: the deposit is not there either."""
    superuser_connection.execute("ALTER TABLE config_answered ADD CONSTRAINT full_up CHECK (false) NOT VALID")
    try:
        client = Client(raise_request_exception=False)
        answer = client.post(
            "/v1/deposits",
            json.dumps(deposit(ann)),
            content_type="application/json",
            headers={"X-Player": "ann", "Idempotency-Key": "k1"},
        )
        assert answer.status_code == 500
        assert wallet(ann) == 0
    finally:
        superuser_connection.execute("ALTER TABLE config_answered DROP CONSTRAINT full_up")
    assert send(deposit(ann)).status_code == 201
    assert wallet(ann) == Decimal("5.00")


@pytest.mark.django_db(transaction=True)
def test_what_waited_in_vain_is_run_again_whole_and_then_told_to_try_again(
    ann: Player, superuser_connection: Any
) -> None:
    assert send(deposit(ann), key="opens-the-wallet").status_code == 201
    Deposits.runs = 0
    with superuser_connection.transaction():
        superuser_connection.execute("SELECT FROM ledger_balance FOR UPDATE")
        answer = send(deposit(ann, patience_ms=50))
    assert (answer.status_code, code(answer)) == (503, "busy")
    assert answer["Retry-After"] == "1"
    assert Deposits.runs == 1 + TIMES
    assert send(deposit(ann, patience_ms=50)).status_code == 201
    assert wallet(ann) == Decimal("10.00")
