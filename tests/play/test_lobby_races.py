"""The lobby while everybody wants the same: one table, no deadlock, and every cent is where it should be."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from decimal import Decimal
from threading import Barrier
from typing import Any

import pytest
from django.db import connection

from games.models import Table
from games.rules.endings import Outcome
from ledger import proofs
from tests.factories import RoomFactory, escrow, wallet, won
from tests.play.lobbying import PLAY, SINGLE, Guest, emerald
from wagering.play.models import Offer, PlayMoneyIssue
from wagering.settlement.services import settle
from wagering.stakes.models import Stake

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _as_often_as_one_likes(settings: Any) -> None:
    settings.RATES = {}


def at_once(*calls: Callable[[], Any]) -> list[tuple[int, Any]]:
    """Status and body of each answer; all start at the same moment, each on its own connection."""
    start = Barrier(len(calls))

    def run(call: Callable[[], Any]) -> tuple[int, Any]:
        try:
            connection.ensure_connection()
            start.wait(timeout=20)
            answer = call()
            return answer.status_code, answer.json()
        finally:
            connection.close()

    with ThreadPoolExecutor(max_workers=len(calls)) as threads:
        return list(threads.map(run, calls))


def codes(answers: list[tuple[int, Any]]) -> Counter[str]:
    return Counter("done" if status < 300 else body["code"] for status, body in answers)


def assert_proven() -> None:
    assert [(proof.name, proof.fault) for proof in proofs.run() if not proof.holds] == []


def test_of_several_takers_one_gets_the_table() -> None:
    ann, takers = Guest("ann"), [Guest(f"guest {number}") for number in range(4)]
    offer = ann.offered(room=emerald())
    answers = at_once(*(lambda taker=taker: taker.accepts(offer) for taker in takers))
    assert codes(answers) == {"done": 1, "offer_closed": 3}
    table = Table.objects.get()
    (winner,) = (guest for guest in takers if guest.player == table.player_2)
    assert escrow(winner.player) == escrow(ann.player) == Decimal("15.00")
    assert [escrow(guest.player) for guest in takers if guest is not winner] == [0, 0, 0]
    assert_proven()


def test_a_maker_with_money_for_one_table_sits_down_at_one() -> None:
    room, ann = emerald(), Guest("ann", funds="20")
    offers = [ann.offered(room=room) for _ in range(3)]
    takers = [Guest(f"guest {number}") for number in range(3)]
    answers = at_once(
        *(lambda taker=taker, offer=offer: taker.accepts(offer) for taker, offer in zip(takers, offers, strict=True))
    )
    assert codes(answers) == {"done": 1, "opponent_cannot_pay": 2}
    assert (wallet(ann.player), escrow(ann.player)) == (Decimal("5.00"), Decimal("15.00"))
    assert sum(escrow(taker.player) for taker in takers) == Decimal("15.00")
    assert Table.objects.count() == Stake.objects.count() == 1
    assert_proven()


@pytest.mark.parametrize("again", range(3))
def test_an_offer_is_taken_or_taken_back(again: int) -> None:
    ann, bob = Guest("ann"), Guest("bob")
    offer = ann.offered(room=emerald())
    answers = at_once(lambda: bob.accepts(offer), lambda: ann.posts(f"offers/{offer}/withdraw"))
    assert codes(answers) == {"done": 1, "offer_closed": 1}
    agreed = Offer.objects.get().state == "agreed"
    assert escrow(ann.player) == escrow(bob.player) == (Decimal("15.00") if agreed else 0)
    assert Table.objects.count() == agreed


@pytest.mark.parametrize("again", range(3))
def test_a_counter_proposal_is_agreed_on_or_taken_back(again: int) -> None:
    ann, bob = Guest("ann"), Guest("bob")
    offer = ann.offered(room=emerald())
    counter = bob.countered(offer, {**SINGLE, "beavers": True})
    path = f"offers/{offer}/counters/{counter}"
    answers = at_once(lambda: ann.posts(f"{path}/accept"), lambda: bob.posts(f"{path}/withdraw"))
    assert codes(answers) == {"done": 1, "counter_closed": 1}
    assert Table.objects.count() == (Offer.objects.get().state == "agreed")


def test_one_counter_proposal_at_a_time() -> None:
    ann, authors = Guest("ann"), [Guest(f"guest {number}") for number in range(3)]
    offer = ann.offered(room=emerald())
    other = {**SINGLE, "beavers": True}
    answers = at_once(*(lambda author=author: author.counters(offer, other) for author in authors))
    assert codes(answers) == {"done": 1, "offer_countered": 2}


def test_offers_made_at_once_do_not_slip_past_the_limit(settings: Any) -> None:
    settings.OFFERS_STANDING_MAX = 2
    room, ann = emerald(), Guest("ann")
    answers = at_once(*(lambda: ann.offers(room=room) for _ in range(4)))
    assert codes(answers) == {"done": 2, "too_many_offers": 2}


def test_the_same_request_at_once_is_one_offer() -> None:
    room, ann = emerald(), Guest("ann")
    body = {"room": room.slug, **SINGLE}
    answers = at_once(*(lambda: ann.posts("offers", body, key="k1") for _ in range(3)))
    assert codes(answers).keys() <= {"done", "idempotency_key_in_flight"}
    assert Offer.objects.count() == 1


# --- play money -------------------------------------------------------------------------------------------------------


def test_play_money_of_the_first_use_is_given_once() -> None:
    room, ann = emerald(), Guest("ann", funds=None)
    answers = at_once(
        *(lambda: ann.gets("wallet") for _ in range(3)),
        lambda: ann.posts("wallet/play-money"),
        *(lambda: ann.offers(PLAY, room=room) for _ in range(2)),
    )
    assert codes(answers).keys() <= {"done", "enough_play_money"}
    assert wallet(ann.player, "PLAY") == Decimal("1000.00")
    assert PlayMoneyIssue.objects.count() == 1
    assert_proven()


def test_play_money_asked_for_at_once_is_given_once(settings: Any) -> None:
    settings.PLAY_MONEY_FLOOR = Decimal("1000.01")
    ann = Guest("ann", funds=None)
    ann.gets("wallet")
    answers = at_once(*(lambda: ann.posts("wallet/play-money") for _ in range(4)))
    assert codes(answers) == {"done": 1, "enough_play_money": 3}
    assert wallet(ann.player, "PLAY") == Decimal("2000.00")
    assert_proven()


# --- a rematch --------------------------------------------------------------------------------------------------------


def played(
    room: Any, ann: Guest, bob: Guest, terms: dict[str, Any] | None = None, outcome: Outcome | None = None
) -> str:
    """The id of a table at which the two have finished."""
    table: str = bob.accepts(ann.offered(terms, room=room)).json()["table"]
    settle(table=Table.objects.get(pk=table), outcome=outcome or won(1), at=datetime.now(UTC))
    return table


@pytest.mark.parametrize("again", range(3))
def test_both_ask_for_a_rematch_at_once_and_sit_down_once(again: int) -> None:
    ann, bob = Guest("ann"), Guest("bob")
    table = played(emerald(), ann, bob)
    answers = at_once(lambda: ann.posts(f"tables/{table}/rematch"), lambda: bob.posts(f"tables/{table}/rematch"))
    assert codes(answers) == {"done": 2}
    assert sorted(body["state"] for _, body in answers) == ["agreed", "open"]
    rematch = Offer.objects.get(rematch_of__isnull=False)
    assert rematch.state == "agreed"
    assert Table.objects.count() == 2
    assert_proven()


def test_a_rematch_is_the_other_players_alone_and_keeps_the_terms() -> None:
    room, ann, bob, cleo = emerald(), Guest("ann"), Guest("bob"), Guest("cleo")
    table = played(room, ann, bob, {**SINGLE, "jacoby": True, "abandonment": "void"})
    RoomFactory.create(charges="sgames")
    room.tariff.tariff = "sgames"
    room.tariff.save()
    asked = ann.posts(f"tables/{table}/rematch").json()
    assert (asked["state"], asked["opponent"]["name"], asked["rematch_of"]) == ("open", "bob", table)
    assert (asked["terms"]["jacoby"], asked["terms"]["abandonment"]) == (True, "void")
    assert asked["tariff"]["name"] == "sgames"  # today's
    assert ann.posts(f"tables/{table}/rematch").json()["id"] == asked["id"]
    assert cleo.sees(asked["id"]).status_code == 404
    assert cleo.accepts(asked["id"]).status_code == 404
    assert cleo.gets("offers").json()["results"] == []
    assert cleo.posts(f"tables/{table}/rematch").status_code == 404
    assert [offer["id"] for offer in bob.gets("offers").json()["results"]] == [asked["id"]]
    done = bob.posts(f"tables/{table}/rematch").json()
    assert (done["state"], done["id"]) == ("agreed", asked["id"])
    stake = Stake.objects.get(table=done["table"])
    assert (stake.cap, stake.abandonment) == (Decimal("15.00"), "void")
    assert stake.table.jacoby


def test_a_rematch_is_agreed_on_once() -> None:
    ann, bob = Guest("ann"), Guest("bob")
    table = played(emerald(), ann, bob)
    ann.posts(f"tables/{table}/rematch")
    agreed = bob.posts(f"tables/{table}/rematch").json()
    for player in (ann, bob, ann):
        again = player.posts(f"tables/{table}/rematch").json()
        assert (again["state"], again["id"], again["table"]) == ("agreed", agreed["id"], agreed["table"])
    assert Table.objects.count() == 2
    assert_proven()


def test_a_rematch_follows_a_contest_that_is_over() -> None:
    room, ann, bob = emerald(), Guest("ann"), Guest("bob")
    table = bob.accepts(ann.offered(room=room)).json()["table"]
    assert ann.posts(f"tables/{table}/rematch").json()["code"] == "not_finished"


def test_a_rematch_may_be_asked_for_again_when_it_was_taken_back() -> None:
    ann, bob = Guest("ann"), Guest("bob")
    table = played(emerald(), ann, bob)
    first = ann.posts(f"tables/{table}/rematch").json()["id"]
    assert ann.posts(f"offers/{first}/withdraw").json()["state"] == "withdrawn"
    second = bob.posts(f"tables/{table}/rematch").json()
    assert (second["state"], second["maker"]["name"]) == ("open", "bob")
    assert ann.accepts(second["id"]).json()["state"] == "agreed"
